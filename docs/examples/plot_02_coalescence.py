"""
Coalescence against a random forest
===================================

Which ``alpha`` is best is not known beforehand. Coalescence needs no choice: its trees take one ``alpha`` each, evenly
spaced over the random half of the spectrum, 0, 0.005, ..., 0.495 for 100 trees.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

from arboretum.ensembles import Coalescence, RandomForest, VRForest

sets = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer, "digits": load_digits}
learners = {
    "complete-random trees": VRForest(alpha=0, random_state=1),
    "C4.5, bagged": VRForest("bagging", alpha=1, random_state=1),
    "Coalescence": Coalescence(random_state=1),
    "random forest": RandomForest(random_state=1),
}
folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)

errors = {}
for name, load in sets.items():
    X, y = load(return_X_y=True)
    for learner, model in learners.items():
        errors[name, learner] = 100 * (1 - cross_val_score(model, X, y, cv=folds).mean())

# %%
# Every learner sees the same folds.

figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
places, width = np.arange(len(sets)), 0.2
for shift, learner in enumerate(learners):
    heights = [errors[name, learner] for name in sets]
    axes.bar(places + (shift - 1.5) * width, heights, width, label=learner)
axes.set(xticks=places, xticklabels=list(sets), ylabel="error, per cent")
axes.legend(frameon=False)
plt.show()

# %%
# Four sets with numeric columns show how to compare, not who wins. On the paper's 44 sets the random forest ranks
# first and Coalescence third (:doc:`/results`).
