"""Splits, the forest of a split, and what comes of integrating it in every configuration.

Splits and forests are drawn on streams named by set and repetition, so all schemes, strategies and neighbourhoods see
the same ones, and the first 10 trees of a forest of 100 are the forest of 10.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from arboretum.ensembles import DynamicIntegration, RandomForest
from arboretum.ensembles.base import TIE, TreeEnsemble
from arboretum.ensembles.vocabulary import Vocabulary, make_learner, vocabulary
from arboretum.measures.margins import share_margins, vote_counts
from arboretum.papers.contract import ResultRow, Task
from arboretum.papers.resampling import Split, hold_out, stratified_folds
from arboretum.seeds import generator, random_state
from arboretum.trees import CodedTable

PAPER = "dynint"
Params = Mapping[str, Any]
Sets = Mapping[str, Mapping[str, Any]]
#: The paper's names of the local learning schemes (section 4.2): similarity and weighting.
SCHEMES = {"heom": ("heom", "none"), "heomw": ("heom", "local"), "rf": ("forest", "none"), "rfw": ("forest", "local")}
STRATEGIES = ("ds", "dv", "dvs")
KINDS = vocabulary(RandomForest)
MARGIN_UNIT = 2.0**-16  # margin sums are kept to this: short numbers, and the files stay small
CELLS_A_TASK = 15_000_000  # of a large set a task does fewer repetitions


class Part(NamedTuple):
    """What is learned from and what is held out."""

    X: CodedTable
    y: pd.Series
    test_X: CodedTable
    test_y: pd.Series

    @classmethod
    def of(cls, table: CodedTable, y: pd.Series, split: Split) -> Part:
        train, test = split
        return cls(table.take(train), y.iloc[train], table.take(test), y.iloc[test])

    @property
    def truth(self) -> np.ndarray:
        return self.test_y.cat.codes.to_numpy().astype(np.intp)


# ------------------------------------------------------------------ splits


def random_split(y: pd.Series, train_share: float, **axes: object) -> Split:
    """A random share of the cases to learn from, not stratified."""
    return hold_out(len(y), round(train_share * len(y)), paper=PAPER, **axes)


def random_folds(y: pd.Series, folds: int, stratified: bool, **axes: object) -> list[Split]:
    """Folds as (train, test) positions; of random ones the sizes differ by at most one."""
    if stratified:
        return stratified_folds(y, folds, paper=PAPER, **axes)
    dealt = generator(paper=PAPER, purpose="random folds", **axes).permutation(np.arange(len(y)) % folds)
    return [(np.flatnonzero(dealt != fold), np.flatnonzero(dealt == fold)) for fold in range(folds)]


def batches(repetitions: int, size: int) -> Iterator[dict[str, int]]:
    """Runs of repetitions, one for each task."""
    for first in range(0, repetitions, size):
        yield {"first": first, "last": min(first + size, repetitions)}


def batch_size(params: Params, facts: Mapping[str, Any]) -> int:
    """Repetitions of one task: fewer on a large set, so that workers end together. It changes no result."""
    return max(1, min(params["batch"], CELLS_A_TASK // (facts["rows"] * facts["attributes"])))


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    """About what a task costs: repetitions times cases times what a case costs, most of it the neighbours."""
    repetitions = task.get("last", 1) - task.get("first", 0)
    return repetitions * (100 + facts.get("rows", 300) * (40 + facts.get("attributes", 20)))


# ------------------------------------------------------------------ forests and their integration


def learner_on(kinds: Vocabulary, spec: Mapping[str, Any], **axes: object) -> TreeEnsemble:
    """The ensemble that ``spec`` describes, on the stream named by ``axes`` and by all of ``spec`` but its trees."""
    named = {name: value for name, value in spec.items() if name != "trees"}
    return make_learner(kinds, spec, random_state(paper=PAPER, learner=named, **axes))


def grown_forest(part: Part, trees: int, **axes: object) -> TreeEnsemble:
    """The random forest of a split, as Weka grows it (section 4.1)."""
    return learner_on(KINDS, {"kind": "random_forest_weka", "trees": trees}, **axes).fit(part.X, part.y)


def integration_of(forest: TreeEnsemble, part: Part, axes: Mapping[str, object], how: Mapping[str, Any]):
    """A fitted forest with dynamic integration; the order of neighbours equally near is that of the split."""
    options = {name: value for name, value in how.items() if name != "ties"}
    seed = random_state(paper=PAPER, learner="neighbours", **axes)
    return DynamicIntegration(forest, random_state=seed, **options).fit(part.X, part.y)


def named(how: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Strategies and similarities of the paper as the estimator names the ones that the settings choose."""
    chosen = {"ds": {"first": "ds", "vote": "ds_vote"}[how["ties"]], "forest": how["similarity"]}
    return [chosen.get(name, name) for name in names]


class Grid(NamedTuple):
    """Configurations of one forest: the product of these."""

    schemes: tuple[str, ...]
    trees: tuple[int, ...]
    neighbours: tuple[int, ...]
    strategies: tuple[str, ...] = STRATEGIES

    @classmethod
    def of(cls, task: Task, strategies: Sequence[str] = STRATEGIES) -> Grid:
        return cls(tuple(task["schemes"]), tuple(task["trees"]), tuple(task["neighbours"]), tuple(strategies))

    @property
    def similarities(self) -> list[str]:
        return list(dict.fromkeys(SCHEMES[scheme][0] for scheme in self.schemes))

    @property
    def weightings(self) -> list[str]:
        return list(dict.fromkeys(SCHEMES[scheme][1] for scheme in self.schemes))

    def place(self, scheme: str) -> tuple[int, int]:
        """Where a scheme stands among similarities and weightings."""
        similarity, weighting = SCHEMES[scheme]
        return self.similarities.index(similarity), self.weightings.index(weighting)


def answers(shares: np.ndarray) -> np.ndarray:
    """The class code of the greatest share (classes first), the first of tied ones."""
    least = shares.max(axis=0) - TIE
    found = np.zeros(least.shape, dtype=np.int16)
    for code in range(len(shares) - 1, -1, -1):
        found[shares[code] >= least] = code
    return found


class Outcome(NamedTuple):
    """Right answers and margin sums: (similarities, trees, weightings, neighbours, strategies)."""

    right: np.ndarray
    margins: np.ndarray


def integrated(forest: TreeEnsemble, part: Part, grid: Grid, axes: Mapping[str, object], how: Mapping[str, Any]):
    """A forest integrated in every configuration of a grid on what is held out: the model, and its outcome."""
    model, truth, right, margins = integration_of(forest, part, axes, how), part.truth, 0, 0.0
    similarities, strategies = named(how, grid.similarities), named(how, grid.strategies)
    for rows, shares in model.integrate(
        part.test_X, similarities, grid.weightings, grid.trees, grid.neighbours, strategies
    ):
        here = truth[rows]
        right = right + np.sum(answers(shares) == here.reshape(-1, *[1] * (shares.ndim - 2)), axis=0)
        margins = margins + share_margins(shares, here).sum(axis=0)
    return model, Outcome(right, margins)


def rounded(margin_sum: float) -> float:
    return float(np.round(margin_sum / MARGIN_UNIT) * MARGIN_UNIT)


def outcome_rows(outcome: Outcome, grid: Grid) -> Iterator[ResultRow]:
    """One row for each number of trees, scheme and number of neighbours, the strategies side by side."""
    for t, trees in enumerate(grid.trees):
        for scheme in grid.schemes:
            s, w = grid.place(scheme)
            for n, neighbours in enumerate(grid.neighbours):
                row: ResultRow = {"trees": trees, "scheme": scheme, "neighbours": neighbours}
                for p, strategy in enumerate(grid.strategies):
                    row[f"right_{strategy}"] = int(outcome.right[s, t, w, n, p])
                    if not strategy.startswith("ds"):  # the margin of one crisp vote follows from its accuracy
                        row[f"margin_{strategy}"] = rounded(outcome.margins[s, t, w, n, p])
                yield row


def forest_counts(votes: np.ndarray, truth: np.ndarray, classes: int) -> ResultRow:
    """What Table 2 says of a forest and of simple voting (SV), from votes (trees x cases), as counts of cases.

    ``right_least``, ``right_greatest`` and ``right_all`` are right votes of the worst tree, of the best one and of all
    trees together; ``agreed`` cases are right by every tree, ``covered`` ones by at least one.
    """
    counts = vote_counts(votes, classes)
    right = votes == truth
    per_tree, per_case = right.sum(axis=1), right.sum(axis=0)
    return {
        "cases": len(truth),
        "right_sv": int(np.sum(counts.argmax(axis=1) == truth)),
        "margin_sv": rounded(share_margins(counts.T / len(votes), truth).sum()),
        "right_least": int(per_tree.min()),
        "right_greatest": int(per_tree.max()),
        "right_all": int(per_tree.sum()),
        "agreed": int(np.sum(per_case == len(votes))),
        "covered": int(np.sum(per_case > 0)),
    }


def rows_of_split(part: Part, task: Task, axes: Mapping[str, object]) -> list[ResultRow]:
    """Grow the forest of a split and integrate it in every configuration; each row has the counts of its forest."""
    grid = Grid.of(task)
    forest = grown_forest(part, max(grid.trees), **axes)
    model, outcome = integrated(forest, part, grid, axes, task["integration"])
    votes, classes = model.tree_votes(part.test_X), len(model.classes_)
    counts = {trees: forest_counts(votes[:trees], part.truth, classes) for trees in grid.trees}
    return [row | counts[row["trees"]] for row in outcome_rows(outcome, grid)]
