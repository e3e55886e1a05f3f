"""
The kernel of many variables
============================

A purely random tree with ``T`` leaves on ``M`` variables keeps two points together with a probability that
:doc:`/infinity-kernel` gives exactly. How near is it to its limit of many variables, a function of the mean distance
alone? Put your own ``M`` and ``T`` here.
"""

import matplotlib.pyplot as plt
import numpy as np

from arboretum.theory.kernel_limits import (
    from_a_corner,
    gap_bound,
    gap_constant,
    largest_gap,
    limit_of_many_variables,
    repeat_bound,
)
from arboretum.theory.leaf_sides import squared_bandwidth

M, T = 20, 1000

# %%
# From a corner of the cube the kernel is least, and Theorem 4 of Breiman (2000) is exact. Here with the limit, and with
# the Laplace kernel of Corollary 5.

distance = np.linspace(0, 0.5, 101)
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.plot(distance, limit_of_many_variables(distance, T), label="limit of many variables")
axes.plot(distance, np.exp(-np.log(T) * distance), "--", label="Laplace kernel, log(T)/M")
for variables in (2, 5, M, 10 * M):
    axes.plot(distance, from_a_corner(distance, variables, T), label=f"M = {variables}")
axes.set(xlabel="distance, the same in every variable", ylabel="chance of one leaf")
axes.legend(frameon=False)
plt.show()

# %%
# The largest difference, where it is, and what is proved of it: two bounds, and the constant over M that it goes to.

gap, at = largest_gap(M, T)
print(f"largest difference {gap:.4f}, at a distance of {at:.4f}")
print(f"bounds {repeat_bound(M, T):.3f} and {gap_bound(M, T):.3f}, constant over M {gap_constant(T)[0] / M:.4f}")

# %%
# A leaf's side in one variable hardly shrinks: the squared bandwidth falls as a small power of 1/T.

for leaves in (T, 10 * T, 100 * T):
    print(
        leaves, round(squared_bandwidth(M, leaves, "kernel"), 4), round(squared_bandwidth(M, leaves, "proportion"), 4)
    )
