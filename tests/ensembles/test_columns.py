"""Columns by kind: numbers, levels, refused; frames of other libraries; levels that training did not see."""

import datetime

import numpy as np
import pandas as pd
import pyarrow
import pytest
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from arboretum import ensembles
from arboretum.ensembles import PERT, BoostedTrees, ExactPERT, ExtraTrees, NCLEnsemble, RandomForest, VRForest, VRTree

FORESTS = [
    VRForest(n_estimators=5, random_state=0),
    VRTree(),
    RandomForest(n_estimators=5, random_state=0),
    RandomForest("weka", n_estimators=5, random_state=0),
    ExtraTrees(n_estimators=5, random_state=0),
    PERT(n_estimators=5, random_state=0),
    BoostedTrees(n_estimators=3),
]


def frame(n=60):
    rng = np.random.default_rng(0)
    x, colour = rng.normal(size=n), rng.choice(["red", "green", "blue"], n)
    return pd.DataFrame({"x": x, "colour": colour}), np.where((x > 0) | (colour == "red"), "yes", "no")


def test_objects_are_what_their_values_are():
    X, y = frame()
    objects = X.astype(object)
    objects.loc[3, "x"] = X.loc[3, "x"] = None
    forest = VRForest(n_estimators=5, random_state=0)
    expected = forest.fit(X, y).predict_proba(X)
    assert forest.fit(objects, y).levels_[0] is None
    assert np.array_equal(forest.predict_proba(objects), expected)
    assert np.array_equal(forest.fit(objects.to_numpy(), y).predict_proba(objects.to_numpy()), expected)
    assert not hasattr(forest, "feature_names_in_")


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pd.date_range("2020-01-01", periods=60), "column 'bad' has the type datetime64.*days since"),
        ([datetime.date(2020, 1, 1)] * 60, "column 'bad' has the type date"),
        (np.arange(60) * 1j, "Complex data not supported: column 'bad'"),
        ([1, "a"] * 30, "column 'bad' mixes numbers and text; make it numeric with pd.to_numeric"),
        (pd.timedelta_range("1D", periods=60), "column 'bad' has the type timedelta"),
    ],
)
def test_refused_columns_are_named(column, message):
    X, y = frame()
    with pytest.raises(ValueError, match=message):
        VRForest(n_estimators=2).fit(X.assign(bad=pd.Series(column)), y)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (sparse.csr_matrix(np.eye(60)), "dense data is required"),
        (np.eye(60).astype("datetime64[s]"), "turn dates into numbers"),
        (np.eye(60) * 1j, "Complex data not supported"),
    ],
)
def test_refused_arrays(X, message):
    with pytest.raises((TypeError, ValueError), match=message):
        VRForest(n_estimators=2).fit(X, frame()[1])


def test_arrow_frames():
    X, y = frame()
    forest = VRForest(n_estimators=5, random_state=0).fit(X, y)
    arrow = pyarrow.Table.from_pandas(X)
    again = VRForest(n_estimators=5, random_state=0).fit(arrow, y)
    assert again.feature_names_in_.tolist() == ["x", "colour"]
    assert np.array_equal(again.predict_proba(arrow), forest.predict_proba(X))


def test_polars_frames():
    polars = pytest.importorskip("polars")
    X, y = frame()
    expected = VRForest(n_estimators=5, random_state=0).fit(X, y).predict_proba(X)
    for kind in (polars.String, polars.Categorical, polars.Enum(["blue", "green", "red"])):
        data = polars.DataFrame({name: X[name].to_numpy() for name in X}).with_columns(polars.col("colour").cast(kind))
        forest = VRForest(n_estimators=5, random_state=0).fit(data, polars.Series(y.tolist()))
        assert forest.predict_proba(data).shape == expected.shape
        if kind is not polars.Categorical:  # its levels come in order of appearance
            assert np.array_equal(forest.predict_proba(data), expected)


@pytest.mark.parametrize("output", ["default", "pandas"])
def test_column_transformer(output):
    X, y = frame()
    for step in (("c", "passthrough", ["x", "colour"]), ("c", OneHotEncoder(sparse_output=False), ["colour"])):
        columns = ColumnTransformer([step], remainder="passthrough").set_output(transform=output)
        model = make_pipeline(columns, RandomForest(n_estimators=10, random_state=0)).fit(X, y)
        assert model.score(X, y) > 0.9


def rare_levels():
    X, y = frame()
    return X.assign(rare=[f"level {i % 20}" for i in range(len(X))]), y


@pytest.mark.parametrize("forest", FORESTS, ids=lambda forest: type(forest).__name__)
def test_text_columns_in_cross_validation(forest):
    """Each level of the rare column lies in few folds, so that most folds meet a level they did not learn."""
    X, y = rare_levels()
    order = np.argsort(X["rare"], kind="stable")
    assert np.isfinite(cross_val_score(forest, X.iloc[order], y[order], cv=5, error_score="raise")).all()


@pytest.mark.parametrize("forest", FORESTS, ids=lambda forest: type(forest).__name__)
def test_unknown_levels(forest):
    X, y = frame()
    strange, missing = X.assign(colour="purple"), X.assign(colour=pd.Series([None] * len(X), dtype=object))
    common = X.assign(colour=X["colour"].mode()[0])
    with pytest.raises(ValueError, match=r"'colour' has the level 'purple'.*declared: blue, green, red"):
        forest.set_params(unknown="error").fit(X, y).predict(strange)
    forest.set_params(unknown="majority").fit(X, y)
    assert np.array_equal(forest.predict_proba(strange), forest.predict_proba(common))
    forest.set_params(unknown="missing").fit(X, y)
    assert np.array_equal(forest.predict_proba(strange), forest.predict_proba(missing))


@pytest.mark.parametrize("forest", FORESTS, ids=lambda forest: type(forest).__name__)
def test_a_column_without_any_value(forest):
    X, y = frame()
    X = X.assign(empty=pd.Series([None] * len(X), dtype=object))
    assert np.isfinite(forest.fit(X, y).predict_proba(X.assign(empty="now"))).all()


@pytest.mark.parametrize("name", [name for name in ensembles.__all__ if hasattr(getattr(ensembles, name), "fit")])
def test_two_columns_of_one_name_are_refused_in_our_words(name):
    X = pd.DataFrame(np.arange(60.0).reshape(20, 3), columns=["a", "b", "a"])
    y = np.array([0, 1] * 10)
    with pytest.raises(ValueError, match="X has 2 columns named 'a'; give each a name of its own"):
        getattr(ensembles, name)().fit(X, y)


@pytest.mark.parametrize("model", [VRForest(n_estimators=2), NCLEnsemble(), ExactPERT()], ids=repr)
def test_two_columns_of_one_name_are_refused_at_prediction_too(model):
    X = pd.DataFrame(np.arange(60.0).reshape(20, 3), columns=["a", "b", "c"])
    model.fit(X, np.array([0, 1] * 10))
    with pytest.raises(ValueError, match="X has 2 columns named 'b'"):
        model.predict(X.set_axis(["b", "b", "c"], axis=1))
