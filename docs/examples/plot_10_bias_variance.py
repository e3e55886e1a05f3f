"""
Bias and variance along the spectrum
====================================

The error of a classifier splits into bias and variance (here: Kohavi and Wolpert's split, noise inside the bias). Both
are estimated from what the same learner says of each case after training on several samples.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from arboretum.ensembles import VRForest, VRTree
from arboretum.measures.bias_variance import kohavi_wolpert

X, y = load_wine(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
rng = np.random.default_rng(1)
samples = [rng.choice(len(X_train), 60, replace=False) for _ in range(20)]


def split(model):
    """Mean bias and variance over the test cases."""
    answers = [
        model.set_params(random_state=i).fit(X_train[s], y_train[s]).predict(X_test) for i, s in enumerate(samples)
    ]
    found = kohavi_wolpert(np.column_stack(answers), y_test, 3).mean()
    return 100 * found.bias, 100 * found.variance


alphas = np.linspace(0, 1, 6)
single = np.array([split(VRTree(alpha)) for alpha in alphas])
forest = np.array([split(VRForest("bagging", alpha, n_estimators=30)) for alpha in alphas])

figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True, layout="constrained")
for place, title, (bias, variance) in zip(axes, ("one tree", "30 bagged trees"), (single.T, forest.T), strict=True):
    place.stackplot(alphas, bias, variance, labels=("bias", "variance"), colors=("#3b7d4f", "#b9d8c0"))
    place.set(title=title, xlabel="alpha")
axes[0].set_ylabel("error, per cent")
axes[0].legend(frameon=False)
plt.show()

# %%
# Voting takes most of the variance away; what is left depends on ``alpha``.
