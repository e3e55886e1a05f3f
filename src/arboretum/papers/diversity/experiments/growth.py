"""Growth of a standard forest: good and bad diversity, competence, disagreement, ad-hoc measures (chapter 4, 5.1).

Two kinds of forests of m trees: the first m trees of one forest, as the thesis plots them, and forests grown apart,
which is what Figure 5.2 says it shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from arboretum.datasets import Dataset
from arboretum.measures import competence
from arboretum.measures.diversity_measures import correctness_entropy, correctness_variance, vote_entropy
from arboretum.measures.margins import vote_counts
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.forests import Params, Sets, described, each_split, effort, voted


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, learner and split."""
    return each_split(params, sets, "sizes")


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """One row per trial and number of trees, for prefixes of one forest and for blocks of its trees."""
    (votes, *_), truth, n_classes = voted(task, data)
    rows = []
    for trial, size in product(range(task["trials"]), task["sizes"]):
        for kind, first in (("prefix", 0), ("apart", start_of(size, task["sizes"]))):
            members = votes[trial, first : first + size]
            if len(members) == size:
                rows.append(described(task) | {"trial": trial, "kind": kind} | measured(members, truth, n_classes))
    return rows


def start_of(size: int, sizes: list[int]) -> int:
    """Where the trees of a size's own begin: sizes take turns, so that no two of them share a tree."""
    return sum(other for other in sizes if other < size)


def measured(votes: np.ndarray, truth: np.ndarray, n_classes: int) -> ResultRow:
    """Whole numbers where there are such; shares of cases and of ordered pairs of members otherwise."""
    counts, members, cases = vote_counts(votes, n_classes), len(votes), len(truth)
    wrong_votes = members - counts[np.arange(cases), truth]
    wrong = competence.is_wrong(counts, truth, "first")
    by_vote = competence.good_bad_disagreement(counts, truth)
    row = {
        "members": members,
        "cases": cases,
        "errors": int(wrong.sum()),
        "wrong_votes": int(wrong_votes.sum()),
        "good_votes": int(wrong_votes[~wrong].sum()),  # wrong votes where the vote is right
        "bad_votes": int((members - wrong_votes)[wrong].sum()),  # right votes where it errs
        "ties": int(np.sum(competence.is_wrong(counts, truth) & ~wrong)),
        "agreeing_pairs": int(np.sum(counts.astype(np.int64) ** 2)),  # ordered, with replacement
        "disagreement_good": round(by_vote.good, 12),
        "disagreement_bad": round(by_vote.bad, 12),
        "vote_entropy": round(vote_entropy(counts), 12),
        "correctness_variance": round(correctness_variance(members - wrong_votes, members), 12),
        "two_competence_gap": round(float(competence.two_competence_gap(counts, truth).min()), 12),
        "k_competence_gap": round(float(competence.k_competence_gap(counts, truth).min()), 12),
    }
    if members > 1:
        row["correctness_entropy"] = round(correctness_entropy(members - wrong_votes, members), 12)
    return row


GROWTH = Experiment(plan=plan, run=run, keys=("dataset", "learner", "split", "trial", "kind", "members"), cost=effort)
