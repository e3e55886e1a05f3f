"""dynint: its tables, figures and claims, and what their numbers must satisfy."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import yaml

from arboretum.measures.paired import paired_tests
from arboretum.papers.dynint.claims import CLAIMS
from arboretum.papers.dynint.figures import FIGURES
from arboretum.papers.dynint.holm import signs
from arboretum.papers.dynint.tables import TABLES
from arboretum.papers.dynint.tables.beside import columns_of, printed_table, winners
from arboretum.papers.dynint.tables.bias_variance import decomposed
from arboretum.papers.dynint.tables.cells import judged
from arboretum.papers.dynint.tables.significance import accuracy_gains, improved_by_study, outcomes_at_table2
from arboretum.papers.dynint.tables.studies import (
    STUDIES,
    accuracies,
    accuracy_runs,
    drawn_sets,
    gains_over_voting,
    margins,
    studied_t,
    whole,
    without_stand_in,
)
from arboretum.papers.kit.checks import FAILS
from arboretum.papers.kit.claims import CONCLUSIONS, NOT_REPRODUCED
from arboretum.papers.kit.estimate import Estimate, exact, mean_of
from arboretum.papers.kit.remarks import remarks_of
from arboretum.papers.kit.stated import Stated
from arboretum.papers.results import NotRun, Results
from arboretum.project.stored import stored_results
from arboretum.project.workspace import Workspace

matplotlib.use("Agg")
ROOT = Path(__file__).parents[2]
CLAIMS_FILE = ROOT / "data/published/dynint/claims.yaml"
ENTRIES = yaml.safe_load(CLAIMS_FILE.read_text("utf-8"))["claims"]
STATED = {entry["id"]: Stated.read(entry, str(CLAIMS_FILE)) for entry in ENTRIES}
SHOWN = {**TABLES, **FIGURES}


@pytest.fixture(scope="module")
def quick():
    """Results of the quick profile: eight sets, three replications."""
    return stored_results(Workspace.find(), "quick", "dynint")


@pytest.fixture(scope="module")
def full():
    return stored_results(Workspace.find(), "full", "dynint")


@pytest.fixture(scope="module")
def extended():
    return stored_results(Workspace.find(), "extended", "dynint")


def changed(results: Results, **frames: pd.DataFrame) -> Results:
    """The same results with other raw frames."""
    raw = {name: results.raw[name] for name in results.raw} | frames
    return Results(raw, results.printed, results.sets, results.tables.shown)


def judge(results, claim):
    return STATED[claim].judged(CLAIMS[claim].estimates(results))


# ------------------------------------------------------------------ the contract


@pytest.mark.parametrize("profile", ["quick", "full", "extended"])
def test_figures_draw(profile, request):
    results = request.getfixturevalue(profile)
    for name in results.tables:
        if name in FIGURES:
            plt.close(SHOWN[name].draw(results.tables[name]))


def test_every_profile_together_shows_every_table(quick, full, extended):
    assert set(quick.tables) == set(full.tables)
    readings = {name for name in extended.tables if name not in SHOWN}  # the kit's, the same for every paper
    assert set(full.tables) | set(extended.tables) == set(SHOWN) | readings


def few_drawings(results: Results) -> Results:
    """Two drawings of the generated sets, too few for an interval."""
    return changed(results, draws=results.raw["draws"].query("replication < 2"))


@pytest.mark.parametrize("fewer", [lambda results: results, few_drawings])
@pytest.mark.parametrize("profile", ["quick", "full"])
def test_every_claim_can_be_judged_on_few_sets(profile, fewer, request):
    results = fewer(request.getfixturevalue(profile))
    assert list(CLAIMS) == list(STATED)
    for name, claim in CLAIMS.items():
        assert set(claim.evidence) <= set(SHOWN), name
        if (profile, name) == ("quick", "dynint-c10"):
            with pytest.raises(NotRun, match="no small set"):
                judge(results, name)
            continue
        verdict = judge(results, name)
        assert verdict.conclusion in CONCLUSIONS
        assert "nan" not in f"{verdict.observed} {verdict.remark}".split(), name


def test_claims_that_rest_on_readings_settled_by_print_say_so():
    """Only the claims on voting alone and on an identity do not."""
    assert [name for name, stated in STATED.items() if not stated.informed_by_print] == ["dynint-c09", "dynint-c22"]


# ------------------------------------------------------------------ print


@pytest.mark.parametrize("name", ["table2_accuracy", "table3_margin"])
def test_printed_averages_are_those_of_the_printed_cells(full, name):
    text = full.printed[name].set_index("dataset")
    ours = printed_table(full, name)
    assert len(ours) == 12
    np.testing.assert_allclose(ours.mean(), text.loc["average"], atol=0.0011)


def test_averages_are_taken_over_the_same_sets_on_both_sides(quick):
    shown = quick.tables["table2"].set_index("dataset")
    sets = shown.index.drop("average")
    assert list(sets) == ["glass", "monk-1", "parity2", "sonar"]
    for column in ("sv_printed", "sv", "dvs_rfw_printed", "dvs_rfw"):
        assert shown.loc["average", column] == pytest.approx(shown.loc[sets, column].mean())


def test_the_stand_in_is_left_out_of_one_average_and_is_in_the_other(full):
    shown = full.tables["table2"].set_index("dataset")
    own = without_stand_in([name for name in shown.index if not name.startswith("average")])
    assert len(own) == 11
    assert shown.loc["average without images", "sv"] == pytest.approx(shown.loc[own, "sv"].mean())
    assert shown.loc["average", "sv"] == pytest.approx(shown.loc[[*own, "images"], "sv"].mean())


def test_winners_by_hand():
    """Equal up to rounding: both win."""
    shown = pd.DataFrame({"a": [0.1, 0.5, 0.3], "b": [0.2, 0.5 + 1e-13, 0.1], "c": [0.1, 0.2, 0.3 - 1e-6]})
    assert winners(shown, ["a", "b", "c"]) == ["b", "a, b", "a"]


@pytest.mark.parametrize(
    ("ours", "reach", "lies"),
    [(0.51, 0.005, "within"), (0.515, 0.01, "across the limit"), (0.54, 0.01, "beyond"), (0.51, 0.01, "within")],
)
def test_where_the_interval_of_a_cell_lies(ours, reach, lies):
    cell = Estimate(ours, "by hand", lambda level: (ours - reach, ours + reach))
    assert judged("table 2", "glass", "sv", cell, 0.5, 0.02)["lies"] == lies


def test_print_itself_would_have_no_cell_beyond(full):
    frame = full.tables["cells"]
    again = [
        judged(row.table, row.dataset, row.column, exact(row.value_printed), row.value_printed, row.allowed)["lies"]
        for row in frame.itertuples()
    ]
    assert set(again) == {"within"} and len(frame) == 12 * 10 + 12 * 9 + 9 * 16


def test_every_cell_beyond_has_a_remark(full):
    frame = full.tables["beyond"]
    assert len(frame) == (full.tables["cells"]["lies"] != "within").sum()
    assert frame["remark"].str.len().gt(0).all() and not frame["remark"].str.contains("nan").any()
    remarks = remarks_of("dynint")
    named = [part for of_table in remarks["remarks"].values() for parts in of_table.values() for part in parts]
    assert set(remarks["sentences"]) <= set(named)
    assert (
        frame["deviation_over_drawings"]
        .notna()
        .equals(frame["dataset"].isin(["parity2", "parity3"]) & (frame["table"] != "table 4"))
    )


# ------------------------------------------------------------------ studies


def test_the_first_study_is_the_experiment_accuracy(quick):
    runs = accuracy_runs(quick)
    first = accuracies(quick)[0].dropna()
    assert set(first.index) == set(runs.index)
    pd.testing.assert_series_equal(first, runs.mean(axis=1).loc[first.index], check_names=False)
    assert whole(accuracies(quick).loc[["glass", "iris"]]).shape[1] == 3


def test_tests_of_the_first_study_are_those_of_its_splits(quick):
    gains = accuracy_gains(quick)
    found = paired_tests(gains.to_numpy().T, 0.0)
    np.testing.assert_allclose(studied_t(quick, "right").loc[gains.index, 0], found.t, atol=1e-9)
    wins = quick.tables["wins"].set_index(["dataset", "scheme"])["significant"]
    first = outcomes_at_table2(quick, "right").xs("dvs", level="strategy")[0].loc[wins.index]
    assert list(first.map({1: "win", -1: "loss", 0: ""})) == list(wins)


def test_sets_improved_in_the_first_study_are_those_of_the_table(quick):
    table = quick.tables["improved"].set_index("dataset")["improved"]
    assert list(improved_by_study(quick).loc[0]) == list(table)


def test_gains_are_taken_from_voting_by_the_same_trees(quick):
    runs = margins(quick)
    found = gains_over_voting(runs)
    key = ("glass", "dvs", "rfw", 25, 31)
    pd.testing.assert_series_equal(
        found.loc[key], runs.loc[key] - runs.loc[("glass", "sv", "", 25, 0)], check_names=False
    )


def test_bias_and_variance_make_the_error_in_every_study(quick):
    wide = decomposed(quick).stack().unstack("part")
    np.testing.assert_allclose(wide["bias"] + wide["variance"], wide["error"], atol=1e-12)


def test_a_study_of_a_generated_set_has_a_drawing_of_its_own(quick):
    rows = quick.raw["draws"].query("dataset == 'parity2' and trees == 100 and scheme == 'rfw' and neighbours == 15")
    by_drawing = (rows["right_dvs"] / rows["cases"]).to_numpy()
    found = columns_of(quick, "table 2").loc[("parity2", "dvs_rfw")].dropna()
    first = accuracy_runs(quick).loc[("parity2", "dvs", "rfw", 100, 15)].mean()
    np.testing.assert_allclose(found, [first, *by_drawing])
    assert {"parity2", "led7-300"} <= set(drawn_sets(quick)) and "glass" not in drawn_sets(quick)


def test_further_studies_count_where_they_are_and_means_of_many_configurations_take_whole_ones(quick):
    glass = accuracies(quick).loc["glass"]
    assert glass.loc[("dvs", "rfw", 100, 15)].notna().sum() == 5
    assert glass.loc[("dvs", "rfw", 100, 31)].notna().sum() == 3
    assert whole(glass).shape[1] == 3


def test_signs_by_holm():
    """Of three, t with two degrees of freedom must exceed 7.65, of the two then left 6.21, and the last one 4.30."""
    runs = np.array([-1.0, 0.0, 1.0]) * np.sqrt(3)  # standard error 1
    found = {"a": mean_of(runs - 9.95), "b": mean_of(runs + 6.4), "c": mean_of(runs + 4), "d": exact(0.0)}
    assert signs({name: found[name] for name in "abc"}) == {"a": -1, "b": 1, "c": 0}
    assert signs({name: found[name] for name in "bcd"}) == {"b": 0, "c": 0, "d": 0}
    assert signs({}) == {}


def test_the_fixed_configuration_has_every_set_and_no_choice(full):
    frame = full.tables["fixed_configuration"].set_index("dataset")
    assert (
        len(frame) == 27 and (frame["gain_low"] <= frame["gain"]).all() and (frame["gain"] <= frame["gain_high"]).all()
    )
    assert (frame.loc[frame["significant"] == "win", "gain_low"] > 0).all()
    assert (frame.loc[frame["significant"] == "loss", "gain_high"] < 0).all()
    own = frame.drop(drawn_sets(full)).index
    gains = gains_over_voting(accuracies(full)).xs(("dvs", "rfw", 100, 15), level=[1, 2, 3, 4]).mean(axis=1)
    np.testing.assert_allclose(frame.loc[own, "gain"], 100 * gains[own], atol=1e-9)


# ------------------------------------------------------------------ claims fall when their numbers do


def on_splits(change):
    """A change of the rows of every experiment on splits."""
    return lambda results: {name: change(results.raw[name]) for name in STUDIES}


def strategy_columns(frame, *strategies):
    return [f"{value}_{one}" for value in ("right", "margin") for one in strategies if f"{value}_{one}" in frame]


@on_splits
def nothing_gained(frame):
    """Every strategy answers as simple voting does."""
    for column in strategy_columns(frame, "ds", "dv", "dvs"):
        frame[column] = frame[f"{column.partition('_')[0]}_sv"]
    return frame.assign(**{name: 0 * frame[name] for name in frame if name.startswith("squares")})


def turned(frame, where=True):
    """What DV and DVS gain over voting becomes a loss; twice as large, so that DVS is far below DV."""
    for column in strategy_columns(frame, "dv", "dvs"):
        voting = frame[f"{column.partition('_')[0]}_sv"]
        frame[column] = np.where(where, voting - 2 * (frame[column] - voting), frame[column])
        if f"squares_{column}" in frame:
            frame[f"squares_{column}"] *= np.where(where, 4, 1)
    return frame


CATEGORICAL = ["audiology", "car", "promoters", "monk-1", "parity2", "parity3", "tic-tac-toe", "zoo"]
losses = on_splits(turned)
losses_on_categorical_sets = on_splits(lambda frame: turned(frame, frame["dataset"].isin(CATEGORICAL)))


def shifted(share, where, *names):
    """Counts and margins moved by a share of the cases held out, where a condition on the rows holds."""

    def change(frame):
        for column in names or strategy_columns(frame, "sv", "dv", "dvs"):
            frame[column] = frame[column] + share * frame["cases"] * where(frame)
        return frame

    return on_splits(change)


lower_accuracy = shifted(-0.2, lambda frame: 1)
smaller_neighbourhoods_are_worse = shifted(-0.05, lambda frame: 127 / frame["neighbours"], "right_dvs")
forest_similarity_is_worse = shifted(-0.05, lambda frame: frame["scheme"].isin(["rf", "rfw"]), "right_dvs")
more_trees_raise_margins = shifted(0.05, lambda frame: frame["trees"] == 100, "margin_sv", "margin_dvs")
more_trees_lower_accuracy = shifted(-0.1, lambda frame: frame["trees"] == 100, "right_sv", "right_dvs")
best_tree_is_right = on_splits(lambda frame: frame.assign(right_greatest=frame["cases"]))
best_tree_is_the_worst = on_splits(lambda frame: frame.assign(right_greatest=frame["right_least"]))


def worse(*methods):
    """Bias and variance of some methods 0.1 higher, in both decompositions, in all studies but the first."""

    def change(results):
        frame = results.raw["decompositions"]
        more = 0.1 * frame["runs"] * frame["cases"] * frame["method"].isin(methods)
        return {
            "decompositions": frame.assign(
                wrong=frame["wrong"] + 2 * more,
                central_wrong=frame["central_wrong"] + more,
                disagreements=frame["disagreements"] + 2 * frame["runs"] * more,
            )
        }

    return change


def unrelated(results):
    """Breiman's bias of half of the sets is nothing."""
    frame = results.raw["decompositions"]
    none = frame["dataset"].isin(["audiology", "glass", "parity3"])
    return {"decompositions": frame.assign(central_wrong=frame["central_wrong"].where(~none, 0))}


def classes_that_differ(results):
    """The class of a case is not the same in all runs, so that errors are not counted alike."""
    frame = results.raw["bias_variance"]
    return {"bias_variance": frame.assign(**{"class": frame["class"].where(frame["repetition"] > 0, frame["sv"])})}


def as_it_is(results):
    return {}


FALL = {  # what makes each check of a claim fail
    "c01": [as_it_is],
    "c02": [nothing_gained],
    "c03": [losses],
    "c04": [losses, smaller_neighbourhoods_are_worse],
    "c05": [as_it_is],
    "c06": [losses, lower_accuracy],
    "c07": [losses],
    "c08": [losses],
    "c09": [best_tree_is_right, best_tree_is_the_worst],
    "c10": [lower_accuracy],
    "c11": [losses_on_categorical_sets],
    "c12": [losses],
    "c13": [losses],
    "c14": [losses],
    "c15": [losses],
    "c16": [losses],
    "c17": [more_trees_raise_margins, more_trees_lower_accuracy],
    "c18": [worse("dv", "dvs")],
    "c19": [worse("dv", "dvs"), worse("dvs")],
    "c20": [worse("sv"), worse("ds")],
    "c21": [unrelated],
    "c22": [classes_that_differ],
    "c23": [losses, forest_similarity_is_worse],
}
IN_PRINT_ALONE = {"largest gap in print"}
CONTRADICTED = {"c09", "c21"}  # whatever our numbers are


@pytest.mark.parametrize("claim", FALL)
def test_every_check_of_a_claim_can_fail(full, claim):
    """The first change turns the verdict; a printed number that differs does not decide a sentence."""
    verdicts = [judge(changed(full, **change(full)), f"dynint-{claim}") for change in FALL[claim]]
    assert verdicts[0].conclusion == ("the paper contradicts itself" if claim in CONTRADICTED else NOT_REPRODUCED)
    failed = {one.group for verdict in verdicts for one in verdict.checked if one.outcome == FAILS}
    checks = STATED[f"dynint-{claim}"].checks
    assert failed == {name for name, check in checks.items() if check.kind != "shown"} - IN_PRINT_ALONE


def test_a_printed_table_whose_decompositions_differ_is_noticed(quick):
    text = quick.printed["table4_bias_variance"].copy()
    text.loc[text["dataset"] == "glass", "bias"] += 0.01 * (text["decomposition"] == "kw")
    printed = {name: quick.printed[name] for name in quick.printed} | {"table4_bias_variance": text}
    results = Results(quick.raw, printed, quick.sets, quick.tables.shown)
    assert judge(results, "dynint-c22").conclusion == NOT_REPRODUCED


def test_where_nothing_is_gained_no_set_improves(full):
    improved = changed(full, **nothing_gained(full)).tables["improved"]
    assert not improved["improved"].any() and (improved["p"] == 1).all()


# ------------------------------------------------------------------ beyond print


def test_the_random_forest_of_diversity_is_that_of_the_tables(extended, full):
    """Same splits, same forests, same neighbours: its first ten splits."""
    ours = extended.raw["diversity"].query("ensemble == 'random forest' and dataset == 'glass'")
    first = full.raw["accuracy"].query("dataset == 'glass' and trees == 100 and neighbours == 15 and scheme == 'rfw'")
    columns = ["repetition", "right_sv", "right_dvs", "margin_dvs", "right_all"]
    pd.testing.assert_frame_equal(
        ours[columns].reset_index(drop=True), first[columns].head(len(ours)).reset_index(drop=True)
    )


def test_out_of_bag_rules_are_judged_on_the_splits_and_forests_of_the_tables(extended, full):
    """Voting and DVS by both similarities are those of Table 2, set by set and split by split."""
    ours = extended.raw["selectors"].query("judged == 'out of bag'").set_index(["dataset", "repetition"])
    tables = full.raw["accuracy"].query("trees == 100 and neighbours == 15").set_index(["dataset", "repetition"])
    assert ours.index.get_level_values("dataset").nunique() == 27
    for similarity, scheme in (("heom", "heomw"), ("forest", "rfw")):
        one, other = ours[ours["similarity"] == similarity], tables[tables["scheme"] == scheme]
        for column in ("cases", "right_sv", "right_ds", "right_dv", "right_dvs"):
            pd.testing.assert_series_equal(one[column].sort_index(), other[column].loc[one.index].sort_index())


def test_gains_of_rules_are_over_voting_of_the_whole_forest(extended):
    frame = extended.tables["selectors"].set_index(["judged", "similarity", "method"]).sort_index()
    voting = frame.loc[("out of bag", "heom", "sv"), "accuracy"]
    np.testing.assert_allclose(frame["gain"], frame["accuracy"] - voting, atol=1e-9)
    bag = frame.loc["out of bag", "accuracy"] - frame.loc["held out", "accuracy"]
    np.testing.assert_allclose(frame.loc["held out", "bag_gain"], bag, atol=1e-9)
    assert (frame["better"] + frame["worse"] <= 27).all()
