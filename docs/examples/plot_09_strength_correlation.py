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

figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
axes.plot(*spectrum.T, "o-", color="C2", label="bagged VR-Trees")
for alpha, place in zip(alphas, spectrum, strict=True):
    axes.annotate(f"{alpha:.1f}", place, xytext=(6, -10), textcoords="offset points", color="C2")
for marker, (name, place) in zip("s^", others.items(), strict=True):
    axes.plot(*place, marker, color="black", label=name)
axes.set(xlabel="strength (higher is better)", ylabel="correlation (lower is better)")
axes.legend(frameon=False)
plt.show()
