"""Do random trees occur as often as their exact law says? Chi-square tests with fixed seeds."""

from __future__ import annotations

import numpy as np
from reference import laws
from scipy.stats import chisquare

from arboretum.seeds import seed_sequence

TREES = 8_000
REJECT = 1e-4  # seeds are fixed, so a correct engine always passes; a wrong law gives far smaller p-values


def assert_follows(forest, cases, law):
    """Every tree occurs as often as the law says. Trees expected fewer than five times are pooled."""
    seen = dict.fromkeys(law, 0)
    for tree in range(len(forest)):
        name = laws.signature(forest.nested(tree), cases)
        assert name in law, f"the law does not allow this tree: {name}"
        seen[name] += 1
    expected = {name: p * len(forest) for name, p in law.items()}
    rare = [name for name, e in expected.items() if e < 5]
    counts = [(seen[name], expected[name]) for name in law if expected[name] >= 5]
    if rare:
        counts.append((sum(seen[name] for name in rare), sum(expected[name] for name in rare)))
    observed, wanted = np.array(counts).T
    assert len(observed) > 1, "a law of one tree tests nothing"
    assert chisquare(observed, wanted * observed.sum() / wanted.sum()).pvalue > REJECT


def stream(*axes):
    """Seeds of the trees, from named axes."""
    return seed_sequence(proof="laws", axes=list(axes)).generate_state(TREES, np.uint64)
