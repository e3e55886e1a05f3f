"""The feature rule of scikit-learn: node counts and member errors as in its forests, within two standard errors."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from sklearn.ensemble import RandomForestClassifier

from arboretum.datasets import FetchSettings, fetch
from arboretum.datasets.prepare import prepared
from arboretum.datasets.record import read_record
from arboretum.ensembles import GuidedForest, RandomForest

ROOT = Path(__file__).parents[2]
TREES = 120
PARTS = {"digits": (1200, 597), "spambase": (3000, 1600), "covertype": (15000, 20000)}


@pytest.fixture(scope="module", params=PARTS)
def grown(request, tmp_path_factory):
    """Training and test part of a set, and nodes and errors of scikit-learn's trees."""
    name, (train, test) = request.param, PARTS[request.param]
    spec = yaml.safe_load((ROOT / f"conf/dataset/{name}.yaml").read_text("utf-8"))
    raw = tmp_path_factory.mktemp("raw")
    outcome = fetch({name: spec}, raw, FetchSettings(root=ROOT), progress=False)[name]
    if outcome.status != "available":
        pytest.skip(f"{name} cannot be had here: {outcome.reason}")
    data = prepared(name, spec, raw / name, read_record(raw / name))
    rows = np.random.default_rng(1).permutation(len(data.y))[: train + test]
    X = data.X.to_numpy(dtype=np.float32).astype(float)[rows]  # scikit-learn keeps no more digits
    y = data.y.cat.codes.to_numpy()[rows]
    parts = X[:train], y[:train], X[train:], y[train:]
    peer = RandomForestClassifier(TREES, max_features="sqrt", random_state=0).fit(*parts[:2])
    nodes = np.array([tree.tree_.node_count for tree in peer.estimators_])
    errors = np.array([np.mean(tree.predict(parts[2]) != parts[3]) for tree in peer.estimators_])
    return parts, nodes, errors


def apart(one, other):
    """Difference of means in standard errors."""
    return (one.mean() - other.mean()) / np.sqrt((one.var(ddof=1) + other.var(ddof=1)) / TREES)


@pytest.mark.slow
@pytest.mark.parametrize("make", [RandomForest, GuidedForest], ids=lambda make: make.__name__)
def test_trees_are_those_of_scikit_learn(grown, make):
    (X, y, test_X, test_y), nodes, errors = grown
    options = {"strategy": "dynamic_as_run"} if make is GuidedForest else {"redraw_constants": "until_one_varies"}
    forest = make(n_estimators=TREES, random_state=0, **options).fit(X, y)
    assert abs(apart(forest.n_nodes_, nodes)) < 2
    assert abs(apart(np.mean(forest.tree_votes(test_X) != test_y, axis=1), errors)) < 2


@pytest.mark.slow
def test_redrawing_is_another_rule(grown):
    (X, y, _, _), nodes, _ = grown
    assert (
        abs(apart(RandomForest(n_estimators=TREES, redraw_constants=True, random_state=0).fit(X, y).n_nodes_, nodes))
        > 5
    )
