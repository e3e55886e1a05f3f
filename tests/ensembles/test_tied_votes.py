"""Equal votes: to the first class, or to a fair coin that the trees themselves are."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from arboretum import ensembles
from arboretum.ensembles import PERT, RandomForest
from arboretum.ensembles.base import first_vote_among

HAVE_TIES = [
    getattr(ensembles, name)
    for name in ensembles.__all__
    if inspect.isclass(getattr(ensembles, name)) and "ties" in inspect.signature(getattr(ensembles, name)).parameters
]


def noise(n=60, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((n, 3)), rng.integers(classes, size=n)


def test_every_estimator_whose_trees_are_exchangeable_has_the_choice():
    names = {estimator.__name__ for estimator in HAVE_TIES}
    assert {"PERT", "RandomForest", "VRForest", "Coalescence", "ExtraTrees"} <= names


@pytest.mark.parametrize("estimator", HAVE_TIES)
def test_only_tied_cases_differ_and_each_gets_the_first_vote_for_a_tied_class(estimator):
    X, y = noise(classes=3)
    new, _ = noise(300, seed=1)
    options = {"n_estimators": 4, "random_state": 1}
    if "combine" in inspect.signature(estimator).parameters:
        options["combine"] = "votes"
    first = estimator(**options).fit(X, y)
    drawn = estimator(ties="random", **options).fit(X, y)
    share, votes = first.predict_proba(new), first.tree_votes(new)
    for case, answer in enumerate(drawn.predict(new)):
        best = [k for k in range(3) if share[case, k] >= share[case].max() - 1e-9]
        assert first.predict(new)[case] == first.classes_[best[0]]
        assert answer == first.classes_[next(vote for vote in votes[:, case] if vote in best)]


def test_a_tie_is_a_fair_coin():
    """Two trees that disagree: the first class wins half of such cases, over 400 forests."""
    X, y = noise()
    new = noise(5, seed=2)[0]
    wins = []
    for seed in range(400):
        forest = PERT(2, ties="random", random_state=seed).fit(X, y)
        votes = forest.tree_votes(new)
        wins += list(forest.predict(new)[votes[0] != votes[1]] == 0)
    assert len(wins) > 500
    assert abs(np.mean(wins) - 0.5) < 4 * 0.5 / np.sqrt(len(wins) / 5)  # cases of one forest are not independent


def test_the_answer_to_a_case_does_not_depend_on_the_cases_beside_it():
    X, y = noise()
    new = noise(100, seed=3)[0]
    forest = RandomForest(n_estimators=6, ties="random", random_state=1).fit(X, y)
    together = forest.predict(new)
    assert np.array_equal(together, [forest.predict(row[None])[0] for row in new])
    assert np.array_equal(together[::-1], forest.predict(new[::-1]))


def test_a_class_that_no_tree_votes_for_falls_back_to_the_first():
    tied = np.array([[True, False, True], [True, True, False]])
    votes = np.array([[1, 2], [1, 1], [2, 0]])
    assert first_vote_among(votes, tied).tolist() == [2, 1]
    assert first_vote_among(votes[:1], tied).tolist() == [0, 0]
