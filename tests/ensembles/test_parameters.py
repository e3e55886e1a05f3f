"""Every parameter of every estimator is checked, and the error names it."""

import inspect

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.utils._param_validation import InvalidParameterError
from sklearn.utils.estimator_checks import check_param_validation

from arboretum import ensembles
from arboretum.ensembles import BoostedTrees, GuidedForest, NCLEnsemble, PurelyRandomForest, RandomForest, VRForest

ALL = [getattr(ensembles, name) for name in ensembles.__all__ if inspect.isclass(getattr(ensembles, name))]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_every_parameter_has_its_constraint(kind):
    assert set(kind._parameter_constraints) == set(kind().get_params(deep=False))
    check_param_validation(kind.__name__, kind())


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (VRForest("baging"), "'method' parameter of VRForest must be a str among .*'bagging'"),
        (VRForest(alpha=1.5), r"'alpha' parameter of VRForest must be a float in the range \[0.0, 1.0\]"),
        (VRForest(n_estimators=0), "'n_estimators'"),
        (VRForest(max_depth=-1), "'max_depth'"),
        (VRForest(min_cases=-5), "'min_cases'"),
        (VRForest(subspace=0), "'subspace'"),
        (VRForest(mdl="no"), "'mdl'"),
        (VRForest(n_jobs="x"), "'n_jobs'"),
        (RandomForest("weca"), "'flavour'"),
        (RandomForest(max_features=1.5), "'max_features'"),
        (PurelyRandomForest(cut="square"), "'cut'"),
        (BoostedTrees("cart", algorithm="M2"), "'algorithm'"),
        (GuidedForest(mechanism="weights"), "'mechanism'"),
        (GuidedForest(m_max=0), "'m_max'"),
        (NCLEnsemble("hinge"), "'loss'"),
        (NCLEnsemble(lam=2), "'lam'"),
    ],
)
def test_wrong_parameters_are_named(estimator, message):
    with pytest.raises(InvalidParameterError, match=message):
        estimator.fit(*load_iris(return_X_y=True))


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (GuidedForest("lurp"), "Did you mean 'lerp'"),
        (RandomForest(max_features=99), "max_features=99"),
        (VRForest(oob_score=True), "draws no bootstrap samples"),
    ],
)
def test_parameters_that_do_not_fit(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(*load_iris(return_X_y=True))


def test_shares_of_features():
    X, y = load_iris(return_X_y=True)
    trees = [RandomForest(n_estimators=3, max_features=m, random_state=0).fit(X, y) for m in (1.0, "all", 4)]
    for other in trees[1:]:
        assert np.array_equal(other.forest_.nodes, trees[0].forest_.nodes)
