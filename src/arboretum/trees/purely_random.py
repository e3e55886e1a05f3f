"""Purely random trees: infinity, section 7, and the triangular cuts of section 8.

Each step draws a terminal node, a variable, and a cut on that side of the node, until there are T terminal nodes. The
cut is uniform, or drawn from a triangular density that peaks where a cut makes the fewest training errors. The uniform
construction does not look at the cases, so a node may have none.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.class_counts import count_classes
from arboretum.trees.compiled import allocating_part, kernel, part
from arboretum.trees.nodes import COUNT, NODE, add_nodes, store_counts
from arboretum.trees.random_stream import bootstrap, randbelow, uniform
from arboretum.trees.rules import NUMERIC


@kernel
def grow_purely_random_trees(cells, classes, weight, draw, n_leaves, box, triangular, seeds, state, tally):
    """Grow one tree per seed, with ``n_leaves`` terminal nodes, in the ``box`` (2, features)."""
    n_trees, size = seeds.shape[0], 2 * n_leaves - 1
    nodes = np.empty(n_trees * size, NODE)
    counts = np.empty(n_trees * size * tally.shape[0], COUNT)
    ends = np.zeros((n_trees, 3), np.int64)
    sides, drawn = np.empty((size, 2, cells.shape[1])), np.ones(cells.shape[0], np.int32)
    row_weight, rows = np.empty(cells.shape[0]), np.empty(cells.shape[0], np.uint32)
    for tree in range(n_trees):
        state[0].stream = seeds[tree]
        if draw:
            bootstrap(state, weight, drawn)
        for row in range(cells.shape[0]):
            row_weight[row] = weight[row] * drawn[row]
            rows[row] = row
        grow_purely_random_tree(
            cells, classes, row_weight, rows, n_leaves, box, triangular, state, tally, nodes, counts, sides
        )
        ends[tree, 0], ends[tree, 1] = state[0].n_nodes, state[0].n_counts
    return nodes, counts[: state[0].n_counts].copy(), np.zeros(0, np.uint8), ends


@allocating_part
def grow_purely_random_tree(
    cells, classes, row_weight, rows, n_leaves, box, triangular, state, tally, nodes, counts, sides
):
    """Grow one tree; ``sides`` gets the box of each of its nodes."""
    q, n = cells.shape[1], cells.shape[0]
    span = np.empty((2 * n_leaves - 1, 2), np.int64)  # where the cases of each node begin and end
    leaves = np.empty(n_leaves, np.int64)  # terminal nodes, numbered within the tree
    root = add_nodes(nodes, state, 1)
    span[0, 0], span[0, 1], leaves[0] = 0, n, 0
    for f in range(q):
        sides[0, 0, f], sides[0, 1, f] = box[0, f], box[1, f]
    weigh_node(rows, row_weight, 0, n, classes, tally, nodes, counts, state, root)
    for n_now in range(1, n_leaves):
        j = randbelow(state, n_now)
        place, f = leaves[j], randbelow(state, q)
        low, high = sides[place, 0, f], sides[place, 1, f]
        start, end = span[place, 0], span[place, 1]
        if triangular:
            cut = triangular_cut(state, cells, classes, row_weight, rows, start, end, f, low, high, tally)
        else:
            cut = low + uniform(state) * (high - low)
        middle = partition_at(cells, rows, start, end, f, cut)
        child = add_nodes(nodes, state, 2)
        node = nodes[root + place]
        node.kind, node.feature, node.cut, node.child = NUMERIC, f, cut, child
        for b in range(2):
            at = child - root + b
            span[at, 0], span[at, 1] = (start, middle) if b == 0 else (middle, end)
            for g in range(q):
                sides[at, 0, g], sides[at, 1, g] = sides[place, 0, g], sides[place, 1, g]
            sides[at, 1 - b, f] = cut
            weigh_node(rows, row_weight, span[at, 0], span[at, 1], classes, tally, nodes, counts, state, child + b)
        leaves[j], leaves[n_now] = child - root, child - root + 1


@part
def weigh_node(rows, row_weight, start, end, classes, tally, nodes, counts, state, node):
    """Store the class counts and the weight of a node."""
    count_classes(rows, row_weight, None, start, end, classes, tally)
    store_counts(nodes, counts, state, node, tally)
    for k in range(tally.shape[0]):
        nodes[node].weight += tally[k].count


@part
def partition_at(cells, rows, start, end, f, cut):
    """Cases with value <= cut first; returns where the others begin."""
    last = end - 1
    i = start
    while i <= last:
        if cells[rows[i], f] <= cut:
            i += 1
        else:
            rows[i], rows[last] = rows[last], rows[i]
            last -= 1
    return i


@allocating_part
def triangular_cut(state, cells, classes, row_weight, rows, start, end, f, low, high, tally):
    """Draw from the triangular density on low .. high that peaks at an optimal cut (uniform if there is none)."""
    u = uniform(state)
    peak = optimal_cut(state, cells, classes, row_weight, rows, start, end, f, tally)
    if not low < peak < high:
        return low + u * (high - low)
    if u * (high - low) <= peak - low:
        return low + np.sqrt(u * (high - low) * (peak - low))
    return high - np.sqrt((1.0 - u) * (high - low) * (high - peak))


@allocating_part
def optimal_cut(state, cells, classes, row_weight, rows, start, end, f, tally):
    """The cut of fewest errors, at the middle of its gap; drawn uniformly if several tie; NaN in a pure node."""
    values = np.empty(end - start)
    for i in range(start, end):
        values[i - start] = cells[rows[i], f]
    order = np.argsort(values, kind="mergesort")
    count_classes(rows, row_weight, None, start, end, classes, tally)
    best, peak, ties = np.inf, np.nan, 0
    if leaf_errors(tally) <= 1e-9:
        return peak
    for k in range(tally.shape[0]):
        tally[k].left = 0
    for i in range(order.shape[0] - 1):
        row = rows[start + order[i]]
        tally[classes[row]].left += row_weight[row]
        if values[order[i]] < values[order[i + 1]]:
            errors = errors_at(tally)
            if errors < best - 1e-9:
                best, ties = errors, 0
            if errors <= best + 1e-9:
                ties += 1
                if randbelow(state, ties) == 0:
                    peak = (values[order[i]] + values[order[i + 1]]) / 2
    return peak


@part
def leaf_errors(tally):
    """Errors of the node as a leaf."""
    total, greatest = 0.0, 0.0
    for k in range(tally.shape[0]):
        total += tally[k].count
        greatest = max(greatest, tally[k].count)
    return total - greatest


@part
def errors_at(tally):
    """Errors of the two sides of a cut."""
    left, right, most_left, most_right = 0.0, 0.0, 0.0, 0.0
    for k in range(tally.shape[0]):
        above = tally[k].count - tally[k].left
        left += tally[k].left
        right += above
        most_left = max(most_left, tally[k].left)
        most_right = max(most_right, above)
    return left - most_left + right - most_right
