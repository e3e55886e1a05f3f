"""Section 9.1: what AdaBoost does on finite data."""

from __future__ import annotations

import pandas as pd

from arboretum.measures.ties import at_most, equal, less
from arboretum.papers.infinity.claims.shared import verdict_of_readings
from arboretum.papers.infinity.tables.boosting import FINITE_TOLERANCE
from arboretum.papers.results import Results
from arboretum.papers.verdicts import Stated, Verdict, claim


@claim("infinity-c20", tolerance=FINITE_TOLERANCE)
def weights_wander(results: Results, stated: Stated) -> Verdict:
    """The weights neither settle nor cycle, and their time averages do not depend on the start."""
    rows = results.tables["finite_boosting"].set_index("quantity")
    starts = results.tables["ergodicity"].set_index("sample")
    moves = rows.loc["movement per round, window"] / rows.loc["movement per round, early"]
    wanders = less(stated.limit("settled"), moves)
    forgets = at_most(starts["ratio"], stated.limit("memory"))
    values = {
        "moves": moves.to_dict(),
        "ratio": starts["ratio"].to_dict(),
        "apart": starts["between_last_states"].to_dict(),
        "cycling": int((~equal(rows.loc["period"], 0.0)).sum()),
        "settled": _names(moves.index[~wanders]),
        "wandering": _names(moves.index[wanders]),
        "forgetful": _names(starts.index[forgets]),
        "edges": rows.loc["edge, window"].to_dict(),
    }
    parts = {
        "it does not converge": verdict_of_readings(wanders),
        "it does not cycle": verdict_of_readings(equal(rows.loc["period"], 0.0)),
        "averages forget the start": verdict_of_readings(forgets),
    }
    observed = (
        "movement per round, last over first rounds: {moves:.1%}; {cycling} samples with a period; difference of time "
        "averages between starts over that within a run: {ratio:.1f}"
    )
    note = (
        "A round moves the weights by half its edge, which dies out where no vote of stumps separates the cases. They "
        "settle on: {settled}; they wander on: {wandering}; averages have forgotten the start on: "
        "{forgetful}. Mean edge of the last rounds: {edges:.4f}. The last weights themselves stay apart, in total "
        "variation: {apart:.2f}."
    )
    return Verdict(parts, values, observed, note)


def _names(samples: pd.Index) -> str:
    return ", ".join(samples) or "none"


@claim("infinity-c21", tolerance=FINITE_TOLERANCE)
def margins_become_equal(results: Results, stated: Stated) -> Verdict:
    """The spread of the margins falls to a small part of what it was."""
    rows = results.tables["finite_boosting"].set_index("quantity")
    spread = rows.loc["margin sd, last checkpoint"] / rows.loc["margin sd, first checkpoint"]
    near = rows.loc["share of cases within 0.02 of the least margin"]
    values = {"spread": spread.to_dict(), "near": near.to_dict()}
    verdict = verdict_of_readings(at_most(spread, stated.limit("spread")))
    observed = "spread of margins, last over first checkpoint: {spread:.0%}"
    note = "Share of cases whose margin is within 0.02 of the least: {near:.0%}."
    return Verdict(verdict, values, observed, note)


@claim("infinity-c22", tolerance=FINITE_TOLERANCE)
def chosen_classifier_goes_to_the_top(results: Results, stated: Stated) -> Verdict:
    """A round lifts the chosen Q to the top of the weight heap and moves the others down."""
    rows = results.tables["finite_boosting"].set_index("quantity")
    below = rows.loc["classifiers below the chosen one after its round, share"]
    lighter = rows.loc["other classifiers that a round makes lighter, share"]
    values = {"below": below.to_dict(), "lighter": lighter.to_dict()}
    parts = {
        "to the top": verdict_of_readings(at_most(stated.limit("below"), below)),
        "others move down": verdict_of_readings(less(stated.limit("lighter"), lighter)),
    }
    observed = (
        "after a round {below:.0%} of the other classifiers are below the chosen one; it made {lighter:.0%} lighter"
    )
    note = (
        "Its weight becomes 1/2. A stump and its negation count once, as the one that was no worse than chance before "
        "the round; others that err on the same cases rise with the chosen one, some above it."
    )
    return Verdict(parts, values, observed, note)
