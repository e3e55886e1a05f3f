"""The two predictors, of complete cases and of cases with missing values, give the same answers."""

import numpy as np
import pandas as pd
import pytest
from engine_trees import RULES, three_classes

from arboretum.trees import CodedTable, grow_forest


@pytest.mark.parametrize("levels", [None, pd.Index(range(7))])
def test_complete_cases_get_the_same_answers_from_both_predictors(levels):
    """Tables without missing values have their own kernels (predict_complete); they must agree with predict_missing."""
    table, y = three_classes(missing=False)
    cells = table.cells.copy()
    cells[:, 0] = np.digitize(cells[:, 0], np.quantile(cells[:, 0], np.arange(1, 7) / 7))  # seven levels
    kinds = (levels, None, None, None, None)
    table, with_gap = CodedTable(cells, kinds), CodedTable(np.vstack([cells, np.full((1, 5), np.nan)]), kinds)
    for name in ("vr", "pert", "cart"):
        if name == "pert" and levels is not None:
            continue
        forest = grow_forest(table, y, 3, RULES[name][0], np.arange(10), n_min=4)
        assert (len(forest.sides) > 0) == (name == "cart" and levels is not None)
        for curtail in (False, True):
            fast, general = (forest.probability(X, curtail) for X in (table, with_gap))
            assert general[:-1] == pytest.approx(fast, abs=1e-12)
            votes = forest.tree_votes(table, curtail)
            assert (votes == forest.tree_votes(with_gap, curtail)[:, :-1]).all()
            assert (votes == forest.tree_probability(table, curtail).argmax(axis=2)).mean() > 0.999
        assert (forest.apply(table) == forest.apply(with_gap)[:-1]).all()
