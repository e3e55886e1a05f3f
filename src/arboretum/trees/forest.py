"""A grown forest: flat arrays that pickle, and everything that can be read from them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from arboretum.trees import read
from arboretum.trees.counts import TOLERANCE
from arboretum.trees.draws import draw_weighted, drawn_by
from arboretum.trees.grow import Limits, Sample, Space, grow_block
from arboretum.trees.nested import nested
from arboretum.trees.nodes import empty_nodes, move_nodes
from arboretum.trees.purely import grow_purely
from arboretum.trees.quick import ANSWER, QUICK, quick_answers, quick_nodes
from arboretum.trees.quick import leaves as quick_leaves
from arboretum.trees.quick import leaves_of_rows as quick_leaves_of_rows
from arboretum.trees.quick import probability as quick_probability
from arboretum.trees.rules import LEAF, NOMINAL, SUBSET
from arboretum.trees.work import STATE, make_work, tally_type

Array = np.ndarray
CURTAILED_BELOW = 2.0  # vrtrees, section 5: the minimum leaf size for probability estimates is above one


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees end to end in one set of arrays; tree t has the nodes ``starts[t] .. starts[t + 1]``."""

    nodes: Array  # NODE records
    counts: Array  # COUNT records
    sides: Array  # branch of each level, for SUBSET nodes
    starts: Array
    n_classes: int
    n_values: Array
    levels: tuple

    def __len__(self) -> int:
        return len(self.starts) - 1

    def head(self, k: int) -> Forest:
        """The first k trees."""
        if not 1 <= k <= len(self):
            raise ValueError(f"head({k}): the forest has {len(self)} trees")
        return replace(self, nodes=self.nodes[: self.starts[k]], starts=self.starts[: k + 1])

    def tree(self, t: int) -> Forest:
        """A forest of tree t alone (a copy)."""
        nodes = self.nodes[self.starts[t] : self.starts[t + 1]].copy()
        nodes["child"][nodes["child"] >= 0] -= np.int32(self.starts[t])
        return replace(self, nodes=nodes, starts=np.array([0, len(nodes)]))

    # ------------------------------------------------------------------ what the trees look like

    @cached_property
    def _family(self):
        return read.parents_and_depths(self.nodes, self.n_values)

    @property
    def parent(self) -> Array:
        """Parent of each node, -1 for a root."""
        return self._family[0]

    @property
    def n_nodes(self) -> Array:
        """Nodes of each tree, empty branches included."""
        return np.diff(self.starts)

    def _per_tree(self, mask) -> Array:
        return np.add.reduceat(mask.astype(np.int64), self.starts[:-1])

    @property
    def n_leaves(self) -> Array:
        """Leaves of each tree, empty branches included (as Weka counts them)."""
        return self._per_tree(self.nodes["kind"] == LEAF)

    @property
    def depths(self) -> Array:
        """Greatest depth of each tree (a lone root has 0)."""
        return np.maximum.reduceat(self._family[1], self.starts[:-1])

    @property
    def deterministic_share(self) -> Array:
        """Share of deterministic nodes among the inner nodes of each tree (NaN for a lone leaf)."""
        inner = self._per_tree(self.nodes["kind"] != LEAF)
        chosen = self._per_tree((self.nodes["kind"] != LEAF) & (self.nodes["deterministic"] > 0))
        return np.divide(chosen, inner, out=np.full(len(self), np.nan), where=inner > 0)

    @property
    def feature_use(self) -> Array:
        """How many inner nodes of each tree test each feature: (trees, features)."""
        use = np.zeros((len(self), len(self.levels)), dtype=np.int64)
        tree = np.repeat(np.arange(len(self)), self.n_nodes)
        inner = self.nodes["kind"] != LEAF
        np.add.at(use, (tree[inner], self.nodes["feature"][inner]), 1)
        return use

    @cached_property
    def class_weights(self) -> Array:
        """Class weights of every node: (nodes, classes); 0 in empty branches."""
        return read.all_counts(self.nodes, self.counts, self.n_values, self.n_classes)

    def importances(self, gini: bool = True) -> Array:
        """Mean decrease of impurity by feature, each tree's to sum 1, averaged over trees."""
        per_tree = read.impurity_decreases(
            self.nodes, self.starts, self.n_values, self.class_weights, len(self.levels), gini
        )
        sums = per_tree.sum(axis=1, keepdims=True)
        mean = np.divide(per_tree, sums, out=np.zeros_like(per_tree), where=sums > 0).mean(axis=0)
        return mean / mean.sum() if mean.sum() > 0 else mean

    def nested(self, tree: int = 0) -> dict:
        """One tree as nested dicts: see :func:`arboretum.trees.nested.nested`."""
        return nested(self, tree)

    # ------------------------------------------------------------------ what the trees say

    def answers(self, curtail: bool) -> Array:
        """The node whose class frequencies each leaf answers with: itself, or the nearest ancestor fit to."""
        least = (CURTAILED_BELOW if curtail else 2 * TOLERANCE) - TOLERANCE
        return read.answering_nodes(self.nodes, self.n_values, least)

    @cached_property
    def _quick(self):
        """Nodes for quick reading, branches of levels, and whether all tests are numeric."""
        quick = np.empty(len(self.nodes), QUICK)
        quick_nodes(self.nodes, len(self.sides), quick)
        sides = np.concatenate([self.sides, np.arange(self.n_values.max(initial=1))]).astype(np.int32)
        return quick, sides, not np.isin(self.nodes["kind"], (NOMINAL, SUBSET)).any()

    def apply(self, table) -> Array:
        """Leaf that each case reaches, counted within its tree: (cases, trees). Missing: the heaviest branch."""
        if not table.has_missing:
            quick, sides, numeric = self._quick
            found = quick_leaves(quick, sides, self.starts, table.cells, numeric)
            return found - self.starts[:-1].astype(np.int32)
        return read.leaves(self.nodes, self.sides, self.starts, self.n_values, table.cells)

    def probability(self, table, curtail: bool = False, n_jobs: int = 1) -> Array:
        """Class probabilities averaged over trees (vrtrees, equation 1): (cases, classes)."""
        answer = self.answers(curtail)
        if not table.has_missing:
            quick, sides, numeric = self._quick
            answers, shares = np.empty(len(self.nodes), ANSWER), np.zeros(len(self.counts))
            quick_answers(self.nodes, self.counts, answer, answers, shares)

            def block(cells):
                trees = (quick, sides, self.starts, answers, shares, self.counts)
                return quick_probability(*trees, cells, numeric, self.n_classes)
        else:

            def block(cells):
                trees = (self.nodes, self.counts, self.sides, self.starts, self.n_values, answer)
                return read.probability(*trees, cells, self.n_classes)

        return np.concatenate(in_threads(block, _row_blocks(table, n_jobs), n_jobs)) / len(self)

    def tree_votes(self, table, curtail: bool = False, n_jobs: int = 1) -> Array:
        """Class that each tree votes for, the first of tied ones: (trees, cases), class codes."""
        answer = self.answers(curtail)
        if not table.has_missing:
            quick, sides, numeric = self._quick
            vote = read.node_votes(self.nodes, self.counts, answer)

            def block(cells):
                return vote[quick_leaves(quick, sides, self.starts, cells, numeric)].T
        else:

            def block(cells):
                trees = (self.nodes, self.counts, self.sides, self.starts, self.n_values, answer)
                return read.tree_votes(*trees, cells, self.n_classes)

        return np.concatenate(in_threads(block, _row_blocks(table, n_jobs), n_jobs), axis=1)

    @property
    def is_pure(self) -> bool:
        """Does every leaf that has cases hold those of one class?"""
        leaf = (self.nodes["kind"] == LEAF) & (self.nodes["weight"] > 0)
        return bool((self.nodes["count_size"][leaf] == 1).all())

    def votes_of_rows(self, table, rows) -> Array:
        """Votes of the first tree on some complete cases: class codes, in the order of ``rows``."""
        vote = read.node_votes(self.nodes, self.counts, self.answers(False))
        quick, sides, numeric = self._quick
        return vote[quick_leaves_of_rows(quick, sides, self.starts[0], table.cells, rows, numeric)]

    def tree_probability(self, table, curtail: bool = False) -> Array:
        """Class probabilities of each tree: (trees, cases, classes)."""
        trees = (self.nodes, self.counts, self.sides)
        rest = (self.n_values, self.answers(curtail), table.cells, self.n_classes)
        return np.stack([read.tree_probability(*trees, root, *rest) for root in self.starts[:-1]])

    def permutation_importances(self, table, classes, out_of_bag, seeds) -> Array:
        """Mean over trees of the accuracy on out-of-bag cases lost when a feature is permuted (Breiman 2001).

        ``out_of_bag`` is (trees, cases); ``seeds`` has one seed a tree. One value a feature, as R's type 1, unscaled.
        """
        vote = read.node_votes(self.nodes, self.counts, self.answers(False))
        lost, state = np.zeros(len(self.levels)), np.zeros(1, STATE)
        for tree, seed in enumerate(seeds):
            rows, state["stream"] = np.flatnonzero(out_of_bag[tree]), seed
            root = self.starts[tree]
            lost += read.accuracy_lost(self.nodes, self.sides, vote, root, table.cells, classes, rows, state)
        return lost / len(self)

    def paths(self, table, tree: int = 0) -> list[list[int]]:
        """Nodes (counted within the tree) that each case passes, root first."""
        first, parent = int(self.starts[tree]), self.parent
        found = []
        for leaf in self.apply(table)[:, tree]:
            path = [int(leaf) + first]
            while parent[path[-1]] >= 0:
                path.append(int(parent[path[-1]]))
            found.append([place - first for place in reversed(path)])
        return found


def _row_blocks(table, n_jobs):
    return np.array_split(table.cells, n_jobs) if n_jobs > 1 else [table.cells]


def in_threads(function, items, n_jobs):
    """``function`` of each item, in order; kernels release the interpreter lock."""
    if n_jobs == 1 or len(items) < 2:
        return [function(item) for item in items]
    with ThreadPoolExecutor(n_jobs) as threads:
        return list(threads.map(function, items))


def grow_forest(
    table,
    classes,
    n_classes,
    rule,
    seeds,
    *,
    weights=None,
    bootstrap=False,
    n_features=None,
    n_min=2.0,
    max_depth=None,
    n_jobs=1,
    block=None,
) -> Forest:
    """Grow one tree a seed on ``table``, by ``rule`` (one for all, or a list of one a tree).

    Growth is exact where no value is missing and weights are whole numbers, else fractional.
    """
    weights = _checked(weights, len(table))
    exact = not table.has_missing and bool((weights == np.floor(weights)).all()) and weights.sum() < 2**31
    seeds = np.asarray(seeds, dtype=np.uint64)
    limits = Limits(float(n_min), np.iinfo(np.int64).max if max_depth is None else int(max_depth))
    greatest = int(weights.max() * len(weights) if bootstrap else weights.sum()) if exact else 0

    def grow(part):
        work = make_work(table, classes, n_classes, exact, greatest, n_features or table.shape[1])
        sample, space = _scratch(table.ranks, weights, exact, bootstrap)
        mass, room = None if exact else np.empty(0), empty_nodes(4096)
        return grow_block(part[0], limits, work, sample, space, part[1], mass, *room)

    block = block or max(1, -(-len(seeds) // (1 if n_jobs == 1 else 4 * n_jobs)))
    if isinstance(rule, list):
        parts = [(one, seeds[i : i + 1]) for i, one in enumerate(rule)]
    else:
        parts = [(rule, seeds[i : i + block]) for i in range(0, len(seeds), block)]
    return join(in_threads(grow, parts, n_jobs), n_classes, table)


def grow_purely_random(
    table, classes, n_classes, seeds, *, n_leaves, box, triangular=False, weights=None, bootstrap=False, n_jobs=1
) -> Forest:
    """Purely random trees (infinity, section 7) with ``n_leaves`` terminal nodes in ``box`` (2, features)."""
    weights = _checked(weights, len(table))
    classes, box = np.asarray(classes, dtype=np.int32), np.ascontiguousarray(box, dtype=np.float64)

    def grow(part):
        state, tally = np.zeros(1, STATE), np.zeros(n_classes, tally_type(np.float64))
        return grow_purely(table.cells, classes, weights, bootstrap, n_leaves, box, triangular, part, state, tally)

    seeds = np.asarray(seeds, dtype=np.uint64)
    parts = np.array_split(seeds, min(len(seeds), 1 if n_jobs == 1 else 4 * n_jobs))
    return join(in_threads(grow, parts, n_jobs), n_classes, table)


def _checked(weights, n):
    """Weights as numbers, 1 by default; a sample of no weight could be drawn for ever."""
    weights = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64)
    if not (weights > 0).any():
        raise ValueError("no case has a weight above zero")
    return weights


def drawn_rows(seeds, n: int, weights=None) -> Array:
    """How often the bootstrap sample of each tree holds each of n rows: (trees, rows)."""
    drawn, weights = np.zeros((len(seeds), n), np.int32), _checked(weights, n)
    state = np.zeros(1, STATE)
    for tree, seed in enumerate(seeds):
        state["stream"] = seed
        drawn_by(state, weights, drawn[tree])
    return drawn


def weighted_draws(seed, weights: Array) -> tuple[Array, np.uint64]:
    """As many rows as there are, drawn with replacement by whole weights, and the seed that continues the stream."""
    ends, state = np.cumsum(weights, dtype=np.int64), np.zeros(1, STATE)
    order = np.empty(len(ends), np.int64)
    state["stream"] = seed
    draw_weighted(state, ends, np.empty(len(ends), np.int64), order)
    return order, state["stream"][0]


def _scratch(ranks, weights, exact, bootstrap):
    n, levels = len(weights), int(ranks.n_values[ranks.nominal].max(initial=2))
    number = np.int32 if exact else np.float64
    drawn = np.zeros(n if bootstrap else 1, np.int32)
    sample = Sample(weights.astype(number), bootstrap, drawn, np.zeros(n, number))
    return sample, Space(
        np.zeros(n, np.uint32), np.zeros(levels + 1, np.int64), np.zeros(levels), np.zeros(3 * levels, np.uint8)
    )


def concatenate(forests) -> Forest:
    """One forest of the trees of several, grown on the same table; in order."""
    blocks = []
    for forest in forests:
        ends = np.zeros((len(forest), 3), np.int64)
        ends[:, 0] = forest.starts[1:]
        ends[-1, 1:] = len(forest.counts), len(forest.sides)
        blocks.append((forest.nodes, forest.counts, forest.sides, ends))
    nodes, counts, sides, starts = _end_to_end(blocks)
    return replace(forests[0], nodes=nodes, counts=counts, sides=sides, starts=starts)


def join(blocks, n_classes, table) -> Forest:
    """One forest of the blocks grown, in order."""
    return Forest(*_end_to_end(blocks), n_classes, table.ranks.n_values, table.levels)


def _end_to_end(blocks):
    """Nodes, counts, sides and starts of the blocks in order; the blocks themselves stay as they are."""
    parts = [(nodes[:n], counts[:c], sides[:s]) for nodes, counts, sides, ends in blocks for n, c, s in [ends[-1]]]
    arrays = parts[0] if len(parts) == 1 else [_joined(array) for array in zip(*parts, strict=True)]
    starts, shift = [np.zeros(1, np.int64)], np.zeros(3, np.int64)
    for *_, ends in blocks:
        if shift[0] > 0:
            move_nodes(arrays[0][shift[0] : shift[0] + ends[-1, 0]], *shift, SUBSET)
        starts.append(ends[:, 0] + shift[0])
        shift += ends[-1]
    return *arrays, np.concatenate(starts)


def _joined(arrays):
    """Arrays of records end to end: as bytes, since numpy copies records field by field."""
    return np.concatenate([np.ascontiguousarray(array).view(np.uint8) for array in arrays]).view(arrays[0].dtype)
