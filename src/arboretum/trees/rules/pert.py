"""PERT (pert, section 2): cut at random between two cases of different classes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.compiled import part
from arboretum.trees.counts import count_classes, weight_of
from arboretum.trees.draws import below, uniform
from arboretum.trees.rules import LEAF, NUMERIC, rule
from arboretum.trees.rules.extra import random_cut


class Pert(NamedTuple):
    """A node that finds no definite split in so many tries is a leaf."""

    tries: int


def pert_rule(tries=10) -> Pert:
    return Pert(int(tries))


@rule(Pert)
@part
def select_pert(rule, work, sides, rows, base, mass, start, end, total):
    """Two cases of different classes, a random feature, a uniform cut between their values; a tie is a failed try."""
    features, slots, state, cells = work.features, work.slots, work.state, work.cells
    for _ in range(rule.tries):
        one, two = draw_pair(work, rows, base, mass, start, end)
        f = slots[below(state, state[0].n_features)].feature
        x, z = cells[rows[one], f], cells[rows[two], f]
        if (x < z or x > z) and not features[f].nominal:  # neither holds where one is missing
            return NUMERIC, f, random_cut(state, min(x, z), max(x, z)), False
    return LEAF, np.int64(-1), 0.0, False


@part
def draw_pair(work, rows, base, mass, start, end):
    """Places of two cases drawn by weight, again until their classes differ."""
    state, classes, n = work.state, work.classes, end - start
    most = state[0].heaviest * state[0].heaviest
    for _ in range(4 * n + 64):  # rejection: a few draws as a rule
        one, two = start + below(state, n), start + below(state, n)
        if classes[rows[one]] != classes[rows[two]]:
            weight = np.float64(weight_of(rows, base, mass, one)) * weight_of(rows, base, mass, two)
            if weight >= most or uniform(state) * most <= weight:
                return one, two
    return walk_to_pair(work, rows, base, mass, start, end)


@part
def walk_to_pair(work, rows, base, mass, start, end):
    """The same where weights or classes are very unequal: the first by its chance of a partner, then the second."""
    state, classes, tally = work.state, work.classes, work.tally
    count_classes(rows, base, mass, start, end, classes, tally)
    total, pairs = 0.0, 0.0
    for k in range(tally.shape[0]):
        total += tally[k].count
    for k in range(tally.shape[0]):
        pairs += tally[k].count * (total - tally[k].count)
    place, one, two = uniform(state) * pairs, start, start
    for i in range(start, end):
        chance = weight_of(rows, base, mass, i) * (total - tally[classes[rows[i]]].count)
        if chance > 0.0:
            one = i
            place -= chance
            if place <= 0.0:
                break
    place = uniform(state) * (total - tally[classes[rows[one]]].count)
    for i in range(start, end):
        if classes[rows[i]] != classes[rows[one]]:
            two = i
            place -= weight_of(rows, base, mass, i)
            if place <= 0.0:
                break
    return one, two
