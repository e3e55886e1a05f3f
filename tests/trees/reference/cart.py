"""Binary trees by Gini or entropy (Breiman et al. 1984), by trying every cut and every two-way grouping.

Tied splits are equally right, so there is no single reference tree. Instead :func:`check` checks a grown tree.
"""

from __future__ import annotations

from itertools import combinations

from .predict import branch
from .table import TOLERANCE, entropy, gini, mean_impurity

IMPURITIES = {"gini": gini, "entropy": entropy}


def splits(table, feature):
    """Every split of the rows in two by one feature, as pairs of row lists."""
    values = table.columns[feature]
    present = sorted(set(values))
    rows = range(len(values))
    if table.kinds[feature] == "numeric":
        left_sides = [set(present[:k]) for k in range(1, len(present))]
    else:
        first, others = present[:1], present[1:]
        left_sides = [{*first, *chosen} for k in range(len(others)) for chosen in combinations(others, k)]
    for left in left_sides:
        yield [row for row in rows if values[row] in left], [row for row in rows if values[row] not in left]


def decrease(table, impurity, division) -> float:
    """Impurity of the node minus the mean impurity of the two sides."""
    return impurity(table.counts()) - mean_impurity(impurity, [table.counts(side) for side in division])


def best_decrease(table, impurity, min_leaf=0.0):
    """The greatest decrease over all features and divisions, or None when every feature is constant."""
    scores = [
        decrease(table, impurity, division)
        for feature in range(table.n_features)
        for division in splits(table, feature)
        if all(sum(table.weights[side]) >= min_leaf for side in division)
    ]
    return max(scores, default=None)


def check(tree, table, criterion="gini", *, min_split=2, min_leaf=0.0, max_depth=None, path="root") -> None:
    """Fail unless ``tree`` is a tree that CART can grow on ``table``; the message names the node."""
    impurity = IMPURITIES[criterion]
    counts = table.counts()
    assert all(abs(a - b) < 1e-6 for a, b in zip(tree["counts"], counts, strict=True)), f"{path}: counts"
    best = best_decrease(table, impurity, min_leaf)
    stops = sum(c > 0 for c in counts) < 2 or sum(counts) < min_split or best is None or max_depth == 0
    assert ("children" not in tree) == stops, f"{path}: should be {'a leaf' if stops else 'split'}"
    if stops:
        return
    values = table.columns[tree["feature"]]
    sides = [[row for row in range(len(values)) if branch(tree, values[row]) == k] for k in (0, 1)]
    assert all(sides), f"{path}: an empty side"
    if tree["kind"] == "numeric":
        low, high = max(values[sides[0]]), min(values[sides[1]])
        assert abs(tree["cut"] - (low + high) / 2) < TOLERANCE, f"{path}: the cut is not the midpoint"
    score = decrease(table, impurity, sides)
    assert score > best - TOLERANCE, f"{path}: decrease {score}, best {best}"
    for k in (0, 1):
        depth = None if max_depth is None else max_depth - 1
        check(
            tree["children"][k],
            table.take(sides[k]),
            criterion,
            min_split=min_split,
            min_leaf=min_leaf,
            max_depth=depth,
            path=f"{path}/{k}",
        )
