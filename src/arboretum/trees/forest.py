"""A grown forest: flat arrays that pickle, and everything that can be read from them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from arboretum.trees import importance, predict_complete, predict_missing, read
from arboretum.trees.buffers import STATE, make_buffers, tally_type
from arboretum.trees.class_counts import TOLERANCE
from arboretum.trees.elementary import total
from arboretum.trees.export import nested
from arboretum.trees.grow import Limits, PartitionBuffers, Sample, grower_for
from arboretum.trees.nodes import empty_nodes
from arboretum.trees.predict_complete import ANSWER, COMPACT_NODE
from arboretum.trees.purely_random import grow_purely_random_trees
from arboretum.trees.random_stream import draw_bootstrap
from arboretum.trees.rules import LEAF, NOMINAL, SUBSET
from arboretum.trees.table import level_counts

Array = np.ndarray
# The least weight of a node that answers. vrtrees, section 5: for probability estimates the leaf size is "always
# greater than one". True curtails below weight 2, "up to 1" a leaf of weight 1 or less: they differ where missing
# values make weights fractions.
LEAST_WEIGHT = {True: 2 - TOLERANCE, "up to 1": 1 + TOLERANCE, False: TOLERANCE}
#: What becomes of a case whose value a node asks for is not known; :func:`grow_forest` says more.
MISSING = ("fractions", "branch")
MOST_NODES = np.iinfo(np.int32).max  # child, an index of a node, has 32 bits
A_FEW = 16  # exact growth has tables of this size per row at most; no count in a bootstrap sample is as large


@dataclass(frozen=True, eq=False)
class Forest:
    """All trees in one set of arrays; tree t has the nodes ``starts[t] .. starts[t + 1]``."""

    nodes: Array  # NODE records
    counts: Array  # COUNT records
    sides: Array  # branch of each level, for SUBSET nodes
    starts: Array
    n_classes: int
    n_values: Array  # branches of a test of each nominal feature (MISSING: its declared levels or one more), or 0
    levels: tuple
    missing: str = "fractions"  # one of MISSING

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
        """Greatest depth of each tree (0 if the root is a leaf)."""
        return np.maximum.reduceat(self._family[1], self.starts[:-1])

    @property
    def deterministic_share(self) -> Array:
        """Share of deterministic nodes among the inner nodes of each tree (NaN if the root is a leaf)."""
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
        return read.node_class_weights(self.nodes, self.counts, self.n_values, self.n_classes)

    def importances(self, gini: bool = True) -> Array:
        """Mean decrease of impurity by feature: scaled to sum 1 in each tree, then averaged over trees."""
        per_tree = importance.impurity_decreases(
            self.nodes, self.starts, self.n_values, self.class_weights, len(self.levels), gini
        )
        sums = per_tree.sum(axis=1, keepdims=True)
        mean = np.divide(per_tree, sums, out=np.zeros_like(per_tree), where=sums > 0).mean(axis=0)
        return mean / mean.sum() if mean.sum() > 0 else mean

    def nested(self, tree: int = 0) -> dict:
        """One tree as nested dicts: see :func:`arboretum.trees.export.nested`."""
        return nested(self, tree)

    # ------------------------------------------------------------------ predict

    def _as_grown(self, table):
        """The table that the trees are asked of: unknown values that take a branch are known by then."""
        return table.with_branches() if self.missing == "branch" else table

    def answers(self, curtail: bool | str) -> Array:
        """The node whose class frequencies each leaf uses: itself, or its nearest ancestor of sufficient weight."""
        return read.answering_nodes(self.nodes, self.n_values, LEAST_WEIGHT[curtail])

    @cached_property
    def _compact(self):
        """Compact nodes for fast prediction, branches of levels, and whether all tests are numeric."""
        compact = np.empty(len(self.nodes), COMPACT_NODE)
        predict_complete.compact_nodes(self.nodes, len(self.sides), compact)
        sides = np.concatenate([self.sides, np.arange(self.n_values.max(initial=1))]).astype(np.int32)
        return compact, sides, not np.isin(self.nodes["kind"], (NOMINAL, SUBSET)).any()

    def apply(self, table) -> Array:
        """Leaf that each case reaches: (cases, trees), numbered within its tree.

        A missing value takes the heaviest branch, or its own (``missing="branch"``).
        """
        table = self._as_grown(table)
        if not table.has_missing:
            compact, sides, numeric = self._compact
            found = predict_complete.leaves(compact, sides, self.starts, table.cells, numeric)
            return found - self.starts[:-1].astype(np.int32)
        return predict_missing.leaves(self.nodes, self.sides, self.starts, self.n_values, table.cells)

    def probability(self, table, curtail: bool | str = False, n_jobs: int = 1) -> Array:
        """Class probabilities averaged over trees (vrtrees, equation 1): (cases, classes)."""
        table, answer = self._as_grown(table), self.answers(curtail)
        if not table.has_missing:
            compact, sides, numeric = self._compact
            answers, shares = np.empty(len(self.nodes), ANSWER), np.zeros(len(self.counts))
            predict_complete.compact_answers(self.nodes, self.counts, answer, answers, shares)

            def block(cells):
                trees = (compact, sides, self.starts, answers, shares, self.counts)
                return predict_complete.probability(*trees, cells, numeric, self.n_classes)
        else:

            def block(cells):
                trees = (self.nodes, self.counts, self.sides, self.starts, self.n_values, answer)
                return predict_missing.probability(*trees, cells, self.n_classes)

        return np.concatenate(in_threads(block, _row_blocks(table, n_jobs), n_jobs)) / len(self)

    def tree_votes(self, table, curtail: bool | str = False, n_jobs: int = 1) -> Array:
        """Class code that each tree votes for, the first if several tie: (trees, cases)."""
        table, answer = self._as_grown(table), self.answers(curtail)
        if not table.has_missing:
            compact, sides, numeric = self._compact
            vote = read.node_votes(self.nodes, self.counts, answer)

            def block(cells):
                return vote[predict_complete.leaves(compact, sides, self.starts, cells, numeric)].T
        else:

            def block(cells):
                trees = (self.nodes, self.counts, self.sides, self.starts, self.n_values, answer)
                return predict_missing.tree_votes(*trees, cells, self.n_classes)

        return np.concatenate(in_threads(block, _row_blocks(table, n_jobs), n_jobs), axis=1)

    def tree_probability(self, table, curtail: bool | str = False) -> Array:
        """Class probabilities of each tree: (trees, cases, classes)."""
        trees = (self.nodes, self.counts, self.sides)
        rest = (self.n_values, self.answers(curtail), self._as_grown(table).cells, self.n_classes)
        return np.stack([predict_missing.tree_probability(*trees, root, *rest) for root in self.starts[:-1]])

    def permutation_importances(self, table, classes, out_of_bag, seeds) -> Array:
        """Mean over trees of the accuracy on out-of-bag cases lost when a feature is permuted (Breiman 2001).

        ``out_of_bag`` is (trees, cases); ``seeds`` has one seed per tree. Returns one value per feature, as
        R's type 1, unscaled.
        """
        vote = read.node_votes(self.nodes, self.counts, self.answers(False))
        lost, state, table = np.zeros(len(self.levels)), np.zeros(1, STATE), self._as_grown(table)
        for tree, seed in enumerate(seeds):
            rows, state["stream"] = np.flatnonzero(out_of_bag[tree]), seed
            root = self.starts[tree]
            lost += importance.accuracy_lost(self.nodes, self.sides, vote, root, table.cells, classes, rows, state)
        return lost / len(self)

    def paths(self, table, tree: int = 0) -> list[list[int]]:
        """Nodes (numbered within the tree) that each case passes, root first."""
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
    """``function`` of each item, in order, on ``n_jobs`` threads; kernels release the interpreter lock."""
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
    exact_up_to=A_FEW,
    missing="fractions",
) -> Forest:
    """Grow one tree per seed on ``table``. ``rule`` is one rule for all trees, or a list with one rule per tree.

    ``missing`` says what becomes of a case whose value a node asks for is not known:

    "fractions"
        a fraction of the case goes down every branch, by the share of the known cases there (C4.5).
    "branch"
        a nominal unknown takes a branch of its own, which every test of levels has, and a numeric one the lower branch,
        in training and in prediction; no case is divided. Tests are scored as in C4.5, on the known cases and times
        their share. A random test may use a nominal feature that has one known value and unknown ones in the node; cuts
        are drawn from known values. If no training case in the node was unknown its branch is empty, and the node
        answers, as for a level that did not occur. For C45 and VR rules only.

    Growth is exact if no value is missing, all weights are whole numbers and no tree can weigh more than
    ``exact_up_to`` times the number of rows, because exact growth has tables of that length; otherwise fractional.
    """
    rules = rule if isinstance(rule, list) else [rule]
    _check_missing(missing, rules)
    weights = _checked_weights(weights, len(table))
    greatest = weights.max() * len(weights) if bootstrap else total(weights)
    exact = not table.has_missing and bool((weights == np.floor(weights)).all())
    exact = exact and greatest <= min(exact_up_to * len(weights), 2**31 - 1)
    seeds = np.asarray(seeds, dtype=np.uint64)
    limits = Limits(float(n_min), np.iinfo(np.int64).max if max_depth is None else int(max_depth))
    greatest = int(greatest) if exact else 0

    width = n_features or table.shape[1]
    blocks = any(getattr(one, "n_tried", width) >= width for one in rules)
    ranks = table.codes_for(any(one.scans for one in rules), exact and all(one.walks for one in rules))

    def grow(part):
        buffers = make_buffers(table.cells, ranks, classes, n_classes, exact, greatest, width, blocks)
        buffers.state["own_branch"] = missing == "branch"
        sample, partition = _growth_buffers(ranks, weights, exact, bootstrap)
        case_weight, room = None if exact else np.empty(0), empty_nodes(4096)
        return grower_for(part[0])(part[0], limits, buffers, sample, partition, part[1], case_weight, *room)

    block = block or max(1, -(-len(seeds) // (1 if n_jobs == 1 else 4 * n_jobs)))
    if isinstance(rule, list):
        parts = [(one, seeds[i : i + 1]) for i, one in enumerate(rule)]
    else:
        parts = [(rule, seeds[i : i + block]) for i in range(0, len(seeds), block)]
    return join(in_threads(grow, parts, n_jobs), n_classes, table, missing)


def _check_missing(missing, rules):
    if missing not in MISSING:
        raise ValueError(f"missing={missing!r} must be one of {', '.join(map(repr, MISSING))}")
    other = [type(one).__name__ for one in rules if not getattr(one, "branches", False)]
    if missing == "branch" and other:
        raise ValueError(
            f"missing='branch' is for C45 and VR rules, not for {other[0]}; fill in missing values instead"
        )


def grow_purely_random(
    table, classes, n_classes, seeds, *, n_leaves, box, triangular=False, weights=None, bootstrap=False, n_jobs=1
) -> Forest:
    """Purely random trees (infinity, section 7) with ``n_leaves`` terminal nodes in ``box`` (2, features)."""
    weights = _checked_weights(weights, len(table))
    classes, box = np.asarray(classes, dtype=np.int32), np.ascontiguousarray(box, dtype=np.float64)

    def grow(part):
        state, tally = np.zeros(1, STATE), np.zeros(n_classes, tally_type(np.float64))
        return grow_purely_random_trees(
            table.cells, classes, weights, bootstrap, n_leaves, box, triangular, part, state, tally
        )

    seeds = np.asarray(seeds, dtype=np.uint64)
    parts = np.array_split(seeds, min(len(seeds), 1 if n_jobs == 1 else 4 * n_jobs))
    return join(in_threads(grow, parts, n_jobs), n_classes, table)


def _checked_weights(weights, n):
    """Weights as floats, 1 by default. If all were 0, bootstrap would redraw its sample for ever."""
    weights = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64)
    if not (weights > 0).any():
        raise ValueError("no case has a weight above zero")
    return weights


def drawn_rows(seeds, n: int, weights=None) -> Array:
    """How often the bootstrap sample of each tree holds each of n rows: (trees, rows)."""
    drawn, weights = np.zeros((len(seeds), n), np.int32), _checked_weights(weights, n)
    state = np.zeros(1, STATE)
    for tree, seed in enumerate(seeds):
        state["stream"] = seed
        draw_bootstrap(state, weights, drawn[tree])
    return drawn


def _growth_buffers(ranks, weights, exact, bootstrap):
    """The sample and the partition buffers of one thread."""
    n, levels = len(weights), int(ranks.n_values[ranks.nominal].max(initial=2))
    number = np.int32 if exact else np.float64
    drawn = np.zeros(n if bootstrap else 1, np.int32)
    sample = Sample(weights.astype(number), bootstrap, drawn, np.zeros(n, number))
    return sample, PartitionBuffers(
        spill=np.zeros(n, np.uint32),
        bounds=np.zeros(levels + 2, np.int64),
        ends=np.zeros(2 * levels, np.int64),
        shares=np.zeros(levels),
        sides=np.zeros(3 * levels, np.uint8),
    )


def concatenate(forests) -> Forest:
    """One forest with the trees of several forests, in order. All must have been grown on the same table."""
    if len({forest.missing for forest in forests}) > 1:
        raise ValueError("forests grown with different settings of `missing` cannot become one forest")
    blocks = []
    for forest in forests:
        ends = np.zeros((len(forest), 3), np.int64)
        ends[:, 0] = forest.starts[1:]
        ends[-1, 1:] = len(forest.counts), len(forest.sides)
        blocks.append((forest.nodes.copy(), forest.counts, forest.sides, ends))
    nodes, counts, sides, starts = _joined_arrays(blocks)
    return replace(forests[0], nodes=nodes, counts=counts, sides=sides, starts=starts)


def join(blocks, n_classes, table, missing="fractions") -> Forest:
    """One forest from blocks of trees, in order."""
    counts = level_counts(table.levels)
    if missing == "branch":
        counts += np.array([lv is not None for lv in table.levels], counts.dtype)
    return Forest(*_joined_arrays(blocks), n_classes, counts, table.levels, missing)


def _joined_arrays(blocks):
    """Nodes, counts, sides and starts of all blocks, with their indices shifted."""
    total = sum(int(ends[-1, 0]) for *_, ends in blocks)
    if total > MOST_NODES:
        raise MemoryError(
            f"the forest has {total:,} nodes; at most {MOST_NODES:,} can be numbered. Grow fewer or smaller trees."
        )
    parts, starts, shift = [], [np.zeros(1, np.int64)], np.zeros(3, np.int64)
    for nodes, counts, sides, ends in blocks:
        n, c, s = ends[-1]
        nodes = nodes[:n]
        if shift.any():
            nodes["child"][nodes["child"] >= 0] += np.int32(shift[0])
            nodes["count_start"][nodes["count_size"] > 0] += shift[1]
            nodes["cut"][nodes["kind"] == SUBSET] += shift[2]
        parts.append((nodes, counts[:c], sides[:s]))
        starts.append(ends[:, 0] + shift[0])
        shift += ends[-1]
    arrays = parts[0] if len(parts) == 1 else [np.concatenate(array) for array in zip(*parts, strict=True)]
    return *arrays, np.concatenate(starts)
