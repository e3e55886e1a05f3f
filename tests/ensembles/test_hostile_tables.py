"""Hostile tables: extreme, equal and missing values, unused levels, zero and tiny weights.

Every estimator gives probabilities or raises ValueError with a reason. It neither crashes nor hangs. Run with
NUMBA_BOUNDSCHECK=1 to find reads out of bounds.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arboretum.ensembles import (
    PERT,
    BoostedTrees,
    Coalescence,
    ExtraTrees,
    PurelyRandomForest,
    RandomForest,
    SearchedAlpha,
    VRForest,
)

EXTREME = [0.0, -0.0, 1.0, 1.0 + 2**-52, -1e308, 1e308, 5e-324, np.nan]
ESTIMATORS = {
    "completely random": VRForest(alpha=0.0, n_estimators=4, random_state=0),
    "half random, bagged": VRForest(method="bagging", alpha=0.5, n_estimators=4, random_state=0),
    "c4.5, subspaces": VRForest(method="bagging+subspacing", alpha=1.0, n_estimators=4, random_state=0),
    "coalescence": Coalescence(n_estimators=4, random_state=0),
    "searched alpha": SearchedAlpha(n_estimators=2, random_state=0),
    "forest": RandomForest(n_estimators=4, random_state=0),
    "weka's forest": RandomForest(flavour="weka", n_estimators=4, random_state=0),
    "extra trees": ExtraTrees(n_estimators=4, random_state=0),
    "pert": PERT(n_estimators=4, random_state=0),
    "boosted": BoostedTrees(n_estimators=3, random_state=0),
    "purely random": PurelyRandomForest(n_leaves=4, n_estimators=4, random_state=0),
}


@st.composite
def frames(draw, kinds, rows):
    """A frame with columns of the given kinds: None for numbers, otherwise the number of declared levels."""
    columns = {}
    for f, levels in enumerate(kinds):
        if levels is None:
            cells = st.one_of(st.sampled_from(EXTREME), st.floats(allow_infinity=False), st.integers(-2, 2).map(float))
            columns[f"x{f}"] = np.array(draw(st.lists(cells, min_size=rows, max_size=rows)), dtype=float)
        else:
            codes = draw(st.lists(st.integers(-1, levels - 1), min_size=rows, max_size=rows))
            columns[f"x{f}"] = pd.Categorical.from_codes(codes, categories=[f"level {v}" for v in range(levels)])
    return pd.DataFrame(columns)


@st.composite
def problems(draw):
    kinds = draw(st.lists(st.one_of(st.none(), st.integers(1, 13)), min_size=1, max_size=4))
    rows, other = draw(st.integers(1, 24)), draw(st.integers(1, 6))
    y = np.array(draw(st.lists(st.integers(0, 4), min_size=rows, max_size=rows)))
    weight = st.one_of(st.integers(0, 3).map(float), st.sampled_from([1e-12, 0.3, 1e6]))
    weights = draw(st.none() | st.lists(weight, min_size=rows, max_size=rows).map(np.array))
    return draw(frames(kinds, rows)), y, weights, draw(frames(kinds, other))


@pytest.mark.parametrize("name", ESTIMATORS)
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(problem=problems())
def test_probabilities_or_a_reason(name, problem):
    X, y, weights, other = problem
    model = ESTIMATORS[name]
    try:
        model.fit(X, y, sample_weight=weights)
    except ValueError as refused:
        assert str(refused)
        assert len(np.unique(y)) == 1 or (weights is not None and not weights.any())
        return
    for table in (X, other):
        shares = model.predict_proba(table)
        assert shares.shape == (len(table), len(model.classes_))
        assert (shares >= 0).all()
        np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-9)
        assert set(model.predict(table)) <= set(y)
        assert (model.apply(table) >= 0).all()
