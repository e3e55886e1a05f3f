"""Weka's RandomTree when it sees all features: information gain, one branch per nominal level, grown to purity."""

from __future__ import annotations

from itertools import pairwise

from .c45 import divide
from .table import TOLERANCE, entropy, greater, mean_impurity


def tests(table, feature):
    """The tests tried on one feature, as (cut or None, branches of known rows)."""
    values, known = table.columns[feature], table.known(feature)
    if table.kinds[feature] == "nominal":
        yield None, [[row for row in known if values[row] == level] for level in range(table.levels[feature])]
        return
    present = sorted({values[row] for row in known})
    for low, high in pairwise(present):
        below = [row for row in known if values[row] <= low]
        yield (low + high) / 2, [below, [row for row in known if values[row] > low]]


def gain(branches) -> float:
    """Entropy of all branches together minus their mean entropy."""
    together = [sum(column) for column in zip(*branches, strict=True)]
    return entropy(together) - mean_impurity(entropy, branches) if sum(together) > 0 else 0.0


def feature_gains(table, feature) -> dict:
    """Gain of each best cut of one feature (several if they tie), with missing cases spread in proportion."""
    found = list(tests(table, feature))
    on_known = [gain([table.counts(rows) for rows in branches]) for _, branches in found]
    best = max(on_known, default=0.0)
    return {
        cut: gain([divide(table, feature, branches, rows).counts() for rows in branches])
        for (cut, branches), score in zip(found, on_known, strict=True)
        if score > best - TOLERANCE and any(branches)
    }


def check(tree, table, path="root") -> None:
    """Fail unless ``tree`` is a tree that RandomTree with all features can grow on ``table``."""
    counts = table.counts()
    assert all(abs(a - b) < 1e-6 for a, b in zip(tree["counts"], counts, strict=True)), f"{path}: counts"
    gains = [feature_gains(table, feature) for feature in range(table.n_features)]
    best = max((g for by_cut in gains for g in by_cut.values()), default=0.0)
    stops = greater(2, sum(counts)) or not greater(sum(counts), max(counts)) or not greater(best, 0)
    assert ("children" not in tree) == stops, f"{path}: should be {'a leaf' if stops else 'split'}"
    if stops:
        return
    by_cut = gains[tree["feature"]]
    cut = next((c for c in by_cut if c is None or abs(c - tree["cut"]) < 1e-9), "none")
    assert cut != "none", f"{path}: {tree['cut']} is no best cut of feature {tree['feature']}"
    others = max(min(found.values()) for found in gains if found)
    assert by_cut[cut] > others - TOLERANCE, f"{path}: gain {by_cut[cut]}, another feature has {others}"
    branches = next(b for c, b in tests(table, tree["feature"]) if c == cut)
    for k, (child, rows) in enumerate(zip(tree["children"], branches, strict=True)):
        check(child, divide(table, tree["feature"], branches, rows), path=f"{path}/{k}")
