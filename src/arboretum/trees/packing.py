"""Prepare a node for split search: number its classes and pack each case into a 64-bit word.

In exact growth the class counts of one rank are packed into 64-bit words, so that one addition counts a case whatever
its class. Only the classes present in the node get bits. All of them share one word if they fit; otherwise a rank has
several words, here called lanes. Fractional growth does not pack: it keeps one real weight for each rank and class.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.bits import leading_zeros
from arboretum.trees.block import place_cases
from arboretum.trees.class_counts import CLASS, count_cases
from arboretum.trees.compiled import part
from arboretum.trees.criterion import node_score, tabulate_xlogs

_ONE = np.int64(1)


@part
def summarise_node(buffers, rows, case_weight, start, end, total, gini):
    """Count and number the classes of the node and prepare its cases for counting.

    Returns (classes present, bits per class, classes per word, score of the whole node). Bits are 0 in fractional
    growth.
    """
    if case_weight is None and buffers.state[0].counted != buffers.state[0].node:
        count_cases(buffers, rows, start, end)
    place_cases(buffers, rows, start, end)
    bits, per_word = 0, 1
    if case_weight is None:
        n_present = buffers.state[0].n_present
        bits, per_word = choose_packing(n_present, total)
        assign_lanes(buffers.tally, n_present, bits, per_word)
        if per_word < n_present:
            number_lanes(buffers, end - start)
        pack_cases(buffers.word, buffers.tally, end - start)
        if gini is None and has_numeric(buffers):
            tabulate_xlogs(buffers.tables, buffers.tally, buffers.xlogs, n_present, total)
    else:
        n_present = number_classes(buffers.tally)
        copy_case_weights(buffers.unit, buffers.tally, rows, case_weight, start, end, buffers.classes)
    return n_present, bits, per_word, node_score(buffers.xlogs, buffers.tally, n_present, total, gini)


@part
def has_numeric(buffers):
    """May the node use a numeric feature?"""
    for j in range(buffers.state[0].n_features):
        feature = buffers.features[buffers.slots[j].feature]
        if feature.available and not feature.nominal:
            return True
    return False


@part
def number_classes(tally):
    """Fractional growth: number the classes of the node from 0. Returns how many there are."""
    n_present = 0
    for k in range(tally.shape[0]):
        if tally[k].count > 0:
            tally[k].local = n_present
            tally[n_present].present = k
            tally[n_present].known = tally[k].count
            n_present += 1
    return n_present


@part
def choose_packing(n_present, total):
    """(bits per class, classes per word): all classes in one word if they fit, otherwise as many as fit."""
    bits = 64 // n_present
    if bits >= 32 or total < (_ONE << bits):
        return min(bits, 32), n_present
    bits = 64 - leading_zeros(np.int64(total))
    return bits, 64 // bits


@part
def assign_lanes(tally, n_present, bits, per_word):
    """Assign each class a word and a first bit within it; stored by local class and by class code."""
    lane, place = 0, 0
    for k in range(n_present):
        tally[k].lane, tally[k].shift = lane, bits * place
        tally[tally[k].present].own_lane, tally[tally[k].present].own_shift = lane, bits * place
        place += 1
        if place == per_word:
            lane, place = lane + 1, 0


@part
def number_lanes(buffers, n_cases):
    """If a rank has several words: which of them each case is counted in; and each case with its local class."""
    word, tally = buffers.word, buffers.tally
    for i in range(np.uint64(n_cases)):
        own = tally[np.uint64(word[i] & CLASS)]
        buffers.lane[i] = own.own_lane
        buffers.local_case[i] = word[i] - (word[i] & CLASS) + own.local


@part
def pack_cases(word, tally, n_cases):
    """Turn each case into a packed count: its weight, shifted to the bits of its class."""
    for i in range(np.uint64(n_cases)):
        word[i] = (word[i] >> 32) << tally[np.uint64(word[i] & CLASS)].own_shift


@part
def copy_case_weights(unit, tally, rows, case_weight, start, end, classes):
    """Fractional growth: local class and weight of each case."""
    for i in range(start, end):
        unit[i - start].slot = tally[classes[rows[i]]].local
        unit[i - start].share = case_weight[i]


@part
def n_lanes(summary):
    """Number of words that hold the class counts of one rank."""
    return (summary[0] + summary[2] - 1) // summary[2]
