"""No tree, vote or count hangs on the last bit of a function that every processor rounds in its own way."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from benchmarks.last_places import differing, estimators
from benchmarks.noise import NUMPY, SPECIAL, noisy

import arboretum.ensembles
from arboretum.ensembles import ArcedTrees, ncl
from arboretum.trees import concatenate

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


class ArcedByExpAndLog(ArcedTrees):
    """AdaBoost as it once was: weights by exp of log, and a multinomial sample drawn from them."""

    def _grow(self, table, classes, weights):
        start = np.full(len(table), 1 / len(table))
        chance, trees, votes = start, [], []
        seeds = self._seeds()
        draws = np.random.default_rng(int(seeds[0] % 2**32))
        for seed in seeds:
            tree = self._tree(table, classes, draws.multinomial(len(table), chance).astype(float), seed)
            wrong = tree.tree_votes(table)[0] != classes
            error = float(chance[wrong].sum())
            if not 0 < error < 0.5:
                chance = start
                continue
            trees.append(tree)
            votes.append(np.log((1 - error) / error))
            chance = chance * np.exp(votes[-1] * wrong)
            chance = chance / chance.sum()
        self.estimator_weights_ = np.array(votes)
        return concatenate(trees)


def changed_counts(kind, fits: int) -> int:
    """Of so many forests, how many have another number of wrong votes under noise."""
    rng = np.random.default_rng(3)
    X = np.round(rng.random((30, 2)) * 10, 1)
    y = np.sort(X.sum(axis=1) + rng.normal(size=30) > 10).astype(int)  # the last cases are of one class, often alike

    def wrong_votes(seed: int) -> int:
        return np.count_nonzero(kind(n_estimators=40, random_state=seed).fit(X, y).tree_votes(X) != y)

    plain = [wrong_votes(seed) for seed in range(fits)]
    changed = 0
    for seed in range(fits):
        with noisy(seed):
            changed += wrong_votes(seed) != plain[seed]
    return changed


def test_weights_by_exp_and_log_are_noticed_as_other_counts():
    """The counts themselves: a last bit in a weight becomes another sample, another tree, another count."""
    assert changed_counts(ArcedByExpAndLog, 10) > 0
    assert changed_counts(ArcedTrees, 10) == 0


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
