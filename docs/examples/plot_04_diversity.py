"""
What diversity buys: the decomposition of an ensemble's error
=============================================================

The error of an ensemble is the mean error of its members less their diversity. Both depend on how random the trees are.
The terms are estimated from several ensembles, each grown on a training sample of its own.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from arboretum.ensembles import VRForest
from arboretum.measures.decomposition import decompose
from arboretum.measures.losses import ZeroOne

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)
rng = np.random.default_rng(0)

# %%
# Six trials: the same learner on six bootstrap samples of the training part. Votes have the shape (trials, members,
# cases), which is what every function of :mod:`arboretum.measures.decomposition` takes.

trials = [rng.integers(len(X_train), size=len(X_train)) for _ in range(6)]
alphas, found = np.linspace(0, 1, 6), []
for alpha in alphas:
    votes = [
        VRForest("bagging", alpha, n_estimators=25, random_state=i).fit(X_train[rows], y_train[rows]).tree_votes(X_test)
        for i, rows in enumerate(trials)
    ]
    found.append(decompose(y_test, np.array(votes), ZeroOne(10)))

# %%
# More randomness makes worse members that differ more. The vote gains as long as diversity grows faster than the
# members' error.

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for name, label in (
    ("expected_member_loss", "mean error of a member"),
    ("diversity", "diversity"),
    ("expected_ensemble_loss", "error of the ensemble"),
):
    axes.plot(alphas, [100 * getattr(terms, name) for terms in found], "o-", label=label)
axes.set(xlabel="alpha", ylabel="per cent", ylim=(0, None))
axes.legend(frameon=False)
plt.show()

# %%
# The identity holds to the last digit:

terms = found[0]
print(terms.expected_member_loss - terms.diversity - terms.expected_ensemble_loss)
