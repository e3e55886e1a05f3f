"""Claims on artificial data: concepts A and B (Table 4), the Gaussian mixture (Figure 8), appendix B."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures import ties
from arboretum.measures.stability import error_bound
from arboretum.papers.results import Results
from arboretum.papers.verdicts import NEGATIVE, POSITIVE, Stated, Verdict, all_parts, claim, decide, judge
from arboretum.papers.vrtrees.claims.shared import STANDARD_ERRORS, row_of
from arboretum.papers.vrtrees.tables.artificial import CONCEPT_LEARNERS

# ------------------------------------------------------------------ concepts A and B


def rows_of_table4(results: Results, *keys: tuple[str, str]) -> dict[str, pd.Series]:
    """Rows of Table 4 by (concept, condition), under the names that the table prints."""
    rows = [row_of(results.tables["table4"], concept=concept, condition=condition) for concept, condition in keys]
    return {row["printed_row"]: row for row in rows}


def errors_of_rows(rows: dict[str, pd.Series]) -> dict[str, dict[str, list[float]]]:
    """The errors of the four learners in each row, in the order of print."""
    return {"errors": {name: [row[learner] for learner in CONCEPT_LEARNERS] for name, row in rows.items()}}


def row_by_row(rows: dict[str, pd.Series]) -> str:
    """A template that shows these errors, one row after the other."""
    return "; ".join(f"{name}: {{errors[{name}]:.2f}}" for name in rows)


def gap(row: pd.Series, above: str, below: str) -> tuple[float, float]:
    """The interval of the error of ``above`` less that of ``below``, in the same runs."""
    turned = f"{above}_less_{below}" not in row
    name = f"{below}_less_{above}" if turned else f"{above}_less_{below}"
    difference, half = -row[name] if turned else row[name], STANDARD_ERRORS * row[f"{name}_standard_error"]
    return difference - half, difference + half


def is_best(row: pd.Series, learner: str) -> str:
    """Whether ``learner`` has the lowest error of its row, ties allowed."""
    return all_parts(*(judge(*gap(row, other, learner), POSITIVE) for other in CONCEPT_LEARNERS if other != learner))


def is_worst(row: pd.Series, learner: str) -> str:
    """Whether ``learner`` has the greatest error of its row, ties allowed."""
    return all_parts(*(judge(*gap(row, learner, other), POSITIVE) for other in CONCEPT_LEARNERS if other != learner))


def near_print(row: pd.Series, stated: Stated) -> str:
    """Whether all four errors of a row are within the tolerance of its condition."""
    tolerance = stated.limit(row["condition"])
    verdicts = []
    for name in CONCEPT_LEARNERS:
        difference, half = row[f"{name}_difference"], STANDARD_ERRORS * row[f"{name}_standard_error"]
        verdicts.append(judge(difference - half, difference + half, (-tolerance, tolerance)))
    return all_parts(*verdicts)


@claim("vrtrees-c20")
def complete_random_trees_are_best_on_a(results: Results, stated: Stated) -> Verdict:
    """On concept A (diagonal boundary) complete-random trees are best, with many cases and with few."""
    rows = rows_of_table4(results, ("A", "none"), ("A", "small-sample"))
    parts = {f"{name}: alpha 0 is best": is_best(row, "vr_alpha0") for name, row in rows.items()}
    parts |= {f"{name}: near print": near_print(row, stated) for name, row in rows.items()}
    return Verdict(parts, errors_of_rows(rows), row_by_row(rows))


@claim("vrtrees-c21")
def complete_random_trees_are_worst_on_b(results: Results, stated: Stated) -> Verdict:
    """On concept B (axis parallel) complete-random trees are worst, with many cases and with few."""
    rows = rows_of_table4(results, ("B", "none"), ("B", "small-sample"))
    parts = {f"{name}: alpha 0 is worst": is_worst(row, "vr_alpha0") for name, row in rows.items()}
    parts |= {f"{name}: near print": near_print(row, stated) for name, row in rows.items()}
    return Verdict(parts, errors_of_rows(rows), row_by_row(rows))


@claim("vrtrees-c22")
def alpha_half_withstands_irrelevance_and_noise(results: Results, stated: Stated) -> Verdict:
    """With irrelevant attributes or class noise alpha 0.5 is best, and alpha 0 suffers more."""
    conditions = ("irrelevant-8", "class-noise-40")
    rows = rows_of_table4(results, *((concept, condition) for concept in "AB" for condition in conditions))
    parts = {}
    for name, row in rows.items():
        clean = row_of(results.tables["table4"], concept=row["concept"], condition="none")
        more = row["vr_alpha0_less_vr_alpha05"] - clean["vr_alpha0_less_vr_alpha05"]
        errors = (found["vr_alpha0_less_vr_alpha05_standard_error"] for found in (row, clean))
        half = STANDARD_ERRORS * np.hypot(*errors)
        parts[f"{name}: alpha 0.5 is best"] = is_best(row, "vr_alpha05")
        parts[f"{name}: alpha 0 suffers more"] = judge(more - half, more + half, POSITIVE)
        parts[f"{name}: near print"] = near_print(row, stated)
    return Verdict(parts, errors_of_rows(rows), row_by_row(rows))


@claim("vrtrees-c23")
def forest_against_coalescence(results: Results, stated: Stated) -> Verdict:
    """Coalescence beats random forest under class noise, random forest beats coalescence on few cases."""
    conditions = ("class-noise-40", "small-sample")
    rows = rows_of_table4(results, *((concept, condition) for concept in "AB" for condition in conditions))
    parts = {}
    for name, row in rows.items():
        winner, loser = ("coalescence", "random_forest")
        if row["condition"] == "small-sample":
            winner, loser = loser, winner
        parts[f"{name}: {winner.replace('_', ' ')} wins"] = judge(*gap(row, loser, winner), POSITIVE)
    return Verdict(parts, errors_of_rows(rows), row_by_row(rows))


@claim("vrtrees-c24")
def coalescence_is_near_the_better_end(results: Results, stated: Stated) -> Verdict:
    """Coalescence is closer to the better of alpha 0 and 0.5 in every row of Table 4 but one."""
    parts, exceptions = {}, []
    for row in results.tables["table4"].to_dict("records"):
        above, half = row["coalescence_less_middle"], STANDARD_ERRORS * row["coalescence_less_middle_standard_error"]
        excepted = row["printed_row"].replace(" ", "") == stated.printed("exception")
        name = f"{row['printed_row']}: near the {'worse' if excepted else 'better'} end"
        parts[name] = judge(above - half, above + half, POSITIVE if excepted else NEGATIVE)
        if ties.less(0, above):
            exceptions.append(row["printed_row"])
    return Verdict(parts, {"exceptions": exceptions}, "closer to the worse end in: {exceptions}")


# ------------------------------------------------------------------ the Gaussian mixture, appendix B


@claim("vrtrees-c27")
def ensemble_follows_the_boundary_better(results: Results, stated: Stated) -> Verdict:
    """An ensemble of complete-random trees departs less often from the Bayes rule than one C4.5 tree."""
    row = results.tables["boundary"].iloc[0]
    difference = row["tree_less_ensemble"]
    half = STANDARD_ERRORS * row["tree_less_ensemble_standard_error"]
    return Verdict(
        judge(difference - half, difference + half, POSITIVE),
        {
            "difference": difference,
            "half_width": half,
            "samples_better": int(row["samples_better"]),
            "samples": int(row["samples"]),
        },
        "the tree departs from the Bayes rule on {difference:.2f} (± {half_width:.2f}) points more of the test cases; "
        "on {samples_better} of {samples} samples",
    )


@claim("vrtrees-c28")
def instability_is_bounded(results: Results, stated: Stated) -> Verdict:
    """On one attribute: no training error, leave-one-out losses at most mu_S, test error below its bound."""
    table = results.tables["stability"]
    alone = table[table["study"] != "irrelevant"]
    above = int(alone["samples_above_bound_exact"].sum())
    confidence = stated.limit("confidence")
    bounds = [error_bound(row.bound * row.size, int(row.size), confidence) for row in alone.itertuples(index=False)]
    return Verdict(
        {
            "no training error": decide(ties.equal(alone["training_error"], 0).all()),
            "leave-one-out losses": decide(above == 0),
            "test error": decide(ties.at_most(alone["test_error"], bounds).all()),
        },
        {
            "training_error": alone["training_error"].max(),
            "above": above,
            "above_twice": int(alone["samples_above_twice_the_bound"].sum()),
            "instability_share": (alone["instability_exact"] / alone["bound"]).max(),
            "test_error_share": (alone["test_error"] / bounds).max(),
        },
        "greatest training error {training_error:below 1e-12}; leave-one-out losses above mu_S in {above} samples, "
        "above 2 mu_S in {above_twice}; mean instability up to {instability_share:.2f} of mean mu_S / k; test error "
        "up to {test_error_share:.2f} of its bound",
        "The appendix gives each error a transition of its own, but both neighbours of one transition can be wrong "
        "when left out: the losses are bounded by 2 mu_S, not mu_S.",
    )
