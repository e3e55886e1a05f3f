"""Observed frequencies of the engine's random trees against their exact laws (chi-square, fixed seeds)."""

import numpy as np
import pytest
from engine import grow, vr_rule
from scipy.stats import chisquare

from reference import laws
from reference.table import table

TREES = 20_000
REJECT = 1e-4  # seeds are fixed: a right engine passes for ever, a wrong law fails by many orders

MIXED = table([[0, 1, 2, 2, 4, 5, 7], [0, 0, 1, 1, 2, 0, 1]], ["numeric", "nominal"], [0, 3], [0, 0, 0, 1, 1, 1, 0])
WEIGHTED = table([[0, 1, 2, 4], [1, 0, 0, 1]], ["numeric", "nominal"], [0, 2], [0, 1, 0, 1], weights=[1, 3, 2, 1])
REAL_WEIGHTS = table([[0, 1, 2, 4], [3, 0, 5, 1]], ["numeric"] * 2, [0, 0], [0, 1, 0, 1], weights=[1.5, 3, 2.5, 0.5])
SPLITTABLE = table([[0, 1, 2, 3, 4, 5], [1, 0, 0, 1, 0, 1]], ["numeric", "nominal"], [0, 2], [0, 0, 0, 1, 1, 1])


def assert_follows(forest, cases, law):
    """Trees seen as often as the law says; trees expected fewer than five times are pooled."""
    seen = dict.fromkeys(law, 0)
    for tree in range(len(forest)):
        name = laws.signature(forest.nested(tree), cases)
        assert name in law, f"a tree that cannot be: {name}"
        seen[name] += 1
    expected = {name: p * len(forest) for name, p in law.items()}
    rare = [name for name, e in expected.items() if e < 5]
    counts = [(seen[name], expected[name]) for name in law if expected[name] >= 5]
    if rare:
        counts.append((sum(seen[name] for name in rare), sum(expected[name] for name in rare)))
    observed, wanted = np.array(counts).T
    assert len(observed) > 1, "a law of one tree tests nothing"
    assert chisquare(observed, wanted * observed.sum() / wanted.sum()).pvalue > REJECT


@pytest.mark.parametrize("alpha", [0.0, 0.5])
@pytest.mark.parametrize("name", ["MIXED", "WEIGHTED", "REAL_WEIGHTS", "SPLITTABLE"])
def test_variable_random_trees(name, alpha):
    cases = globals()[name]
    forest = grow(cases, vr_rule(alpha), seeds=stream(name, alpha), n_min=4.0)
    assert_follows(forest, cases, laws.vr_trees(cases, alpha))


def stream(*axes):
    """Seeds of the trees, named by axes."""
    from arboretum.seeds import seed_sequence

    return seed_sequence(proof="laws", axes=list(axes)).generate_state(TREES, np.uint64)


def test_a_wrong_alpha_is_noticed():
    """The test above can fail: trees of alpha 0.5 do not follow the law of alpha 0.45."""
    forest = grow(SPLITTABLE, vr_rule(0.5), seeds=stream("wrong"), n_min=4.0)
    with pytest.raises(AssertionError):
        assert_follows(forest, SPLITTABLE, laws.vr_trees(SPLITTABLE, 0.45))
