"""No tree, vote or count hangs on the last bit of a function that every processor rounds in its own way."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from benchmarks.last_places import differing, estimators
from benchmarks.noise import NUMPY, SPECIAL, noisy

import arboretum.ensembles
from arboretum.ensembles import ncl

SOURCE = Path(arboretum.ensembles.__file__).parents[1]


# ------------------------------------------------------------------ the noise itself


def test_noise_moves_functions_methods_and_names_imported_elsewhere_and_goes_away():
    x = np.linspace(0.1, 0.9, 1000)
    plain = np.exp(x), [row.sum() for row in x.reshape(100, 10)], np.mean(x), ncl.softmax(x)
    with noisy(1):
        moved = np.exp(x), [row.sum() for row in x.reshape(100, 10)], np.mean(x), ncl.softmax(x)
    assert 300 < np.count_nonzero(plain[0] != moved[0]) < 900
    assert np.max(np.abs(moved[0] / plain[0] - 1)) < 3e-16
    assert 30 < np.count_nonzero(np.array(plain[1]) != moved[1]) < 90
    assert np.any(plain[3] != moved[3])
    np.testing.assert_array_equal(np.exp(x), plain[0])


def test_noise_leaves_whole_numbers_alone():
    with noisy(1):
        assert np.sum(np.arange(100)) == 4950
        assert np.cumsum(np.ones(5, dtype=int)).tolist() == [1, 2, 3, 4, 5]
        assert (np.arange(4) > 1).sum() == 2


def test_noise_reaches_weights_that_go_through_exp_and_log():
    """As AdaBoost had them once: 12 of 500 small forests then differed under noise."""

    def weights(seed):
        rng, chance = np.random.default_rng(seed), np.full(200, 1 / 200)
        for _ in range(200):
            wrong = rng.random(200) < 0.3
            error = chance[wrong].sum()
            chance = chance * np.exp(np.log((1 - error) / error) * wrong)
            chance = chance / chance.sum()
        return chance

    plain = [weights(seed) for seed in range(5)]
    with noisy(1):
        moved = [weights(seed) for seed in range(5)]
    assert all(np.any(one != other) for one, other in zip(plain, moved, strict=True))


# ------------------------------------------------------------------ estimators


def test_every_estimator_is_in_the_list():
    known = {name.split(",")[0] for name in estimators()}
    public = {name for name in arboretum.ensembles.__all__ if hasattr(getattr(arboretum.ensembles, name), "fit")}
    assert public - known == {"ExactPERT"}  # grows no tree: its answers are chances, compared with a tolerance


@pytest.mark.slow
def test_trees_votes_and_predictions_do_not_hang_on_a_last_bit():
    """In short; `make machines` fits every estimator on ten sets with 50 seeds."""
    assert {name: different for name, different in differing(sets=2, seeds=2) if different} == {}


# ------------------------------------------------------------------ sources

METHODS = {"mean", "var", "std", "dot", "prod"}
#: Sums are not listed: noise finds them, and most are sums of whole numbers.
CHOSEN_BY_PROCESSOR = {*NUMPY, *SPECIAL, *METHODS, "linalg", "fft"} - {"sum", "cumsum"}
#: Where such a function stays in trees/ and ensembles/, and why no tree, vote or count hangs on its last bit.
ALLOWED = {
    ("ensembles/base.py", "log"): "predict_log_proba: a number for the user",
    ("ensembles/exact_pert.py", "log"): "predict_log_proba: a number for the user",
    ("ensembles/ncl.py", "log"): "predict_log_proba and the value of the objective, which steers nothing",
    ("ensembles/ncl.py", "softmax"): "networks: classes are told apart by differences far above rounding",
    ("ensembles/ncl.py", "tanh"): "networks: see softmax",
    ("ensembles/ncl.py", "mean"): "networks: see softmax",
    ("ensembles/ncl.py", "std"): "networks: see softmax",
    ("ensembles/ncl.py", "@"): "networks: see softmax",
    ("ensembles/boosted.py", "mean"): "scale of the weights that to_treelite writes",
    ("ensembles/dynamic_integration.py", "prod"): "whole numbers: how many cases fit into a block",
    ("ensembles/grown.py", "@"): "whole numbers: how often two cases share a leaf",
    ("ensembles/out_of_bag.py", "mean"): "oob_score_: a number for the user",
    ("trees/forest.py", "mean"): "feature_importances_: numbers for the user",
}


def uses(path: Path):
    """Names of functions that a file takes from NumPy, SciPy or math by attribute or import, and products by @."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr in CHOSEN_BY_PROCESSOR:
            if node.attr in METHODS or (
                isinstance(node.value, ast.Name) and node.value.id in ("np", "math", "special")
            ):
                yield node.attr
        elif isinstance(node, ast.ImportFrom) and node.module in ("scipy.special", "math"):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield "@"


def test_trees_and_ensembles_use_no_other_function_that_processors_round_differently():
    found = {
        (str(path.relative_to(SOURCE)), name)
        for room in ("trees", "ensembles")
        for path in (SOURCE / room).rglob("*.py")
        for name in uses(path)
    }
    assert found == set(ALLOWED)
