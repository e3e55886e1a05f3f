"""Read the structure of grown trees: parents, class weights, and the class each node votes for.

Every node comes after its parent, so one pass forward or backward over ``nodes`` is enough. ``nodes`` and ``counts``
are those of :class:`arboretum.trees.nodes.Nodes`.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.class_counts import TOLERANCE
from arboretum.trees.compiled import kernel, part
from arboretum.trees.rules import LEAF, NOMINAL


@part
def n_children(node, n_values):
    """Number of children of a node."""
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
def node_class_weights(nodes, counts, n_values, n_classes):
    """Class weights of every node: (nodes, classes). Counts that were not stored are summed from the children."""
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


@kernel
def answering_nodes(nodes, n_values, least):
    """For each node, itself if its weight is at least ``least``, otherwise its nearest such ancestor (or the root)."""
    answer = np.empty(nodes.shape[0], np.int32)
    for place in range(nodes.shape[0]):
        answer[place] = place
    for place in range(nodes.shape[0]):
        for b in range(n_children(nodes[place], n_values)):
            child = nodes[place].child + b
            if nodes[child].weight < least:
                answer[child] = answer[place]
    return answer


@kernel
def node_votes(nodes, counts, answer):
    """The class each node would vote for as a leaf; the first if several tie."""
    votes = np.zeros(nodes.shape[0], np.int32)
    for place in range(nodes.shape[0]):
        node = nodes[answer[place]]
        most = 0.0
        for c in range(node.count_start, node.count_start + node.count_size):
            if counts[c].value > most + TOLERANCE:
                most = counts[c].value
                votes[place] = counts[c].klass
    return votes


@kernel
def count_votes(votes, n_classes):
    """How many trees vote for each class, from their votes (cases, trees): (cases, classes)."""
    counts = np.zeros((votes.shape[0], n_classes))
    for row in range(votes.shape[0]):
        for tree in range(votes.shape[1]):
            counts[row, votes[row, tree]] += 1.0
    return counts
