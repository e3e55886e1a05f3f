"""
The kernel of a forest
======================

How alike are two points to a forest? Count the trees in which they share a leaf. With ever more purely random trees
that share tends to a kernel. Breiman's infinity theory has a formula for it, which is exact only from a face of the
cube; the exact kernel is in :mod:`arboretum.theory.kernels`.
"""

import matplotlib.pyplot as plt
import numpy as np

from arboretum import plots
from arboretum.ensembles import PurelyRandomForest
from arboretum.theory.kernels import exact_kernel, printed_kernel

# %%
# A purely random forest cuts the unit square without a look at the classes, so any classes will do.

leaves, rng = 20, np.random.default_rng(0)
forest = PurelyRandomForest(2000, n_leaves=leaves, box="unit", random_state=1)
forest.fit(rng.random((50, 2)), np.arange(50) % 2)

line = np.linspace(0, 1, 101)
points = np.column_stack([line, np.full(101, 0.5)])
centre = np.array([[0.5, 0.5]])
shares = (forest.apply(points) == forest.apply(centre)).mean(axis=1)

# %%
# The share of trees that put a point of the line into the leaf of the centre, and the two kernels.

kernels = {
    "exact kernel": exact_kernel(points, centre, leaves),
    "Theorem 4 as printed": printed_kernel(points, centre, leaves),
}
axes = plots.kernel(line, kernels, {"2000 trees": shares})
axes.set(xlabel="first coordinate, the second is 0.5")
plt.show()

# %%
# The trees follow the exact kernel. The printed formula is a lower bound inside the cube.

worst = np.abs(shares - exact_kernel(points, centre, leaves)).max()
print(f"largest distance of the trees from the exact kernel: {worst:.3f}")
