"""Named streams: no collisions, no dependence on order, stable for ever."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from arboretum.seeds import generator, random_state, rooted, seed_sequence


def test_a_stream_is_pinned():
    """These values must never change: every stored result depends on them."""
    assert random_state(paper="vrtrees", dataset="glass", fold=3) == 3853324416
    assert generator(paper="vrtrees", dataset="glass", fold=3).integers(10**9) == 893639263


def test_order_of_axes_does_not_matter_but_names_and_values_do():
    assert random_state(a=1, b=2) == random_state(b=2, a=1)
    assert len({random_state(a=1, b=2), random_state(a=2, b=1), random_state(a="1", b=2), random_state(a=1, c=2)}) == 4


def test_streams_do_not_collide():
    axes = product(["glass", "iris", "sonar"], range(5), range(10), ["vr", "rf"], range(20))
    entropy = {
        seed_sequence(dataset=name, repetition=repetition, fold=fold, learner=learner, tree=tree).entropy
        for name, repetition, fold, learner, tree in axes
    }
    assert len(entropy) == 3 * 5 * 10 * 2 * 20


def test_streams_look_independent():
    draws = np.array([generator(tree=tree).random(200) for tree in range(200)])
    correlation = np.corrcoef(draws)
    assert np.abs(correlation[~np.eye(200, dtype=bool)]).max() < 0.35  # 5 standard errors of 1/sqrt(200)


def test_only_plain_values_name_a_stream():
    with pytest.raises(TypeError):
        seed_sequence(dataset=object())
    with pytest.raises(ValueError, match="JSON"):
        seed_sequence(alpha=float("nan"))


def test_the_seed_of_a_run_reaches_every_stream():
    stored = random_state(paper="vrtrees", fold=3)
    with rooted(1):
        assert random_state(paper="vrtrees", fold=3) == stored
    with rooted(2):
        fresh = random_state(paper="vrtrees", fold=3)
        with rooted(3):
            assert random_state(paper="vrtrees", fold=3) not in (stored, fresh)
        assert random_state(paper="vrtrees", fold=3) == fresh != stored
    assert random_state(paper="vrtrees", fold=3) == stored
