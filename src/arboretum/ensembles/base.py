"""What all estimators share: checking data, random streams, reading the forest.

A subclass defines ``_grow(table, classes, weights)``, which returns a :class:`arboretum.trees.Forest`. Its parameter
``combine`` says how trees are combined: "probability" averages class frequencies, "votes" counts one vote per tree.
"""

from __future__ import annotations

import numbers

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data

from arboretum.errors import nearest
from arboretum.trees import CodedTable, Forest, count_votes, drawn_rows, grow_forest, table_of

#: Averaged probabilities that differ by less than this are a tie, which goes to the first class.
TIE = 1e-9
#: scikit-learn checks that no randomised tree can pass, and why. The tests pass them to ``check_estimator``.
WEIGHT_CHECKS = {
    "check_sample_weight_equivalence_on_dense_data": "a weight and a repeated row draw different random trees",
    "check_sample_weight_equivalence_on_sparse_data": "a weight and a repeated row draw different random trees",
}


def tree_seeds(random_state, n: int) -> np.ndarray:
    """One 64-bit seed per tree; the first k seeds do not depend on n."""
    words = check_random_state(random_state).randint(0, 2**32, size=4, dtype=np.uint64)
    return np.random.SeedSequence([int(word) for word in words]).generate_state(n, np.uint64)


def check_choice(name: str, value, choices) -> None:
    """Raise ValueError unless ``value`` is one of ``choices``; the message suggests the nearest one."""
    if value not in choices:
        raise ValueError(f"{name}={value!r} is not known. {nearest(str(value), choices)}")


def check_number(name: str, value, low, high=np.inf, whole=False) -> None:
    """Raise ValueError unless ``value`` is a (whole) number from ``low`` to ``high``."""
    kind = numbers.Integral if whole else numbers.Real
    if isinstance(value, bool) or not isinstance(value, kind) or not low <= value <= high:
        what = "a whole number" if whole else "a number"
        raise ValueError(f"{name}={value!r} must be {what} from {low} to {high}")


class TreeEnsemble(ClassifierMixin, BaseEstimator):
    """Base class of the estimators in this package."""

    # A subclass sets these as class attributes, or as properties that depend on its parameters.
    _curtails = False  # has it the parameter ``curtailment``?
    _bootstraps = False  # does each tree grow on a bootstrap sample?
    _fills_missing = False  # are missing values filled in with the median or most frequent level of the training part?
    _reads_levels_as_numbers = False  # are nominal columns read as numbers?

    # ------------------------------------------------------------------ fit

    def fit(self, X, y, sample_weight=None):
        """Grow the forest. X: a data frame (categorical columns are nominal), array or CodedTable; NaN is missing."""
        self._check_parameters()
        table = self._table(X, reset=True)
        classes = self._encode_classes(y, len(table))
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, table.cells, dtype=np.float64, ensure_non_negative=True)
            if not weights.any():
                raise ValueError("every sample weight is zero; at least one case needs a weight above zero")
        self._n_rows, self._weights = len(table), weights
        self.forest_ = self._grow(self._prepare(table, fit=True), classes, weights)
        return self

    def _check_parameters(self) -> None:
        pass

    def _prepare(self, table: CodedTable, fit: bool) -> CodedTable:
        """The table that the trees see. With ``fit`` it is the training data, which gives the values to fill in."""
        if self._fills_missing:
            if fit:
                self.fill_values_ = table.fill_values()
            table = table.filled(self.fill_values_)
        return table.as_numbers() if self._reads_levels_as_numbers else table

    def _seeds(self):
        self._seeds_ = tree_seeds(self.random_state, self.n_estimators)
        return self._seeds_

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
        if isinstance(X, CodedTable):
            if reset:
                self.n_features_in_ = X.shape[1]
            elif X.shape[1] != self.n_features_in_:
                raise ValueError(
                    f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                    f"{self.n_features_in_} features as input"
                )
            table = X
        elif isinstance(X, pd.DataFrame):
            if not len(X) or not X.shape[1]:
                raise ValueError(f"Found an empty table, shape={X.shape}; at least one row and one column is needed")
            validate_data(self, X, reset=reset, skip_check_array=True)
            table = table_of(X, None if reset else self.levels_)
        else:
            X = validate_data(self, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan")
            table = table_of(X, None if reset else self.levels_)
        if reset:
            self.levels_ = table.levels
        return table

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
            y = column_or_1d(y, warn=True)
            if y.dtype.kind not in "biuU":  # these kinds are always labels
                check_classification_targets(y)
            self.classes_, codes = np.unique(y, return_inverse=True)
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

    def predict(self, X) -> np.ndarray:
        """The class of greatest probability; the first if several tie."""
        share = self.predict_proba(X)
        return self.classes_[np.argmax(share >= share.max(axis=1, keepdims=True) - TIE, axis=1)]

    def tree_votes(self, X) -> np.ndarray:
        """Class code (index in ``classes_``) that each tree votes for: (trees, cases)."""
        table = self._read(X)
        return self.forest_.tree_votes(table, self._curtail, self._jobs())

    def tree_proba(self, X) -> np.ndarray:
        """Class probabilities of each tree: (trees, cases, classes)."""
        table = self._read(X)
        return self.forest_.tree_probability(table, self._curtail)

    def apply(self, X) -> np.ndarray:
        """Leaf that each case reaches in each tree: (cases, trees)."""
        table = self._read(X)
        return self.forest_.apply(table)

    def head(self, k: int):
        """A fitted copy with the first k trees; nothing is grown again."""
        check_is_fitted(self, "forest_")
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.forest_ = self.forest_.head(k)
        if "n_estimators" in self.get_params():
            copy.n_estimators = k
        return copy

    # ------------------------------------------------------------------ the grown trees

    @property
    def oob_mask_(self) -> np.ndarray:
        """Is the training case out of the bag of the tree? (trees, cases); only with bootstrap samples."""
        check_is_fitted(self, "forest_")
        if not self._bootstraps:
            raise AttributeError(f"oob_mask_: {type(self).__name__} drew no bootstrap samples")
        return drawn_rows(self._seeds_[: len(self.forest_)], self._n_rows, self._weights) == 0

    @property
    def n_leaves_(self) -> np.ndarray:
        """Leaves of each tree."""
        return self.forest_.n_leaves

    @property
    def n_nodes_(self) -> np.ndarray:
        """Nodes of each tree, leaves included."""
        return self.forest_.n_nodes

    @property
    def depths_(self) -> np.ndarray:
        """Greatest depth of each tree."""
        return self.forest_.depths

    @property
    def deterministic_share_(self) -> np.ndarray:
        """Share of deterministic nodes among the inner nodes of each tree."""
        return self.forest_.deterministic_share

    @property
    def feature_use_(self) -> np.ndarray:
        """Inner nodes that test each feature: (trees, features)."""
        return self.forest_.feature_use

    @property
    def feature_importances_(self) -> np.ndarray:
        """Mean decrease of Gini impurity by feature, scaled to sum 1."""
        return self.forest_.importances()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def vote_shares(votes, n_classes: int) -> np.ndarray:
    """Share of the trees that vote for each class: (cases, classes)."""
    return count_votes(np.ascontiguousarray(votes.T), n_classes) / len(votes)
