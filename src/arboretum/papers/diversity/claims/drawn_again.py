"""What the theory experiment does not store: its problems of three claims, drawn again from the same streams."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arboretum.measures import competence
from arboretum.measures.decomposition import Components, decompose
from arboretum.measures.losses import ZeroOne
from arboretum.measures.ties import at_most
from arboretum.papers.diversity.claims.statements import on_problems
from arboretum.papers.diversity.experiments.shared import PAPER
from arboretum.papers.diversity.experiments.statements_losses import BREGMAN, exchangeable
from arboretum.papers.diversity.experiments.statements_votes import ensemble, of_classes, two_classes
from arboretum.papers.diversity.experiments.theory import TOLERANCE
from arboretum.papers.kit.estimate import Estimate
from arboretum.papers.results import Results
from arboretum.seeds import generator


def streams(results: Results, claim: str) -> Iterator[np.random.Generator]:
    """The stream of every problem of a claim, as the experiment named it."""
    for problem in range(int(results.tables["statements"]["problems"].max())):
        yield generator(paper=PAPER, experiment="theory", claim=claim, problem=problem)


def counted(slacks: list[float]) -> Estimate:
    """In how many problems the slack of an inequality is negative."""
    return on_problems(sum(slack < -TOLERANCE for slack in slacks), len(slacks))


def alike_voters(results: Results) -> list[Components]:
    """Parts of the 0/1 loss of two or more members that are alike (Corollary 4.2.3)."""
    found = []
    for rng in streams(results, "diversity-c18"):
        for loss in BREGMAN:
            exchangeable(loss, rng)  # what the experiment draws before
        labels, predictions = exchangeable(ZeroOne(3), rng)
        if predictions.shape[1] > 1:
            found.append(decompose(labels, predictions, ZeroOne(3)))
    return found


def competent_as_printed(results: Results) -> list[tuple]:
    """Counts, classes and masses of the ensembles that are k-competent by the printed Definition 4.4.6."""
    drawn = (one for rng in streams(results, "diversity-c27") for _, one in of_classes(rng))
    return [one for one in drawn if competence.is_competent(competence.k_competence_gap(*one, printed=True))]


def much_disagreement(results: Results) -> list[tuple]:
    """The ensembles of two classes whose disagreement is at least their member error: DER >= 1 (section 5.2)."""
    drawn = [ensemble(rng, 2) for rng in streams(results, "diversity-c28")]
    erring = [one for one in drawn if competence.wrong_share(*one[:2]).any()]
    return [one for one in erring if at_most(1, competence.disagreement_error_ratio(*one))]


def harmful_disagreement() -> tuple:
    """A counter-example: 1 of 10 members wrong with mass 0.7, 6 of 10 with mass 0.3."""
    return *two_classes([1, 6], 10), np.array([0.7, 0.3])
