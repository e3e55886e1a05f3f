"""Section 5, Table 4: strength, correlation and Breiman's bound."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arboretum.measures.ties import less
from arboretum.papers.pert.claims.shared import farthest, near
from arboretum.papers.results import Results
from arboretum.papers.verdicts import POSITIVE, REPRODUCED, Stated, Verdict, all_parts, claim, decide


@claim("pert-c09")
def lower_strength_and_much_lower_correlation(results: Results, stated: Stated) -> Verdict:
    """Order and values; the values by Breiman's raw margin, which print names, and with all wrong votes counted."""
    table = results.tables["table4"].set_index(["dataset", "learner"])
    printed = table.dropna(subset="strength_printed")
    orders = {measure: orders_of(table, measure) for measure in ("strength", "correlation")}
    named, named_largest = values_of(printed, "", stated)
    counted, counted_largest = values_of(printed, "_right_less_wrong", stated)
    infinite = (printed["correlation_of_infinitely_many"] - printed["correlation_printed"]).abs().max()
    every = [*orders["strength"], *orders["correlation"]]
    parts = {
        "lower strength": all_parts(*orders["strength"]),
        "lower correlation": all_parts(*orders["correlation"]),
        "values by the definition that print names": named,
    }
    if named != REPRODUCED:  # a second reading is tried where the first fails; it cannot mend the first
        parts["values with all wrong votes, contrary to that definition"] = counted
    return Verdict(
        parts,
        {
            "sure_orders": every.count(REPRODUCED),
            "orders": len(every),
            "largest": named_largest,
            "largest_all_wrong_votes": counted_largest,
            "largest_of_infinitely_many": float(infinite),
        },
        "order holds surely in {sure_orders} of {orders} comparisons; largest differences from print: {largest:+.3f}; "
        "with all wrong votes: {largest_all_wrong_votes:+.3f}",
        "Print contradicts itself: it names the raw margin of Breiman (1999), the right votes less those for the "
        "strongest rival, but its numbers for waveform, the one set of three classes, are those of right votes less "
        "all wrong ones. For two classes the two are the same. Without the spread that a finite forest leaves, no "
        "correlation is farther from print than {largest_of_infinitely_many:.3f}.",
    )


def values_of(printed: pd.DataFrame, reading: str, stated: Stated) -> tuple[str, dict[str, float]]:
    """The verdict on the printed strengths and correlations in one reading, and the largest difference of each."""
    verdicts, largest = [], {}
    for measure in ("strength", "correlation"):
        allowed = stated.limit(measure)
        differences = printed[measure + reading] - printed[f"{measure}_printed"]
        errors = printed[f"{measure}_standard_error"]
        verdicts += [near(gap, error, (-allowed, allowed)) for gap, error in zip(differences, errors, strict=True)]
        (name, learner), difference = farthest(differences)
        largest[f"{measure} ({name}, {learner})"] = difference
    return all_parts(*verdicts), largest


def orders_of(table: pd.DataFrame, measure: str) -> Sequence[str]:
    """For each set, whether bagged CART has more of a measure than PERT."""
    cart, pert = table.xs("bagged_cart", level="learner"), table.xs("pert", level="learner")
    errors = np.hypot(cart[f"{measure}_standard_error"], pert[f"{measure}_standard_error"])
    return [near(gap, error, POSITIVE) for gap, error in zip(cart[measure] - pert[measure], errors, strict=True)]


@claim("pert-c10")
def error_is_below_the_bound(results: Results, stated: Stated) -> Verdict:
    """Breiman's bound holds for every forest."""
    table = results.tables["table4"]
    above = int(table["forests_above_bound"].sum())
    return Verdict(
        decide(above == 0),
        {
            "above": above,
            "forests": int(table["forests"].sum()),
            "vacuous": int(less(1.0, table["bound"]).sum()),
            "rows": len(table),
            "least_ratio": float((table["bound"] / table["error"]).min()),
        },
        "error above the bound in {above} of {forests} forests",
        "Loose: the mean bound exceeds 1 and says nothing in {vacuous} of {rows} rows, and it is never less than "
        "{least_ratio:.1f} times the error.",
    )
