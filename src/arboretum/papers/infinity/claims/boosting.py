"""Sections 3 to 5, 9.1 and appendix I: what trees span, and where AdaBoost goes."""

from __future__ import annotations

import pandas as pd

from arboretum.measures.ties import at_most, less
from arboretum.papers.infinity.claims.readings import over_readings
from arboretum.papers.infinity.tables.boosting import BOOSTING_TOLERANCE, FINITE_TOLERANCE
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import exact, mean_of, share_of
from arboretum.papers.results import Results

SETTLED = 0.02  # of the first movement per round: below it the weights have settled
MEMORY = 2.0  # times the difference within a run: up to it, averages from different starts are the same
EQUALISED = 0.1  # of the first spread of margins: up to it they have become equal


def out_of_reach(rows: pd.DataFrame) -> dict:
    """Dimensions of the functions on a grid that trees do not span, by number of variables D and of leaves T."""
    return {f"D={row.variables}, T={row.leaves}": exact(row.functions - row.rank) for row in rows.itertuples()}


@claim("infinity-c01", evidence=("completeness",))
def large_trees_are_complete(results: Results):
    """Dimensions that T > D leaves do not span."""
    return {"dimensions out of reach": out_of_reach(results.tables["completeness"].query("leaves > variables"))}


@claim("infinity-c02", evidence=("completeness",))
def small_trees_are_incomplete(results: Results):
    """Dimensions that T <= D leaves do not span, and the largest product of parity with a tree."""
    rows = results.tables["completeness"].query("leaves <= variables")
    product = exact(rows["largest_product_with_parity"].max())
    return {"dimensions out of reach": out_of_reach(rows), "largest product with parity": product}


@claim("infinity-c03", evidence=("boosting_population", "boosting_rate"), tolerance=BOOSTING_TOLERANCE)
def boosting_converges_to_bayes(results: Results):
    """Where ||s + r|| and the error above Bayes end with T > D leaves."""
    rows = results.tables["population_boosting"].query("leaves > variables")
    rows = rows.set_index(
        rows["problem"] + ", T=" + rows["leaves"].astype(str) + ", cells " + rows["cells"].astype(str)
    )
    return {
        "distance to -r": {name: exact(value) for name, value in rows["distance"].items()},
        "error above Bayes": {name: exact(value) for name, value in rows["error_above_bayes"].items()},
    }


@claim("infinity-c04", evidence=("boosting_population", "population_boosting"), tolerance=BOOSTING_TOLERANCE)
def small_trees_reach_bayes_where_they_can(results: Results):
    """The error above Bayes with T <= D leaves, where r is a sum of stumps and where it is not."""
    rows = results.tables["population_boosting"].query("leaves <= variables").set_index("problem")["error_above_bayes"]
    return {
        "error above Bayes, additive r": exact(rows["additive"]),
        "error above Bayes, other r": {problem: exact(value) for problem, value in rows.drop("additive").items()},
    }


@claim("infinity-c05", evidence=("population_boosting",), tolerance=BOOSTING_TOLERANCE)
def one_step_shrinks_the_loss(results: Results):
    """The largest relative gap of I_{M+1}^2 = I_M^2 (1 - b^2) over all steps, and the largest rise of the loss."""
    rows = results.tables["population_boosting"]
    return {
        "gap of the identity": exact(rows["identity_gap"].max()),
        "rise of the loss": exact(rows["largest_rise"].max()),
        "steps": exact(rows["steps"].sum()),
    }


def share_of_samples(holds: pd.Series):
    return share_of(int(holds.sum()), len(holds), "samples")


@claim("infinity-c20", evidence=("boosting_samples", "boosting_finite", "ergodicity"), tolerance=FINITE_TOLERANCE)
def weights_wander(results: Results):
    """On how many samples the weights neither settle nor cycle, and their time averages forget the start."""
    samples = results.tables["boosting_samples"]
    return {
        "samples that do not settle": share_of_samples(less(SETTLED, samples["movement"])),
        "samples that do not cycle": share_of_samples(samples["period"] == 0),
        "samples that forget the start": share_of_samples(at_most(samples["averages"], MEMORY)),
    }


@claim("infinity-c21", evidence=("boosting_samples", "boosting_finite"), tolerance=FINITE_TOLERANCE)
def margins_become_equal(results: Results):
    """On how many samples the spread of the margins falls to a small part of what it was."""
    margins = results.tables["boosting_samples"]["margins"]
    return {
        "samples with equal margins": share_of_samples(at_most(margins, EQUALISED)),
        "spread": mean_of(margins.to_numpy(), f"{len(margins)} samples"),
    }


@claim("infinity-c22", evidence=("finite_boosting",), tolerance=FINITE_TOLERANCE)
def chosen_classifier_goes_to_the_top(results: Results):
    """Of the other classifiers: how many are below the chosen one after its round, and how many it makes lighter.

    A classifier and its negation count once, as the lighter of the two: before the round, which is what is stored, or
    after it. After it nothing weighs more than the chosen one's 1/2, and what weighed more counts as its negation,
    which the round made lighter.
    """
    rows = results.tables["finite_boosting"].set_index("quantity")
    below = rows.loc["classifiers below the chosen one after its round, share"]
    lighter = rows.loc["other classifiers that a round makes lighter, share"]
    return {
        "below the chosen one": {one: over_readings([exact(below[one]), exact(1.0)]) for one in below.index},
        "made lighter": {
            one: over_readings([exact(lighter[one]), exact(lighter[one] + 1 - below[one])]) for one in lighter.index
        },
    }
