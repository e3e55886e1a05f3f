"""Which sets dynamic integration improves: paired tests over the splits, plain and corrected."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arboretum.measures.paired import BestOfMany, best_of_many, critical_t, paired_tests, resampled_t
from arboretum.measures.ties import less
from arboretum.papers.contract import table
from arboretum.papers.dynint.tables.studies import (
    SCHEMES,
    STUDIES,
    TREES,
    accuracy_runs,
    at_table2,
    gains_over_voting,
    held_out_over_learned,
    margin_runs,
    printed_sets,
    sets_run,
    splits_of,
    studied_t,
)
from arboretum.papers.results import Results, once
from arboretum.seeds import generator

LEVEL = 0.05
DRAWS = 1999  # draws of signs, and bootstrap samples of the splits


@once
def accuracy_gains(results: Results) -> pd.DataFrame:
    """Accuracy of DS, DV and DVS less that of voting, run by run."""
    return gains_over_voting(accuracy_runs(results))


@once
def margin_gains(results: Results) -> pd.DataFrame:
    """Margin of DV and DVS less that of voting, run by run."""
    return gains_over_voting(margin_runs(results))


def outcome(gain: float, p: float) -> str:
    """A significant win, a significant loss, or nothing."""
    return "" if not less(p, LEVEL) else "win" if gain > 0 else "loss"


def sets_in_order(results: Results) -> list[str]:
    return list(sets_run(results)["dataset"])


# ------------------------------------------------------------------ the configuration of Table 2


@table(
    title="DVS against voting, set by set",
    keys=("dataset", "scheme"),
    sources=STUDIES,
    caption=(
        "Accuracy of DVS less that of SV; 100 trees, 15 neighbours. p: paired t-test over the splits, as in print; "
        "corrected p: with the variance of Nadeau and Bengio (2003), since splits share most of their cases. "
        "significant: at 5% by the plain test. Shares: of the studies of 30 splits in which the plain "
        "test finds DVS significantly better and worse."
    ),
)
def wins(results: Results) -> pd.DataFrame:
    """The plain and the corrected test of each scheme on each set."""
    gains, ratios = at_table2(accuracy_gains(results)).xs("dvs", level="strategy"), held_out_over_learned(results)
    return with_studies(results, "right", tested(gains, ratios, sets_in_order(results)))


@table(
    title="Margins of DVS against voting, set by set",
    keys=("dataset", "scheme"),
    sources=STUDIES,
    caption="As the table of accuracies.",
)
def margin_wins(results: Results) -> pd.DataFrame:
    """The same for margins."""
    gains, ratios = at_table2(margin_gains(results)).xs("dvs", level="strategy"), held_out_over_learned(results)
    return with_studies(results, "margin", tested(gains, ratios, sets_in_order(results)))


def significant(results: Results, value: str, sign: int) -> pd.DataFrame:
    """Whether each configuration is significantly better than voting (sign 1) or worse (-1), in each study."""
    t = studied_t(results, value)
    return pd.DataFrame(less(critical_t(splits_of(results), LEVEL), sign * t), index=t.index, columns=t.columns)


@once
def outcomes_at_table2(results: Results, value: str) -> pd.DataFrame:
    """1 for a significant win over voting, -1 for a loss, else 0, in each study, as in Table 2."""
    won, lost = (at_table2(significant(results, value, sign)) for sign in (1, -1))
    return won.astype(int) - lost.astype(int)


def with_studies(results: Results, value: str, tests: pd.DataFrame) -> pd.DataFrame:
    """The tests with the share of studies in which DVS wins and loses."""
    found = outcomes_at_table2(results, value).xs("dvs", level="strategy")
    found = found.loc[pd.MultiIndex.from_frame(tests[["dataset", "scheme"]])]
    return tests.assign(
        share_of_studies_won=(found == 1).mean(axis=1).to_numpy(),
        share_of_studies_lost=(found == -1).mean(axis=1).to_numpy(),
    )


def tested(gains: pd.DataFrame, ratios: pd.Series, names: Sequence[str]) -> pd.DataFrame:
    """Both tests on runs of gains (index dataset, scheme)."""
    rows = []
    for name in names:
        for scheme in SCHEMES:
            values = gains.loc[(name, scheme)].to_numpy()
            found = paired_tests(values, ratios[name])
            row = {"dataset": name, "scheme": scheme, "gain": float(found.mean)}
            row |= {"gain_standard_error": values.std(ddof=1) / np.sqrt(len(values))}
            row |= {"p": float(found.p), "corrected_p": float(found.corrected_p)}
            row |= {"significant": outcome(row["gain"], row["p"])}
            rows.append(row | {"significant_corrected": outcome(row["gain"], row["corrected_p"])})
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ some configuration


@once
def all_gains(results: Results) -> dict[str, pd.DataFrame]:
    """For each set the gains of DV and DVS in every configuration: (runs x configurations)."""
    gains = accuracy_gains(results)
    chosen = gains[gains.index.get_level_values("strategy") != "ds"]
    return {name: chosen.loc[name].T for name in sets_in_order(results)}


@table(
    title="Sets that some configuration improves",
    keys=("dataset",),
    sources=("accuracy",),
    caption=(
        "The best of all configurations of DV and DVS (4 schemes, 4 ensemble sizes, 4 neighbourhoods), by its t. p: as "
        "if it had been the only one, which is how print counts; max t p: against the greatest |t| of all "
        "configurations under random signs, which accounts for the choice; corrected p: Bonferroni's on the corrected "
        "resampled t-test. worst: the configuration with the least t, tested for a loss."
    ),
)
def improved(results: Results) -> pd.DataFrame:
    """The best and the worst configuration of each set, with what remains after correction for their number."""
    known = printed_sets(results).set_index("dataset")
    rows = []
    for name, gains in all_gains(results).items():
        best, worst = (best_configuration(results, name, sign * gains.to_numpy()) for sign in (1, -1))
        rows.append(
            {
                "dataset": name,
                "features": known.loc[name, "feature_type"],
                "improved_printed": bool(known.loc[name, "in_12_improved"]),
                "improved": bool(less(best.p, LEVEL)),
                "improved_by_max_t": bool(less(best.max_t, LEVEL)),
                "improved_by_corrected_test": bool(less(best.corrected_bonferroni, LEVEL)),
                "best_configuration": described(gains.columns[best.place]),
                "gain": best.mean,
                "p": best.p,
                "max_t_p": best.max_t,
                "corrected_p": best.corrected_bonferroni,
                "worst_gain": 0.0 - worst.mean,
                "worst_p": worst.p,
                "worst_max_t_p": worst.max_t,
            }
        )
    return pd.DataFrame(rows)


def best_configuration(results: Results, dataset: str, gains: np.ndarray) -> BestOfMany:
    """The best of several configurations, from gains (runs x configurations), and the tests of its gain."""
    rng = generator(paper="dynint", purpose="signs", dataset=dataset)
    return best_of_many(gains, held_out_over_learned(results)[dataset], rng, DRAWS)


def described(configuration: tuple[str, str, int, int]) -> str:
    strategy, scheme, trees, neighbours = configuration
    return f"{strategy.upper()}{scheme}, {trees} trees, {neighbours} neighbours"


@once
def improved_by_study(results: Results) -> pd.DataFrame:
    """Whether some configuration of DV or DVS is significantly better than voting: one row per study."""
    won = significant(results, "right", 1)
    voted = won[won.index.get_level_values("strategy") != "ds"]
    return voted.groupby(level="dataset").any().loc[sets_in_order(results)].T


@once
def losses_of_selection(results: Results) -> pd.DataFrame:
    """On how many sets DS is significantly worse than voting: rows schemes and neighbourhoods, columns studies."""
    lost = significant(results, "right", -1).xs(("ds", TREES), level=["strategy", "trees"])
    return lost.groupby(level=["scheme", "neighbours"]).sum()


def sampled_wins(gains: np.ndarray, dataset: str, purpose: str) -> np.ndarray:
    """Whether gains (runs x ...) are significantly positive in bootstrap samples of the runs: (draws x ...)."""
    rng = generator(paper="dynint", purpose=f"bootstrap: {purpose}", dataset=dataset)
    return less(critical_t(len(gains), LEVEL), resampled_t(gains, DRAWS, rng))


# ------------------------------------------------------------------ dynamic selection


@table(
    title="Dynamic selection against voting",
    keys=("scheme", "neighbours"),
    sources=("accuracy",),
    caption=(
        "100 trees. On how many sets DS is significantly worse or better than SV by the paired t-test; DS takes the "
        "first of tied trees, a reading that was settled by a look at print."
    ),
)
def selection(results: Results) -> pd.DataFrame:
    """Sets on which DS is worse and better, for every scheme and neighbourhood."""
    gains = accuracy_gains(results).xs(("ds", TREES), level=["strategy", "trees"])
    rows = []
    for scheme in SCHEMES:
        for neighbours in sorted(set(gains.index.get_level_values("neighbours"))):
            here = gains.xs((scheme, neighbours), level=["scheme", "neighbours"]).loc[sets_in_order(results)]
            tests = paired_tests(here.to_numpy().T, 0.0)  # only the plain test is asked for
            known = [outcome(gain, p) for gain, p in zip(tests.mean, tests.p, strict=True)]
            better = [name for name, one in zip(here.index, known, strict=True) if one == "win"]
            rows.append(
                {
                    "scheme": scheme,
                    "neighbours": neighbours,
                    "sets": len(here),
                    "worse": known.count("loss"),
                    "better": known.count("win"),
                    "better_on": ", ".join(better),
                    "mean_gain": float(tests.mean.mean()),
                }
            )
    return pd.DataFrame(rows)
