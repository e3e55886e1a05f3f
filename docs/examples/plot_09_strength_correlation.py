"""
Strength and correlation
========================

Breiman bounds the error of a forest by the correlation of its trees and by its strength, the mean margin: at most
correlation * (1 - strength**2) / strength**2. Along the spectrum both rise with ``alpha``.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from arboretum import plots
from arboretum.ensembles import PERT, RandomForest, VRForest
from arboretum.measures.vote_sums import strength_correlation

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)


def measured(model):
    """Strength and correlation on the test part."""
    found = strength_correlation(model.fit(X_train, y_train).tree_votes(X_test), y_test, 2)
    return found.strength, found.correlation


alphas = np.linspace(0, 1, 6)
spectrum = np.array([measured(VRForest("bagging", alpha, random_state=1)) for alpha in alphas])
others = {"PERT": measured(PERT(random_state=1)), "random forest": measured(RandomForest(random_state=1))}

labels = {"bagged VR-Trees": [f"{alpha:.1f}" for alpha in alphas]}
plots.strength_correlation({"bagged VR-Trees": spectrum, **others}, labels)
plt.show()

# %%
# The margin of a case says by how many votes it is right; the share of the votes is no probability, and how far it is
# from one can be seen, too.

votes = {
    f"alpha {alpha:g}": VRForest("bagging", alpha, random_state=1).fit(X_train, y_train).tree_votes(X_test)
    for alpha in (0, 0.5, 1)
}
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
plots.margins(votes, y_test, ax=left)
shares = {name: np.stack([1 - found.mean(axis=0), found.mean(axis=0)], axis=1) for name, found in votes.items()}
plots.calibration(shares, y_test, ax=right)
plt.show()
