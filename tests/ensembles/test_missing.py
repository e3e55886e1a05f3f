"""``missing="branch"`` in the estimators that have it: unknown values take a branch, in training and in prediction."""

import pickle

import numpy as np
import pandas as pd
import pytest

from arboretum.ensembles import Coalescence, SearchedAlpha, VRForest, VRTree, export_text, plot_tree, to_treelite

ESTIMATORS = {
    "VRTree": VRTree(random_state=0),
    "VRForest": VRForest("bagging", 0.5, 20, oob_score=True, random_state=0),
    "Coalescence": Coalescence(20, random_state=0),
    "SearchedAlpha": SearchedAlpha([0.0, 0.5], 20, random_state=0),
}
# Unknown colours are all of class 1, unknown sizes behave as the smallest.
COLOUR = ["red"] * 6 + ["blue"] * 6 + [None] * 6
SIZE = [1.0, 2.0, 3.0] * 6
FRAME = pd.DataFrame({"colour": pd.Categorical(COLOUR, ["blue", "red"]), "size": SIZE})
CLASSES = np.array([0] * 6 + [1, 0] * 3 + [1] * 6)
UNKNOWN = pd.DataFrame({"colour": pd.Categorical([None], ["blue", "red"]), "size": [2.0]})


@pytest.mark.parametrize("name", ESTIMATORS)
def test_unknown_values_have_an_answer_of_their_own(name):
    """The unknown level is all of class 1: with a branch it is certain, with fractions it is mixed with the others."""
    own, plain = (
        pickle.loads(pickle.dumps(ESTIMATORS[name].set_params(missing=missing).fit(FRAME, CLASSES)))
        for missing in ("branch", "fractions")
    )
    assert own.predict_proba(UNKNOWN)[0, 1] > plain.predict_proba(UNKNOWN)[0, 1]
    assert own.predict(FRAME)[12:].tolist() == [1] * 6
    ESTIMATORS[name].set_params(missing="fractions")


def test_one_tree_by_hand():
    tree = VRTree(missing="branch").fit(FRAME[["colour"]], CLASSES)
    assert tree.predict_proba(UNKNOWN[["colour"]]).tolist() == [[0, 1]]
    assert export_text(tree) == (
        "|--- colour = blue\n|   |--- class: 0\n|--- colour = red\n|   |--- class: 0\n"
        "|--- colour is missing\n|   |--- class: 1\n"
    )
    assert "is missing" in [text.get_text() for text in plot_tree(tree).texts]
    strange = VRTree(missing="branch").fit(FRAME[["colour"]].astype(object), CLASSES)
    purple = pd.DataFrame({"colour": ["purple"]})
    assert strange.predict_proba(purple).tolist() == [[0, 1]], "a level that training did not declare is unknown"


def test_treelite_gives_the_same_answers_for_unknown_values():
    treelite = pytest.importorskip("treelite")
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": pd.Categorical(rng.choice(list("xyz"), 150)), "b": rng.normal(size=150)})
    X = X.mask(rng.random(X.shape) < 0.2).astype({"a": X["a"].dtype})
    y = (X["b"].fillna(-2) + (X["a"] == "x")) > 0
    forest = Coalescence(10, missing="branch", random_state=0).fit(X, y)
    cells = np.column_stack([np.where(X["a"].isna(), np.nan, X["a"].cat.codes), X["b"]])
    shares = np.reshape(treelite.gtil.predict(to_treelite(forest), cells), (len(X), -1))
    assert np.isnan(cells).any(axis=0).all()
    np.testing.assert_allclose(shares, forest.predict_proba(X), atol=1e-9)


def test_trees_of_both_kinds_are_not_mixed():
    forest = VRForest("aggregating", 0.5, 2, warm_start=True, random_state=0).fit(FRAME, CLASSES)
    with pytest.raises(ValueError, match="different settings of `missing`"):
        forest.set_params(missing="branch", n_estimators=4).fit(FRAME, CLASSES)
    with pytest.raises(ValueError, match="missing"):
        VRTree(missing="level").fit(FRAME, CLASSES)
