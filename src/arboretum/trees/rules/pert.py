"""PERT (pert, section 2): cut at random between two cases of different classes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.class_counts import count_cases, count_classes, weight_of
from arboretum.trees.compiled import part
from arboretum.trees.random_stream import randbelow, uniform
from arboretum.trees.rules import LEAF, NUMERIC, rule
from arboretum.trees.rules.extra import random_cut


class Pert(NamedTuple):
    """How many tries a node has to find a split before it becomes a leaf."""

    tries: int

    scans, walks = False, False


def pert_rule(tries=10) -> Pert:
    return Pert(int(tries))


@rule(Pert)
@part
def select_pert(rule, buffers, sides, rows, row_weight, case_weight, start, end, total):
    """Draw two cases of different classes and a feature; cut uniformly between their values. A tie is a failed try."""
    features, slots, state, cells = buffers.features, buffers.slots, buffers.state, buffers.cells
    for _ in range(rule.tries):
        one, two = draw_pair(buffers, rows, row_weight, case_weight, start, end)
        f = slots[randbelow(state, state[0].n_features)].feature
        x, z = cells[rows[one], f], cells[rows[two], f]
        if (x < z or x > z) and not features[f].nominal:  # neither comparison holds if a value is missing
            return NUMERIC, f, random_cut(state, min(x, z), max(x, z)), False
    return LEAF, np.int64(-1), 0.0, False


@part
def draw_pair(buffers, rows, row_weight, case_weight, start, end):
    """Indices of two cases drawn by weight, repeated until their classes differ."""
    state, classes, n = buffers.state, buffers.classes, end - start
    most = state[0].heaviest * state[0].heaviest
    for _ in range(4 * n + 64):  # rejection sampling: usually a few draws are enough
        one, two = start + randbelow(state, n), start + randbelow(state, n)
        if classes[rows[one]] != classes[rows[two]]:
            weight = np.float64(weight_of(rows, row_weight, case_weight, one)) * weight_of(
                rows, row_weight, case_weight, two
            )
            if weight >= most or uniform(state) * most <= weight:
                return one, two
    return draw_pair_by_cumulative_weight(buffers, rows, row_weight, case_weight, start, end)


@part
def draw_pair_by_cumulative_weight(buffers, rows, row_weight, case_weight, start, end):
    """The same without rejection, for very unequal weights or classes.

    The first case is drawn by its weight times the weight of all possible partners, then its partner by weight.
    """
    state, classes, tally = buffers.state, buffers.classes, buffers.tally
    if case_weight is None:
        count_cases(buffers, rows, start, end)
    else:
        count_classes(rows, row_weight, case_weight, start, end, classes, tally)
    total, pairs = 0.0, 0.0
    for k in range(tally.shape[0]):
        total += tally[k].count
    for k in range(tally.shape[0]):
        pairs += tally[k].count * (total - tally[k].count)
    place, one, two = uniform(state) * pairs, start, start
    for i in range(start, end):
        chance = weight_of(rows, row_weight, case_weight, i) * (total - tally[classes[rows[i]]].count)
        if chance > 0.0:
            one = i
            place -= chance
            if place <= 0.0:
                break
    place = uniform(state) * (total - tally[classes[rows[one]]].count)
    for i in range(start, end):
        if classes[rows[i]] != classes[rows[one]]:
            two = i
            place -= weight_of(rows, row_weight, case_weight, i)
            if place <= 0.0:
                break
    return one, two
