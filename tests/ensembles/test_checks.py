"""What is plainly right is not checked twice; everything else is scikit-learn's to judge."""

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import check_random_state

from arboretum.ensembles import VRForest
from arboretum.ensembles.checks import _LAST_PASSED, are_plain_numbers, labels_and_codes, random_source

X, y = np.random.default_rng(0).normal(size=(30, 3)), np.arange(30) % 3


@pytest.mark.parametrize("state", [0, 7, 2**32 - 1, np.int64(5), np.random.RandomState(3)])
def test_a_seed_gives_the_numbers_of_scikit_learn(state):
    if isinstance(state, np.random.RandomState):
        assert random_source(state) is check_random_state(state)
    else:
        assert np.array_equal(random_source(state).randint(0, 2**32, 9), check_random_state(state).randint(0, 2**32, 9))


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, "seed"])
def test_a_bad_seed_is_scikit_learns_error(seed):
    with pytest.raises(ValueError) as ours:
        random_source(seed)
    with pytest.raises(ValueError) as theirs:
        check_random_state(seed)
    assert str(ours.value) == str(theirs.value)


LABELS = [[0, 1, 2], [2, 0, 2, 5, 5, 2], [1, 0, 1], [-1, 1, 1], [10**12, 3, 3], [True, False], ["b", "a"]]


@pytest.mark.parametrize("labels", LABELS, ids=str)
@pytest.mark.parametrize("kind", [None, "uint8", "uint64"])
def test_labels_and_codes_are_numpys(labels, kind):
    labels = np.array(labels)
    if kind and labels.dtype.kind == "i":
        labels = np.abs(labels).astype(kind)
    ours, theirs = labels_and_codes(labels), np.unique(labels, return_inverse=True)
    for one, other in zip(ours, theirs, strict=True):
        assert np.array_equal(one, other)
    assert ours[0].dtype == theirs[0].dtype


def test_only_finite_float_tables_are_plain():
    assert are_plain_numbers(X)
    assert are_plain_numbers(X[::-1, ::2])
    for other in (X[0], X[:0], X[:, :0], X.astype(np.float32), X.tolist(), np.where(X > 1, np.inf, X)):
        assert not are_plain_numbers(other)
    assert not are_plain_numbers(np.where(X > 1, np.nan, X))
    with np.errstate(all="raise"):
        assert not are_plain_numbers(np.full((3, 3), 1e308))  # their sum is infinite: scikit-learn decides


def test_parameters_are_checked_again_when_one_changed():
    model = VRForest(n_estimators=2, random_state=0).fit(X, y)
    model.alpha = 2.0
    with pytest.raises(ValueError, match="alpha"):
        model.fit(X, y)
    with pytest.raises(ValueError, match="alpha"):  # what failed once did not pass
        model.fit(X, y)
    assert VRForest(n_estimators=2, alpha=0.25, random_state=0).fit(X, y).alpha == 0.25


def test_an_array_after_named_columns_forgets_the_names():
    model = VRForest(n_estimators=2, random_state=0).fit(pd.DataFrame(X, columns=list("abc")), y)
    with pytest.warns(UserWarning, match="feature names"):
        model.predict(X)
    model.fit(X, y)
    assert not hasattr(model, "feature_names_in_")
    with pytest.raises(ValueError, match="3 features"):
        model.predict(X[:, :2])


def test_a_subclass_may_pass_its_parameters_on():
    class Mine(VRForest):
        def __init__(self, extra=1, n_estimators=2, **rest):
            super().__init__(n_estimators=n_estimators, **rest)
            self.extra = extra

        _parameter_constraints = VRForest._parameter_constraints

    assert len(Mine().fit(X, y).forest_) == 2


def test_large_parameters_are_not_kept_alive():
    class_weight = {0: 1.0, 1: 2.0, 2: 1.0}
    VRForest(n_estimators=2, class_weight=class_weight).fit(X, y)
    assert not any(value is class_weight for values in _LAST_PASSED.values() for value in values)


def test_labels_of_any_container_give_no_warning(recwarn):
    for labels in (y.tolist(), pd.Series(np.arange(30)), list(range(30))):
        VRForest(n_estimators=1).fit(X, labels)
    assert not recwarn.list
