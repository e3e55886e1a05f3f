"""A rule from outside the package: the one of the gallery, its exact law, and that its machine code is not kept."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from engine_trees import grow
from law_tests import assert_follows, stream
from reference import laws
from reference.table import gini, mean_impurity, table

from arboretum.trees import C45, cart_rule, extra_rule, pert_rule, vr_rule, weka_rule
from arboretum.trees.grow import grow_trees, grower_for

PAGE = Path(__file__).parents[3] / "docs" / "examples" / "plot_17_own_rule.py"
CASES = table([[0, 1, 2, 2, 4, 9], [3, 1, 1, 0, 7, 4]], ["numeric"] * 2, [0, 0], [0, 1, 0, 1, 1, 0])


@pytest.fixture(scope="module")
def page():
    """The page down to its proofs, which run here too."""
    module = sys.modules["own_rule"] = ModuleType("own_rule")
    exec(compile(PAGE.read_text("utf-8").split("# Where on the spectrum")[0], str(PAGE), "exec"), vars(module))
    yield module
    del sys.modules["own_rule"]


def halfway_trees(cases, alpha, rows=None):
    """The law of the rule: the best halfway cut with probability alpha, else the random test of a VR-Tree."""
    rows = tuple(range(len(cases.y))) if rows is None else rows
    here = cases.take(rows)
    movable = [f for f in range(cases.n_features) if laws._gaps(cases, f, rows)]
    if sum(count > 0 for count in here.counts()) < 2 or here.total < 4 or not movable:
        return {rows: 1.0}
    splits: dict = {}
    halves = [(f, laws._side(cases, f, rows, sum(span(cases, f, rows)) / 2)) for f in movable]
    scores = [mean_impurity(gini, [cases.take(side).counts() for side in sides]) for _, sides in halves]
    laws._add(splits, halves[scores.index(min(scores))], alpha)
    for f in movable:
        for sides, p in laws._random_test(cases, f, rows, False).items():
            laws._add(splits, (f, sides), (1 - alpha) * p / len(movable))
    return laws._grown(splits, rows, lambda part, _: halfway_trees(cases, alpha, part))


def span(cases, feature, rows):
    values = [cases.columns[feature][row] for row in rows]
    return min(values), max(values)


def test_the_law_of_the_rule_of_the_page(page):
    forest = grow(CASES, page.Halfway(0.4), seeds=stream("halfway"), n_min=4.0)
    assert_follows(forest, CASES, halfway_trees(CASES, 0.4))
    with pytest.raises(AssertionError):
        assert_follows(forest, CASES, halfway_trees(CASES, 0.45))


def test_the_rule_takes_about_thirty_lines():
    lines = PAGE.read_text("utf-8").splitlines()
    place = [i for i, line in enumerate(lines) if line.startswith(("class Halfway(", "# %%"))]
    first = next(i for i in place if lines[i].startswith("class"))
    rule = lines[first : next(end for start, end in pairwise(place) if start == first)]
    assert 20 <= len([line for line in rule if line.strip()]) <= 30


def test_only_rules_of_the_package_are_kept_as_machine_code(page):
    """numba finds machine code by the name of a rule's type: once edited, a rule would meet its former self."""
    ours = [vr_rule(0.5), cart_rule(), extra_rule(), pert_rule(), weka_rule(1), C45(2.0, True, True, False)]
    assert all(grower_for(rule) is grow_trees for rule in ours)
    assert grow_trees._cache.cache_path is not None
    own = grower_for(page.Halfway(0.4))
    assert own is not grow_trees and own._cache.cache_path is None
    assert own.py_func is grow_trees.py_func
