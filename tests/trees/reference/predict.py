"""Class probabilities of a nested tree, by the rules of C4.5 for missing values and empty branches."""

from __future__ import annotations

import math

from .table import TOLERANCE, greater


def probabilities(tree, row, curtail=False, missing="fractions") -> list:
    """Class probabilities of one row (values in column order, NaN is missing)."""
    return _walk(tree, row, tree["counts"], curtail, missing)


def predict(tree, row, curtail=False) -> int:
    """The class of greatest probability; the first one within the tolerance."""
    found = probabilities(tree, row, curtail)
    best = 0
    for k in range(1, len(found)):
        if greater(found[k], found[best]):
            best = k
    return best


def _walk(node, row, fallback, curtail, missing):
    """``fallback`` has the counts of the nearest ancestor that answers for an empty or too small leaf."""
    counts = node["counts"]
    if sum(counts) > TOLERANCE and not (curtail and greater(2, sum(counts))):
        fallback = counts
    if "children" not in node:
        return [c / sum(fallback) for c in fallback]
    value = row[node["feature"]]
    children = node["children"]
    if missing == "branch" or not (math.isnan(value) or (value < 0 and node["kind"] != "numeric")):
        return _walk(children[branch(node, value)], row, fallback, curtail, missing)
    shares = known_shares(node)
    mixed = [0.0] * len(counts)
    for share, child in zip(shares, children, strict=True):
        if share > 0:
            below = _walk(child, row, fallback, curtail, missing)
            mixed = [m + share * p for m, p in zip(mixed, below, strict=True)]
    return mixed


def branch(node, value) -> int:
    """Index of the child that a value goes to; an unknown one under ``missing="branch"``."""
    if math.isnan(value):
        return 0 if node["kind"] == "numeric" else len(node["children"]) - 1
    if node["kind"] == "numeric":
        return int(value > node["cut"])
    if node["kind"] == "subset":
        return int(int(value) not in node["left_levels"])
    return int(value)


def known_shares(node) -> list:
    """Shares of the branches; fractional cases are spread in proportion, so totals give the known shares."""
    sizes = [sum(child["counts"]) for child in node["children"]]
    return [size / sum(sizes) for size in sizes]
