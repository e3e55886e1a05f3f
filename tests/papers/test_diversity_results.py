"""diversity: tables, figures and claims, from made-up counts whose answers are known and from stored quick results."""

from __future__ import annotations

from collections import ChainMap
from itertools import product
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
import yaml

from arboretum.papers.diversity.claims import CLAIMS
from arboretum.papers.diversity.claims.shared import on_enough, sign
from arboretum.papers.diversity.figures import FIGURES
from arboretum.papers.diversity.tables import TABLES
from arboretum.papers.diversity.tables.minima import printed_cell
from arboretum.papers.diversity.tables.shared import LEARNERS, SETS, chosen_set, components, mean_and_error
from arboretum.papers.inventory import sets_frame
from arboretum.papers.results import NotRun, Results
from arboretum.papers.verdicts import INCONCLUSIVE, NOT_REPRODUCED, POSITIVE, REPRODUCED, Stated, say
from arboretum.project.stored import stored_results
from arboretum.project.workspace import Workspace

matplotlib.use("Agg")
ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "data/published/diversity"
STATED = {
    entry["id"]: Stated.read(entry, "claims.yaml")
    for entry in yaml.safe_load((PUBLISHED / "claims.yaml").read_text("utf-8"))["claims"]
}
SIZES = [*range(1, 40), *range(40, 151, 10)]
CASES, TRIALS, SPLITS = 10_000, 3, 4


@pytest.fixture(scope="module")
def printed():
    return {path.stem: pd.read_csv(path) for path in PUBLISHED.glob("*.csv")}


@pytest.fixture(scope="module")
def quick():
    return stored_results(Workspace.at(ROOT), "quick", "diversity")


@pytest.fixture(scope="module")
def stored(quick):
    """Every table and what every figure plots: at quick, or at extended where only that profile has it."""
    return ChainMap(quick.tables, stored_results(Workspace.at(ROOT), "extended", "diversity").tables)


def made_up(change=lambda learner, members: (0.0, 0.0)) -> pd.DataFrame:
    """Counts of all sets and learners: member error 0.3, diversity 0.2 (1 - 1/M), plus what ``change`` adds to each."""
    rows = []
    for dataset, learner, split, members in product(SETS, LEARNERS, range(SPLITS), SIZES):
        more_member, more_diversity = change(learner, members)
        wobble = 1e-4 * (split - 1.5)  # the same for every learner: paired differences have no spread
        member = 0.3 + more_member + wobble
        error = member - (0.2 + more_diversity) * (1 - 1 / members)
        rows.append(
            {
                "dataset": dataset,
                "learner": learner,
                "split": split,
                "members": members,
                "trials": TRIALS,
                "cases": CASES,
                "ensemble_errors": round(error * TRIALS * CASES),
                "member_errors": round(member * TRIALS * CASES * members),
                "central_member_errors": round((member - 0.05) * CASES * members),
                "central_ensemble_errors": round(error * CASES),
                "oob_cases": 100_000,
                "oob_errors": 30_000 - 10 * members if members <= 20 else 30_000,
            }
        )
    return pd.DataFrame(rows)


def results_of(printed, **raw) -> Results:
    shown = {name: thing for name, thing in {**TABLES, **FIGURES}.items() if set(thing.sources) <= set(raw)}
    return Results(raw, printed, sets_frame({}), shown, STATED)


@pytest.fixture(scope="module")
def plain(printed):
    return results_of(printed, guided=made_up())


def judged(results, claim):
    return CLAIMS[claim].judge(results, STATED[claim])


# ------------------------------------------------------------------ tables


def test_components_follow_from_counts(plain):
    row = components(plain).query("dataset == 'pima' and learner == 'rf' and split == 0 and members == 4").iloc[0]
    assert row["member_error"] == pytest.approx(0.3 - 1.5e-4, abs=1e-6)
    assert row["diversity"] == pytest.approx(0.15, abs=1e-4)
    assert row["bias"] + row["variance"] == pytest.approx(row["member_error"])
    assert row["member_error"] - row["diversity"] == pytest.approx(row["error"])


def test_the_least_error_is_optimistic_by_what_the_bag_would_have_chosen(plain):
    row = plain.tables["minima"].set_index(["dataset", "learner"]).loc[("pima", "rf")]
    assert (row["least_trees"], row["chosen_trees"]) == (39, 20)
    assert row["optimism"] == pytest.approx(0.2 * (1 / 20 - 1 / 39), abs=1e-4)
    assert row["at_all"] == pytest.approx(0.3 - 0.2 * (1 - 1 / 150), abs=1e-4)
    assert row["least"] == pytest.approx(row["at_39"])


def test_every_printed_cell_stands_in_its_table(plain, printed):
    for name, cells in (("table5_1", 28), ("table5_2", 12)):
        shown = plain.tables[name]
        text = shown[~shown["learner"].str.endswith("as_run")]
        assert len(text) == cells
        wide = printed[name].set_index("dataset")
        assert all(
            row.printed == wide.loc["cover" if row.dataset == "covertype" else row.dataset, row.learner]
            for row in text.itertuples()
        )
    assert printed_cell(printed["table5_2"], "covertype", "w_dyn_as_run") == 0.050
    assert np.isnan(printed_cell(printed["table5_2"], "pima", "rf"))


def test_one_split_has_the_binomial_error_of_its_cases():
    index = pd.MultiIndex.from_tuples([("a", 0), ("b", 0), ("b", 1)], names=["dataset", "split"])
    values = pd.DataFrame({"x": [0.2, 0.1, 0.3]}, index=index)
    mean, error = mean_and_error(values, pd.Series({"a": 1600, "b": 10}))
    assert mean["x"].tolist() == pytest.approx([0.2, 0.2])
    assert error["x"].tolist() == pytest.approx([0.01, 0.1])


def test_text_and_code_are_told_apart_by_their_distance_from_print(printed):
    curve = printed["printed_curves"].query("fig == 'A2' and set == 'pima' and learner == 'sigm'")
    value = curve.set_index(["M", "term"])["value"]

    def as_printed(learner, members):
        if learner != "w_sigm_as_run" or members > 39 or members == 1:
            return 0.0, 0.0
        member = value[members, "bias"] + value[members, "var"]
        return member - 0.3, value[members, "div"] / (1 - 1 / members) - 0.2

    found = results_of(printed, guided=made_up(as_printed)).tables["text_against_code"]
    row = found.set_index(["learner", "dataset"]).loc[("w_sigm", "pima")]
    assert row["print_follows"] == "the code"
    assert row["member_error_distance_of_code"] < 0.01 < row["member_error_distance_of_text"] + 1
    assert found.query("dataset == 'digits' and learner == 'w_sigm'")["print_follows"].iloc[0] == ""  # not printed


def test_tables_have_their_keys_once(stored):
    for name, table in TABLES.items():
        frame = stored[name]
        assert len(frame), name
        assert not frame[list(table.keys)].isna().any().any(), name
        assert not frame.duplicated(list(table.keys)).any(), name


@pytest.mark.parametrize("name", FIGURES)
def test_figures_draw_what_they_store(name, stored):
    data = stored[name]
    assert len(data) and FIGURES[name].draw(data).axes
    matplotlib.pyplot.close("all")


def test_a_profile_without_a_set_shows_one_like_it(quick, plain):
    assert chosen_set(plain, "mnist-subset") == "mnist-subset"
    assert chosen_set(quick, "mnist-subset") == "digits"
    assert chosen_set(quick, "bioresponse") == "pima"


# ------------------------------------------------------------------ claims


def test_every_claim_is_stated_and_judged(quick):
    assert list(CLAIMS) == list(STATED)
    for name in CLAIMS:
        verdict = judged(quick, name)
        assert say(verdict.observed, **verdict.values)
        assert "{" not in say(verdict.note, **verdict.values)


def test_a_claim_whose_experiments_were_not_run_says_so(printed):
    """Without guided forests a profile judges theory alone; no claim looks at rows that are not there."""
    nothing = results_of(printed)
    for name in CLAIMS:
        with pytest.raises(NotRun):
            judged(nothing, name)


def test_enough_sets():
    verdicts = dict(enumerate([REPRODUCED] * 6 + [NOT_REPRODUCED]))
    assert on_enough(verdicts, 0.857) == REPRODUCED
    assert on_enough(verdicts | {0: INCONCLUSIVE}, 0.857) == INCONCLUSIVE
    assert on_enough(verdicts | {0: NOT_REPRODUCED}, 0.857) == NOT_REPRODUCED


def test_a_difference_without_an_error_is_judged_as_it_stands():
    assert sign(0.1, np.nan, POSITIVE) == REPRODUCED
    assert sign(0.1, 0.2, POSITIVE) == INCONCLUSIVE
    assert sign(-0.1, 0.01, POSITIVE) == NOT_REPRODUCED


def drf_is_diverse(learner, members):
    """DRF and XuChen have more member error and more diversity, most of it with two trees; dyn less than lerp."""
    early = {"w_drf": 0.1, "w_xuchen": 0.1}.get(learner, 0.0) if members == 2 else 0.0
    more = {"w_drf": 0.03, "w_xuchen": 0.03, "w_lerp": 0.02, "w_drf_fit": 0.004}.get(learner, 0.0)
    if members == 1:
        return 0.0, 0.0
    return more + early, more + 4 * early


def changed(learner, member=0.0, diversity=0.0, first=1):
    """Member error and diversity of one learner changed from so many trees on."""
    return lambda name, members: (member, diversity) if name == learner and members >= first else (0.0, 0.0)


def both_dynamic(name, members):
    return 0.0, {"w_dyn": 0.02, "w_lerp": 0.03}.get(name, 0.0)


@pytest.mark.parametrize(
    ("claim", "change", "verdict"),
    [
        ("diversity-c30", None, REPRODUCED),
        ("diversity-c30", lambda learner, members: (0.02 * (members > 20), 0.0), NOT_REPRODUCED),
        ("diversity-c32", drf_is_diverse, REPRODUCED),
        ("diversity-c32", None, NOT_REPRODUCED),
        ("diversity-c33", drf_is_diverse, REPRODUCED),
        ("diversity-c33", None, NOT_REPRODUCED),
        ("diversity-c34", drf_is_diverse, REPRODUCED),
        ("diversity-c34", changed("w_drf", -0.01), NOT_REPRODUCED),
        ("diversity-c35", drf_is_diverse, REPRODUCED),
        ("diversity-c35", changed("w_sigm", 0.05, first=2), NOT_REPRODUCED),
        ("diversity-c36", both_dynamic, NOT_REPRODUCED),
        ("diversity-c36", changed("w_dyn", -0.04, -0.02), REPRODUCED),
        ("diversity-c41", changed("w_sigm", 0.01), REPRODUCED),
        ("diversity-c41", changed("w_sigm", -0.01), NOT_REPRODUCED),
    ],
)
def test_a_claim_stands_and_falls_with_its_numbers(printed, claim, change, verdict):
    frame = made_up(change) if change else made_up()
    assert judged(results_of(printed, guided=frame), claim).verdict == verdict


def test_what_was_run_gets_a_verdict_of_its_own(printed):
    """The sigmoid of the text is no better than lerp, the one that was run is worse: c41 tells them apart."""
    found = judged(results_of(printed, guided=made_up(changed("w_sigm_as_run", 0.01))), "diversity-c41")
    assert found.verdict != NOT_REPRODUCED and found.values["as_run"] == REPRODUCED
    assert all(gap == pytest.approx(0.01, abs=1e-6) for gap in found.values["gaps_as_run"].values())


def test_cells_of_print_are_judged_by_their_tolerance(printed):
    table = printed["table5_1"].set_index("dataset")

    def frame(off):
        rows = made_up()
        name = rows["dataset"].replace({"covertype": "cover"})
        cell = [table.loc[key] if key[1] in table else 0.3 for key in zip(name, rows["learner"], strict=True)]
        return rows.assign(ensemble_errors=np.round((np.array(cell) + off) * TRIALS * CASES).astype(int))

    assert judged(results_of(printed, guided=frame(0.015)), "diversity-c38").verdict == REPRODUCED
    found = judged(results_of(printed, guided=frame(0.03)), "diversity-c38")
    assert found.verdict == NOT_REPRODUCED and found.values["within"] == 8  # the two small sets may differ by 0.04


def test_a_violated_inequality_and_a_gap_fell_their_claims(quick):
    theory = quick.raw["theory"]
    holds = results_of(quick.printed, theory=theory)
    assert judged(holds, "diversity-c26").verdict == REPRODUCED
    spoilt = theory.assign(violations=theory["violations"].where(theory["claim"] != "diversity-c26", 1))
    assert judged(results_of(quick.printed, theory=spoilt), "diversity-c26").verdict == NOT_REPRODUCED
    gap = theory.assign(extreme=theory["extreme"].where(theory["claim"] != "diversity-c15", 1e-6))
    assert judged(results_of(quick.printed, theory=gap), "diversity-c15").verdict == NOT_REPRODUCED


def test_equivalences_that_the_thesis_states_are_refuted(quick):
    for claim in ("diversity-c24", "diversity-c25"):
        found = judged(quick, claim)
        assert found.parts["effect >= 0: competent"] == NOT_REPRODUCED
        assert list(found.parts.values()).count(NOT_REPRODUCED) == 1


@pytest.mark.parametrize("draw", range(2))
def test_the_last_place_of_made_up_errors_changes_no_verdict(printed, draw):
    rng = np.random.default_rng(draw)
    frame = made_up(drf_is_diverse)
    base, other = results_of(printed, guided=frame), results_of(printed, guided=frame)
    shaken = components(other)
    for name in ("error", "member_error", "diversity", "bias", "variance"):
        shaken[name] = np.nextafter(shaken[name], rng.choice([-1.0, 1.0], len(shaken)))
    other.shared[components.__wrapped__, ()] = shaken
    for claim in ("diversity-c30", "diversity-c32", "diversity-c33", "diversity-c35", "diversity-c38", "diversity-c40"):
        one, two = judged(base, claim), judged(other, claim)
        assert one.parts == two.parts
        assert say(one.observed, **one.values) == say(two.observed, **two.values)
