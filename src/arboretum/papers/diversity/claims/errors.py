"""Section 5.3.5: Tables 5.1 and 5.2, and what is concluded from least errors."""

from __future__ import annotations

import numpy as np

from arboretum.papers.diversity.claims.growth import LEARNERS_OF_TEXT, correlated, side_by_side
from arboretum.papers.diversity.claims.over_splits import along, less_rival, sets_run
from arboretum.papers.diversity.tables.components import GUIDED_BY_TEXT, chosen_set, last_plotted, most_trees, of_splits
from arboretum.papers.diversity.tables.minima import TABLE_5_1, least_of_draws, printed_cell, readings_of_splits
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import Estimate, beside_print, chosen, difference_of, extreme, one_run
from arboretum.papers.results import Results

DRAWN = ("rf", "w_drf", "w_sigm", "w_lerp")  # the learners of Figures 5.12 and 5.13
SMALLER = 0.75  # of the trees of the forest
ALIKE = 10  # trees up to which Figure 5.12 has all learners alike
LOWEST_AT = 23  # trees at which Figure 5.13 has lerp lowest


def least_errors(results: Results):
    """Least error over the number of trees: one row per set and split, one column per learner."""
    return readings_of_splits(results)["least"].unstack("learner")


def cells_of(results: Results, table: str, *learners: str) -> dict[str, Estimate]:
    """One run of each cell of a printed table, beside print: of draws like the author's, or of splits without them."""
    sets, printed = sets_run(results), results.printed[table]
    least = least_errors(results)
    draws = (
        least_of_draws(results).groupby(["dataset", "learner"])["least"] if "printed_cells" in results.tables else None
    )
    found, beside = {}, {}
    for name in sets:
        for learner in learners:
            drawn = draws is not None and (name, learner) in draws.groups
            runs = draws.get_group((name, learner)) if drawn else least.loc[name, learner]
            found[f"{name}, {learner}"] = one_run(runs.to_numpy())
            beside[f"{name}, {learner}"] = printed_cell(printed, name, learner)
    return beside_print(found, beside)


@claim("diversity-c38", evidence=("table5_1", "printed_cells", "cells_among_draws", "minima", "printed_differences"))
def cells_of_table_5_1(results: Results):
    """Least errors of seven sets and four learners; the sigmoid also as it was run."""
    run = cells_of(results, "table5_1", "w_sigm_as_run")
    return {"least error": cells_of(results, "table5_1", *TABLE_5_1), "least error of the sigmoid as run": run}


@claim("diversity-c39", evidence=("table5_2", "printed_cells", "cells_among_draws", "minima"))
def cells_of_table_5_2(results: Results):
    """Least errors of the one column that Table 5.1 has not; as the text has the learner, and as it was run."""
    run = cells_of(results, "table5_2", "w_dyn_as_run")
    return {"least error of dyn": cells_of(results, "table5_2", "w_dyn"), "least error of dyn as run": run}


@claim("diversity-c40", evidence=("minima", "question", "learner_map", "figure5_12"))
def some_weighting_helps_somewhere(results: Results):
    """The best of all strategies and sets against the forest, the worst set of each strategy, the best with three
    quarters of the trees, and the correlation of diversity and error across learners."""
    sets, last, most = sets_run(results), last_plotted(results), most_trees(results)
    least, errors = least_errors(results), of_splits(results, "error", most)
    gaps = {name: less_rival(least, name, "rf", sets) for name in GUIDED_BY_TEXT}
    fewer, forest = of_splits(results, "error", int(SMALLER * last)), of_splits(results, "error", last)["rf"]
    small = {
        f"{name}, {learner}": difference_of(fewer.loc[name, learner].to_numpy(), forest.loc[name].to_numpy())
        for learner in GUIDED_BY_TEXT
        for name in sets
    }
    terms = [of_splits(results, term, last)[LEARNERS_OF_TEXT] for term in ("diversity", "error")]
    return {
        "best of all strategies and sets less the forest": extreme(
            {f"{name}, {learner}": one for learner, found in gaps.items() for name, one in found.items()}
        ),
        "worst set less the forest": {learner: extreme(found, max) for learner, found in gaps.items()},
        "best with three quarters of the trees less the forest": extreme(small),
        "correlation of diversity and error": {
            name: chosen(side_by_side(*(term.loc[name] for term in terms)), correlated) for name in sets
        },
        "best strategy less the forest, all trees": {
            name: extreme({learner: less_rival(errors, learner, "rf", [name])[name] for learner in GUIDED_BY_TEXT})
            for name in sets
        },
    }


@claim("diversity-c41", evidence=("table5_1", "minima"))
def sigmoid_is_worse_than_lerp(results: Results):
    """Least error of the sigmoid less that of lerp, of the text and as run."""
    sets, least = sets_run(results), least_errors(results)
    return {
        "least error of the sigmoid less lerp's": less_rival(least, "w_sigm", "w_lerp", sets),
        "least error of the sigmoid less lerp's, as run": less_rival(least, "w_sigm_as_run", "w_lerp", sets),
    }


@claim("diversity-c42", evidence=("figure5_12", "figure5_13"))
def curves_of_figures_5_12_and_5_13(results: Results):
    """Spambase: distance from the forest's curve for ten trees, gain after them. Diabetes: lerp with 23 trees."""
    sets_run(results)
    last, noisy, other = last_plotted(results), chosen_set(results, "pima"), chosen_set(results, "spambase")
    curves = {name: along(results, "error", other, name, last) for name in DRAWN}
    start = [members for members in curves["rf"] if 2 <= members <= ALIKE]
    gain = {name: difference_of(curve[start[-1]].to_numpy(), curve[last].to_numpy()) for name, curve in curves.items()}
    at_lowest = of_splits(results, "error", min(LOWEST_AT, last))
    return {
        "distance from the forest's curve": {
            name: chosen((curves[name] - curves["rf"])[start].to_numpy(), lambda mean: float(np.abs(mean).mean()))
            for name in DRAWN
            if name != "rf"
        },
        "gain of lerp after ten trees": gain.pop("w_lerp"),
        "gain of the others after ten trees": gain,
        "error of lerp less the other's with 23 trees": {
            rival: less_rival(at_lowest, "w_lerp", rival, [noisy])[noisy] for rival in DRAWN if rival != "w_lerp"
        },
    }
