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
    features, state, cells = work.features, work.state, work.cells
    while state[0].n_alive > 0:
        f = draw_alive(features, work.slots, state)
        if is_constant(cells, f, rows, start, end):
            remove(features, work.slots, state, f)
            continue
        if features[f].nominal:
            return NOMINAL, f, 0.0, False
        if from_values:
            low, high = draw_values(state, work.codes[f], features[f].n_values, rows, start, end, work.bitmap)
            one, two = work.values[features[f].value_start + low], work.values[features[f].value_start + high]
        else:
            one = draw_case(state, cells, f, np.nan, rows, base, mass, start, end)
            two = draw_case(state, cells, f, one, rows, base, mass, start, end)
        return NUMERIC, f, middle(one, two), False
    return LEAF, np.int64(-1), 0.0, False


@part
def is_constant(cells, f, rows, start, end):
    """Do the known cases of the node share one value?"""
    first = np.nan
    for i in range(start, end):
        value = cells[rows[i], np.uint64(f)]
        if value != first and not np.isnan(value):
            if not np.isnan(first):
                return False
            first = value
    return True


@part
def draw_case(state, cells, f, avoid, rows, base, mass, start, end):
    """Algorithm 2: value of a case drawn by weight among those that know it and differ from ``avoid``."""
    n, heaviest = end - start, state[0].heaviest
    for _ in range(4 * n + 64):  # rejection: a few draws as a rule
        i = start + below(state, n)
        value = cells[rows[i], np.uint64(f)]
        if not np.isnan(value) and value != avoid:
            weight = weight_of(rows, base, mass, i)
            if weight >= heaviest or uniform(state) * heaviest <= weight:
                return value
    return walk_to_case(state, cells, f, avoid, rows, base, mass, start, end)


@part
def walk_to_case(state, cells, f, avoid, rows, base, mass, start, end):
    """The same for a rare value: walk to a uniform place among the weights of the eligible cases."""
    eligible, found = 0.0, avoid
    for i in range(start, end):
        value = cells[rows[i], f]
        if not np.isnan(value) and value != avoid:
            eligible += weight_of(rows, base, mass, i)
    place = uniform(state) * eligible
    for i in range(start, end):
        value = cells[rows[i], f]
        if not np.isnan(value) and value != avoid:
            found = value
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
def middle(one, two):
    """The middle of two values; the lower one where rounding would make it the higher."""
    low, high = min(one, two), max(one, two)
    cut = low + (high - low) / 2
    return cut if cut < high else low
