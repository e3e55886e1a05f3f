"""Votes of the trees of a cross-validated forest, as sums: what strength and correlation are made from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd

from arboretum.ensembles.vocabulary import Vocabulary
from arboretum.measures.vote_sums import VoteSums, mean_spread, vote_sums
from arboretum.papers.contract import ResultRow, Task
from arboretum.papers.resampling import errors_of
from arboretum.papers.vrtrees.experiments.shared import Part, fitted
from arboretum.trees import Table


def voted_folds(kinds: Vocabulary, task: Task, parts: list[Part], spec: Mapping[str, Any]) -> list[ResultRow]:
    """One row per fold: errors, sums of votes, sizes; ``spread_pooled`` is that of all held-out cases together."""
    rows, sums = [], []
    for part in parts:
        forest = fitted(kinds, task, part, spec)
        sums.append(sums_of_votes(forest, part.test_X, part.test_y))
        row = {"fold": part.fold, "errors": errors_of(forest, part.test_X, part.test_y)}
        rows.append(row | row_of_votes(sums[-1]) | row_of_trees(forest))
    pooled = VoteSums(*(reduce(np.add, column) for column in zip(*sums, strict=True)))
    spread = mean_spread(pooled.right, pooled.rival, pooled.cases)
    return [row | {"spread_pooled": spread} for row in rows]


def sums_of_votes(forest, X: Table, y: pd.Series) -> VoteSums:
    """The votes of the trees against the true classes; codes are those of the declared classes."""
    declared = y.cat.categories.get_indexer(forest.classes_)
    return vote_sums(declared[forest.tree_votes(X)], y.cat.codes.to_numpy(), len(y.cat.categories))


def row_of_votes(sums: VoteSums) -> ResultRow:
    return {
        "cases": sums.cases,
        "tree_errors": int(sums.cases * len(sums.right) - sums.right.sum()),
        "margins": sums.margins,
        "squared_margins": sums.squared_margins,
        "agreements": sums.agreements,
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
