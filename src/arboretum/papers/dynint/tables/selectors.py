"""Beyond print: rules of dynamic selection beside DS, DV and DVS; trees judged out of bag and on a held-out part."""

from __future__ import annotations

from itertools import product

import pandas as pd

from arboretum.ensembles.dynamic_selection import RULES
from arboretum.papers.contract import mean_by, table
from arboretum.papers.dynint.experiments.integrated import STRATEGIES
from arboretum.papers.dynint.experiments.selectors import HELD_OUT, OUT_OF_BAG, SIMILARITIES
from arboretum.papers.dynint.holm import signs
from arboretum.papers.kit.estimate import Estimate, difference_of, mean_of
from arboretum.papers.results import Results, once

METHODS = ("sv", *STRATEGIES, *RULES)


@once
def selector_runs(results: Results) -> pd.DataFrame:
    """Accuracy in percent, one column per repetition; index judged, similarity, method, dataset."""
    frame = results.raw["selectors"]
    wide = frame.set_index(["judged", "similarity", "dataset", "repetition"])
    shares = {one: 100 * wide[f"right_{one}"] / wide["cases"] for one in METHODS}
    runs = pd.concat(shares, names=["method"]).unstack("repetition")
    return runs.reorder_levels(["judged", "similarity", "method", "dataset"]).sort_index()


def lead(runs: pd.DataFrame, one: tuple, other: tuple) -> tuple[Estimate, dict[str, int]]:
    """One way less another in the mean over all sets, and on which sets it surely is better (1) or worse (-1)."""
    ours, theirs = runs.loc[one], runs.loc[other]
    by_set = {name: difference_of(ours.loc[name].to_numpy(), theirs.loc[name].to_numpy()) for name in ours.index}
    return mean_of(list((ours - theirs).to_numpy())), signs(by_set)


@table(
    title="Rules of dynamic selection",
    keys=("judged", "similarity", "method"),
    metrics=lambda frame: mean_by("method", "gain")(frame[frame["judged"] == OUT_OF_BAG]),
    sources=("selectors",),
    caption=(
        "All 27 sets, 30 splits, 100 trees, 15 neighbours. judged: on the cases out of the bag of a tree, or on a "
        "third of the cases to learn from, which then grow no tree. DS, DV and DVS weigh neighbours by nearness; the "
        "others, of Woods et al. (1997) and Ko et al. (2008), do not. DS, OLA and LCA take the first of tied trees. "
        "gain: accuracy in points less that of voting by a forest grown on all cases to learn from; interval: 95%, "
        "over splits of these sets. better, worse: sets, corrected for their number (Holm). bag_gain: judged out of "
        "bag less judged on the held-out part, same rule."
    ),
)
def selectors(results: Results) -> pd.DataFrame:
    """Every rule against voting of the whole forest, and out-of-bag against held-out judgement."""
    runs, rows = selector_runs(results), []
    for judged, similarity, method in product((OUT_OF_BAG, HELD_OUT), SIMILARITIES, METHODS):
        key = (judged, similarity, method)
        gain, sets = lead(runs, key, (OUT_OF_BAG, similarity, "sv"))
        bag, sets_of_bag = lead(runs, (OUT_OF_BAG, similarity, method), (HELD_OUT, similarity, method))
        rows.append(
            {
                "judged": judged,
                "similarity": similarity,
                "method": method,
                "accuracy": float(runs.loc[key].mean(axis=1).mean()),
                "gain": gain.value,
                "gain_low": gain.low,
                "gain_high": gain.high,
                "better": sum(sign > 0 for sign in sets.values()),
                "worse": sum(sign < 0 for sign in sets.values()),
                "bag_gain": bag.value,
                "bag_gain_low": bag.low,
                "bag_gain_high": bag.high,
                "bag_better": sum(sign > 0 for sign in sets_of_bag.values()),
                "bag_worse": sum(sign < 0 for sign in sets_of_bag.values()),
            }
        )
    return pd.DataFrame(rows)


@table(
    title="Rules of dynamic selection, set by set",
    keys=("judged", "similarity", "dataset"),
    sources=("selectors",),
    caption="Accuracy in percent, means over splits.",
)
def selectors_by_set(results: Results) -> pd.DataFrame:
    """The same for each set."""
    return selector_runs(results).mean(axis=1).unstack("method")[list(METHODS)].reset_index()
