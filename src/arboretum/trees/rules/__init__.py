"""How a node chooses its test. Each rule is one file with its parameters (a named tuple) and its kernel.

The grower calls :func:`select_test`; numba picks the kernel by the type of the rule, so a forest compiles only the
rule it uses. A kernel returns ``(kind, feature, cut, deterministic)``; for a SUBSET test it also sets
``sides[level]`` to the branch of each level.

``scans`` says whether the rule reads columns by rank. One that does not needs no column sorted. ``walks`` says whether
it searches so many columns that large tables are worth presorting (:mod:`arboretum.trees.presorted`). A rule with
``n_tried`` looks at so many features per node; if these are not all, it uses no blocks (:mod:`arboretum.trees.block`).
One with ``branches`` can give unknown values a branch (``missing="branch"`` of ``grow_forest``).
"""

from __future__ import annotations

from numba.extending import overload

LEAF, NUMERIC, NOMINAL, SUBSET = 0, 1, 2, 3
_SELECTORS: dict = {}


def rule(parameters):
    """Register the decorated kernel as the selector for rules of type ``parameters``."""

    def register(selector):
        _SELECTORS[parameters] = selector
        return selector

    return register


def select_test(rule, buffers, sides, rows, row_weight, case_weight, start, end, total):
    """The test of the node that holds the cases at ``start .. end`` of ``rows``."""
    raise NotImplementedError("kernels only")


@overload(select_test, jit_options={"nogil": True, "error_model": "numpy", "forceinline": True, "_nrt": False})
def _select_test(rule, buffers, sides, rows, row_weight, case_weight, start, end, total):
    return _SELECTORS[rule.instance_class].py_func
