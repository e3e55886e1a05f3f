"""Kernels that read grown trees. Nodes come after their parents, so one pass forward or backward is enough.

``nodes``, ``counts`` and ``sides`` are those of :class:`arboretum.trees.nodes.Nodes`.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.compiled import kernel, maker, part
from arboretum.trees.counts import TOLERANCE
from arboretum.trees.draws import below
from arboretum.trees.rules import LEAF, NOMINAL, NUMERIC


@part
def n_children(node, n_values):
    if node.kind == LEAF:
        return 0
    return n_values[node.feature] if node.kind == NOMINAL else 2


@kernel
def parents_and_depths(nodes, n_values):
    """Parent of each node (-1 for a root) and its depth."""
    parent = np.empty(nodes.shape[0], np.int64)
    depth = np.zeros(nodes.shape[0], np.int64)
    for place in range(nodes.shape[0]):
        parent[place] = -1
    for place in range(nodes.shape[0]):
        for b in range(n_children(nodes[place], n_values)):
            parent[nodes[place].child + b] = place
            depth[nodes[place].child + b] = depth[place] + 1
    return parent, depth


@kernel
def all_counts(nodes, counts, n_values, n_classes):
    """Class weights of every node, those of an inner node summed up from its children where they were not kept."""
    table = np.zeros((nodes.shape[0], n_classes))
    for place in range(nodes.shape[0] - 1, -1, -1):
        node = nodes[place]
        if node.count_size > 0:
            for c in range(node.count_start, node.count_start + node.count_size):
                table[place, counts[c].klass] = counts[c].value
        else:
            for b in range(n_children(node, n_values)):
                for k in range(n_classes):
                    table[place, k] += table[node.child + b, k]
    return table


@part
def impurity(table, place, gini):
    """Weight times impurity: n - sum c^2 / n (Gini) or n log2 n - sum c log2 c (entropy)."""
    n, total = 0.0, 0.0
    for k in range(table.shape[1]):
        c = table[place, k]
        n += c
        if c > 0.0:
            total += c * c if gini else c * np.log2(c)
    if n <= 0.0:
        return 0.0
    return n - total / n if gini else n * np.log2(n) - total


@kernel
def impurity_decreases(nodes, starts, n_values, table, n_features, gini):
    """Weighted decrease of impurity by each feature in each tree."""
    decrease = np.zeros((starts.shape[0] - 1, n_features))
    for tree in range(starts.shape[0] - 1):
        for place in range(starts[tree], starts[tree + 1]):
            node = nodes[place]
            if node.kind != LEAF:
                lost = impurity(table, place, gini)
                for b in range(n_children(node, n_values)):
                    lost -= impurity(table, node.child + b, gini)
                decrease[tree, node.feature] += lost
    return decrease


@kernel
def answering_nodes(nodes, n_values, least):
    """For each node the nearest one upward, itself included, of weight at least ``least`` (or the root)."""
    answer = np.empty(nodes.shape[0], np.int32)
    for place in range(nodes.shape[0]):
        answer[place] = place
    for place in range(nodes.shape[0]):
        for b in range(n_children(nodes[place], n_values)):
            child = nodes[place].child + b
            if nodes[child].weight < least:
                answer[child] = answer[place]
    return answer


@part
def branch(node, sides, value):
    """The child that a known value goes to."""
    if node.kind == NUMERIC:
        return np.int64(node.child) + (value > node.cut)
    if node.kind == NOMINAL:
        return np.int64(node.child) + np.int64(value)
    return np.int64(node.child) + sides[np.int64(node.cut) + np.int64(value)]


@part
def heaviest_branch(nodes, n_values, place):
    first = np.int64(nodes[place].child)
    best = first
    for b in range(1, n_children(nodes[place], n_values)):
        if nodes[first + b].weight > nodes[best].weight:
            best = first + b
    return best


@kernel
def leaves(nodes, sides, starts, n_values, cells):
    """Leaf of each case in each tree, counted within the tree; a missing value takes the heaviest branch."""
    found = np.empty((cells.shape[0], starts.shape[0] - 1), np.int32)
    for tree in range(starts.shape[0] - 1):
        for row in range(cells.shape[0]):
            place = starts[tree]
            while nodes[place].kind != LEAF:
                value = cells[row, nodes[place].feature]
                if np.isnan(value):
                    place = heaviest_branch(nodes, n_values, place)
                else:
                    place = branch(nodes[place], sides, value)
            found[row, tree] = place - starts[tree]
    return found


@part
def add_answer(nodes, counts, answer, leaf, share, out, row):
    """Add ``share`` times the class frequencies with which a leaf answers."""
    node = nodes[answer[leaf]]
    scale = share / node.weight
    for c in range(node.count_start, node.count_start + node.count_size):
        out[row, counts[c].klass] += counts[c].value * scale


@part
def reach(nodes, sides, place, cells, row):
    """Follow known values: the leaf, or the first node whose feature is missing."""
    while nodes[place].kind != LEAF:
        value = cells[row, nodes[place].feature]
        if np.isnan(value):
            break
        place = branch(nodes[place], sides, value)
    return place


@maker
def add_mixture(nodes, counts, sides, n_values, answer, place, cells, row, out, out_row):
    """Missing values mix the branches by weight (C4.5)."""
    waiting = [(np.int64(place), 1.0)]
    while len(waiting) > 0:
        place, share = waiting.pop()
        place = reach(nodes, sides, place, cells, row)
        if nodes[place].kind == LEAF:
            add_answer(nodes, counts, answer, place, share, out, out_row)
            continue
        first, branches = np.int64(nodes[place].child), n_children(nodes[place], n_values)
        known = 0.0
        for b in range(branches):
            known += nodes[first + b].weight
        for b in range(branches):
            if nodes[first + b].weight > 0.0:
                waiting.append((first + b, share * nodes[first + b].weight / known))


@part
def add_tree(nodes, counts, sides, n_values, answer, root, cells, row, out, out_row):
    """Add the class probabilities that one tree gives one case."""
    place = reach(nodes, sides, root, cells, row)
    if nodes[place].kind == LEAF:
        add_answer(nodes, counts, answer, place, 1.0, out, out_row)
    else:
        add_mixture(nodes, counts, sides, n_values, answer, place, cells, row, out, out_row)


@kernel
def probability(nodes, counts, sides, starts, n_values, answer, cells, n_classes):
    """Class probabilities summed over trees, trees in order."""
    out = np.zeros((cells.shape[0], n_classes))
    for first in range(0, cells.shape[0], 256):
        for tree in range(starts.shape[0] - 1):
            for row in range(first, min(first + 256, cells.shape[0])):
                add_tree(nodes, counts, sides, n_values, answer, starts[tree], cells, row, out, row)
    return out


@kernel
def tree_probability(nodes, counts, sides, root, n_values, answer, cells, n_classes):
    """Class probabilities by one tree."""
    out = np.zeros((cells.shape[0], n_classes))
    for row in range(cells.shape[0]):
        add_tree(nodes, counts, sides, n_values, answer, root, cells, row, out, row)
    return out


@part
def first_greatest(shares):
    """The first class within the tolerance of the greatest share; the shares are set back to 0."""
    best = 0
    for k in range(1, shares.shape[1]):
        if shares[0, k] > shares[0, best] + TOLERANCE:
            best = k
    for k in range(shares.shape[1]):
        shares[0, k] = 0.0
    return best


@kernel
def tree_votes(nodes, counts, sides, starts, n_values, answer, cells, n_classes):
    """The vote of each tree for each case."""
    votes = np.empty((starts.shape[0] - 1, cells.shape[0]), np.int32)
    shares = np.zeros((1, n_classes))
    for tree in range(starts.shape[0] - 1):
        for row in range(cells.shape[0]):
            add_tree(nodes, counts, sides, n_values, answer, starts[tree], cells, row, shares, 0)
            votes[tree, row] = first_greatest(shares)
    return votes


@kernel
def node_votes(nodes, counts, answer):
    """The class each node would vote for as a leaf; the first of tied ones."""
    votes = np.zeros(nodes.shape[0], np.int32)
    for place in range(nodes.shape[0]):
        node = nodes[answer[place]]
        most = 0.0
        for c in range(node.count_start, node.count_start + node.count_size):
            if counts[c].value > most + TOLERANCE:
                most = counts[c].value
                votes[place] = counts[c].klass
    return votes


@part
def vote_with(nodes, sides, vote, root, cells, row, other, f):
    """Vote for ``row`` with its value of feature f taken from row ``other``."""
    place = root
    while nodes[place].kind != LEAF:
        g = nodes[place].feature
        place = branch(nodes[place], sides, cells[other if g == f else row, g])
    return vote[place]


@kernel
def accuracy_lost(nodes, sides, vote, root, cells, classes, rows, state):
    """Share of ``rows`` that one tree no longer gets right when a feature is permuted among them."""
    n = rows.shape[0]
    lost = np.zeros(cells.shape[1])
    permuted = rows.copy()
    for f in range(cells.shape[1]):
        for i in range(n - 1):
            j = i + below(state, n - i)
            permuted[i], permuted[j] = permuted[j], permuted[i]
        for i in range(n):
            row = rows[i]
            lost[f] += vote_with(nodes, sides, vote, root, cells, row, row, f) == classes[row]
            lost[f] -= vote_with(nodes, sides, vote, root, cells, row, permuted[i], f) == classes[row]
    for f in range(cells.shape[1]):
        lost[f] /= max(n, 1)
    return lost


@kernel
def count_votes(votes, n_classes):
    """How many trees vote for each class, from their votes (cases, trees): (cases, classes)."""
    counts = np.zeros((votes.shape[0], n_classes))
    for row in range(votes.shape[0]):
        for tree in range(votes.shape[1]):
            counts[row, votes[row, tree]] += 1.0
    return counts
