"""Claim on Table 5: half of the attributes."""

from __future__ import annotations

from arboretum.measures import ties
from arboretum.papers.results import Results
from arboretum.papers.verdicts import Stated, Verdict, around, claim, decide, judge


@claim("vrtrees-c25")
def half_of_the_attributes(results: Results, stated: Stated) -> Verdict:
    """Half of the attributes is better on about as many sets as print, once corrected, says."""
    table = results.tables["table5_counts"].set_index(["importance_from", "learner"])
    as_printed, sound = table.loc["all data"], table.loc["training part"]
    parts = {}
    for learner, row in as_printed.iterrows():
        accepted = around(row["improved_corrected"], stated.limit("improved"))
        parts[f"{learner} improves"] = judge(row["improved_in_runs_least"], row["improved_in_runs_greatest"], accepted)
    halved = [name for name in str(as_printed.loc["Coalescence", "more_than_halved"]).split(", ") if name]
    parts["exchanged sets are not halved"] = decide(not set(halved) & set(exchanged_in_print(results)))
    return Verdict(
        parts,
        {
            "improved": {learner: int(count) for learner, count in as_printed["improved"].items()},
            "in_runs": {
                learner: [int(row["improved_in_runs_least"]), int(row["improved_in_runs_greatest"])]
                for learner, row in as_printed.iterrows()
            },
            "surely": {learner: int(count) for learner, count in as_printed["surely_improved"].items()},
            "sets": int(as_printed["sets"].iloc[0]),
            "halved": halved,
            "sound": {learner: int(count) for learner, count in sound["improved"].items()},
            "corrected": {learner: int(count) for learner, count in as_printed["improved_corrected"].items()},
            "exchanged": exchanged_in_print(results),
            "allowed": stated.limit("improved"),
        },
        "improved of {sets} sets, by the mean over repetitions: {improved}; in single runs, least / greatest: "
        "{in_runs}; by more than two standard errors: {surely}; halved: {halved}; with importance from the "
        "training part: {sound}",
        "Full and Half are exchanged in print for {exchanged}: judged against the corrected counts ({corrected}), "
        "{allowed} sets either way.",
    )


def exchanged_in_print(results: Results) -> list[str]:
    """The sets of which Table 5 prints Full and Half exchanged."""
    text = results.printed["table5_half_attributes"]
    same = ties.equal(text["coalescence_full_printed"], text["coalescence_full_corrected"])
    return list(text.loc[~same, "dataset"])
