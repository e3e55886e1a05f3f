"""Exact laws: every tree that a random construction can grow on a tiny table, with its probability.

A tree is identified by which rows go where (see :func:`signature`): a leaf is the tuple of its rows, an inner node is
``(feature, (child, child, ...))``. So two cuts in the same gap between neighbouring values give the same tree.
"""

from __future__ import annotations

from itertools import pairwise, permutations
from math import comb, exp, factorial, isnan, log

from . import c45
from .predict import branch
from .table import greater


def signature(tree, table, rows=None):
    """Which rows go where in a grown tree."""
    rows = tuple(range(len(table.y))) if rows is None else rows
    if "children" not in tree:
        return rows
    values = table.columns[tree["feature"]]
    parts = [tuple(row for row in rows if branch(tree, values[row]) == k) for k in range(len(tree["children"]))]
    children = zip(tree["children"], parts, strict=True)
    return tree["feature"], tuple(signature(child, table, part) for child, part in children)


def _add(law, key, probability):
    if probability > 0:
        law[key] = law.get(key, 0.0) + probability


def _grown(splits, rows, below):
    """The law of a node from the law of its split: {None or (feature, parts): probability}."""
    law = {}
    for split, probability in splits.items():
        if split is None:
            _add(law, rows, probability)
            continue
        feature, parts = split
        combined = {(): 1.0}
        for part in parts:
            part_law = below(part, feature)
            combined = {(*done, child): p * q for done, p in combined.items() for child, q in part_law.items()}
        for children, p in combined.items():
            _add(law, (feature, children), probability * p)
    return law


def _side(table, feature, rows, cut):
    """Rows at or below the cut (and unknown ones), rows above it."""
    values = table.columns[feature]
    return tuple(r for r in rows if not values[r] > cut), tuple(r for r in rows if values[r] > cut)


def _gaps(table, feature, rows):
    """Neighbouring distinct values of a feature among the rows."""
    present = sorted({table.columns[feature][row] for row in rows if not isnan(table.columns[feature][row])})
    return list(pairwise(present))


def _levels(table, feature, rows):
    values = table.columns[feature]
    return tuple(tuple(r for r in rows if values[r] == level) for level in range(table.levels[feature]))


# VR-Trees (vrtrees, Algorithms 1 and 2) ------------------------------------------------------------------


def vr_trees(table, alpha, n_min=4, own_branch=False) -> dict:
    """The law of VR-Tree(D, Q, alpha) on a table without missing values, or where they take a branch."""
    return _vr(table, tuple(range(len(table.y))), frozenset(range(table.n_features)), alpha, n_min, own_branch)


def _vr(table, rows, available, alpha, n_min, own_branch):
    here = table.take(rows)
    movable = [f for f in sorted(available) if _varies(table, f, rows)]
    if sum(c > 0 for c in here.counts()) < 2 or here.total < n_min or not movable:
        return {rows: 1.0}
    splits = {}
    _add(splits, _c45_split(table, rows, here, own_branch), alpha)
    for feature in movable:
        for parts, probability in _random_test(table, feature, rows, own_branch).items():
            _add(splits, (feature, parts), (1 - alpha) * probability / len(movable))

    def below(part, feature):
        left = available - {feature} if table.kinds[feature] == "nominal" else available
        return _vr(table, part, left, alpha, n_min, own_branch) if part else {(): 1.0}

    return _grown(splits, rows, below)


def _varies(table, feature, rows):
    """Can a random test divide the rows? For a nominal feature "unknown" is one more value."""
    unknown = any(isnan(table.columns[feature][row]) for row in rows)
    known = any(not isnan(table.columns[feature][row]) for row in rows)
    return bool(_gaps(table, feature, rows)) or (table.kinds[feature] == "nominal" and known and unknown)


def _c45_split(table, rows, here, own_branch):
    test = c45.best_test(here, table)
    if test is None:
        return None
    branches = c45.with_unknown(here, test.feature, test.branches) if own_branch else test.branches
    return test.feature, tuple(tuple(sorted(rows[i] for i in part)) for part in branches)


def _random_test(table, feature, rows, own_branch):
    """Algorithm 2: cut at the midpoint of two drawn values, the second one drawn until it differs."""
    values, weights = table.columns[feature], table.weights
    known = [r for r in rows if not isnan(values[r])]
    if table.kinds[feature] == "nominal":
        unknown = (tuple(r for r in rows if isnan(values[r])),) if own_branch else ()
        return {(*_levels(table, feature, rows), *unknown): 1.0}
    total = sum(weights[r] for r in known)
    law = {}
    for r in known:
        other = [s for s in known if values[s] != values[r]]
        for s in other:
            p = weights[r] / total * weights[s] / sum(weights[t] for t in other)
            _add(law, _side(table, feature, rows, (values[r] + values[s]) / 2), p)
    return law


# PERT (pert, section 2) ----------------------------------------------------------------------------------


def pert_trees(table, tries=10) -> dict:
    """The law of a PERT tree: two cases of different classes, a feature, a uniform cut; ten tries."""
    return _pert(table, tuple(range(len(table.y))), tries)


def _pert(table, rows, tries):
    pairs = [(r, s) for r in rows for s in rows if table.y[r] != table.y[s]]
    if not pairs:
        return {rows: 1.0}
    mass = sum(table.weights[r] * table.weights[s] for r, s in pairs)
    one_try, tied = {}, 0.0
    for r, s in pairs:
        for feature in range(table.n_features):
            p = table.weights[r] * table.weights[s] / mass / table.n_features
            low, high = sorted((table.columns[feature][r], table.columns[feature][s]))
            if low == high:
                tied += p
            for a, b in _gaps(table, feature, rows):
                if low <= a and b <= high:
                    parts = _side(table, feature, rows, (a + b) / 2)
                    _add(one_try, (feature, parts), p * (b - a) / (high - low))
    never = tied**tries
    splits = {split: p / (1 - tied) * (1 - never) for split, p in one_try.items()} if tied < 1 - 1e-12 else {}
    _add(splits, None, 1 - sum(splits.values()) if splits else 1.0)
    if never == 0:
        splits.pop(None, None)
    return _grown(splits, rows, lambda part, _: _pert(table, part, tries))


# Extra-Trees (vrtrees, section 6.2; Geurts et al. 2006), numeric features --------------------------------


def extra_trees(table, k, impurity, min_split=2) -> dict:
    """The law of an Extra-Tree: k features that vary in the node, one uniform cut each, the best is used."""
    return _extra(table, tuple(range(len(table.y))), k, impurity, min_split)


def _extra(table, rows, k, impurity, min_split):
    here = table.take(rows)
    movable = [f for f in range(table.n_features) if _gaps(table, f, rows)]
    if sum(c > 0 for c in here.counts()) < 2 or here.total < min_split or not movable:
        return {rows: 1.0}
    orders = list(permutations(movable, min(k, len(movable))))
    splits = {}
    for order in orders:
        for best, p in _best_of(table, order, rows, impurity).items():
            _add(splits, best, p / len(orders))
    return _grown(splits, rows, lambda part, _: _extra(table, part, k, impurity, min_split))


def _best_of(table, order, rows, impurity):
    """The law of the best test among one uniform cut per feature in ``order``; the first of several tied."""
    law = {(None, None): 1.0}
    for feature in order:
        gaps = _gaps(table, feature, rows)
        span = gaps[-1][1] - gaps[0][0]
        tried = {}
        for (best, score), p in law.items():
            for a, b in gaps:
                parts = _side(table, feature, rows, (a + b) / 2)
                new = -sum(sum(table.counts(part)) * impurity(table.counts(part)) for part in parts)
                winner = ((feature, parts), new) if best is None or greater(new, score) else (best, score)
                _add(tried, winner, p * (b - a) / span)
        law = tried
    out = {}
    for (best, _), p in law.items():
        _add(out, best, p)
    return out


# Purely random trees (infinity, section 7) ---------------------------------------------------------------


def purely_random_shapes(n_leaves, n_features) -> dict:
    """The law of the shape with its split variables: a leaf is None, an inner node (feature, left, right).

    Every split takes a uniform terminal node and a uniform variable; cuts are uniform and independent of it.
    """
    law = {None: 1.0}
    for leaves in range(1, n_leaves):
        grown = {}
        for shape, p in law.items():
            for position in range(leaves):
                for feature in range(n_features):
                    _add(grown, _split_leaf(shape, position, feature)[0], p / leaves / n_features)
        law = grown
    return law


def _split_leaf(shape, position, feature):
    """The shape with terminal node number ``position`` split, and the number of terminal nodes passed."""
    if shape is None:
        return ((feature, None, None) if position == 0 else None), 1
    own, left, right = shape
    new_left, passed = _split_leaf(left, position, feature)
    new_right, more = _split_leaf(right, position - passed, feature)
    return (own, new_left, new_right), passed + more


def corner_kernel(z, n_leaves) -> float:
    """Theorem 4 of infinity: the probability that the origin and ``z`` share a terminal node.

    For the origin the theorem is exact. Both points stay together after k cuts on a side if the product of k uniform
    numbers exceeds z, that is, if a Poisson variable with mean log(1/z) is at least k.
    """
    splits = {0: 1.0}  # law of K: the node of the origin is chosen with probability 1/n among n
    for n in range(1, n_leaves):
        step = {}
        for k, p in splits.items():
            _add(step, k + 1, p / n)
            _add(step, k, p * (1 - 1 / n))
        splits = step
    return sum(p * _all_sides(k, z) for k, p in splits.items())


def _all_sides(k, z):
    """Mean over the multinomial (k_1, ..., k_M) of the product of Poisson tails."""
    if not z:
        return 1.0 if k == 0 else 0.0
    share = 1 / len(z)
    total = 0.0
    for own in range(k + 1):
        p = comb(k, own) * share**own * (1 - share) ** (k - own)
        if p > 0:
            total += p * _poisson_tail(own, log(1 / z[0])) * _all_sides(k - own, z[1:])
    return total


def _poisson_tail(k, mean):
    return 1 - sum(exp(-mean) * mean**i / factorial(i) for i in range(k))
