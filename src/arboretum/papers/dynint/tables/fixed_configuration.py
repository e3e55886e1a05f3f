"""One configuration on every set: where dynamic integration gains and where it loses, with no choice of the best."""

from __future__ import annotations

import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.dynint.holm import signs
from arboretum.papers.dynint.tables.beside import accuracy_columns
from arboretum.papers.dynint.tables.significance import sets_in_order
from arboretum.papers.dynint.tables.studies import STUDIES, drawn_sets, printed_sets
from arboretum.papers.kit.estimate import Estimate, difference_of
from arboretum.papers.results import Results, once


@once
def gains_of_dvs(results: Results, scheme: str) -> dict[str, Estimate]:
    """Accuracy of DVS less that of voting on each set, 100 trees and 15 neighbours, in points."""
    columns, drawn, found = 100 * accuracy_columns(results), drawn_sets(results), {}
    for name in sets_in_order(results):
        dvs, voting = (columns.loc[(name, one)].dropna().to_numpy() for one in (f"dvs_{scheme}", "sv"))
        varies = "drawings" if name in drawn else "studies"
        found[name] = difference_of(dvs, voting, f"{len(dvs)} {varies}")
    return found


@table(
    title="DVSrfw on every set, in one configuration",
    keys=("dataset",),
    sources=STUDIES,
    caption=(
        "Accuracy of DVS with weighted forest similarity less that of simple voting, in points; 100 trees, 15 "
        "neighbours, as print recommends. Nothing is chosen by its result. Interval: 95%, from studies of "
        "30 splits, of a generated set from as many drawings of it. significant: corrected for the number of sets "
        "(Holm)."
    ),
)
def fixed_configuration(results: Results) -> pd.DataFrame:
    """Gain over voting, its interval, and whether it is a significant win or loss."""
    known, gains = printed_sets(results).set_index("dataset"), gains_of_dvs(results, "rfw")
    outcomes = signs(gains)
    return pd.DataFrame(
        [
            {
                "dataset": name,
                "features": known.loc[name, "feature_type"],
                "improved_printed": bool(known.loc[name, "in_12_improved"]),
                "gain": gain.value,
                "gain_low": gain.low,
                "gain_high": gain.high,
                "significant": {1: "win", -1: "loss", 0: ""}[outcomes[name]],
                "runs": gain.varies,
            }
            for name, gain in gains.items()
        ]
    )
