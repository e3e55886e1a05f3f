"""PERT (pert, section 2): cut at random between two cases of different classes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.compiled import part
from arboretum.trees.counts import weight_of
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
    features, slots, state, classes = work.features, work.slots, work.state, work.classes
    for _ in range(rule.tries):
        one = draw_row(state, rows, base, mass, start, end)
        two = draw_row(state, rows, base, mass, start, end)
        while classes[one] == classes[two]:
            one = draw_row(state, rows, base, mass, start, end)
            two = draw_row(state, rows, base, mass, start, end)
        f = slots[below(state, state[0].n_features)].feature
        x, z = work.cells[one, f], work.cells[two, f]
        if (x < z or x > z) and not features[f].nominal:  # neither holds where one is missing
            return NUMERIC, f, random_cut(state, min(x, z), max(x, z)), False
    return LEAF, np.int64(-1), 0.0, False


@part
def draw_row(state, rows, base, mass, start, end):
    """A case of the node drawn by weight."""
    heaviest = state[0].heaviest
    while True:
        i = start + below(state, end - start)
        weight = weight_of(rows, base, mass, i)
        if weight >= heaviest or uniform(state) * heaviest <= weight:
            return rows[i]
