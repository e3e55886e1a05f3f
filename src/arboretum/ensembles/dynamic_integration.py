"""Dynamic integration of the trees of a forest (dynint, section 3): trees weighted by their success near the case.

The steps, in the words of the paper: the *neighbours* of a case among the training cases, the *local margins* of the
trees over them (equation 3), the *weights* made of these, the weighted *vote*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble
from arboretum.ensembles.integration import (
    SCALES,
    STRATEGIES,
    local_margins,
    own_margins,
    padded,
    tree_weights,
    vote_shares,
)
from arboretum.ensembles.neighbourhood import Heom, Neighbours, by_count, by_share, leaf_codes
from arboretum.ensembles.parameters import choice, constraints, number, whole
from arboretum.ensembles.random_forest import RandomForest
from arboretum.trees import CodedTable
from arboretum.trees.elementary import power_of
from arboretum.trees.read import node_votes

Array = np.ndarray
SIMILARITIES = ("heom", "forest", "forest_oob")
WEIGHTINGS = ("none", "local")
NEAR = 1e-6  # added to a HEOM distance before it is inverted: a duplicate has distance 0
AT_ONCE = 4_000_000  # cells of the arrays that a block of cases needs


class Asked(NamedTuple):
    """A block of cases: their cells, and the leaf and the vote of every tree, (cases, trees)."""

    cells: Array
    leaves: Array
    votes: Array


class DynamicIntegration(TreeEnsemble):
    """A forest whose trees vote with weights by their success on the training cases nearest to the case asked.

    Parameters
    ----------
    forest : an ensemble of this package that grows trees on bootstrap samples; it is cloned and fitted, with a random
        state from ours if it has none. A fitted one is used as it is: ``fit`` then needs its training data. None is
        Weka's random forest of 100 trees.
    strategy : "sv" counts one vote for each tree; "ds" (dynamic selection) takes the vote of the tree with the greatest
        local margin, the first of tied ones; "dv" (dynamic voting) weighs the votes by local accuracy; "dvs" (dynamic
        voting with selection) does so without the trees of large local error; "ds_vote" lets all trees that are
        tied for "ds" vote.
    similarity : what neighbours are near by. "heom": the heterogeneous Euclidean/overlap metric, with the ranges of the
        training data, 0 for a constant feature and 1 where a value is missing. "forest": the share of all trees in
        which both cases lie in one leaf. "forest_oob": that share of the trees for which the training case is out of
        bag.
    weighting : "none" or "local": the relevance (sigma) of a neighbour is 1, or 1 / (distance + 1e-6) with HEOM and
        similarity ** power in the forest (equations 5 and 6).
    n_neighbors : training cases in the neighbourhood; all if there are fewer. Neighbours equally near are taken in an
        order shuffled by ``random_state``.
    estimate : "oob" counts a neighbour for a tree only if it is out of the bag of the tree; "all" always does.
    selection : "dvs" drops trees whose local error lies in the upper half of the interval, which is [0, 1] ("half": a
        negative local margin) or from the least to the greatest local error of all trees here ("midpoint"). If none
        is left all are kept.
    power : of the forest similarity.
    scale : how local margins w become weights that are not negative: "accuracy", (w + 1) / 2, which is the local
        accuracy; "positive", max(w, 0); "range", w less the least w of all trees here. Where all are 0 all are equal.

    A tree for which no neighbour tells anything has the margin over all training cases that do; so have all trees if
    the case shares no leaf with any training case.

    Attributes
    ----------
    ensemble_ : the fitted forest. ``head(k)`` is the integration of its first k trees.
    record_ : (training cases, trees), cases in the order of ``order_``: 1 right, -1 wrong, 0 in the bag of the tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DynamicIntegration(RandomForest("weka", 25), random_state=0).fit(X, y)
    >>> model.weights(X[:2]).shape
    (2, 25)

    References
    ----------
    Tsymbal, Pechenizkiy, Cunningham: Dynamic integration with random forests (2006).
    """

    _parameter_constraints: ClassVar = constraints(
        "random_state",
        forest=[TreeEnsemble, None],
        strategy=choice(*STRATEGIES),
        similarity=choice(*SIMILARITIES),
        weighting=choice(*WEIGHTINGS),
        n_neighbors=whole(1),
        estimate=choice("oob", "all"),
        selection=choice("half", "midpoint"),
        power=number(0),
        scale=choice(*SCALES),
    )
    expected_failed_checks = WEIGHT_CHECKS

    def __init__(
        self,
        forest=None,
        strategy="dvs",
        similarity="forest",
        weighting="local",
        n_neighbors=15,
        estimate="oob",
        selection="half",
        power=3,
        scale="accuracy",
        random_state=None,
    ):
        self.forest = forest
        self.strategy = strategy
        self.similarity = similarity
        self.weighting = weighting
        self.n_neighbors = n_neighbors
        self.estimate = estimate
        self.selection = selection
        self.power = power
        self.scale = scale
        self.random_state = random_state

    # ------------------------------------------------------------------ fit

    def fit(self, X, y, sample_weight=None):
        """Grow the forest, or take the fitted one, and note what its trees did on the training cases.

        Sample weights are for growing the forest; a case of weight 0 is no neighbour.
        """
        self._check_parameters()
        table = self._table(X, reset=True)
        classes = self._encode_classes(y, len(table))
        random = check_random_state(self.random_state)
        shuffled = random.permutation(len(table))
        self._check_forest()
        if hasattr(self.forest, "forest_"):
            table = self._use_fitted(X, len(table))
        else:
            self.ensemble_ = self._new_forest(random).fit(table, y, sample_weight)
        self.forest_ = self.ensemble_.forest_
        if self.ensemble_._weights is not None:
            shuffled = shuffled[self.ensemble_._weights[shuffled] > 0]
        self.order_ = shuffled  # training cases as neighbours are looked for
        self._remember(table.take(shuffled), classes[shuffled], self._out_of_bag_of(shuffled))
        return self

    def judge_on(self, X, y) -> DynamicIntegration:
        """Take neighbours, and what the trees did on them, from cases that no tree has seen: a held-out part.

        All of them count for all trees. Call it after ``fit``, which has grown or taken the forest.
        """
        trees, table = self._n_trees(), self._table(X, reset=False)
        codes = {label: code for code, label in enumerate(self.classes_)}
        classes = np.array([codes.get(label, -1) for label in np.asarray(y)])
        self.order_ = check_random_state(self.random_state).permutation(len(table))
        unseen = np.ones((trees, len(table)), dtype=bool)
        self._remember(table.take(self.order_), classes[self.order_], unseen)
        return self

    def _check_forest(self) -> None:
        if self.forest is None:
            return
        if self.estimate == "oob" and not self.forest._bootstraps:
            raise ValueError(f"estimate='oob' needs a forest grown on bootstrap samples, which {self.forest!r} is not")

    def _use_fitted(self, X, n: int) -> CodedTable:
        """Take the forest given; its training data as it read them."""
        known = self.forest
        if known._n_rows != n or not np.array_equal(known.classes_, self.classes_):
            raise ValueError(
                f"the forest was fitted on {known._n_rows} cases of the classes {known.classes_.tolist()}; fit() needs "
                f"these very cases, not {n} cases of the classes {self.classes_.tolist()}"
            )
        self.ensemble_, self.levels_ = known, known.levels_
        return known._table(X, reset=False)

    def _new_forest(self, random) -> TreeEnsemble:
        new = RandomForest("weka") if self.forest is None else clone(self.forest)
        if new.random_state is None:
            new.set_params(random_state=random.randint(2**31 - 1))
        return new

    def _out_of_bag_of(self, cases: Array) -> Array | None:
        """For which trees these training cases are out of bag, (trees, cases); None where nothing asks for it."""
        asked = self.estimate == "oob" or self.similarity == "forest_oob"
        return np.ascontiguousarray(self.ensemble_.oob_mask_[:, cases]) if asked else None

    def _remember(self, table: CodedTable, classes: Array, unseen: Array | None) -> None:
        """Leaves and successes of the trees on cases that are in order, and these cases as HEOM sees them."""
        leaves, votes = self._leaves_and_votes(table, self._node_votes())
        self._leaves = np.ascontiguousarray(leaves.T)
        record = np.where(votes == classes[:, None], np.int8(1), np.int8(-1))
        self._out_of_bag, self._classes = unseen, classes
        if self.estimate == "oob":
            record *= unseen.T
        self._record, self._own = padded(record), own_margins(record)
        self._heom = Heom.of(table)

    def head(self, k: int) -> DynamicIntegration:
        """The integration of the first k trees; nothing is grown again."""
        copy = super().head(k)
        copy.ensemble_ = self.ensemble_.head(k)
        copy._own = self._own[:k]
        return copy

    @property
    def record_(self) -> Array:
        """What each tree did on each training case, in the order of ``order_``: 1 right, -1 wrong, 0 in its bag."""
        return self._record[:, : self._n_trees()]

    # ------------------------------------------------------------------ reading the forest

    def _prepare(self, table: CodedTable, fit: bool) -> CodedTable:
        return self.ensemble_._prepare(table, fit=False)

    @property
    def _curtail(self) -> bool:
        return self.ensemble_._curtail

    @property
    def _unknown(self) -> str:
        return getattr(self.forest, "unknown", "missing")

    @property
    def _bootstraps(self) -> bool:
        return self.ensemble_._bootstraps

    @property
    def oob_mask_(self) -> Array:
        """Is the training case out of the bag of the tree? (trees, cases), cases in the order of the training data."""
        return self.ensemble_.oob_mask_

    @property
    def estimators_(self) -> list:
        """The trees of the forest, each as a fitted estimator; alone they are not integrated."""
        self._n_trees()
        return self.ensemble_.estimators_

    def _jobs(self) -> int:
        return self.ensemble_._jobs()

    def _leaf_shares(self):
        raise TypeError("the weight of a tree depends on the case: dynamic integration is no sum over trees")

    def _node_votes(self) -> Array:
        """The class that each node of the forest votes for as a leaf."""
        trees = self.forest_
        return node_votes(trees.nodes, trees.counts, trees.answers(self._curtail))

    def _leaves_and_votes(self, table: CodedTable, voted: Array) -> tuple[Array, Array]:
        """(cases, trees); votes come from the leaves, unless missing values mix several leaves."""
        table, trees = self._prepare(table, fit=False), self.forest_
        leaves = trees.apply(table)
        codes = leaf_codes(leaves, int(trees.n_nodes.max()))
        if table.has_missing:
            return codes, np.ascontiguousarray(trees.tree_votes(table, self._curtail, self._jobs()).T)
        return codes, voted[leaves + trees.starts[:-1]]

    def _blocks(self, X, configurations: int) -> Iterator[tuple[slice, Asked]]:
        """The cases of X in blocks, so that memory does not grow with their number."""
        trees, table, voted = self._n_trees(), self._table(X, reset=False), self._node_votes()
        needed = 2 * len(self.order_) + configurations * (trees + len(STRATEGIES) * len(self.classes_))
        size = max(1, AT_ONCE // needed)
        for first in range(0, len(table), size):
            rows = slice(first, min(first + size, len(table)))
            block = table.take(rows)
            yield rows, Asked(block.cells, *self._leaves_and_votes(block, voted))

    # ------------------------------------------------------------------ the steps

    def _neighbours(self, asked: Asked, similarity: str, sizes: Sequence[int], k: int) -> list[Neighbours]:
        """Neighbours of each case in the first trees, for each number of trees; places are those in ``order_``."""
        if similarity == "heom":
            return [self._heom.neighbours(asked.cells, k)] * len(sizes)
        if similarity == "forest":
            return by_count(asked.leaves, self._leaves, sizes, k)
        return by_share(asked.leaves, self._leaves, self._out_of_bag, sizes, k)

    def _relevance(self, near: Neighbours, similarity: str, weighting: str, size: int) -> Array:
        """sigma of each neighbour (equations 5 and 6), up to a factor, which equation 3 cancels."""
        one = np.int16 if near.nearness.shape[1] < 2**15 else np.int64  # holds a sum over all neighbours
        if similarity == "heom":
            return np.ones(near.nearness.shape, one) if weighting == "none" else 1 / (near.nearness + NEAR)
        if weighting == "none":
            return np.repeat((near.nearness[:, :1] > 0).astype(one), near.nearness.shape[1], axis=1)
        if similarity == "forest_oob":
            return power_of(near.nearness, self.power)
        powers = power_of(np.arange(size + 1), self.power)
        whole = self.power == int(self.power) and powers[-1] * near.nearness.shape[1] < 2**31
        return powers.astype(np.int32 if whole else np.float64).take(near.nearness)

    def _local_margins(self, asked: Asked, similarity, weightings, sizes, neighbourhoods) -> Iterator[Array]:
        """Local margins (cases, trees, weightings * neighbourhoods) of the first trees, for each number of trees."""
        near = self._neighbours(asked, similarity, sizes, int(neighbourhoods[-1]))
        each, found = len(neighbourhoods), None
        for step, size in enumerate(sizes):
            if similarity == "heom" and step:  # how near a case is does not depend on the trees
                yield found[:, :size]
                continue
            trees = sizes[-1] if similarity == "heom" else size
            found = np.empty((len(asked.cells), trees, len(weightings) * each))
            for place, weighting in enumerate(weightings):
                relevance = self._relevance(near[step], similarity, weighting, size)
                target = found[:, :, place * each : (place + 1) * each]
                local_margins(near[step].places, relevance, self._record, self._own, neighbourhoods, target)
            yield found[:, :size]

    @property
    def _rules(self) -> tuple[bool, int]:
        """How weights are made of local margins, as the kernels ask for it."""
        return self.selection == "midpoint", SCALES.index(self.scale)

    def _n_trees(self) -> int:
        check_is_fitted(self, "forest_")
        return len(self.forest_)

    def _neighbourhoods(self, numbers: Sequence[int]) -> Array:
        return np.minimum(np.array(numbers, dtype=np.int64), len(self.order_))

    def neighbours(self, X) -> Neighbours:
        """Rows of the training data nearest to each case, nearest first, and their distance or similarity."""
        trees, (k,) = self._n_trees(), self._neighbourhoods([self.n_neighbors])
        found = [self._neighbours(asked, self.similarity, [trees], int(k))[0] for _, asked in self._blocks(X, 1)]
        places, nearness = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return Neighbours(self.order_[places], nearness / trees if self.similarity == "forest" else nearness)

    def local_margins(self, X) -> Array:
        """w_i(x) of equation 3, the expected margin of each tree at each case: (cases, trees)."""
        trees, numbers = [self._n_trees()], self._neighbourhoods([self.n_neighbors])
        found = []
        for _, asked in self._blocks(X, 1):
            found += self._local_margins(asked, self.similarity, [self.weighting], trees, numbers)
        return np.concatenate(found)[:, :, 0]

    def weights(self, X) -> Array:
        """Weight of the vote of each tree for each case, not negative, summing to 1: (cases, trees)."""
        strategy = STRATEGIES.index(self.strategy)
        return tree_weights(self.local_margins(X), strategy, *self._rules)

    def predict_proba(self, X) -> Array:
        """Each class's share of the weighted votes, columns as ``classes_``."""
        trees = [self._n_trees()]
        blocks = self.integrate(X, [self.similarity], [self.weighting], trees, [self.n_neighbors], [self.strategy])
        return np.concatenate([shares[:, :, 0, 0, 0, 0, 0].T for _, shares in blocks])

    def integrate(
        self, X, similarities, weightings, sizes, neighbourhoods, strategies
    ) -> Iterator[tuple[slice, Array]]:
        """Shares of the votes in many configurations from one pass over the forest, in blocks of cases.

        ``sizes``, ascending, are numbers of first trees; ``neighbourhoods``, ascending, numbers of neighbours. Yields
        the rows of a block, and (classes, cases, similarities, sizes, weightings, neighbourhoods, strategies).
        """
        numbers, codes = self._neighbourhoods(neighbourhoods), np.array([STRATEGIES.index(one) for one in strategies])
        shape = (len(similarities), len(sizes), len(weightings) * len(numbers), len(codes))
        for rows, asked in self._blocks(X, int(np.prod(shape[:3]))):
            shares = np.empty((len(self.classes_), len(asked.cells), *shape))
            for place, similarity in enumerate(similarities):
                found = self._local_margins(asked, similarity, weightings, sizes, numbers)
                for step, margins in enumerate(found):
                    vote_shares(margins, asked.votes, codes, *self._rules, shares[:, :, place, step])
            yield rows, shares.reshape(*shares.shape[:4], len(weightings), len(numbers), len(codes))
