"""Forest-RI under three rules for constant features: how much of Table 2 rests on the choice."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.pert.tables.errors import sets_in_print
from arboretum.papers.results import Results

CHOSEN = "redrawn"  # the rule of Table 2
OTHERS = ("counted", "until one varies")
RULES = (CHOSEN, *OTHERS)


@table(
    title="Forest-RI: a drawn feature that is constant in the node",
    keys=("dataset", "features"),
    sources=("constants",),
    caption=(
        "Test errors in per cent with F features per node, F = 1 and F = int(log2 M + 1), on the hold-outs of Table 2. "
        "counted: a constant feature is one of the F, and a node that drew no other is a leaf. redrawn: it does not "
        "count. until one varies: it counts, but more are drawn until one varies. The last two grow trees to their "
        "full size, as Breiman (1999) did; Table 2 uses redrawn. more: than redrawn, paired by hold-out, with its "
        "standard error. nodes: per tree. printed: of F = 1; print has no column for the other F, which it uses where "
        "its out-of-bag error is lower."
    ),
)
def constants(results: Results) -> pd.DataFrame:
    """Errors and sizes under the three rules, and the paired differences from the rule of Table 2."""
    runs = results.raw["constants"]
    runs = runs.assign(error=100 * runs["errors"] / runs["cases"], size=runs["nodes"] / runs["trees"])
    names = sets_in_print(results).set_index("dataset")["printed_as"]
    text = results.printed["table2_error"].set_index("dataset")["forest_ri_single"]
    rows = []
    for name in [name for name in names.index if name in set(runs["dataset"])]:
        for features, found in runs[runs["dataset"] == name].groupby("features"):
            errors = found.pivot(index="repetition", columns="rule", values="error")
            row = {"dataset": name, "features": features, "printed": text[names[name]] if features == 1 else np.nan}
            for rule in RULES:
                key, size = rule.replace(" ", "_"), found.loc[found["rule"] == rule, "size"].mean()
                row |= {key: errors[rule].mean(), f"{key}_standard_error": errors[rule].sem(), f"{key}_nodes": size}
            for rule in OTHERS:
                key, more = rule.replace(" ", "_"), errors[rule] - errors[CHOSEN]
                row |= {f"{key}_more": more.mean(), f"{key}_more_standard_error": more.sem()}
            rows.append(row | {"repetitions": len(errors)})
    return pd.DataFrame(rows)
