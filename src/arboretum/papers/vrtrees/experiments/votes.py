"""Votes of the trees of a cross-validated forest, as sums: what strength and correlation are made from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd

from arboretum.ensembles.vocabulary import Vocabulary
from arboretum.measures.vote_sums import VoteSums, correlation, margin_variance, mean_spread, vote_sums
from arboretum.papers.contract import ResultRow, Task
from arboretum.papers.vrtrees.experiments.cross_validation import Part, count_errors, fitted
from arboretum.trees import CodedTable

ALL_FOLDS = -1  # the fold of a row that belongs to all of them


def voted_folds(kinds: Vocabulary, task: Task, parts: list[Part], spec: Mapping[str, Any]) -> list[ResultRow]:
    """A row of kind "fold" for each fold, with its errors, and one of kind "votes", with the sums over all folds.

    ``correlation_by_fold`` is the mean of the folds' own correlations.
    """
    rows, sums, trees = [], [], []
    for part in parts:
        forest = fitted(kinds, task, part, spec)
        rows.append({"kind": "fold", "fold": part.fold} | count_errors(forest, part))
        sums.append(sums_of_votes(forest, part.test_X, part.test_y))
        trees.append(row_of_trees(forest))
    pooled = VoteSums(*(reduce(np.add, column) for column in zip(*sums, strict=True)))
    together = {"kind": "votes", "fold": ALL_FOLDS, "trees": spec["trees"]} | row_of_votes(pooled)
    together |= {"correlation_by_fold": float(np.mean([correlation_of(one) for one in sums]))}
    together |= {name: sum(row[name] for row in trees) for name in trees[0]}
    return [*rows, together]


def correlation_of(sums: VoteSums) -> float:
    """The correlation of the trees on the cases that the sums are over."""
    trees = len(sums.right)
    variance = margin_variance(sums.margins, sums.squared_margins, sums.cases, trees)
    return float(correlation(variance, mean_spread(sums.right, sums.rival, sums.cases)))


def sums_of_votes(forest, X: CodedTable, y: pd.Series) -> VoteSums:
    """The votes of the trees against the true classes; codes are those of the declared classes."""
    declared = y.cat.categories.get_indexer(forest.classes_)
    return vote_sums(declared[forest.tree_votes(X)], y.cat.codes.to_numpy(), len(y.cat.categories))


def row_of_votes(sums: VoteSums) -> ResultRow:
    return {
        "tree_errors": int(sums.cases * len(sums.right) - sums.right.sum()),
        "margins": int(sums.margins),
        "squared_margins": int(sums.squared_margins),
        "agreements": int(sums.agreements),
        "spread": mean_spread(sums.right, sums.rival, sums.cases),
    }


def row_of_trees(forest) -> ResultRow:
    """Leaves, inner nodes and deterministic ones among them, summed over the trees."""
    tests = forest.feature_use_.sum(axis=1)
    return {
        "leaves": int(forest.n_leaves_.sum()),
        "tests": int(tests.sum()),
        "deterministic": round(float(np.nansum(forest.deterministic_share_ * tests))),
    }
