"""
Pictures of trees: from random to deterministic
===============================================

One tree and one forest at three places of the spectrum. Random nodes cut anywhere; deterministic nodes cut where it
helps. A forest of random trees has a smooth boundary, a forest of C4.5 trees one of right angles.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from arboretum.ensembles import VRForest, VRTree, export_text, plot_tree

X, y = make_moons(150, noise=0.25, random_state=1)
x1, x2 = np.meshgrid(np.linspace(-1.8, 2.8, 150), np.linspace(-1.3, 1.8, 110))
grid = np.column_stack([x1.ravel(), x2.ravel()])

alphas = (0, 0.5, 1)
figure, axes = plt.subplots(2, 3, figsize=(9, 5), sharex=True, sharey=True, layout="constrained")
for column, alpha in enumerate(alphas):
    forest = VRForest("bagging", alpha, n_estimators=100, random_state=2).fit(X, y)
    for row, model in enumerate((forest.head(1), forest)):
        share = model.predict_proba(grid)[:, 1].reshape(x1.shape)
        axes[row, column].pcolormesh(x1, x2, share, cmap="PiYG", vmin=-0.5, vmax=1.5, rasterized=True)
        axes[row, column].scatter(*X.T, c=y, cmap="PiYG", edgecolor="white", linewidth=0.6, s=22)
    axes[0, column].set_title(f"alpha = {alpha}")
axes[0, 0].set_ylabel("the first tree")
axes[1, 0].set_ylabel("100 trees")
plt.show()

# %%
# The grown trees can be read: nodes, depths, and the share of nodes that were deterministic.

for alpha in alphas:
    forest = VRForest("bagging", alpha, n_estimators=100, random_state=2).fit(X, y)
    print(
        f"alpha {alpha}: {forest.n_nodes_.mean():5.1f} nodes, depth {forest.depths_.mean():4.1f}, "
        f"{forest.deterministic_share_.mean():.0%} of inner nodes deterministic"
    )

# %%
# One tree as a picture: a dashed frame is a test drawn at random, a solid one a test that was chosen. The bar below a
# node has the shares of the classes, a branch is as thick as its share of the cases.

tree = VRTree(alpha=0.5, random_state=2).fit(X, y)
figure, ax = plt.subplots(figsize=(9, 5), layout="constrained")
plot_tree(tree, max_depth=4, feature_names=["x1", "x2"], class_names=["upper", "lower"], ax=ax)
plt.show()

# %%
# The same tree as text.

print(export_text(tree, max_depth=2, feature_names=["x1", "x2"]))
