"""Variable-random test selection: vrtrees, Algorithms 1 and 2."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.bits import set_bits, trailing_zeros
from arboretum.trees.compiled import part
from arboretum.trees.counts import weight_of
from arboretum.trees.draws import below, uniform
from arboretum.trees.pool import draw_alive, remove
from arboretum.trees.rules import LEAF, NOMINAL, NUMERIC, rule
from arboretum.trees.rules.c45 import C45, select_c45


class VR(NamedTuple):
    """Probability of a deterministic node, how a random cut draws values, and the deterministic rule."""

    alpha: float
    from_values: bool  # draw from the distinct values of the node, not from its cases
    c45: C45


def vr_rule(alpha, from_values=False, min_cases=2, mdl=True, average=True) -> VR:
    """A VR rule from plain parameters."""
    return VR(float(alpha), bool(from_values), C45(float(min_cases), bool(mdl), bool(average)))


@rule(VR)
@part
def select_vr(rule, work, sides, rows, base, mass, start, end, total):
    """Algorithm 1: deterministic if r < alpha, with 0 < r <= 1; alpha = 1 never draws, so it is C4.5 exactly."""
    if rule.alpha >= 1.0 or (rule.alpha > 0.0 and uniform(work.state) < rule.alpha):
        return select_c45(rule.c45, work, sides, rows, base, mass, start, end, total)
    return select_random(rule.from_values, work, rows, base, mass, start, end)


@part
def select_random(from_values, work, rows, base, mass, start, end):
    """A feature drawn from those with two values in the node; for a numeric one a random cut (Algorithm 2)."""
    features, state = work.features, work.state
    while state[0].n_alive > 0:
        f = draw_alive(features, work.slots, state)
        column, missing = work.codes[f], features[f].n_values
        if is_constant(column, missing, rows, start, end):
            remove(features, work.slots, state, f)
            continue
        if features[f].nominal:
            return NOMINAL, f, 0, 0.0, False
        if from_values:
            low, high = draw_values(state, column, missing, rows, start, end, work.bitmap)
        else:
            low, high = draw_cases(state, column, missing, rows, base, mass, start, end)
        rank, cut = middle(work.values, features[f].value_start, low, high)
        return NUMERIC, f, rank, cut, False
    return LEAF, -1, 0, 0.0, False


@part
def is_constant(column, missing, rows, start, end):
    """Do the known cases of the node share one value?"""
    first = missing
    for i in range(start, end):
        code = column[rows[i]]
        if code != first and code != missing:
            if first != missing:
                return False
            first = code
    return True


@part
def draw_cases(state, column, missing, rows, base, mass, start, end):
    """Algorithm 2: values of two cases drawn by weight, the second again until it differs; the lower one first."""
    one = draw_case(state, column, missing, -1, rows, base, mass, start, end)
    two = draw_case(state, column, missing, one, rows, base, mass, start, end)
    return min(one, two), max(one, two)


@part
def draw_case(state, column, missing, avoid, rows, base, mass, start, end):
    """Value of a case drawn by weight among those that know it and differ from ``avoid``."""
    n, heaviest = end - start, state[0].heaviest
    for _ in range(4 * n + 64):  # rejection: a few draws as a rule
        i = start + below(state, n)
        code = np.int64(column[rows[i]])
        if code != missing and code != avoid:
            weight = weight_of(rows, base, mass, i)
            if weight >= heaviest or uniform(state) * heaviest <= weight:
                return code
    eligible = 0.0  # a rare value: walk to a uniform place among the weights of the eligible cases
    for i in range(start, end):
        code = np.int64(column[rows[i]])
        if code != missing and code != avoid:
            eligible += weight_of(rows, base, mass, i)
    place = uniform(state) * eligible
    found = avoid
    for i in range(start, end):
        code = np.int64(column[rows[i]])
        if code != missing and code != avoid:
            found = code
            place -= weight_of(rows, base, mass, i)
            if place <= 0.0:
                break
    return found


@part
def draw_values(state, column, missing, rows, start, end, bitmap):
    """Two different values drawn uniformly from the distinct ones of the node; the lower one first."""
    for i in range(start, end):
        code = np.int64(column[rows[i]])
        if code != missing:
            bitmap[code >> 6] |= np.int64(1) << (code & 63)
    n_words = (missing >> 6) + 1
    n = 0
    for w in range(n_words):
        n += set_bits(bitmap[w])
    one = below(state, n)
    two = below(state, n - 1)
    two += two >= one
    low = nth_set(bitmap, min(one, two))
    high = nth_set(bitmap, max(one, two))
    for w in range(n_words):
        bitmap[w] = 0
    return low, high


@part
def nth_set(bitmap, n):
    """Place of the n-th set bit, from 0."""
    w = 0
    while set_bits(bitmap[w]) <= n:
        n -= set_bits(bitmap[w])
        w += 1
    word = bitmap[w]
    for _ in range(n):
        word &= word - 1
    return w * 64 + trailing_zeros(word)


@part
def middle(values, start, low, high):
    """The middle of two values, and the rank of the greatest value not above it."""
    cut = values[start + low] + (values[start + high] - values[start + low]) / 2
    if cut >= values[start + high]:
        cut = values[start + low]
    return rank_of(values, start, low, high, cut), cut


@part
def rank_of(values, start, low, high, cut):
    """Greatest rank in low .. high-1 whose value is not above ``cut`` (that of ``low`` is not)."""
    length = high - low
    while length > 1:
        half = length >> 1
        low += half * np.int64(values[np.uint64(start + low + half)] <= cut)
        length -= half
    return low
