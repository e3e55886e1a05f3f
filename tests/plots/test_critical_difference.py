"""Critical-difference diagrams: groups of methods that cannot be told apart, against every pair."""

from __future__ import annotations

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from arboretum.plots import critical_difference, critical_groups


def by_pairs(ranks: dict[str, float], critical: float) -> set[frozenset[str]]:
    """The largest sets whose members all lie within the critical difference of each other, by trying all sets."""
    alike = [
        frozenset(group)
        for size in range(2, len(ranks) + 1)
        for group in combinations(ranks, size)
        if all(abs(ranks[a] - ranks[b]) <= critical for a, b in combinations(group, 2))
    ]
    return {group for group in alike if not any(group < other for other in alike)}


@pytest.mark.parametrize("seed", range(30))
def test_groups_are_the_largest_sets_of_methods_that_no_pair_tells_apart(seed: int) -> None:
    draw = np.random.default_rng(seed)
    ranks = {f"method {i}": rank for i, rank in enumerate(draw.uniform(1, 6, size=6))}
    critical = draw.uniform(0.2, 3)
    found = critical_groups(ranks, critical)
    assert {frozenset(group) for group in found} == by_pairs(ranks, critical) and len(found) == len(
        set(map(tuple, found))
    )


def test_demsar_s_example() -> None:
    """Figure 1 (a) of Demsar (2006): C4.5+m+cf, C4.5+m, C4.5+cf, C4.5 with a critical difference of 1.25 (Nemenyi)."""
    ranks = {"C4.5": 3.143, "C4.5+m": 2.0, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}
    assert critical_groups(ranks, 1.25) == [["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]]
    assert critical_groups(ranks, 1.0) == [["C4.5+m+cf", "C4.5+m", "C4.5+cf"], ["C4.5+cf", "C4.5"]]


def test_both_sides_are_named() -> None:
    _, ax = plt.subplots()
    critical_difference({"ours": {"oak": 1.2, "elm": 1.8}, "from print": {"oak": 1.9, "elm": 1.1}}, 0.5, ax=ax)
    texts = [text.get_text().strip() for text in ax.texts]
    assert {"ours", "from print", "oak 1.20", "elm 1.80", "oak 1.90", "elm 1.10"} <= set(texts)
    assert "critical difference 0.50" in texts
    plt.close("all")
