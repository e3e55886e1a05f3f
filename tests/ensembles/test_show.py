"""Trees for people and for other programs: text, picture, treelite."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine

from arboretum.ensembles import (
    PERT,
    BoostedTrees,
    Coalescence,
    DynamicIntegration,
    ExtraTrees,
    RandomForest,
    VRForest,
    VRTree,
    export_text,
    plot_tree,
    to_treelite,
)


def mixed(n=120):
    """Numbers and levels, some levels without cases."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=n), "z": rng.normal(size=n)})
    X["c"] = pd.Categorical(rng.choice(list("abc"), n), categories=list("abcd"))
    return X, np.where((X["x"] > 0) ^ (X["c"] == "a"), "yes", "no")


def test_text_of_a_tree():
    X = pd.DataFrame({"x": [0.0, 1, 2, 3, 4, 5, 6, 7], "c": pd.Categorical(list("abababab"), categories=list("abc"))})
    y = np.where(X["x"] < 4, "low", np.where(X["c"] == "a", "even", "odd"))
    tree = VRTree(n_min=2, min_cases=1, mdl=False).fit(X, y)
    assert export_text(tree, show_weights=True) == (
        "|--- x <= 3.00\n"
        "|   |--- weights: [0.00, 4.00, 0.00] class: low\n"
        "|--- x > 3.00\n"
        "|   |--- c = a\n"
        "|   |   |--- weights: [2.00, 0.00, 0.00] class: even\n"
        "|   |--- c = b\n"
        "|   |   |--- weights: [0.00, 0.00, 2.00] class: odd\n"
    )
    assert "truncated branch of depth 1" in export_text(tree, max_depth=0)
    named = export_text(tree, feature_names=["size", "kind"], class_names=["E", "L", "O"])
    assert "size <= 3.00" in named and "class: E" in named
    with pytest.raises(ValueError, match="feature_names has 1 names, and 2 are needed"):
        export_text(tree, feature_names=["size"])
    with pytest.raises(ValueError, match="the trees 0 to 0"):
        export_text(tree, 1)


def test_text_of_subsets():
    X, y = mixed()
    text = export_text(RandomForest(n_estimators=3, max_features="all", random_state=0).fit(X, y), 2)
    assert "c = a" in text and "c in {b, c, d}" in text


def test_a_picture_shows_every_node():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = load_iris(return_X_y=True, as_frame=True)
    forest = VRForest(n_estimators=3, random_state=0).fit(X, y)
    ax = plot_tree(forest, 1, max_depth=None)
    inner = int(forest.n_nodes_[1] - forest.n_leaves_[1])
    frames = [text for text in ax.texts if text.get_bbox_patch() and text.get_bbox_patch().get_linewidth() == 0.9]
    assert len(frames) == inner
    assert len([text for text in ax.texts if text.get_fontweight() == "bold"]) == forest.n_leaves_[1]
    short = plot_tree(forest, 1, max_depth=1)
    assert any("…" in text.get_text() for text in short.texts)


EXPORTED = {
    "vr": VRForest(n_estimators=5, random_state=0),
    "coalescence": Coalescence(5, random_state=0),
    "r": RandomForest(n_estimators=5, random_state=0),
    "weka": RandomForest("weka", 5, random_state=0),
    "extra": ExtraTrees(5, random_state=0),
    "pert": PERT(5, random_state=0),
    "boosted": BoostedTrees(n_estimators=4),
    "C5.0": BoostedTrees(n_estimators=4, algorithm="C5.0"),
}


@pytest.mark.parametrize("name", EXPORTED)
def test_treelite_gives_the_same_answers(name):
    treelite = pytest.importorskip("treelite")
    numbers, classes = load_wine(return_X_y=True)
    for X, y in ((numbers, classes), mixed()):
        forest = EXPORTED[name].fit(X, y)
        model = to_treelite(forest)
        cells = np.ascontiguousarray(forest._table(X, reset=False).cells)
        shares = treelite.gtil.predict(model, cells)
        np.testing.assert_allclose(np.reshape(shares, (len(cells), -1)), forest.predict_proba(X), atol=1e-9)
        assert len(json.loads(model.dump_as_json())["trees"]) == len(forest.forest_)


def test_treelite_fills_in_as_the_forest_does():
    treelite = pytest.importorskip("treelite")
    X, y = mixed()
    forest = RandomForest(n_estimators=9, random_state=0).fit(X, y)
    holes = X.assign(x=np.nan, c=pd.Categorical([None] * len(X), categories=list("abcd")))
    cells = np.ascontiguousarray(forest._table(holes, reset=False).cells)
    shares = np.reshape(treelite.gtil.predict(to_treelite(forest), cells), (len(X), -1))
    np.testing.assert_allclose(shares, forest.predict_proba(holes), atol=1e-9)


def test_treelite_needs_a_sum_over_trees():
    pytest.importorskip("treelite")
    X, y = load_iris(return_X_y=True)
    with pytest.raises(TypeError, match="no sum over trees"):
        to_treelite(DynamicIntegration(RandomForest("weka", 5), random_state=0).fit(X, y))
