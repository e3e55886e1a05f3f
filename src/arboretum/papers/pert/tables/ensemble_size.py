"""Table 3: error against the number of trees."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.kit.beside import beside, with_ends
from arboretum.papers.kit.estimate import mean_of
from arboretum.papers.pert.tables.keys import SYNTHETIC
from arboretum.papers.results import Results


@table(
    title="Table 3: larger ensembles",
    keys=("dataset",),
    sources=("larger",),
    caption="Per cent, all sizes from one forest; differences along a row are paired.",
)
def table3(results: Results) -> pd.DataFrame:
    """Error of the first 100, 200, 400 and 1600 trees of one forest."""
    text = results.printed["table3_ensemble_size"].set_index("dataset")
    curve = results.tables["tree_curve"].set_index(["dataset", "trees"])
    shown = pd.DataFrame(index=pd.Index(SYNTHETIC, name="dataset"))
    for trees in [trees for trees in sorted(set(results.raw["larger"]["trees"])) if trees >= 100]:
        name, ours = f"trees_{trees}", curve.xs(trees, level="trees")
        ends = {"low": ours["error_low"], "high": ours["error_high"]}
        columns = {name: ours["error"]} | {f"{name}_{end}": values for end, values in ends.items()}
        if f"n{trees}" in text:
            columns = beside(name, text[f"n{trees}"], ours["error"], **ends)
        shown = shown.assign(**columns)
    return shown.reset_index()


@table(
    title="Error against the number of trees",
    keys=("dataset", "trees"),
    sources=("larger",),
    caption="fall: from the size above it, on the same samples.",
)
def tree_curve(results: Results) -> pd.DataFrame:
    """Error against the number of trees, and the fall from the size before it on the same samples."""
    frame = results.raw["larger"]
    rate = (100 * frame["errors"] / frame["cases"]).groupby([frame["dataset"], frame["trees"], frame["repetition"]])
    wide = rate.first().unstack("repetition")
    sums = frame.groupby(["dataset", "trees"])[["errors", "errors_class_1"]].sum()
    share = sums["errors_class_1"] / sums["errors"]
    text = results.printed["table3_ensemble_size"].set_index("dataset")
    rows = []
    for name in SYNTHETIC:
        before = None
        for trees, values in wide.loc[name].iterrows():
            fall = (before - values) if before is not None else values * np.nan
            rows.append(
                {
                    "dataset": name,
                    "trees": trees,
                    "error_printed": text.loc[name].get(f"n{trees}", np.nan),
                    **with_ends("error", mean_of(values.to_numpy())),
                    **with_ends("fall", mean_of(fall.to_numpy())),
                    "share_of_errors_on_class_1": share[name, trees],
                }
            )
            before = values
    return pd.DataFrame(rows)
