"""Samples, what is learned from and what is held out, and learners on their own streams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import pandas as pd

from arboretum.datasets.generators import by_name
from arboretum.ensembles.vocabulary import Vocabulary, make_learner
from arboretum.papers.contract import Task
from arboretum.seeds import generator, random_state
from arboretum.trees import CodedTable, table_of

PAPER = "pert"
Params = Mapping[str, Any]
Sets = Mapping[str, Mapping[str, Any]]


class Part(NamedTuple):
    """What is learned from and what is held out."""

    X: CodedTable
    y: pd.Series
    test_X: CodedTable
    test_y: pd.Series


def learner_on(kinds: Vocabulary, spec: Mapping[str, Any], **axes: object):
    """The learner that ``spec`` describes, on the stream named by ``axes`` and by what of ``spec`` shapes a tree."""
    named = {name: value for name, value in spec.items() if name not in ("trees", "ties")}
    return make_learner(kinds, spec, random_state(paper=PAPER, learner=named, **axes))


def features_tried(attributes: int) -> tuple[int, int]:
    """F of Forest-RI: 1, and int(log2 M + 1) for M attributes."""
    return 1, int(attributes).bit_length()  # floor(log2 M) + 1


def sample(function: str, n: int, purpose: str, **axes: object) -> tuple[CodedTable, pd.Series]:
    """Cases of a generator; ``purpose`` is to train or to test."""
    options = {"dimension": axes["dimension"]} if "dimension" in axes else {}
    X, y = by_name(function)(n, generator(paper=PAPER, function=function, purpose=purpose, **axes), **options)
    return table_of(X), y


def drawn_part(task: Task, repetition: int, **more: object) -> Part:
    """A new training set and a new test set."""
    sides = [sample(task["function"], task[side], side, repetition=repetition, **more) for side in ("train", "test")]
    return Part(*sides[0], *sides[1])


def batches(repetitions: int, size: int) -> Iterator[dict[str, int]]:
    """Repetitions in runs of ``size``, one task each."""
    for first in range(0, repetitions, size):
        yield {"first": first, "last": min(first + size, repetitions)}


def synthetic_tasks(params: Params) -> Iterator[Task]:
    """One task per generator and run of repetitions."""
    for (name, function), run in product(params["synthetic"].items(), batches(params["repetitions"], params["batch"])):
        yield {"set": name, "function": function, "train": params["train"], "test": params["test"], **run}
