"""Out-of-bag answers: each training case asked of the trees that did not see it."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.utils.validation import check_is_fitted

from arboretum.trees import drawn_rows


class OutOfBag:
    """What estimators that grow trees on bootstrap samples know of themselves."""

    @property
    def oob_mask_(self) -> np.ndarray:
        """Is the training case out of the bag of the tree? (trees, cases); only with bootstrap samples."""
        check_is_fitted(self, "forest_")
        if not self._bootstraps:
            raise AttributeError(f"oob_mask_: {type(self).__name__} drew no bootstrap samples")
        return drawn_rows(self._seeds_[: len(self.forest_)], self._n_rows, self._weights) == 0

    def _score_out_of_bag(self, table, classes) -> None:
        """Set ``oob_decision_function_`` and ``oob_score_``, as the parameter ``oob_score`` asks."""
        shares = self._oob_shares(table)
        known = ~np.isnan(shares[:, 0])
        if not known.all():
            warnings.warn(
                f"{np.count_nonzero(~known)} of {len(known)} cases are in the bag of every tree; they have NaN in "
                "oob_decision_function_ and do not count in oob_score_. Grow more trees.",
                stacklevel=3,
            )
        answer = self._best_class(shares[known])
        score = self.oob_score if callable(self.oob_score) else _accuracy
        self.oob_decision_function_ = shares
        self.oob_score_ = score(self.classes_[classes[known]], answer) if known.any() else np.nan

    def _oob_shares(self, table) -> np.ndarray:
        """Class shares of each training case from the trees that did not see it: (cases, classes)."""
        out, shares = self.oob_mask_, np.zeros((len(table), len(self.classes_)))
        for tree, unseen in enumerate(out):
            one, rows = self.forest_.tree(tree), np.flatnonzero(unseen)
            if not len(rows):
                continue
            part = table.take(rows)
            if self._combine == "votes":
                shares[rows, one.tree_votes(part, self._curtail)[0]] += 1
            else:
                shares[rows] += one.probability(part, self._curtail)
        with np.errstate(invalid="ignore"):
            return shares / out.sum(axis=0)[:, None]


def _accuracy(truth, answer) -> float:
    return float(np.mean(truth == answer))
