"""
Perfect random trees and their limit
====================================

A node of PERT is cut at random between two random cases of different classes, until every training case is fitted. The
share of trees that vote for a class tends to a surface as trees are added. On a few cases ``ExactPERT`` computes that
surface without growing any tree.
"""

import matplotlib.pyplot as plt
import numpy as np

from arboretum.ensembles import PERT, ExactPERT

X = np.array([[0.05], [0.2], [0.3], [0.45], [0.6], [0.7], [0.95]])
y = np.array([0, 0, 1, 0, 1, 1, 0])
line = np.linspace(0, 1, 401)[:, None]
limit = ExactPERT().fit(X, y).predict_proba(line)[:, 1]

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for trees in (10, 100, 1000):
    share = PERT(trees, random_state=1).fit(X, y).predict_proba(line)[:, 1]
    axes.plot(line, share, lw=1, label=f"{trees} trees")
axes.plot(line, limit, color="black", label="limit")
axes.plot(X, y, "o", color="C5", label="training cases")
axes.set(xlabel="x", ylabel="share of votes for class 1")
axes.legend(frameon=False)
plt.show()

# %%
# The limit goes through the training cases and is linear between neighbouring values.

print(np.round(ExactPERT().fit(X, y).predict_proba(X)[:, 1], 12))
