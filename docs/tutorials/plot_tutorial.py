"""
From a data frame to a verdict
==============================

Which ensemble suits my data, why, and how sure can I be? This tutorial goes from one tree to a comparison of two
ensembles with an honest test. It takes a few seconds; the first run on a machine compiles for some more.

The data
--------

Any data frame will do. A categorical column is nominal, ``NaN`` is missing.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold, train_test_split

from arboretum.ensembles import Coalescence, RandomForest, VRForest, VRTree
from arboretum.measures.diversity_measures import disagreement, mean_over_pairs
from arboretum.measures.paired import paired_tests

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)
print(X.shape, y.value_counts().to_dict())

# %%
# One tree
# --------
#
# ``alpha`` is the chance that a node looks for the best test. At 1 the tree is C4.5's, at 0 every test is drawn at
# random, and the tree has to grow much larger before its leaves are pure.

for alpha in (1, 0.5, 0):
    tree = VRTree(alpha, random_state=1).fit(X_train, y_train)
    print(f"alpha {alpha}: {tree.n_nodes_[0]:3} nodes, accuracy {tree.score(X_test, y_test):.3f}")

# %%
# Many trees
# ----------
#
# A random tree is worse than a chosen one, and a forest of random trees need not be: their errors differ.

for alpha in (1, 0.5, 0):
    forest = VRForest("aggregating", alpha, n_estimators=100, random_state=1).fit(X_train, y_train)
    right = (forest.tree_votes(X_test) == y_test.to_numpy()).astype(int)
    apart = mean_over_pairs(disagreement, right[:20])
    print(
        f"alpha {alpha}: members {right.mean():.3f}, forest {forest.score(X_test, y_test):.3f}, two trees disagree "
        f"on {apart:.0%} of the cases"
    )

# %%
# At 1 all trees are the same tree: they never disagree, and the forest is as good as one of them.
#
# How many trees are enough? ``head`` gives the forest of the first k trees without growing anything again.

forest = VRForest("aggregating", 0.5, n_estimators=200, random_state=1).fit(X_train, y_train)
sizes = [1, 2, 5, 10, 20, 50, 100, 200]
errors = [100 * (1 - forest.head(size).score(X_test, y_test)) for size in sizes]
figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
axes.semilogx(sizes, errors, "o-", color="C2")
axes.set(xlabel="trees", ylabel="error, per cent", ylim=(0, None))
plt.show()

# %%
# Which one is better?
# --------------------
#
# One split decides little, and the splits of a cross-validation share their cases. So: the same splits for both, their
# differences, and a test that allows for the overlap. With ten folds a test part is a ninth of the training part.

splits = list(RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0).split(X, y))


def accuracies(model):
    """Accuracy on each of the splits."""
    return np.array(
        [model.fit(X.iloc[train], y.iloc[train]).score(X.iloc[test], y.iloc[test]) for train, test in splits]
    )


one, other = accuracies(Coalescence(50, random_state=1)), accuracies(RandomForest(n_estimators=50, random_state=1))
test = paired_tests(one - other, test_over_train=1 / 9)
print(f"Coalescence {one.mean():.3f}, random forest {other.mean():.3f}")
print(f"plain t-test p = {test.p:.2f}, corrected p = {test.corrected_p:.2f}")

# %%
# The corrected p-value is the honest one. Where it is large, the data do not tell the two apart, and you may take
# whichever you like for other reasons. Over several data sets, compare by ranks:
# :doc:`/gallery/plot_06_critical_difference`.
#
# Where next: :doc:`/gallery/plot_01_spectrum` for the whole spectrum, :doc:`/gallery/plot_04_diversity` for the reason
# why forests of bad trees can be good, :doc:`/guide/index` for all methods.
