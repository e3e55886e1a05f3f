"""C4.5 release 8 as J48 `-U -M 2` grows it (Quinlan 1993, 1996); the numbered rules are in README.md."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from .table import TOLERANCE, Cases, entropy, greater, mean_impurity, nodes

MIN_CASES = 2


@dataclass(frozen=True)
class Test:
    """One admissible test: rows (known ones) of each branch, its gain and its gain ratio."""

    feature: int
    kind: str
    branches: list
    gain: float
    ratio: float
    middle: float = math.nan


def grow(table: Cases, *, mdl=True, collapse=False, prune=None, merge=0.0, missing="fractions") -> dict:
    """The whole C4.5 tree of ``table``; ``missing`` is "fractions" (rule 8) or "branch" (rule 11)."""
    tree = _grow(table, table, mdl, merge, missing)
    if collapse:
        _collapse(tree)
    if prune is not None:
        _prune(tree, prune)
    return tree


def _grow(table, whole, mdl, merge, missing):
    node = {"counts": table.counts()}
    test = best_test(table, whole, mdl=mdl, merge=merge)
    if test is None:
        return node
    node.update(feature=test.feature, kind=test.kind)
    branches = test.branches
    if test.kind == "numeric":
        node["cut"] = training_cut(whole, test.feature, test.middle)
        values = table.columns[test.feature]
        known = table.known(test.feature)
        branches = [
            [row for row in known if values[row] <= node["cut"]],
            [row for row in known if values[row] > node["cut"]],
        ]
    if missing == "branch":
        parts = [table.take(branch) for branch in with_unknown(table, test.feature, branches)]
    else:
        parts = [divide(table, test.feature, branches, branch) for branch in branches]
    node["children"] = [_grow(part, whole, mdl, merge, missing) for part in parts]
    return node


def best_test(table, whole, *, mdl=True, merge=0.0):
    """Rules 1, 5 and 6: the test of greatest gain ratio among those of at least average gain, or None."""
    counts = table.counts()
    if greater(2 * MIN_CASES, sum(counts)) or not greater(sum(counts), max(counts)):
        return None
    found = [test for feature in range(table.n_features) for test in _test(table, feature, mdl, merge)]
    averaged = [test.gain for test in found if _counts_in_average(whole, test.feature)]
    if not averaged:
        return None
    average = sum(averaged) / len(averaged)
    best, best_ratio = None, 0.0
    for test in found:
        if test.gain >= average - 1e-3 and greater(test.ratio, best_ratio):
            best, best_ratio = test, test.ratio
    return best


def _counts_in_average(whole, feature) -> bool:
    """Rule 5: nominal features with very many levels do not count, unless all features are such."""
    many = [
        kind == "nominal" and not greater(0.3 * whole.total, levels)
        for kind, levels in zip(whole.kinds, whole.levels, strict=True)
    ]
    return all(many) or not many[feature]


def _test(table, feature, mdl, merge) -> list:
    """The best test on one feature, as a list of none or one."""
    if table.kinds[feature] == "nominal":
        return _nominal_test(table, feature)
    return _numeric_test(table, feature, mdl, merge)


def _nominal_test(table, feature):
    """Rule 2."""
    branches = [[] for _ in range(table.levels[feature])]
    for row in table.known(feature):
        branches[int(table.columns[feature][row])].append(row)
    enough = [b for b in branches if not greater(MIN_CASES, sum(table.weights[b]))]
    if len(enough) < 2:
        return []
    counts = [table.counts(branch) for branch in branches]
    gain = information_gain(table.total, counts)
    return [Test(feature, "nominal", branches, gain, gain_ratio(table.total, counts, gain))]


def _numeric_test(table, feature, mdl, merge):
    """Rule 3."""
    values = table.columns[feature]
    rows = sorted(table.known(feature), key=lambda row: values[row])
    below, above = [0.0] * table.n_classes, table.counts(rows)
    smallest = min(max(0.1 * sum(above) / table.n_classes, MIN_CASES), 25)
    best, best_gain, admissible = None, 0.0, 0
    for i in range(1, len(rows)):
        moved = rows[i - 1]
        below[table.y[moved]] += table.weights[moved]
        above[table.y[moved]] -= table.weights[moved]
        if not values[moved] + merge < values[rows[i]]:
            continue
        if greater(smallest, sum(below)) or greater(smallest, sum(above)):
            continue
        admissible += 1
        gain = information_gain(table.total, [below, above])
        if greater(gain, best_gain):
            best, best_gain = i, gain
    if best is None:
        return []
    if mdl:
        best_gain -= math.log2(admissible) / table.total
    if not greater(best_gain, 0.0):
        return []
    branches = [rows[:best], rows[best:]]
    ratio = gain_ratio(table.total, [table.counts(branch) for branch in branches], best_gain)
    middle = (values[rows[best - 1]] + values[rows[best]]) / 2
    return [Test(feature, "numeric", branches, best_gain, ratio, middle)]


def information_gain(total, branches) -> float:
    """Rules 2 and 3: entropy lost by knowing the branch, times the known share of the node."""
    together = [sum(column) for column in zip(*branches, strict=True)]
    gain = entropy(together) - mean_impurity(entropy, branches)
    return sum(together) / total * gain


def gain_ratio(total, branches, gain) -> float:
    """Rule 4: gain over the entropy of the division into branches and missing."""
    sizes = [sum(branch) for branch in branches]
    split_information = entropy([*sizes, total - sum(sizes)])
    return gain / split_information if split_information * total > TOLERANCE else 0.0


def training_cut(whole, feature, middle) -> float:
    """Rule 7: the greatest value in the whole training set that is not above ``middle``."""
    return float(max(v for v in whole.columns[feature] if not math.isnan(v) and v - middle < TOLERANCE))


def divide(table, feature, branches, branch) -> Cases:
    """Rule 8: the cases of one branch, those with a missing value in proportion."""
    known = sum(table.weights[row] for rows in branches for row in rows)
    share = sum(table.weights[branch]) / known
    missing = [row for row, value in enumerate(table.columns[feature]) if math.isnan(value) and share > 0]
    rows = [*branch, *missing]
    weights = [table.weights[row] for row in branch] + [table.weights[row] * share for row in missing]
    return table.take(rows, weights)


def with_unknown(table, feature, branches) -> list:
    """Rule 11: all rows of each branch, where unknown values have one of their own or go to the lower one."""
    unknown = [row for row, value in enumerate(table.columns[feature]) if math.isnan(value)]
    if table.kinds[feature] == "nominal":
        return [*branches, unknown]
    return [[*branches[0], *unknown], branches[1]]


def _errors(node) -> float:
    return sum(node["counts"]) - max(node["counts"])


def _leaves(tree):
    return (node for node in nodes(tree) if "children" not in node)


def _make_leaf(node):
    for key in [key for key in node if key != "counts"]:
        del node[key]


def _collapse(node):
    """Rule 9, from the root down."""
    if "children" not in node:
        return
    if sum(_errors(leaf) for leaf in _leaves(node)) >= _errors(node) - 1e-3:
        _make_leaf(node)
        return
    for child in node["children"]:
        _collapse(child)


def _prune(node, confidence):
    """Rule 10, from the leaves up."""
    if "children" not in node:
        return
    for child in node["children"]:
        _prune(child, confidence)
    as_tree = sum(pessimistic_errors(leaf["counts"], confidence) for leaf in _leaves(node))
    if not greater(pessimistic_errors(node["counts"], confidence), as_tree + 0.1):
        _make_leaf(node)


def pessimistic_errors(counts, confidence) -> float:
    """Errors of a leaf plus those that the upper confidence limit adds."""
    total, errors = sum(counts), sum(counts) - max(counts)
    return errors + added_errors(total, errors, confidence) if total > TOLERANCE else 0.0


def added_errors(total, errors, confidence) -> float:
    """Quinlan's upper limit of the binomial error at ``confidence``, minus the observed errors."""
    if errors < 1:
        base = total * (1 - confidence ** (1 / total))
        return base if errors == 0 else base + errors * (added_errors(total, 1.0, confidence) - base)
    if errors + 0.5 >= total:
        return max(total - errors, 0.0)
    z = NormalDist().inv_cdf(1 - confidence)
    f = (errors + 0.5) / total
    r = (f + z * z / (2 * total) + z * math.sqrt(f / total - f * f / total + z * z / (4 * total**2))) / (
        1 + z * z / total
    )
    return r * total - errors
