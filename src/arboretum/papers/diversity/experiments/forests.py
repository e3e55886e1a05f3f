"""Forests of a split: its trials, the votes of their trees on the test cases, and the counts of all components."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from arboretum.datasets import Dataset
from arboretum.ensembles import GuidedForest
from arboretum.measures.decomposition import PrefixCounts, prefix_counts
from arboretum.papers.contract import ResultRow, Task
from arboretum.papers.resampling import available, hold_out
from arboretum.seeds import generator, random_state
from arboretum.trees import CodedTable, table_of

PAPER = "diversity"
Params = Mapping[str, Any]
Sets = Mapping[str, Mapping[str, Any]]
Array = np.ndarray
PROTOCOL = ("trials", "trees", "test_share", "trial_share")


class Cases(NamedTuple):
    """A data set as trees see it."""

    table: CodedTable
    classes: Array  # class codes
    n_classes: int


class Part(NamedTuple):
    """Positions of the training and of the test cases of one split."""

    train: Array
    test: Array


class Run(NamedTuple):
    """Votes of the forests of all trials on the test cases, and their out-of-bag record."""

    votes: Array  # (trials, members, cases)
    unseen_cases: Array  # members: training cases that some of the first trees did not see, over all trials
    unseen_errors: Array  # members: those of them that these trees vote wrongly


def each_split(params: Params, sets: Sets, *settings: str) -> Iterator[Task]:
    """One task per set, learner and split, with the protocol and those settings of the experiment."""
    shared = {key: params[key] for key in (*PROTOCOL, *settings) if key in params}
    for name, (learner, spec) in product(available(sets, params["sets"]), params["learners"].items()):
        for split in range(of_set(params["splits"], name)):
            yield {"dataset": name, "learner": learner, "spec": dict(spec), "split": split, **shared}


def of_set(numbers: int | Mapping[str, int], name: str) -> int:
    """A number for all sets, or that of one set."""
    return numbers if isinstance(numbers, int) else numbers.get(name, numbers["default"])


def described(task: Task, *more: str) -> ResultRow:
    """What a row of a task begins with."""
    return {name: task[name] for name in ("dataset", "learner", "split", *more)}


class Voted(NamedTuple):
    """The run of a task, and the classes of its test cases."""

    run: Run
    truth: Array
    n_classes: int


def voted(task: Task, data: Dataset) -> Voted:
    """Grow the forests of a task of :func:`each_split`."""
    cases = cases_of(data)
    run = grown_votes(task, task["spec"], cases, task["split"])
    return Voted(run, truth_of(task, cases, task["split"]), cases.n_classes)


def cases_of(data: Dataset) -> Cases:
    return Cases(table_of(data.X), data.y.cat.codes.to_numpy(np.int64), len(data.y.cat.categories))


def split_of(task: Task, cases: int, split: int, **axes: object) -> Part:
    """Three quarters to learn from, the rest to test on (appendix C), as scikit-learn rounds; not stratified."""
    train = cases - int(np.ceil(task["test_share"] * cases))
    return Part(*hold_out(cases, train, paper=PAPER, dataset=task["dataset"], split=split, **axes))


def trial_rows(task: Task, part: Part, split: int, trial: int, **axes: object) -> Array:
    """The training sample D of one trial: a share of the training part, without replacement."""
    rng = generator(paper=PAPER, purpose="trial", dataset=task["dataset"], split=split, trial=trial, **axes)
    drawn = rng.permutation(len(part.train))[: int(task["trial_share"] * len(part.train))]
    return part.train[np.sort(drawn)]


def sizes_of(section: Mapping[str, Any]) -> list[int]:
    """Numbers of trees at which components are stored: every one up to ``each``, then every ``step``-th."""
    each, step, trees = section["each"], section["step"], section["trees"]
    return [*range(1, min(each, trees) + 1), *range((each // step + 1) * step, trees + 1, step)]


def learner_of(spec: Mapping[str, Any], trees: int, **axes: object) -> GuidedForest:
    """A guided forest; its stream is named by ``axes`` and not by the learner, so learners are paired."""
    return GuidedForest(n_estimators=trees, random_state=random_state(paper=PAPER, purpose="trees", **axes), **spec)


def grown_votes(task: Task, spec: Mapping[str, Any], cases: Cases, split: int, **axes: object) -> Run:
    """Grow the forest of every trial of a split and let each tree vote on the test cases."""
    part = split_of(task, len(cases.classes), split, **axes)
    test = cases.table.take(part.test)
    votes = np.empty((task["trials"], task["trees"], len(part.test)), dtype=np.uint8)
    unseen = np.zeros((2, task["trees"]), dtype=np.int64)
    for trial in range(task["trials"]):
        rows = trial_rows(task, part, split, trial, **axes)
        model = learner_of(spec, task["trees"], dataset=task["dataset"], split=split, trial=trial, **axes)
        truth = cases.classes[rows]
        record = OutOfBag(truth, cases.n_classes)
        steps = model.stream(cases.table.take(rows), labels(truth, cases.n_classes))
        for member, step in enumerate(steps):
            votes[trial, member] = step.tree.tree_votes(test)[0]
            unseen[:, member] += record.add(step.votes, step.unseen)
    return Run(votes, *unseen)


def labels(codes: Array, n_classes: int) -> pd.Series:
    """Class codes as a categorical with all declared classes, so that codes stay codes."""
    return pd.Series(pd.Categorical.from_codes(codes, categories=range(n_classes)))


class OutOfBag:
    """Votes on training cases by the trees that did not see them; the first class wins ties."""

    def __init__(self, truth: Array, n_classes: int):
        self.truth = truth
        self.counts = np.zeros((n_classes, len(truth)), dtype=np.int32).T
        self.leader = np.full(len(truth), -1, dtype=np.int64)

    def add(self, votes: Array, unseen: Array) -> tuple[int, int]:
        """Count one more tree; cases with a vote by now, and how many of these are voted wrongly."""
        rows = np.flatnonzero(unseen)
        vote, leader = votes[rows].astype(np.int64), self.leader[rows]
        self.counts[rows, vote] += 1
        gained = self.counts[rows, vote]
        most = np.where(leader < 0, 0, self.counts[rows, np.maximum(leader, 0)])
        self.leader[rows] = np.where((gained > most) | ((gained == most) & (vote < leader)), vote, leader)
        known = self.leader >= 0
        return int(known.sum()), int(np.count_nonzero(self.leader[known] != self.truth[known]))


def truth_of(task: Task, cases: Cases, split: int, **axes: object) -> Array:
    return cases.classes[split_of(task, len(cases.classes), split, **axes).test]


def count_rows(counts: PrefixCounts) -> Iterator[ResultRow]:
    """One row per stored number of members: whole numbers from which every component follows."""
    for place, members in enumerate(counts.members):
        yield {
            "members": int(members),
            "trials": counts.trials,
            "cases": counts.cases,
            "ensemble_errors": int(counts.ensemble_errors[place]),
            "member_errors": int(counts.member_errors[place]),
            "central_member_errors": int(counts.central_member_errors[place]),
            "central_ensemble_errors": int(counts.central_ensemble_errors[place]),
        }


def component_rows(run: Run, truth: Array, n_classes: int, sizes: list[int]) -> Iterator[ResultRow]:
    """The rows of :func:`count_rows` with the out-of-bag errors of the same forests."""
    for row in count_rows(prefix_counts(run.votes, truth, n_classes, sizes)):
        place = row["members"] - 1
        yield row | {"oob_cases": int(run.unseen_cases[place]), "oob_errors": int(run.unseen_errors[place])}


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    """Cells that all trees of a task look at; weights in the impurity cost more."""
    rows, features = facts.get("rows", 1000), facts.get("attributes", 10)
    heavy = 2.0 if "fit" in str(task.get("spec", {}).get("mechanism", "")) else 1.0
    return heavy * task["trials"] * task["trees"] * rows * np.sqrt(features) * np.log2(rows + 2)
