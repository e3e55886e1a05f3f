"""What only theory needs: exact kernels, populations, boosting in distribution space, what trees can span.

=======================  ===================================================================
``kernels``              the kernel of purely random trees: as printed, and exact
``kernel_limits``        its limit of many variables, with bounds and the sharp constant
``leaf_sides``           sides of leaves: the bandwidths of the kernel
``finite_kernels``       the kernel of PERT and of VR-Trees at alpha 0 on a small sample
``kernel_symmetry``      how much of a kernel depends on distances alone
``population``           problems whose distribution is known on a grid
``grid_forests``         random trees grown on such a grid
``population_boosting``  AdaBoost in distribution space
``finite_boosting``      AdaBoost on finite data, followed step by step
``completeness``         the rank of the trees with T leaves among all functions on a grid
=======================  ===================================================================
"""
