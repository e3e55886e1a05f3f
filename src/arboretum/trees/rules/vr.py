"""Variable-random test selection: vrtrees, Algorithms 1 and 2."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.available_features import draw_available, remove_feature
from arboretum.trees.bits import set_bits, trailing_zeros
from arboretum.trees.class_counts import weight_of
from arboretum.trees.compiled import part
from arboretum.trees.random_stream import randbelow, uniform
from arboretum.trees.rules import LEAF, NOMINAL, NUMERIC, rule
from arboretum.trees.rules.c45 import C45, select_c45


class VR(NamedTuple):
    """Probability of a deterministic node, how random cuts draw values, and the deterministic rule."""

    alpha: float
    from_values: bool  # draw from the distinct values of the node instead of its cases
    c45: C45

    branches = True

    @property
    def scans(self) -> bool:
        return self.alpha > 0 or self.from_values

    @property
    def walks(self) -> bool:
        return self.alpha > 0 and not self.from_values


def vr_rule(alpha, from_values=False, min_cases=2, mdl=True, average=True, by_cases=False) -> VR:
    """A VR rule from plain parameters; ``by_cases`` counts two limits as Weka's J48 does (:class:`C45`)."""
    return VR(float(alpha), bool(from_values), C45(float(min_cases), bool(mdl), bool(average), bool(by_cases)))


@rule(VR)
@part
def select_vr(rule, buffers, sides, rows, row_weight, case_weight, start, end, total):
    """Algorithm 1: deterministic if r < alpha, with r from (0, 1]. With alpha = 1 nothing is drawn: that is C4.5."""
    if rule.alpha >= 1.0 or (rule.alpha > 0.0 and uniform(buffers.state) < rule.alpha):
        return select_c45(rule.c45, buffers, sides, rows, row_weight, case_weight, start, end, total)
    return select_random(rule.from_values, buffers, rows, row_weight, case_weight, start, end)


@part
def select_random(from_values, buffers, rows, row_weight, case_weight, start, end):
    """Draw a feature that has two values in the node; a numeric one gets a random cut (Algorithm 2)."""
    features, state, cells = buffers.features, buffers.state, buffers.cells
    while state[0].n_available > 0:
        f = draw_available(features, buffers.slots, state)
        if is_constant(cells, f, rows, start, end, features[f].nominal and state[0].own_branch):
            remove_feature(features, buffers.slots, state, f)
            continue
        if features[f].nominal:
            return NOMINAL, f, 0.0, False
        if from_values:
            low, high = draw_distinct_values(
                state, buffers.codes[f], features[f].n_values, rows, start, end, buffers.bitmap
            )
            one, two = buffers.values[features[f].value_start + low], buffers.values[features[f].value_start + high]
        else:
            one = draw_case(state, cells, f, np.nan, rows, row_weight, case_weight, start, end)
            two = draw_case(state, cells, f, one, rows, row_weight, case_weight, start, end)
        return NUMERIC, f, midpoint(one, two), False
    return LEAF, np.int64(-1), 0.0, False


@part
def is_constant(cells, f, rows, start, end, unknown_is_a_value):
    """Do all known values in the node agree? If an unknown one is a value like others, do all values agree?"""
    first, unknown = np.nan, False
    for i in range(start, end):
        value = cells[rows[i], np.uint64(f)]
        if value != first and not np.isnan(value):
            if not np.isnan(first):
                return False
            first = value
        unknown |= np.isnan(value)
    return not (unknown_is_a_value and unknown and not np.isnan(first))


@part
def draw_case(state, cells, f, avoid, rows, row_weight, case_weight, start, end):
    """Algorithm 2: the value of a case drawn by weight among those whose value is known and differs from ``avoid``."""
    n, heaviest = end - start, state[0].heaviest
    for _ in range(4 * n + 64):  # rejection sampling: usually a few draws are enough
        i = start + randbelow(state, n)
        value = cells[rows[i], np.uint64(f)]
        if not np.isnan(value) and value != avoid:
            weight = weight_of(rows, row_weight, case_weight, i)
            if weight >= heaviest or uniform(state) * heaviest <= weight:
                return value
    return draw_case_by_cumulative_weight(state, cells, f, avoid, rows, row_weight, case_weight, start, end)


@part
def draw_case_by_cumulative_weight(state, cells, f, avoid, rows, row_weight, case_weight, start, end):
    """The same without rejection, for rare values: find a uniform number among the cumulated eligible weights."""
    eligible, found = 0.0, avoid
    for i in range(start, end):
        value = cells[rows[i], f]
        if not np.isnan(value) and value != avoid:
            eligible += weight_of(rows, row_weight, case_weight, i)
    place = uniform(state) * eligible
    for i in range(start, end):
        value = cells[rows[i], f]
        if not np.isnan(value) and value != avoid:
            found = value
            place -= weight_of(rows, row_weight, case_weight, i)
            if place <= 0.0:
                break
    return found


@part
def draw_distinct_values(state, column, missing, rows, start, end, bitmap):
    """Ranks of two different values drawn uniformly from the distinct values of the node, the lower one first."""
    for i in range(start, end):
        code = np.int64(column[rows[i]])
        if code != missing:
            bitmap[code >> 6] |= np.int64(1) << (code & 63)
    n_words = (missing >> 6) + 1
    n = 0
    for w in range(n_words):
        n += set_bits(bitmap[w])
    one = randbelow(state, n)
    two = randbelow(state, n - 1)
    two += two >= one
    low = nth_set_bit(bitmap, min(one, two))
    high = nth_set_bit(bitmap, max(one, two))
    for w in range(n_words):
        bitmap[w] = 0
    return low, high


@part
def nth_set_bit(bitmap, n):
    """Index of the n-th set bit; n counts from 0."""
    w = 0
    while set_bits(bitmap[w]) <= n:
        n -= set_bits(bitmap[w])
        w += 1
    word = bitmap[w]
    for _ in range(n):
        word &= word - 1
    return w * 64 + trailing_zeros(word)


@part
def midpoint(one, two):
    """The midpoint of two values; the lower value if rounding would give the higher one."""
    low, high = min(one, two), max(one, two)
    cut = low + (high - low) / 2
    return cut if cut < high else low
