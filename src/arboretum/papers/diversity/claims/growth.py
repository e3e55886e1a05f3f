"""Sections 5.1 and 5.3: what happens to bias, variance and diversity as trees are added, forest against learner.

Learners are compared on the same splits with 39 trees, the most that the thesis plots. Where text and code differ,
verdicts are those of the text; estimates named "as run" are those of the code.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from arboretum.measures.ties import at_most, first_greatest, less
from arboretum.papers.diversity.claims.over_splits import along, less_rival, pair, sets_run
from arboretum.papers.diversity.tables.components import (
    AS_TEXT,
    BINARY,
    LEARNERS,
    SETS,
    chosen_set,
    last_plotted,
    most_trees,
    of_splits,
    sets_present,
    with_components,
)
from arboretum.papers.diversity.tables.forests import FORESTS_OF_5_2, correlation, measured_forests, sides_of_splits
from arboretum.papers.diversity.tables.minima import readings_of_splits
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import Estimate, chosen, difference_of, from_samples, mean_of, share_of_sets
from arboretum.papers.results import Results

FIRST = 10  # trees from which on a forest is watched (observation 5.1.1), and up to which a peak is early
CLOSE = 0.5  # of the difference of DRF that still counts as close, or similar
GONE = 0.01  # of the member error at the second tree that counts as removed
SIMILAR = 0.005  # of the error
SEVERAL = tuple(name for name in SETS if name not in BINARY)
LEARNERS_OF_TEXT = [name for name in LEARNERS if name not in AS_TEXT]


def correlated(means: np.ndarray) -> float:
    """Pearson's correlation of the two halves of a row."""
    return correlation(*np.split(means, 2))


def side_by_side(*frames) -> np.ndarray:
    return np.hstack([np.asarray(frame) for frame in frames])


@claim("diversity-c30", evidence=("growth_of_forests", "figure4_2", "more_trials"))
def only_diversity_grows(results: Results):
    """Change of bias, variance and member error from ten trees to all, and diversity along minus the error."""
    sets, found = sets_run(results), {}
    for term in ("bias", "variance", "member_error"):
        curves = {name: along(results, term, name, "rf") for name in sets}
        found[f"change of the {term.replace('_', ' ')}"] = {
            name: difference_of(curve.iloc[:, -1].to_numpy(), curve[min(FIRST, curve.columns[-1])].to_numpy())
            for name, curve in curves.items()
        }
    follows = {
        name: chosen(
            side_by_side(-along(results, "error", name, "rf"), along(results, "diversity", name, "rf")), correlated
        )
        for name in sets
    }
    return found | {"correlation of diversity and minus the error": follows} | parts_by_trials(results)


def parts_by_trials(results: Results) -> dict[str, dict[str, Estimate]]:
    """Bias and variance of a standard forest on digits by the number of trials behind the central model."""
    results.tables["more_trials"]  # says so where they were not run
    frame = with_components(results.raw["trials"]).query("learner == 'rf'")
    frame = frame[(frame["dataset"] == chosen_set(results, "digits")) & (frame["members"] == last_plotted(results))]
    ends = (frame["trials"].min(), frame["trials"].max())
    return {
        f"{term} by trials": {
            f"{number} trials": mean_of(frame.loc[frame["trials"] == number, term].to_numpy()) for number in ends
        }
        for term in ("bias", "variance")
    }


@claim("diversity-c31", evidence=("trade_off", "figure5_2", "learner_map"))
def member_error_and_diversity_trade_off(results: Results):
    """Correlation of the two across forests of several sizes, as the caption of Figure 5.2 has it, across learners,
    and along one forest, which is what the code draws."""
    results.tables["trade_off"]  # says so where forests were not grown
    names, last = ["member_error", "diversity"], last_plotted(results)
    forests = measured_forests(results).query("kind == 'apart' and members >= 3")
    apart = forests[names] - forests.groupby(["dataset", "split", "trial"])[names].transform("mean")
    x, y = apart["member_error"], apart["diversity"]
    sums = apart.assign(xx=x * x, yy=y * y, xy=x * y)[["xx", "yy", "xy"]]
    sums = sums.groupby([forests["dataset"], forests["split"]]).sum()
    means = [of_splits(results, name, last)[LEARNERS_OF_TEXT] for name in names]
    drawn = {}
    for name in (one for one in FORESTS_OF_5_2 if one in sets_present(results)):
        curves = [along(results, term, name, "rf", last) for term in names]
        each = [correlated(np.hstack(rows)) for rows in zip(*map(np.asarray, curves), strict=True)]
        drawn[name] = from_samples(np.mean(each), each, f"{len(each)} forests")
    return {
        "correlation across forests of several sizes": {
            name: chosen(sums.loc[name].to_numpy(), lambda mean: mean[2] / np.sqrt(mean[0] * mean[1]))
            for name in sets_present(results)
            if name in sums.index
        },
        "correlation across learners": {
            name: chosen(side_by_side(*(frame.loc[name] for frame in means)), correlated)
            for name in sets_present(results)
        },
        "correlation along one forest, as run": drawn,
    }


@claim("diversity-c32", evidence=("guided_components", "figure5_4", "figure5_5", "figure_a_1", "text_against_code"))
def weighted_bootstrapping_raises_diversity(results: Results):
    """Shares of the sets on which DRF and XuChen have more diversity, DRF more member error, and weighted tree
    construction at most half of DRF's difference; and the differences."""
    sets, last = sets_run(results), last_plotted(results)
    diversity, member = of_splits(results, "diversity", last), of_splits(results, "member_error", last)

    def above(wide, learner):
        return share_of_sets({name: pair(wide, name, "rf", learner) for name in sets}, lambda mean: less(*mean))

    def close(learner):
        runs = {name: pair(diversity, name, learner, "w_drf", "rf") for name in sets}
        return share_of_sets(runs, lambda mean: at_most(abs(mean[0] - mean[2]), CLOSE * abs(mean[1] - mean[2])))

    shown = {"DRF": "w_drf", "tree construction": "w_drf_fit"}
    return {
        "diversity of DRF above": above(diversity, "w_drf"),
        "diversity of XuChen above": above(diversity, "w_xuchen"),
        "member error of DRF above": above(member, "w_drf"),
        "diversity of tree construction close": close("w_drf_fit"),
        "diversity of tree construction close, as run": close("w_drf_fit_as_run"),
    } | {f"diversity less the forest's, {name}": less_rival(diversity, one, "rf", sets) for name, one in shown.items()}


@claim("diversity-c33", evidence=("spikes", "figure5_4", "figure5_5"))
def early_rise_and_later_fall(results: Results):
    """DRF by weighted bootstrapping: shares of the sets on which the member error rises at the second tree, diversity
    is highest with up to ten trees, and falls from its peak; and where the peaks are."""
    sets = sets_run(results)
    starts = {name: along(results, "member_error", name, "w_drf", 2).to_numpy() for name in sets}
    curves = {name: along(results, "diversity", name, "w_drf") for name in sets}
    trees = curves[sets[0]].columns.to_numpy()
    runs = {name: curve.to_numpy() for name, curve in curves.items()}
    return {
        "member error rises at the second tree": share_of_sets(starts, lambda mean: less(*mean)),
        "diversity peaks early": share_of_sets(runs, lambda mean: trees[first_greatest(mean)] <= FIRST),
        "diversity falls later": share_of_sets(runs, lambda mean: less(mean[-1], mean.max())),
        "trees at the peak of diversity": {
            name: chosen(one, lambda mean: float(trees[first_greatest(mean)])) for name, one in runs.items()
        },
    }


@claim("diversity-c34", evidence=("guided_components", "figure5_4", "figure_a_1", "more_trials"))
def member_error_of_drf_is_not_lower(results: Results):
    """Bias plus variance of DRF less the forest's, with 39 trees and with all."""
    sets, gaps = sets_run(results), {}
    for members in sorted({last_plotted(results), most_trees(results)}):
        found = less_rival(of_splits(results, "member_error", members), "w_drf", "rf", sets)
        gaps |= {f"{name}, {members} trees": one for name, one in found.items()}
    return {"member error of DRF less the forest's": gaps} | parts_by_trials(results)


@claim("diversity-c35", evidence=("spikes", "figure5_7", "figure_a_2", "text_against_code", "weight_functions"))
def clipping_and_interpolation(results: Results):
    """Binary sets: shares on which the clipped sigmoid has a lower rise at the second tree than DRF, and none, and on
    which lerp has more diversity than the sigmoid and an error no higher; for the sigmoid of the text and as run."""
    binary, last = sets_run(results, BINARY), last_plotted(results)
    rise = of_splits(results, "member_error", 2) - of_splits(results, "member_error", 1)
    diversity, error = of_splits(results, "diversity", last), of_splits(results, "error", last)

    def share(wide, one, other, holds):
        return share_of_sets({name: pair(wide, name, one, other) for name in binary}, lambda mean: holds(*mean))

    def shares(sigmoid, reading=""):
        return {
            f"rise below DRF's{reading}": share(rise, sigmoid, "w_drf", less),
            f"rise removed{reading}": share(rise, sigmoid, "rf", lambda jump, _: at_most(jump, GONE)),
            f"diversity of lerp above{reading}": share(diversity, sigmoid, "w_lerp", less),
            f"error of lerp no higher{reading}": share(
                error, "w_lerp", sigmoid, lambda lerp, other: at_most(lerp, other + SIMILAR)
            ),
        }

    return (
        shares("w_sigm")
        | shares("w_sigm_as_run", ", as run")
        | {
            "diversity of lerp above DRF's": share(diversity, "w_drf", "w_lerp", less),
            "diversity of lerp less the sigmoid's": less_rival(diversity, "w_lerp", "w_sigm", binary),
        }
    )


@claim(
    "diversity-c36",
    evidence=("table5_2", "minima", "guided_components", "figure5_8", "figure_a_3", "text_against_code"),
)
def dynamic_threshold(results: Results):
    """Sets with more than two classes: least error of dyn less that of each other learner of Table 5.2, and its
    diversity less lerp's; for the learner of the text and as run."""
    several = sets_run(results, SEVERAL)
    least = readings_of_splits(results)["least"].unstack("learner")
    diversity = of_splits(results, "diversity", last_plotted(results))

    def lower(dynamic):
        return {
            f"{name}, {rival}": one
            for rival in ("rf", "w_drf", "w_lerp")
            for name, one in less_rival(least, dynamic, rival, several).items()
        }

    return {
        "least error of dyn less the other's": lower("w_dyn"),
        "diversity of dyn less lerp's": less_rival(diversity, "w_dyn", "w_lerp", several),
        "least error of dyn less the other's, as run": lower("w_dyn_as_run"),
        "diversity of dyn less lerp's, as run": less_rival(diversity, "w_dyn_as_run", "w_lerp", several),
    }


@claim("diversity-c37", evidence=("margins", "figure5_10", "figure5_11"))
def margins_move_towards_one_half(results: Results):
    """Share of wrong members less the forest's where the vote is right and where it errs, DRF and lerp."""
    results.tables["margins"]  # says so where margins were not measured
    frame = sides_of_splits(results)
    frame = frame[frame["members"] == frame["members"].max()]
    sides = {
        side: frame.pivot(index=["dataset", "split"], columns="learner", values=side) for side in ("right", "wrong")
    }
    sets = [name for name in sets_present(results) if name in set(frame["dataset"])]
    found = {
        f"{name}, where the vote is {side}": less_rival(sides[side], learner, "rf", sets)
        for (name, learner), side in product({"DRF": "w_drf", "lerp": "w_lerp"}.items(), sides)
    }
    part = {
        name: chosen(pair(sides["wrong"], name, "w_lerp", "w_drf", "rf"), lambda m: abs(m[0] - m[2]) / abs(m[1] - m[2]))
        for name in sets
    }
    return found | {"lerp over DRF where the vote is wrong": part}
