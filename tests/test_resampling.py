"""Folds: a partition, stratified, the same for every learner, different for every repetition."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arboretum.papers.resampling import hold_out, stratified_folds


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=10, max_size=120), st.integers(2, 10), st.integers(0, 3))
def test_folds_are_a_stratified_partition(classes, folds, repetition):
    y = pd.Series(pd.Categorical(classes, categories=range(6)))
    splits = stratified_folds(y, folds, dataset="any", repetition=repetition)
    tests = [test for _, test in splits]
    assert sorted(np.concatenate(tests)) == list(range(len(y)))
    for train, test in splits:
        assert sorted(np.concatenate([train, test])) == list(range(len(y)))
    sizes = [len(test) for test in tests]
    assert max(sizes) - min(sizes) <= 1
    for code in range(5):
        counts = [(y.cat.codes.to_numpy()[test] == code).sum() for test in tests]
        assert max(counts) - min(counts) <= 1


def test_folds_are_named_by_their_axes():
    y = pd.Series(pd.Categorical(np.arange(60) % 3))

    def dealt(**axes):
        return [tuple(test) for _, test in stratified_folds(y, 5, **axes)]

    assert dealt(dataset="a", repetition=0) == dealt(repetition=0, dataset="a")
    assert dealt(dataset="a", repetition=0) != dealt(dataset="a", repetition=1)
    assert dealt(dataset="a", repetition=0) != dealt(dataset="b", repetition=0)


def test_too_many_folds_are_refused():
    with pytest.raises(ValueError, match="between 2 and the number of cases"):
        stratified_folds(pd.Series(pd.Categorical([0, 1, 0])), 4, dataset="a")


def test_a_hold_out_divides_the_cases_by_its_stream_alone():
    train, test = hold_out(50, 45, dataset="glass", repetition=3)
    assert (len(train), len(test)) == (45, 5)
    assert sorted([*train, *test]) == list(range(50))
    assert all(
        np.array_equal(one, two)
        for one, two in zip((train, test), hold_out(50, 45, repetition=3, dataset="glass"), strict=True)
    )
    assert not np.array_equal(test, hold_out(50, 45, dataset="glass", repetition=4)[1])
