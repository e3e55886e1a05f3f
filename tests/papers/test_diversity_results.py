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
from arboretum.papers.diversity.figures import FIGURES
from arboretum.papers.diversity.tables import TABLES
from arboretum.papers.diversity.tables.components import LEARNERS, SETS, chosen_set, components
from arboretum.papers.diversity.tables.minima import printed_cell
from arboretum.papers.inventory import sets_frame
from arboretum.papers.kit.checks import FAILS, HOLDS, OPEN
from arboretum.papers.kit.claims import CONCLUSIONS, CONTRADICTED, CORRECTED, INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED
from arboretum.papers.kit.stated import Stated
from arboretum.papers.results import NotRun, Results
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


def made_up(change=lambda learner, members, dataset: (0.0, 0.0)) -> pd.DataFrame:
    """Counts of all sets and learners: member error 0.3, diversity 0.2 (1 - 1/M), plus what ``change`` adds to each."""
    rows = []
    for dataset, learner, split, members in product(SETS, LEARNERS, range(SPLITS), SIZES):
        more_member, more_diversity = change(learner, members, dataset)
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


def results_of(published, /, **raw) -> Results:
    shown = {name: thing for name, thing in {**TABLES, **FIGURES}.items() if set(thing.sources) <= set(raw)}
    return Results(raw, published, sets_frame({}), shown, STATED)


@pytest.fixture(scope="module")
def plain(printed):
    return results_of(printed, guided=made_up())


def judged(results, claim):
    return STATED[claim].judged(CLAIMS[claim].estimates(results))


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
            row.least_printed == wide.loc["cover" if row.dataset == "covertype" else row.dataset, row.learner]
            for row in text.itertuples()
        )
    assert printed_cell(printed["table5_2"], "covertype", "w_dyn_as_run") == 0.050
    assert np.isnan(printed_cell(printed["table5_2"], "pima", "rf"))


def test_text_and_code_are_told_apart_by_their_distance_from_print(printed):
    curve = printed["printed_curves"].query("fig == 'A2' and set == 'pima' and learner == 'sigm'")
    value = curve.set_index(["M", "term"])["value"]

    def as_printed(learner, members, dataset):
        if learner != "w_sigm_as_run" or members > 39 or members == 1:
            return 0.0, 0.0
        member = value[members, "bias"] + value[members, "var"]
        return member - 0.3, value[members, "div"] / (1 - 1 / members) - 0.2

    rows = made_up(as_printed)
    noise = 0.02 * (rows["split"] - 1.5) * TRIALS * CASES
    found = results_of(printed, guided=rows.assign(ensemble_errors=rows["ensemble_errors"] + noise))
    found = found.tables["text_against_code"]
    row = found.set_index(["learner", "dataset"]).loc[("w_sigm", "pima")]
    assert (row["print_follows"], row["within_text"], row["within_code"]) == ("the code", 0, 1)
    assert row["member_error_distance_of_code"] < 0.01 < row["member_error_distance_of_text"] + 1
    assert found.query("dataset == 'digits' and learner == 'w_sigm'")["print_follows"].iloc[0] == ""  # not printed
    alike = results_of(printed, guided=rows.assign(ensemble_errors=rows["ensemble_errors"] + 20 * noise))
    alike = alike.tables["text_against_code"].set_index(["learner", "dataset"])
    assert alike.loc[("w_sigm", "pima"), "print_follows"] == "either"
    exact = results_of(printed, guided=rows).tables["text_against_code"].set_index(["learner", "dataset"])
    assert exact.loc[("w_drf_fit", "pima"), "print_follows"] == "neither"


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


def measured(linear=True) -> pd.DataFrame:
    """Forests of several sizes, none competent: member error and diversity rise together with the size, or do not."""
    rows = []
    for dataset, split, trial, members, kind in product(
        ["pima", "digits"], range(SPLITS), range(2), [3, 5, 9, 15], ["apart", "prefix"]
    ):
        member, diversity = 0.2 + 1e-3 * members, 0.1 + (2e-3 * members if linear else 1e-3 * (members % 5))
        counts = {"wrong_votes": member * CASES * members, "errors": (member - diversity) * CASES}
        counts |= dict.fromkeys(["good_votes", "bad_votes", "agreeing_pairs", "vote_entropy"], 1)
        counts |= dict.fromkeys(["correctness_entropy", "correctness_variance"], 1)
        counts |= dict.fromkeys(["two_competence_gap", "k_competence_gap"], -0.1)
        described = {"dataset": dataset, "split": split, "trial": trial, "kind": kind, "members": members}
        rows.append(described | {"cases": CASES} | counts)
    return pd.DataFrame(rows)


def margin_rows(lerp_where_wrong=0.0) -> pd.DataFrame:
    """Wrong members on both sides of 1/2: DRF moves both, lerp the first, and the second as told."""
    moves = {"rf": (0.0, 0.0), "w_drf": (0.02, -0.02), "w_lerp": (0.02, lerp_where_wrong)}
    rows = []
    for dataset, (learner, move), split, place in product(
        ["bioresponse", "spambase"], moves.items(), range(SPLITS), (0, 1)
    ):
        share = (0.2, 0.7)[place] + move[place]
        described = {"dataset": dataset, "learner": learner, "split": split, "trials": TRIALS, "part": "along"}
        counts = {"members": 10, "place": place, "cases": 1000, "wrong": round(share * 1000 * 10 * TRIALS)}
        rows.append(described | counts)
    return pd.DataFrame(rows)


def trial_rows() -> pd.DataFrame:
    """One forest of digits with three trials and with thirty."""
    few = made_up().query("dataset == 'digits' and learner == 'rf' and split < 2")
    return pd.concat([few, few.assign(trials=30, member_errors=10 * few["member_errors"])])


@pytest.fixture(scope="module")
def small(printed, quick):
    """All experiments that claims look at, small."""
    raw = {"guided": made_up(drf_is_diverse), "growth": measured(), "margins": margin_rows(), "trials": trial_rows()}
    return results_of(printed, theory=quick.raw["theory"], printed=quick.raw["printed"], **raw)


def test_every_claim_is_stated_and_judged(small):
    assert list(CLAIMS) == list(STATED)
    for name, claim in CLAIMS.items():
        verdict = judged(small, name)
        assert set(claim.evidence) <= {**TABLES, **FIGURES}.keys() and claim.evidence, name
        assert verdict.conclusion in CONCLUSIONS, name
        assert verdict.observed and "nan" not in verdict.observed + verdict.remark and "{" not in verdict.remark, name


def test_a_claim_whose_experiments_were_not_run_says_so(printed):
    nothing = results_of(printed)
    for name in CLAIMS:
        with pytest.raises(NotRun):
            judged(nothing, name)


# ------------------------------------------------------------------ claims of theory can fail, and can hold


THEORY = [name for name, claim in CLAIMS.items() if "statements" in claim.evidence]
AS_PRINTED = {  # what must be 0 for the printed form to hold, by claim: (claim of the rows, columns)
    "diversity-c17": ("diversity-c19", ["mean"]),
    "diversity-c14": ("diversity-c13", ["extreme", "mean"]),
    "diversity-c24": ("diversity-c24", ["mean"]),
}


def with_theory(small, theory):
    return results_of(small.printed, theory=theory, growth=small.raw["growth"])


@pytest.mark.parametrize("claim", THEORY)
def test_gaps_and_violations_fell_every_claim_of_theory(small, claim):
    theory = small.raw["theory"].copy()
    own, kind = theory["claim"] == claim, theory["kind"]
    theory.loc[own & (kind == "inequality"), "violations"] = 1
    theory.loc[own & (kind != "inequality"), "extreme"] += 0.01
    assert judged(with_theory(small, theory), claim).conclusion == NOT_REPRODUCED


@pytest.mark.parametrize("claim", ["01", "04", "09", "12", "14", "16", "17", "18", "23", "24", "25", "27", "44"])
def test_a_printed_form_without_gaps_and_violations_is_reproduced(small, claim):
    claim = f"diversity-c{claim}"
    assert judged(small, claim).conclusion in (CORRECTED, NOT_REPRODUCED)
    theory = small.raw["theory"].copy()
    of, columns = AS_PRINTED.get(claim, (claim, ["extreme", "mean"]))
    theory.loc[theory["claim"] == of, columns] = 0.0
    theory.loc[theory["claim"] == of, "violations"] = 0
    theory.loc[theory["statement"] == "a perfect ensemble is competent", "extreme"] = 1.0  # the least gap and 1
    assert judged(with_theory(small, theory), claim).conclusion == REPRODUCED


def test_single_members_are_not_counted(small):
    """They have no diversity: of the random problems those with two or more members are left."""
    found = judged(small, "diversity-c18").values
    assert 0 < found["ensembles, 0/1 loss"] < small.raw["theory"]["problems"].max()
    assert 0 < found["bound broken, 0/1 loss"] < found["ensembles, 0/1 loss"]


# ------------------------------------------------------------------ claims on forests can fail, and can hold


def drf_is_diverse(learner, members, dataset):
    """DRF and XuChen have more member error and more diversity, most of it with two trees; dyn less than lerp."""
    early = {"w_drf": 0.1, "w_xuchen": 0.1}.get(learner, 0.0) if members == 2 else 0.0
    more = {"w_drf": 0.03, "w_xuchen": 0.03, "w_lerp": 0.02, "w_drf_fit": 0.004}.get(learner, 0.0)
    if members == 1:
        return 0.0, 0.0
    return more + early, more + 4 * early


def changed(learner, member=0.0, diversity=0.0, first=1):
    """Member error and diversity of one learner changed from so many trees on."""
    return lambda name, members, dataset: (member, diversity) if name == learner and members >= first else (0.0, 0.0)


def drifting(learner, members, dataset):
    return 0.02 * (members > 20), 0.0


def dyn_is_between(learner, members, dataset):
    return 0.0, {"w_dyn": 0.02, "w_lerp": 0.03}.get(learner, 0.0)


def only_lerp_improves(learner, members, dataset):
    return 0.0, 0.0 if learner == "w_lerp" or members <= 10 else 0.18 / (1 - 1 / members) - 0.2


def unrelated(learner, members, dataset):
    """Diversity and error have no correlation; who is better on the first sets is worse on the others."""
    sign = 1 if dataset in ("pima", "spambase") else -1
    error, diversity = {
        "w_drf": (-0.01, 0.01),
        "w_drf_fit": (-0.01, -0.01),
        "w_xuchen": (0.01, 0.01),
        "w_sigm": (0.01, -0.01),
    }.get(learner, (0.0, 0.0))
    return (sign * error + diversity * (1 - 1 / members), diversity) if members > 1 else (0.0, 0.0)


@pytest.mark.parametrize(("peak", "early"), [(10, 1), (11, 0)])
def test_a_peak_with_ten_trees_is_early_and_one_with_eleven_is_not(printed, peak, early):
    results = results_of(printed, guided=made_up(lambda learner, members, dataset: (0.0, 0.1 * (members == peak))))
    found = CLAIMS["diversity-c33"].estimates(results)
    assert {one.value for one in found["trees at the peak of diversity"].values()} == {peak}
    assert found["diversity peaks early"].value == early


@pytest.mark.parametrize(
    ("claim", "holds", "fails"),
    [
        ("diversity-c30", None, drifting),
        ("diversity-c31", drf_is_diverse, None),
        ("diversity-c32", drf_is_diverse, None),
        ("diversity-c33", drf_is_diverse, None),
        ("diversity-c34", drf_is_diverse, changed("w_drf", -0.01)),
        ("diversity-c35", drf_is_diverse, changed("w_sigm", 0.05, first=2)),
        ("diversity-c40", unrelated, None),
        ("diversity-c42", only_lerp_improves, None),
    ],
)
def test_a_claim_stands_and_falls_with_its_numbers(printed, claim, holds, fails):
    for change, verdict in ((holds, REPRODUCED), (fails, NOT_REPRODUCED)):
        raw = {"guided": made_up(change) if change else made_up(), "trials": trial_rows()}
        found = judged(results_of(printed, growth=measured(change is not None), **raw), claim)
        assert found.conclusion == verdict, found.observed


@pytest.mark.parametrize(
    ("claim", "holds", "fails"),
    [
        ("diversity-c36", changed("w_dyn", -0.04, -0.02), dyn_is_between),
        ("diversity-c41", changed("w_sigm", 0.01), changed("w_sigm", -0.01)),
    ],
)
def test_where_print_contradicts_itself_our_numbers_are_judged_too(printed, claim, holds, fails):
    for change, outcome in ((holds, HOLDS), (fails, FAILS)):
        found = judged(results_of(printed, guided=made_up(change)), claim)
        outcomes = {one.outcome for one in found.checked if one.check.kind == "conclusion"}
        assert found.conclusion == CONTRADICTED
        assert outcome in outcomes and (outcome == FAILS or outcomes == {HOLDS}), found.observed


def test_lerp_raises_the_share_of_wrong_members_on_one_side_only(printed):
    for move, verdict in ((-0.005, REPRODUCED), (-0.02, NOT_REPRODUCED)):
        results = results_of(printed, guided=made_up(), margins=margin_rows(move))
        assert judged(results, "diversity-c37").conclusion == verdict


@pytest.mark.parametrize(("claim", "table"), [("diversity-c38", "table5_1"), ("diversity-c39", "table5_2")])
def test_cells_of_print_are_judged_as_one_run(printed, claim, table):
    cells = printed[table].set_index("dataset")

    def results(off):
        rows = made_up()
        name = rows["dataset"].replace({"covertype": "cover"})
        cell = [
            cells.loc[key] if key[0] in cells.index and key[1] in cells else 0.3
            for key in zip(name, rows["learner"], strict=True)
        ]
        noise = 0.002 * (rows["split"] - 1.5)
        return results_of(printed, guided=rows.assign(ensemble_errors=(np.array(cell) + noise + off) * TRIALS * CASES))

    assert judged(results(0.002), claim).conclusion == REPRODUCED
    assert judged(results(0.03), claim).conclusion == NOT_REPRODUCED


def test_one_split_decides_nothing(printed):
    """A plain forest once beat itself surely on the one split of covertype."""
    rows = made_up(drf_is_diverse)
    results = results_of(
        printed, trials=trial_rows(), guided=rows[(rows["dataset"] != "covertype") | (rows["split"] == 0)]
    )
    for claim in ("diversity-c30", "diversity-c34", "diversity-c36", "diversity-c38", "diversity-c41"):
        found = judged(results, claim)
        on_it = {one.outcome for one in found.checked if "covertype" in one.check.name and one.outcome}
        assert on_it == {OPEN}, claim
    assert judged(results, "diversity-c34").conclusion == INCONCLUSIVE


def test_the_last_place_of_made_up_errors_changes_no_verdict(printed):
    rng = np.random.default_rng(1)
    frame = made_up(drf_is_diverse)
    base, other = (results_of(printed, guided=frame, trials=trial_rows()) for _ in range(2))
    shaken = components(other)
    for name in ("error", "member_error", "diversity", "bias", "variance"):
        shaken[name] = np.nextafter(shaken[name], rng.choice([-1.0, 1.0], len(shaken)))
    other.shared[components.__wrapped__, ()] = shaken
    for claim in ("diversity-c30", "diversity-c32", "diversity-c33", "diversity-c35", "diversity-c38", "diversity-c40"):
        one, two = judged(base, claim), judged(other, claim)
        assert (one.conclusion, one.remark) == (two.conclusion, two.remark)
        assert [each.outcome for each in one.checked] == [each.outcome for each in two.checked], claim
