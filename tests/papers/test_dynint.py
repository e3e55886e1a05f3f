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
from arboretum.papers.dynint.claims.shared import interval_of_mean
from arboretum.papers.dynint.figures import FIGURES
from arboretum.papers.dynint.tables import TABLES
from arboretum.papers.dynint.tables.beside import printed_table, winners
from arboretum.papers.dynint.tables.bias_variance import decomposed
from arboretum.papers.dynint.tables.cells import judged
from arboretum.papers.dynint.tables.shared import (
    accuracies,
    accuracy_runs,
    gains_over_voting,
    margins,
    replicated_t,
    without_stand_in,
)
from arboretum.papers.dynint.tables.significance import accuracy_gains, improved_by_replication, outcomes_at_table2
from arboretum.papers.results import Results
from arboretum.papers.verdicts import NOT_REPRODUCED, REPRODUCED, VERDICTS, Stated, flat, say
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
def paper():
    return stored_results(Workspace.find(), "paper", "dynint")


@pytest.fixture(scope="module")
def extended():
    return stored_results(Workspace.find(), "extended", "dynint")


def changed(results: Results, **frames: pd.DataFrame) -> Results:
    """The same results with other raw frames."""
    raw = {name: results.raw[name] for name in results.raw} | frames
    return Results(raw, results.printed, results.sets, results.tables.shown, STATED)


def judge(results, claim):
    return CLAIMS[claim].judge(results, STATED[claim])


# ------------------------------------------------------------------ the contract


@pytest.mark.parametrize("profile", ["quick", "paper", "extended"])
def test_tables_have_their_keys_once_and_figures_draw(profile, request):
    results = request.getfixturevalue(profile)
    for name in results.tables:
        frame, shown = results.tables[name], SHOWN[name]
        assert len(frame), name
        if shown.keys:
            assert not frame[list(shown.keys)].isna().any().any(), name
            assert not frame.duplicated(list(shown.keys)).any(), name
        if name in FIGURES:
            plt.close(shown.draw(frame))


def test_every_profile_together_shows_every_table(quick, paper, extended):
    assert set(quick.tables) == set(paper.tables)
    assert set(paper.tables) | set(extended.tables) == set(SHOWN)


@pytest.mark.parametrize("profile", ["quick", "paper"])
def test_every_claim_has_a_verdict_with_numbers_and_a_text(profile, request):
    results = request.getfixturevalue(profile)
    assert set(CLAIMS) == set(STATED)
    for name in CLAIMS:
        verdict = judge(results, name)
        assert verdict.verdict in VERDICTS
        assert say(verdict.observed, **verdict.values)
        say(verdict.note, **verdict.values)
        numbers = [value for _, value in flat(verdict.values) if not isinstance(value, str)]
        assert np.isfinite(np.array(numbers, dtype=float)).all(), name


def test_every_limit_is_read(paper):
    """A limit in claims.yaml that no claim and no table reads would decide nothing."""
    read = set()

    class Watched(Stated):
        def limit(self, name):
            read.add((self.id, name))
            return super().limit(name)

    watched = {entry["id"]: Watched.read(entry, str(CLAIMS_FILE)) for entry in ENTRIES}
    results = Results(paper.raw, paper.printed, paper.sets, SHOWN, watched)
    for name, claim in CLAIMS.items():
        claim.judge(results, watched[name])
    assert read == {(entry["id"], name) for entry in ENTRIES for name in entry.get("limits") or {}}


def test_claims_that_rest_on_readings_settled_by_print_say_so():
    """Only the claims on voting alone and on an identity do not."""
    assert [name for name, stated in STATED.items() if not stated.informed_by_print] == ["dynint-c09", "dynint-c22"]


# ------------------------------------------------------------------ print


@pytest.mark.parametrize("name", ["table2_accuracy", "table3_margin"])
def test_printed_averages_are_those_of_the_printed_cells(paper, name):
    text = paper.printed[name].set_index("dataset")
    ours = printed_table(paper, name)
    assert len(ours) == 12
    np.testing.assert_allclose(ours.mean(), text.loc["average"], atol=0.0011)


def test_averages_are_taken_over_the_same_sets_on_both_sides(quick):
    shown = quick.tables["table2"].set_index("dataset")
    sets = shown.index.drop("average")
    assert list(sets) == ["glass", "monk-1", "parity2", "sonar"]
    for column in ("sv_printed", "sv", "dvs_rfw_printed", "dvs_rfw"):
        assert shown.loc["average", column] == pytest.approx(shown.loc[sets, column].mean())


def test_the_stand_in_is_left_out_of_one_average_and_is_in_the_other(paper):
    shown = paper.tables["table2"].set_index("dataset")
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
    assert judged("table 2", "glass", "sv", ours, reach, 0.5, 0.02)["lies"] == lies


def test_print_itself_would_have_no_cell_beyond(paper):
    frame = paper.tables["cells"]
    again = [
        judged(row.table, row.dataset, row.column, row.value_printed, 0.0, row.value_printed, row.allowed)["lies"]
        for row in frame.itertuples()
    ]
    assert set(again) == {"within"} and len(frame) == 12 * 10 + 12 * 9 + 9 * 16


def test_every_cell_beyond_has_a_remark(paper):
    frame = paper.tables["beyond"]
    assert len(frame) == (paper.tables["cells"]["lies"] != "within").sum()
    assert frame["remark"].str.len().gt(0).all()
    assert (
        frame["deviation_over_drawings"]
        .notna()
        .equals(frame["dataset"].isin(["parity2", "parity3"]) & (frame["table"] != "table 4"))
    )


# ------------------------------------------------------------------ replications


def test_the_first_replication_is_the_experiment_accuracy(quick):
    runs = accuracy_runs(quick)
    pd.testing.assert_series_equal(accuracies(quick)[0], runs.mean(axis=1), check_names=False)
    assert accuracies(quick).shape[1] == 3


def test_tests_of_the_first_replication_are_those_of_its_splits(quick):
    gains = accuracy_gains(quick)
    found = paired_tests(gains.to_numpy().T, 0.0)
    np.testing.assert_allclose(replicated_t(quick, "right").loc[gains.index, 0], found.t, atol=1e-9)
    wins = quick.tables["wins"].set_index(["dataset", "scheme"])["significant"]
    first = outcomes_at_table2(quick, "right").xs("dvs", level="strategy")[0].loc[wins.index]
    assert list(first.map({1: "win", -1: "loss", 0: ""})) == list(wins)


def test_sets_improved_in_the_first_replication_are_those_of_the_table(quick):
    table = quick.tables["improved"].set_index("dataset")["improved"]
    assert list(improved_by_replication(quick).loc[0]) == list(table)


def test_gains_are_taken_from_voting_by_the_same_trees(quick):
    runs = margins(quick)
    found = gains_over_voting(runs)
    key = ("glass", "dvs", "rfw", 25, 31)
    pd.testing.assert_series_equal(
        found.loc[key], runs.loc[key] - runs.loc[("glass", "sv", "", 25, 0)], check_names=False
    )


def test_bias_and_variance_make_the_error_in_every_replication(quick):
    wide = decomposed(quick).stack().unstack("part")
    np.testing.assert_allclose(wide["bias"] + wide["variance"], wide["error"], atol=1e-12)


def test_the_interval_of_a_mean_is_that_of_student():
    low, high = interval_of_mean([1, 2, 3, 4])
    assert (low + high) / 2 == pytest.approx(2.5)
    assert (high - low) / 2 == pytest.approx(3.18245 * np.sqrt(5 / 3 / 4), rel=1e-5)


# ------------------------------------------------------------------ claims fall when their numbers do


def without_dynamic_integration(results: Results) -> Results:
    """Every strategy answers as simple voting does."""
    frames = {}
    for name in ("accuracy", "replications"):
        frame = results.raw[name].copy()
        for strategy in ("ds", "dv", "dvs"):
            frame[f"right_{strategy}"] = frame["right_sv"]
            if strategy != "ds":
                frame[f"margin_{strategy}"] = frame["margin_sv"]
            for value in ("right", "margin"):
                if f"squares_{value}_{strategy}" in frame:
                    frame[f"squares_{value}_{strategy}"] = 0 * frame[f"squares_{value}_{strategy}"]
        frames[name] = frame
    return changed(results, **frames)


def test_a_world_without_dynamic_integration_reproduces_nothing_of_it(paper):
    results = without_dynamic_integration(paper)
    for name in ("c01", "c02", "c06", "c08", "c12", "c13", "c15"):
        assert judge(results, f"dynint-{name}").verdict == NOT_REPRODUCED, name
    improved = results.tables["improved"]
    assert not improved["improved"].any() and (improved["p"] == 1).all()


def test_the_identity_of_bias_and_variance_can_fail(quick):
    frame = quick.raw["decompositions"].copy()
    assert judge(quick, "dynint-c22").parts["here"] == REPRODUCED
    frame["central_wrong"] += 1  # moves Breiman's bias and variance against each other: the sum stays
    assert judge(changed(quick, decompositions=frame), "dynint-c22").parts["here"] == REPRODUCED
    text = quick.printed["table4_bias_variance"].copy()
    text.loc[text["dataset"] == "glass", "bias"] += 0.01 * (text["decomposition"] == "kw")
    printed = {name: quick.printed[name] for name in quick.printed} | {"table4_bias_variance": text}
    results = Results(quick.raw, printed, quick.sets, quick.tables.shown, STATED)
    assert judge(results, "dynint-c22").verdict == NOT_REPRODUCED


# ------------------------------------------------------------------ beyond print


def test_the_choice_that_changes_nothing_changes_nothing(extended):
    frame = extended.tables["choices"]
    same = frame[frame["choice"] == "as in Table 2"]
    assert (same["change_in_accuracy_of_dvs"] == 0).all() and (same["change_in_margin_of_dvs"] == 0).all()
    assert len(same) == 4


def test_weights_of_all_cases_are_the_same_by_both_similarities(extended):
    """All cases as neighbours, unweighted: the weight of a tree is its accuracy out of bag, whatever the metric."""
    frame = extended.tables["neighbourhoods"].set_index(["scheme", "neighbours"])
    assert frame.loc[("heom", "all"), "gain"] == pytest.approx(frame.loc[("rf", "all"), "gain"], abs=1e-12)
    assert frame.loc[("heom", "all"), "gain"] != pytest.approx(frame.loc[("rf", "5"), "gain"], abs=1e-4)


def test_the_random_forest_of_diversity_is_that_of_the_tables(extended, paper):
    """Same splits, same forests, same neighbours: its first ten splits."""
    ours = extended.raw["diversity"].query("ensemble == 'random forest' and dataset == 'glass'")
    first = paper.raw["accuracy"].query("dataset == 'glass' and trees == 100 and neighbours == 15 and scheme == 'rfw'")
    columns = ["repetition", "right_sv", "right_dvs", "margin_dvs", "right_all"]
    pd.testing.assert_frame_equal(
        ours[columns].reset_index(drop=True), first[columns].head(len(ours)).reset_index(drop=True)
    )
