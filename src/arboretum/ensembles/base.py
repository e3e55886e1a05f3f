"""What all estimators share: checking data, random streams, reading the forest.

A subclass defines ``_grow(table, classes, weights)``, which returns a :class:`arboretum.trees.Forest`. Its parameter
``combine`` says how trees are combined: "probability" averages class frequencies, "votes" counts one vote per tree.

Parameters that mean the same in every estimator that has them:

n_estimators : number of trees.
max_depth : greatest depth of a tree; None is no limit.
oob_score : True sets ``oob_score_`` (accuracy on the training cases, each asked of the trees that did not see it) and
    ``oob_decision_function_``; a function of true and predicted classes is used in place of accuracy. Only with
    bootstrap samples.
warm_start : True makes another ``fit`` keep the trees and grow only those that ``n_estimators`` now adds; with the same
    data this gives the trees that one fit would have given.
class_weight : a dict of class to weight, "balanced" (inverse to the number of cases) or None. It multiplies the sample
    weights; :mod:`arboretum.ensembles.weights` says what weights mean.
ties : which class is answered where several have equal probabilities or votes. "first", the default, is the first of
    them in ``classes_``; "random" is the vote of the first tree that votes for one of them: trees are exchangeable, so
    each tied class is as likely as the others, and the answer to a case does not depend on the cases beside it. Out of
    bag it is always the first.
unknown : what becomes of a level at prediction that training did not declare, such as text that is only in the test
    fold. "missing", the default, treats it as a missing value, so that cross-validation on text columns works;
    "majority" reads it as the most frequent level of the training data; "error" raises ValueError that names column
    and level. Declare all levels, as a pandas Categorical, and no level is unknown.
n_jobs : number of threads; -1 is all. The trees do not depend on it.
random_state : seed, RandomState or None. The first k trees do not depend on ``n_estimators``.
"""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from arboretum.ensembles.checks import (
    are_plain_labels,
    are_plain_numbers,
    check_parameters,
    labels_and_codes,
    random_source,
)
from arboretum.ensembles.grown import GrownTrees
from arboretum.ensembles.out_of_bag import OutOfBag
from arboretum.ensembles.weights import checked_weights
from arboretum.trees import CodedTable, Forest, as_frame, concatenate, count_votes, grow_forest, table_of

#: Averaged probabilities that differ by less than this are a tie, which goes to the first class.
TIE = 1e-9
#: scikit-learn checks that no randomised tree can pass, and why. The tests pass them to ``check_estimator``.
WEIGHT_CHECKS = {
    "check_sample_weight_equivalence_on_dense_data": "a weight and a repeated row draw different random trees",
    "check_sample_weight_equivalence_on_sparse_data": "a weight and a repeated row draw different random trees",
}


def seed_words(random_state) -> list[int]:
    """The entropy that the seeds of all trees of a forest are made of."""
    return random_source(random_state).randint(0, 2**32, size=4, dtype=np.uint64).tolist()


def seeds_of(words: list[int], n: int) -> np.ndarray:
    """One 64-bit seed per tree; the first k seeds do not depend on n."""
    return np.random.SeedSequence(words).generate_state(n, np.uint64)


def tree_seeds(random_state, n: int) -> np.ndarray:
    """One 64-bit seed per tree; the first k seeds do not depend on n."""
    return seeds_of(seed_words(random_state), n)


class TreeEnsemble(OutOfBag, GrownTrees, ClassifierMixin, BaseEstimator):
    """Base class of the estimators in this package."""

    # A subclass sets these as class attributes, or as properties that depend on its parameters.
    _curtails = False  # has it the parameter ``curtailment``?
    _bootstraps = False  # does each tree grow on a bootstrap sample?
    _fills_missing = False  # are missing values filled in with the median or most frequent level of the training part?
    _reads_levels_as_numbers = False  # are nominal columns read as numbers?
    _grown, _words = 0, None  # trees that warm_start keeps, and the entropy of all seeds

    # ------------------------------------------------------------------ fit

    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        X is a data frame of any library (text and categorical columns are nominal), an array or a CodedTable; NaN is
        missing. :mod:`arboretum.ensembles.weights` says what sample weights mean.
        """
        self._check_parameters()
        if getattr(self, "oob_score", False) and not self._bootstraps:
            raise ValueError(f"oob_score: {self!r} draws no bootstrap samples, so that every tree sees every case")
        before = self._trees_to_keep()
        if before is not None and self.n_estimators == len(before["forest_"]):
            warnings.warn("warm_start=True and no more n_estimators than before: no tree is grown", stacklevel=2)
            if getattr(self, "oob_score", False) and not hasattr(self, "oob_score_"):
                self._score_as_they_are(X, y, before)
            return self
        table = self._table(X, reset=True)
        classes = self._encode_classes(y, len(table))
        if before is not None:
            self._check_same_problem(before, len(table))
        weights = checked_weights(sample_weight, table.cells, self._class_weights(classes))
        self._n_rows, self._weights = len(table), weights
        self._grown, self._words = (0, None) if before is None else (len(before["forest_"]), self._words)
        table = self._prepare(table, fit=True)
        forest = self._grow(table, classes, weights)
        self.forest_ = forest if before is None else concatenate([before["forest_"], forest])
        if getattr(self, "oob_score", False):
            self._score_out_of_bag(table, classes)
        return self

    def _score_as_they_are(self, X, y, before: dict) -> None:
        """Out-of-bag answers of trees that an earlier fit grew without asking for them."""
        table = self._table(X, reset=True)
        classes = self._encode_classes(y, len(table))
        self._check_same_problem(before, len(table))
        self._score_out_of_bag(self._prepare(table, fit=False), classes)

    def _check_parameters(self) -> None:
        check_parameters(self)

    def _trees_to_keep(self) -> dict | None:
        """What an earlier fit left, if ``warm_start`` adds trees to it."""
        if not getattr(self, "warm_start", False) or not hasattr(self, "forest_"):
            return None
        if self.n_estimators < len(self.forest_):
            raise ValueError(
                f"n_estimators={self.n_estimators} must be at least {len(self.forest_)}, the trees grown so far: "
                "warm_start=True only adds trees; head(k) gives fewer"
            )
        return {name: getattr(self, name) for name in ("forest_", "classes_", "levels_", "_n_rows")}

    def _check_same_problem(self, before: dict, n_rows: int) -> None:
        same = n_rows == before["_n_rows"] and np.array_equal(self.classes_, before["classes_"])
        same &= len(self.levels_) == len(before["levels_"])
        for one, other in zip(self.levels_, before["levels_"], strict=False):
            same &= (one is None) == (other is None) and (one is None or one.equals(other))
        if not same:
            vars(self).update(before)
            raise ValueError("warm_start=True adds trees for the same cases, columns, levels and classes; these differ")

    def _class_weights(self, classes) -> np.ndarray | None:
        """Weight that the class of each case gives it."""
        if getattr(self, "class_weight", None) is None:
            return None
        return compute_sample_weight(self.class_weight, self.classes_[classes])

    def _prepare(self, table: CodedTable, fit: bool) -> CodedTable:
        """The table that the trees see. With ``fit`` it is the training data, which gives the values to fill in."""
        if self._fills_missing:
            if fit:
                self.fill_values_ = table.fill_values()
            table = table.filled(self.fill_values_)
        return table.as_numbers() if self._reads_levels_as_numbers else table

    def _seeds(self):
        """Seeds of the trees to grow."""
        self._words = self._words or seed_words(self.random_state)
        self._seeds_ = seeds_of(self._words, self.n_estimators)
        return self._seeds_[self._grown :]

    def _jobs(self) -> int:
        return effective_n_jobs(self.n_jobs)

    def _grow_forest(self, table: CodedTable, classes, weights, rule, **settings) -> Forest:
        """Grow ``n_estimators`` trees by ``rule``; ``settings`` are further arguments of ``grow_forest``."""
        return grow_forest(
            table,
            classes,
            len(self.classes_),
            rule,
            self._seeds(),
            weights=weights,
            bootstrap=self._bootstraps,
            max_depth=self.max_depth,
            n_jobs=self._jobs(),
            **settings,
        )

    def _table(self, X, reset: bool) -> CodedTable:
        X = as_frame(X)
        if isinstance(X, CodedTable):
            if reset:
                self.n_features_in_ = X.shape[1]
            elif X.shape[1] != self.n_features_in_:
                raise ValueError(
                    f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                    f"{self.n_features_in_} features as input"
                )
            table = X
        else:
            table = self._table_of(self._checked(X, reset), reset)
        if reset:
            self.levels_ = table.levels
            self._common = common_levels(table) if self._unknown == "majority" else None
        return table

    def _checked(self, X, reset: bool):
        """X as a data frame or an array of numbers, with names and number of its columns checked."""
        if isinstance(X, pd.DataFrame):
            if not len(X) or not X.shape[1]:
                raise ValueError(f"Found an empty table, shape={X.shape}; at least one row and one column is needed")
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X
        if are_plain_numbers(X) and not hasattr(self, "feature_names_in_"):
            if reset:
                self.n_features_in_ = X.shape[1]
            if X.shape[1] == self.n_features_in_:
                return X
        kind = getattr(getattr(X, "dtype", None), "kind", "f")
        if kind in "mM":
            raise ValueError(f"X has the type {X.dtype}; turn dates into numbers, such as days since a fixed date")
        if kind == "O" and getattr(X, "ndim", 0) == 2:  # such as ColumnTransformer makes: numbers and text
            return pd.DataFrame(validate_data(self, X, reset=reset, dtype=None, ensure_all_finite=False))
        return validate_data(self, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan")

    def _table_of(self, X, reset: bool) -> CodedTable:
        if reset:
            return table_of(X)
        return table_of(X, self.levels_, self._unknown if self._common is None else self._common)

    @property
    def _unknown(self) -> str:
        return getattr(self, "unknown", "missing")

    def _encode_classes(self, y, n: int) -> np.ndarray:
        """Class codes. A categorical y keeps all of its declared classes, even if some do not occur."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        if isinstance(getattr(y, "dtype", None), pd.CategoricalDtype):
            y = y.array if isinstance(y, pd.Series) else y
            codes = np.asarray(y.codes, dtype=np.int64)
            if (codes < 0).any():
                raise ValueError("Input y contains NaN: every training case needs a class")
            self.classes_ = np.asarray(y.categories)
        else:
            if not are_plain_labels(y):
                y = column_or_1d(y, warn=True)
                if not are_plain_labels(y):
                    check_classification_targets(y)
            self.classes_, codes = labels_and_codes(y)
        if len(codes) != n:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: {[n, len(codes)]}")
        if not n or codes.min() == codes.max():
            raise ValueError("the training data holds only one class; a classifier needs at least two classes")
        return codes

    # ------------------------------------------------------------------ predict

    def _read(self, X) -> CodedTable:
        check_is_fitted(self, "forest_")
        return self._prepare(self._table(X, reset=False), fit=False)

    @property
    def _combine(self) -> str:
        return getattr(self, "combine", "probability")

    @property
    def _curtail(self) -> bool | str:
        return self.curtailment if self._curtails else False

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities, in the order of ``classes_``: averaged class frequencies, or shares of the votes."""
        table = self._read(X)
        if self._combine == "votes":
            return vote_shares(self.forest_.tree_votes(table, self._curtail, self._jobs()), len(self.classes_))
        return self.forest_.probability(table, self._curtail, self._jobs())

    def predict_log_proba(self, X) -> np.ndarray:
        """Logarithms of the class probabilities; minus infinity for a probability of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X) -> np.ndarray:
        """The class of greatest probability; ``ties`` says which one if several tie."""
        share = self.predict_proba(X)
        if getattr(self, "ties", "first") == "first":
            return self._best_class(share)
        tied = best_classes(share)
        answer, rows = np.argmax(tied, axis=1), several(tied)
        if len(rows):
            votes = self.forest_.tree_votes(self._read(X).take(rows), self._curtail, self._jobs())
            answer[rows] = first_vote_among(votes, tied[rows])
        return self.classes_[answer]

    def _best_class(self, share) -> np.ndarray:
        return self.classes_[np.argmax(best_classes(share), axis=1)]

    def tree_votes(self, X) -> np.ndarray:
        """Class code (index in ``classes_``) that each tree votes for: (trees, cases)."""
        table = self._read(X)
        return self.forest_.tree_votes(table, self._curtail, self._jobs())

    def tree_proba(self, X) -> np.ndarray:
        """Class probabilities of each tree: (trees, cases, classes)."""
        table = self._read(X)
        return self.forest_.tree_probability(table, self._curtail)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def best_classes(share) -> np.ndarray:
    """Which classes have the greatest share, up to rounding: (cases, classes)."""
    return share >= share.max(axis=1, keepdims=True) - TIE


def several(tied) -> np.ndarray:
    """The cases with more than one best class."""
    return np.flatnonzero(tied.sum(axis=1) > 1)


def first_vote_among(votes, tied) -> np.ndarray:
    """The first vote (trees, cases) for one of the tied classes (cases, classes) of each case; else its first class."""
    cases = np.arange(len(tied))
    counts = tied[cases, votes]  # (trees, cases)
    return np.where(counts.any(axis=0), votes[np.argmax(counts, axis=0), cases], np.argmax(tied, axis=1))


def vote_shares(votes, n_classes: int) -> np.ndarray:
    """Share of the trees that vote for each class: (cases, classes)."""
    return count_votes(np.ascontiguousarray(votes.T), n_classes) / len(votes)


def common_levels(table: CodedTable) -> list[float]:
    """Code of the most frequent level of each nominal column; NaN for other columns and where all is missing."""
    codes = []
    for column, levels in zip(table.cells.T, table.levels, strict=True):
        known = column[~np.isnan(column)]
        codes.append(
            float(np.bincount(known.astype(np.int64)).argmax()) if levels is not None and len(known) else np.nan
        )
    return codes
