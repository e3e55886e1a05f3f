"""Forests in which the votes so far guide the next tree (diversity, section 5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble
from arboretum.ensembles.growth_strategies import STRATEGIES
from arboretum.ensembles.parameters import choice, constraints, number, whole
from arboretum.ensembles.random_forest import n_tried
from arboretum.ensembles.weights import least_to_split
from arboretum.errors import nearest
from arboretum.trees import (
    A_FEW,
    CodedTable,
    Forest,
    cart_rule,
    concatenate,
    drawn_rows,
    grow_forest,
    is_pure,
    votes_of_rows,
    weighted_draws,
    whole_weights,
)
from arboretum.trees.elementary import total

MECHANISMS = ("bootstrap", "fit", "both", "fit_as_run")


@dataclass
class Growth:
    """What growing on needs: the training data, and the votes so far."""

    table: CodedTable
    classes: np.ndarray
    sample_weight: np.ndarray | None
    words: list[int]  # entropy of the seeds of all trees
    counts: np.ndarray  # votes that guide: (cases, classes)
    trees: int = 0
    fallbacks: int = 0

    def seeds(self, n: int) -> np.ndarray:
        """Seeds of the next n trees; tree i has seed i however many are grown at a time."""
        return np.random.SeedSequence(self.words).generate_state(self.trees + n, np.uint64)[self.trees :]


class Step(NamedTuple):
    """One tree of a growing forest."""

    tree: Forest  # of that tree alone
    votes: np.ndarray  # its votes on the training cases: class codes
    unseen: np.ndarray  # training cases without weight in it


class GuidedForest(TreeEnsemble):
    """A random forest whose next tree looks more at the cases that a strategy weighs more.

    Parameters that mean the same in all estimators: see :mod:`arboretum.ensembles.base`.

    Parameters
    ----------
    strategy : "uniform", "drf", "xuchen", "sigmoid", "lerp", "dynamic", "sigmoid_as_run", "dynamic_as_run" or any other
        registered in :mod:`arboretum.ensembles.growth_strategies`.
    mechanism : "bootstrap" draws as many cases as there are, with replacement and probability proportional to weight;
        "fit" draws them uniformly and grows the tree on weighted cases; "both" does both. "fit_as_run" is what the
        thesis ran as "fit": the votes on case i are compared with the class of the i-th draw, and that draw carries the
        weight.
    weights_from : "all" trees vote on a case, or only those "out_of_bag" for it; a case that is out of no bag yet gets
        the mean weight of the others.
    b_max, m_max : steepness of the sigmoids, and the number of trees after which lerp and dynamic reach it.
    floor : least weight of a case, as a share of the greatest.
    max_features, redraw_constants : as in :class:`RandomForest`; the defaults are scikit-learn's.

    The first tree is uniform: it is the first tree of RandomForest with the same random_state, and the strategy
    "uniform" gives that forest. Weights that are all zero become equal; ``fallbacks_`` counts the trees for which they
    did. Trees vote; the first class wins ties. A fitted forest keeps its training data, for :meth:`grow`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = GuidedForest("drf", n_estimators=20, random_state=0).fit(X, y)
    >>> len(forest.grow(10).forest_)
    30

    References
    ----------
    Moser (2023), Model Correlation in Random Forests, section 5.3.
    """

    kinds: ClassVar = {"guided_forest": {}}

    _parameter_constraints: ClassVar = constraints(
        "n_estimators",
        "max_features",
        "redraw_constants",
        "unknown",
        "n_jobs",
        "random_state",
        strategy=[str],
        mechanism=choice(*MECHANISMS),
        weights_from=choice("all", "out_of_bag"),
        b_max=number(0),
        m_max=whole(1),
        floor=number(0, 1),
    )
    expected_failed_checks = WEIGHT_CHECKS
    combine = "votes"
    _fills_missing = True

    def __init__(
        self,
        strategy="lerp",
        mechanism="bootstrap",
        weights_from="all",
        n_estimators=150,
        *,
        b_max=15,
        m_max=10,
        floor=0.0,
        max_features="sqrt",
        redraw_constants="until_one_varies",
        unknown="missing",
        n_jobs=1,
        random_state=None,
    ):
        self.strategy = strategy
        self.mechanism = mechanism
        self.weights_from = weights_from
        self.n_estimators = n_estimators
        self.b_max = b_max
        self.m_max = m_max
        self.floor = floor
        self.max_features = max_features
        self.redraw_constants = redraw_constants
        self.unknown = unknown
        self.n_jobs = n_jobs
        self.random_state = random_state

    # ------------------------------------------------------------------ growing

    def _check_parameters(self):
        super()._check_parameters()
        if self.strategy not in STRATEGIES:
            raise ValueError(f"strategy={self.strategy!r} is not known. {nearest(self.strategy, STRATEGIES)}")

    def _grow(self, table, classes, weights):
        words = check_random_state(self.random_state).randint(0, 2**32, size=4, dtype=np.uint64)
        counts = np.zeros((len(self.classes_), len(table)), dtype=np.int32).T  # sums over classes are faster so
        self._growth = Growth(table, classes, weights, [int(word) for word in words], counts)
        return concatenate(list(self._trees(self.n_estimators)))

    def grow(self, n: int) -> GuidedForest:
        """Grow n more trees; k trees and n more are the forest of k + n, whatever k."""
        growth = getattr(self, "_growth", None)
        if growth is None:
            raise ValueError("grow needs a fitted forest with all its trees; a head of one cannot be grown on")
        if n < 1:
            raise ValueError(f"grow({n}): the number of trees must be at least 1")
        self.forest_ = concatenate([self.forest_, *self._trees(n)])
        self.n_estimators = growth.trees
        return self

    def stream(self, X, y, sample_weight=None) -> Iterator[Step]:
        """Grow the trees of ``fit`` one by one and keep none, so that memory is that of one tree."""
        one = type(self)(**{**self.get_params(), "n_estimators": 1}).fit(X, y, sample_weight)
        growth = one._growth
        growth.trees = growth.fallbacks = 0  # begin again: fit keeps forests, not steps
        growth.counts[:] = 0
        self.classes_ = one.classes_
        for seed in growth.seeds(self.n_estimators):
            step = one._next_tree(growth, seed)
            self.fallbacks_ = growth.fallbacks
            yield step

    def _with_trees(self, part: slice):
        copy = super()._with_trees(part)
        copy._growth = None
        return copy

    def _trees(self, n: int) -> Iterator[Forest]:
        """The next n trees, one forest each; the uniform strategy grows them all at once."""
        growth = self._growth
        seeds, self.fallbacks_ = growth.seeds(n), growth.fallbacks
        if self.strategy == "uniform":
            growth.trees += n
            yield self._plain_trees(growth, seeds)
        else:
            for seed in seeds:
                step = self._next_tree(growth, seed)
                self.fallbacks_ = growth.fallbacks
                yield step.tree

    def _plain_trees(self, growth, seeds):
        return self._grow_trees(growth, seeds, growth.sample_weight, bootstrap=True, n_jobs=self._jobs())

    def _grow_trees(self, growth, seeds, weights, **options):
        """Trees on weighted cases; with real weights every impure node is divided."""
        tried = n_tried(self.max_features, growth.table.shape[1], "sqrt")
        rule = cart_rule(n_tried=tried, redraw=self.redraw_constants)
        shared = (growth.table, growth.classes, len(self.classes_), rule, seeds)
        options["exact_up_to"] = A_FEW * max(1, growth.trees)  # weights may be whole shares of the trees so far
        return grow_forest(*shared, weights=weights, n_min=least_to_split(2, weights), **options)

    def _next_tree(self, growth: Growth, seed) -> Step:
        """Grow one tree and count its votes."""
        if growth.trees == 0 or self.strategy == "uniform":
            bag = drawn_rows([seed], len(growth.classes), growth.sample_weight)[0]
            tree = self._plain_trees(growth, [seed])
        else:
            bag, stream = self._case_weights(growth, seed)
            weights = bag if growth.sample_weight is None else bag * growth.sample_weight
            tree = self._grow_trees(growth, [stream], weights)
        unseen = bag == 0 if growth.sample_weight is None else bag * growth.sample_weight == 0
        votes = training_votes(tree, growth, unseen)
        rows = np.arange(len(votes)) if self.weights_from == "all" else np.flatnonzero(unseen)
        growth.counts[rows, votes[rows]] += 1
        growth.trees += 1
        return Step(tree, votes, unseen)

    # ------------------------------------------------------------------ weights

    def _case_weights(self, growth: Growth, seed) -> tuple[np.ndarray, np.uint64]:
        """What each case weighs in the next tree (how often it is drawn, times its weight where the mechanism is fit),
        and the seed that continues the stream.
        """
        n, truth = len(growth.classes), growth.classes
        allowed = np.ones(n) if growth.sample_weight is None else (growth.sample_weight > 0).astype(float)
        if self.mechanism in ("bootstrap", "both"):
            weights = self._usable(growth, self._weights_by_votes(growth, truth) * allowed, allowed)
            order, stream = weighted_draws(seed, whole_weights(weights))
            carried = weights[order] if self.mechanism == "both" else None
        else:
            order, stream = weighted_draws(seed, whole_weights(allowed))
            if self.mechanism == "fit":
                carried = self._weights_by_votes(growth, truth)[order]
            else:
                carried = self._weights_by_votes(growth, truth[order])
            carried = self._usable(growth, carried, np.ones(n))
        if carried is None:
            return np.bincount(order, minlength=n).astype(float), stream
        return np.bincount(order, weights=scaled(carried, growth.trees), minlength=n), stream

    def _weights_by_votes(self, growth: Growth, truth: np.ndarray) -> np.ndarray:
        """The strategy's weights of all cases, taken to have the classes ``truth``."""
        if self.weights_from == "all":
            return self._strategy_weights(growth.counts, truth, growth.trees)
        known, weights = growth.counts.any(axis=1), np.ones(len(truth))
        if known.any():
            weights[known] = self._strategy_weights(growth.counts[known], truth[known], growth.trees)
            weights[~known] = total(weights[known]) / np.count_nonzero(known)
        return weights

    def _strategy_weights(self, counts, truth, trees) -> np.ndarray:
        weights = np.asarray(STRATEGIES[self.strategy](counts, truth, trees, self.b_max, self.m_max))
        if weights.shape != truth.shape or not np.isfinite(weights).all() or (weights < 0).any():
            raise ValueError(f"strategy {self.strategy!r} must give one finite weight of at least 0 for each case")
        return np.maximum(weights, self.floor * weights.max()) if self.floor > 0 else weights

    def _usable(self, growth: Growth, weights: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
        """The weights, or ``otherwise`` where all are zero, which is counted."""
        if weights.any():
            return weights
        growth.fallbacks += 1
        return otherwise

    # ------------------------------------------------------------------ reading

    def staged_votes(self, X) -> Iterator[np.ndarray]:
        """Counts of votes (cases, classes) after the first tree, after two, and so on."""
        votes = self.tree_votes(X)
        counts, rows = np.zeros((votes.shape[1], len(self.classes_)), dtype=np.int64), np.arange(votes.shape[1])
        for vote in votes:
            counts[rows, vote] += 1
            yield counts.copy()


def training_votes(tree: Forest, growth: Growth, unseen: np.ndarray) -> np.ndarray:
    """Votes of a tree on the training cases. Where all leaves are pure the cases in it keep their class: only the
    others are looked up.
    """
    if not is_pure(tree):
        return tree.tree_votes(growth.table)[0]
    votes, rows = growth.classes.astype(np.int32), np.flatnonzero(unseen)
    votes[rows] = votes_of_rows(tree, growth.table, rows)
    return votes


def scaled(weights: np.ndarray, trees: int) -> np.ndarray:
    """Weights as whole numbers where they are whole or such shares of the trees, for exact growth; else at most 1."""
    for factor in (1, trees):
        whole = np.rint(weights * factor)
        if np.abs(weights * factor - whole).max() < 1e-9:
            return whole
    return weights / weights.max()
