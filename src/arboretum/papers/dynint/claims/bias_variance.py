"""Section 4.4: bias and variance (Table 4). A study is ten runs of three folds."""

from __future__ import annotations

from itertools import product

import numpy as np

from arboretum.papers.dynint.claims.runs import difference, rows
from arboretum.papers.dynint.holm import signs
from arboretum.papers.dynint.tables.bias_variance import (
    DECOMPOSITIONS,
    METHODS,
    decomposed,
    in_print,
    printed_average,
    sets_of_table4,
)
from arboretum.papers.dynint.tables.studies import whole, without_stand_in
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import Estimate, beside_print, count_above, exact, mean_of, one_run
from arboretum.papers.kit.wording import settled
from arboretum.papers.results import Results

TITLES = {"kw": "Kohavi-Wolpert", "breiman": "Breiman"}
RESIDUE = 1e-12


def own_sets(results: Results) -> list[str]:
    """The sets of Table 4 that are the paper's own."""
    return without_stand_in(sets_of_table4(results))


def on_own_sets(results: Results, kind: str, method: str, part: str) -> np.ndarray:
    """Bias or variance on these sets in the studies that all of them have: (sets, studies)."""
    return np.stack(rows(whole(decomposed(results)), own_sets(results), kind, method, part))


def less_voting(results: Results, part: str, *methods: str) -> dict[str, Estimate]:
    """Bias or variance of each method less that of voting, set by set, in both decompositions."""
    frame = decomposed(results)
    return {
        f"{name}, {method.upper()}, {TITLES[kind]}": difference(frame, [name], (kind, method, part), (kind, "sv", part))
        for name, method, kind in product(sets_of_table4(results), methods, DECOMPOSITIONS)
    }


def averages(results: Results, part: str, *methods: str) -> dict[str, Estimate]:
    """Averages of Table 4 over the paper's own sets, beside print."""
    text, frame = printed_average(in_print(results), own_sets(results)), decomposed(results)
    cells = {f"{m.upper()}, {TITLES[k]}": (k, m, part) for m, k in product(methods, DECOMPOSITIONS)}
    means = {cell: mean_of(rows(frame, own_sets(results), *key)) for cell, key in cells.items()}
    return beside_print(means, {cell: text[key] for cell, key in cells.items()})


@claim("dynint-c18", evidence=("table4", "bias_variance_gaps"))
def dynamic_voting_has_lower_bias(results: Results):
    """Bias of DV and DVS less that of voting on every set; averages."""
    return {
        "bias less that of voting": less_voting(results, "bias", "dv", "dvs"),
        "average bias": averages(results, "bias", "sv", "dv", "dvs"),
    }


@claim("dynint-c19", evidence=("table4", "bias_variance_gaps"))
def variance_stays_about_equal(results: Results):
    """Average variance of DV and DVS against voting and each other; its fall on parity, and rises anywhere."""

    frame, names = decomposed(results), own_sets(results)

    def change(method: str, other: str) -> dict[str, Estimate]:
        pairs = {kind: [(kind, one, "variance") for one in (method, other)] for kind in TITLES}
        return {f"{method.upper()}, {TITLES[kind]}": difference(frame, names, *pair) for kind, pair in pairs.items()}

    found = less_voting(results, "variance", "dv", "dvs")
    parity = {cell: one for cell, one in found.items() if cell.startswith("parity")}
    return {
        "average variance less that of voting": change("dv", "sv") | change("dvs", "sv"),
        "average variance less that of DV": change("dvs", "dv"),
        "variance less that of voting": parity,
        "greatest change on the parity sets": max(parity.values(), key=lambda one: settled(one.value)),
        "average variance": averages(results, "variance", "sv", "dv", "dvs"),
        "significant rises": exact(sum(sign > 0 for sign in signs(found).values())),
    }


@claim("dynint-c20", evidence=("table4", "bias_variance_gaps"))
def selection_has_far_larger_variance(results: Results):
    """Variance of DS less that of voting on every set, and the ratio of the averages; sets where its bias rises."""
    text = printed_average(in_print(results), own_sets(results))
    ratios, printed = {}, {}
    for kind in DECOMPOSITIONS:
        selection, voting = (np.mean(on_own_sets(results, kind, one, "variance"), axis=0) for one in ("ds", "sv"))
        ratios[TITLES[kind]] = selection / voting
        printed[TITLES[kind]] = text[kind, "ds", "variance"] / text[kind, "sv", "variance"]
    rises: dict[str, list[Estimate]] = {}
    for cell, rise in less_voting(results, "bias", "ds").items():
        rises.setdefault(cell.split(", ")[0], []).append(rise)
    return {
        "variance less that of voting": less_voting(results, "variance", "ds"),
        "ratio of the averages": {kind: mean_of(ratio) for kind, ratio in ratios.items()},
        "sets whose bias rises": count_above(rises),
        "printed ratio": beside_print({kind: one_run(ratio) for kind, ratio in ratios.items()}, printed),
        "average bias": averages(results, "bias", "ds"),
        "average variance": averages(results, "variance", "ds"),
    }


@claim("dynint-c21", evidence=("table4",))
def decompositions_agree(results: Results):
    """Pearson's correlation between the two decompositions over sets, of bias and of variance of each method."""
    found = {}
    for part, method in product(("bias", "variance"), METHODS):
        one, other = (on_own_sets(results, kind, method, part).T for kind in DECOMPOSITIONS)
        by_study = [np.corrcoef(*pair)[0, 1] for pair in zip(one, other, strict=True)]
        found[f"{part} of {method.upper()}"] = mean_of(np.array(by_study))
    return {"correlation": found}


@claim("dynint-c22", evidence=("table4",))
def bias_and_variance_make_the_error(results: Results):
    """Bias + variance less the share of wrong answers, counted case by case; in print, one sum less the other."""
    parts = decomposed(results)[0].unstack("part")
    answers = results.raw["bias_variance"].set_index("dataset")
    wrong = [(answers.loc[name, method] != answers.loc[name, "class"]).mean() for name, _, method in parts.index]
    gaps = np.abs(parts["bias"] + parts["variance"] - wrong)
    text = in_print(results).xs("error", level="part").unstack("decomposition")
    return {
        "sums that differ from the error": exact(np.count_nonzero(gaps > RESIDUE)),
        "largest gap in print": exact((text["kw"] - text["breiman"]).abs().max()),
    }
