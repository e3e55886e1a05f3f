"""Beyond print: the learners of the thesis among the other papers' trees, and pruning.

``map`` sets member error against diversity for the strategies and for the
trees of the other four papers. ``pruning`` clusters the members of a forest by how often they disagree and keeps one of
each cluster (section 6.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from arboretum.datasets import Dataset
from arboretum.ensembles import PERT, PurelyRandomForest, RandomForest, VRForest
from arboretum.ensembles.vocabulary import make_learner, vocabulary
from arboretum.measures import competence
from arboretum.measures.decomposition import plurality, prefix_counts
from arboretum.measures.margins import vote_counts
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.forests import (
    PAPER,
    PROTOCOL,
    Cases,
    Params,
    Sets,
    cases_of,
    count_rows,
    effort,
    grown_votes,
    labels,
    learner_of,
    of_set,
    split_of,
    trial_rows,
    truth_of,
)
from arboretum.papers.resampling import available
from arboretum.seeds import random_state

OTHER_TREES = vocabulary(VRForest, PERT, RandomForest, PurelyRandomForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per part, set, learner and split."""
    shared = {key: params[key] for key in (*PROTOCOL, "sizes")}
    parts = {"map": params["map"], "pruning": {"rf": {"strategy": "uniform"}}}
    for part, learners in parts.items():
        names = params["sets_of"][part]
        for name, (learner, spec) in product(available({each: sets[each] for each in names}, names), learners.items()):
            for split in range(of_set(params["splits"], name)):
                yield {"part": part, "dataset": name, "learner": learner, "spec": dict(spec), "split": split, **shared}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Rows of one part; the components, and wrong votes by whether the vote is right."""
    cases = cases_of(data)
    truth = truth_of(task, cases, task["split"])
    described = {name: task[name] for name in ("part", "dataset", "split")}
    if task["part"] == "pruning":
        return [described | row for row in pruned(task, cases, truth)]
    if "kind" in task["spec"]:
        votes = other_votes(task, cases)
    else:
        votes = grown_votes(task, task["spec"], cases, task["split"]).votes
    rows = count_rows(prefix_counts(votes, truth, cases.n_classes, task["sizes"]))
    described |= {"learner": task["learner"]}
    return [described | row | good_and_bad(votes[:, : row["members"]], truth, cases.n_classes) for row in rows]


def good_and_bad(votes: np.ndarray, truth: np.ndarray, n_classes: int) -> ResultRow:
    """Wrong votes where the vote is right, and right votes where it errs, over all trials (Lemma 4.4.4)."""
    good = bad = 0
    for trial in votes:
        counts = vote_counts(trial, n_classes)
        right = counts[np.arange(len(truth)), truth]
        wrong = competence.is_wrong(counts, truth, "first")
        good, bad = good + int((len(trial) - right)[~wrong].sum()), bad + int(right[wrong].sum())
    return {"good_votes": good, "bad_votes": bad}


def other_votes(task: Task, cases: Cases) -> np.ndarray:
    """Votes of the trees of another paper, on the same splits and trials."""
    part = split_of(task, len(cases.classes), task["split"])
    test, votes = cases.table.take(part.test), []
    for trial in range(task["trials"]):
        rows = trial_rows(task, part, task["split"], trial)
        model = other_learner(task["spec"], task["trees"], dataset=task["dataset"], split=task["split"], trial=trial)
        model.fit(cases.table.take(rows), labels(cases.classes[rows], cases.n_classes))
        votes.append(model.tree_votes(test).astype(np.uint8))
    return np.stack(votes)


def other_learner(spec: Mapping[str, Any], trees: int, **axes: object):
    """A learner of another paper; its stream is that of the guided forests."""
    return make_learner(OTHER_TREES, {**spec, "trees": trees}, random_state(paper=PAPER, purpose="trees", **axes))


# ------------------------------------------------------------------ pruning by clustering


def pruned(task: Task, cases: Cases, truth: np.ndarray) -> Iterator[ResultRow]:
    """Errors of k representatives of k clusters, beside the first k trees, summed over trials."""
    totals: dict[tuple[str, int], np.ndarray] = {}
    for trial in range(task["trials"]):
        votes, held_out = trial_votes(task, cases, trial)
        for size in task["sizes"]:
            chosen = {"representatives": representatives(held_out, size), "first trees": np.arange(size)}
            for learner, members in chosen.items():
                vote = plurality(votes[members], cases.n_classes)
                found = np.array([np.sum(vote != truth), np.sum(votes[members] != truth), len(members)])
                totals[learner, size] = totals.get((learner, size), 0) + found
    for (learner, size), (ensemble, member, kept) in totals.items():
        counts = {"ensemble_errors": int(ensemble), "member_errors": int(member), "kept": int(kept)}
        yield {"learner": learner, "members": size, "trials": task["trials"], "cases": len(truth), **counts}


def trial_votes(task: Task, cases: Cases, trial: int) -> tuple[np.ndarray, np.ndarray]:
    """Votes on the test cases, and on the training cases that this trial left out: no tree has seen those."""
    part = split_of(task, len(cases.classes), task["split"])
    rows = trial_rows(task, part, task["split"], trial)
    model = learner_of(task["spec"], task["trees"], dataset=task["dataset"], split=task["split"], trial=trial)
    model.fit(cases.table.take(rows), labels(cases.classes[rows], cases.n_classes))
    left_out = np.setdiff1d(part.train, rows)
    return model.tree_votes(cases.table.take(part.test)), model.tree_votes(cases.table.take(left_out))


def representatives(votes: np.ndarray, clusters: int) -> np.ndarray:
    """The medoid of each cluster of members: complete linkage on disagreements, whole numbers without rounding."""
    apart = np.array([np.sum(votes != member, axis=1) for member in votes])
    if clusters >= len(votes):
        return np.arange(len(votes))
    cluster = fcluster(linkage(squareform(apart), "complete"), clusters, "maxclust")
    found = []
    for number in np.unique(cluster):
        inside = np.flatnonzero(cluster == number)
        found.append(inside[np.argmin(apart[np.ix_(inside, inside)].sum(axis=1))])
    return np.sort(found)


CHOICES = Experiment(plan=plan, run=run, keys=("part", "dataset", "learner", "split", "members"), cost=effort)
