"""
Guided growth: trees that look at hard cases
============================================

A guided forest draws the cases of its next tree by how the trees so far voted on them. The strategy "drf" gives more
weight to cases that many trees get wrong. ``grow`` adds trees to a fitted forest.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from arboretum.ensembles import GuidedForest

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)

sizes = np.arange(5, 101, 5)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
for strategy in ("uniform", "drf"):
    forest = GuidedForest(strategy, n_estimators=100, random_state=1).fit(X_train, y_train)
    left.plot(sizes, [100 * (1 - forest.head(size).score(X_test, y_test)) for size in sizes], label=strategy)
    right_share = (forest.tree_votes(X_test) == y_test).mean(axis=0)
    right.hist(right_share, bins=20, range=(0, 1), histtype="step", label=strategy)
left.set(xlabel="trees", ylabel="error, per cent", title="the forest")
right.set(xlabel="share of trees that are right about a case", ylabel="test cases", title="its members")
left.legend(frameon=False)
plt.show()

# %%
# Guided members are worse one by one and spread more; the vote need not suffer. Whether it gains depends on the data:
# :doc:`/results` says on which sets it did.
