"""infinity: every experiment at a small size, its tables, figures and claims, and the engine against the theory."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
import yaml
from omegaconf import OmegaConf

from arboretum.ensembles import PurelyRandomForest
from arboretum.papers.infinity.claims import CLAIMS
from arboretum.papers.infinity.experiments import EXPERIMENTS
from arboretum.papers.infinity.experiments.section8 import analytic_field, masses_of
from arboretum.papers.infinity.figures import FIGURES
from arboretum.papers.infinity.tables import TABLES
from arboretum.papers.infinity.tables.section8 import NO_CHOICE, NUMBERS
from arboretum.papers.inventory import sets_frame
from arboretum.papers.results import Results
from arboretum.papers.verdicts import INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED, Stated, flat, say
from arboretum.seeds import generator
from arboretum.theory import grid_forests, population

matplotlib.use("Agg")
ROOT = Path(__file__).parents[2]
CONF = ROOT / "conf/paper/infinity"
CLAIMS_FILE = ROOT / "data/published/infinity/claims.yaml"
STATED = {
    entry["id"]: Stated.read(entry, CLAIMS_FILE.name)
    for entry in yaml.safe_load(CLAIMS_FILE.read_text("utf-8"))["claims"]
}


def params(profile):
    paper = OmegaConf.load(CONF / "paper.yaml")
    if profile == "quick":
        quick = OmegaConf.load(CONF / "quick.yaml")
        del quick["defaults"]
        paper = OmegaConf.merge(paper, quick)
    return OmegaConf.to_container(paper)


@pytest.fixture(scope="module")
def raw():
    frames = {}
    for name, experiment in EXPERIMENTS.items():
        rows = [row for task in experiment.plan(params("quick")[name], {}) for row in experiment.run(task, None)]
        json.dumps(rows, allow_nan=False)
        keys = list(experiment.keys)
        frame = pd.DataFrame(rows).sort_values(keys, kind="stable").reset_index(drop=True)
        assert not frame[keys].isna().any().any(), name
        assert not frame.duplicated(keys).any(), name
        frames[name] = frame
    return frames


def results_of(raw):
    printed = {path.stem: pd.read_csv(path) for path in (ROOT / "data/published/infinity").glob("*.csv")}
    return Results(raw, printed, sets_frame({}), {**TABLES, **FIGURES}, STATED)


@pytest.fixture(scope="module")
def results(raw):
    return results_of(raw)


@pytest.fixture(scope="module")
def stated():
    return STATED


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_paper_profile_plans_distinct_tasks_of_plain_values(name):
    tasks = [
        json.dumps(task, sort_keys=True, allow_nan=False) for task in EXPERIMENTS[name].plan(params("paper")[name], {})
    ]
    assert len(tasks) == len(set(tasks)) > 0


def test_every_section_of_the_configuration_is_an_experiment():
    assert set(params("paper")) == set(params("quick")) == set(EXPERIMENTS)


def test_a_task_gives_the_same_rows_again():
    for name in ("kernel", "boundaries", "skewness", "finite_boosting"):
        task = next(iter(EXPERIMENTS[name].plan(params("quick")[name], {})))
        assert EXPERIMENTS[name].run(task, None) == EXPERIMENTS[name].run(task, None)


def test_tables_have_their_keys_once(results):
    for name, table in TABLES.items():
        keys = list(table.keys)
        found = results.tables[name]
        assert not found.duplicated(keys).any(), name
        assert not found[keys].isna().any().any(), name
        assert len(found), name


def test_every_claim_has_a_verdict(results, stated):
    assert list(CLAIMS) == list(stated)
    for name, claim in CLAIMS.items():
        verdict = claim.judge(results, stated[name])
        assert verdict.verdict in (REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE), name
        for template in (verdict.observed, verdict.note):
            assert "nan" not in say(template, **verdict.values), name
        json.dumps(verdict.values, allow_nan=False)


def test_every_limit_of_a_claim_is_read(results, stated):
    for name, claim in CLAIMS.items():
        read = set()

        class Watched(Stated):
            def limit(self, limit, read=read):
                read.add(limit)
                return super().limit(limit)

        claim.judge(results, Watched(**vars(stated[name])))
        assert read == set(stated[name].limits), name


@pytest.mark.parametrize("name", FIGURES)
def test_figures_draw_what_they_store(name, results):
    drawn = FIGURES[name].draw(results.tables[name])
    assert drawn.axes
    matplotlib.pyplot.close(drawn)


# --- rounding changes nothing ---------------------------------------------------------------------------------


def moved(frame, rng):
    """Every float of a frame up to two units in the last place away, keys included."""
    floats = frame.select_dtypes("float")
    for _ in range(2):
        steps = rng.integers(-1, 2, floats.shape)
        floats = floats.where(steps == 0, np.nextafter(floats, np.inf * np.where(steps < 0, -1, 1)))
    return frame.assign(**{name: floats[name] for name in floats})


def everything_shown(results, stated):
    """What readers see but floats: every other cell, verdicts by part, counts and names of claims, texts."""
    cells = {name: results.tables[name].select_dtypes(exclude="float").to_dict("list") for name in results.tables}
    verdicts = {name: claim.judge(results, stated[name]) for name, claim in CLAIMS.items()}
    texts = {name: (say(v.observed, **v.values), say(v.note, **v.values)) for name, v in verdicts.items()}
    counts = {
        name: {key: value for key, value in flat(v.values) if not isinstance(value, float)}
        for name, v in verdicts.items()
    }
    return cells, {name: v.parts for name, v in verdicts.items()}, texts, counts


@pytest.mark.parametrize("draw", range(3))
def test_the_last_places_of_raw_floats_change_no_verdict_text_or_order(draw, raw, results, stated):
    rng = np.random.default_rng(draw)
    noisy = results_of({name: moved(frame, rng) for name, frame in raw.items()})
    assert everything_shown(noisy, stated) == everything_shown(results, stated)
    for name, shown in noisy.tables.shown.items():
        floats = results.tables[name].select_dtypes("float")
        assert np.allclose(noisy.tables[name][floats.columns], floats, 1e-9, shown.tolerance, equal_nan=True), name


# --- claims can fail ------------------------------------------------------------------------------------------


def judged(name, results, stated, **changes):
    """The verdict on a claim, by part where it has parts, with some tables changed."""
    other = Results(results.raw, results.printed, results.sets, results.tables.shown, stated)
    other.tables.built = {table: change(results.tables[table]) for table, change in changes.items()}
    return CLAIMS[name].judge(other, stated[name])


def test_a_claim_on_rank_falls_with_one_rank(results, stated):
    def lower(table):
        table.loc[table["leaves"] > table["variables"], "rank"] -= 1
        return table

    assert judged("infinity-c01", results, stated).verdict == REPRODUCED
    assert judged("infinity-c01", results, stated, completeness=lower).verdict == NOT_REPRODUCED


def test_theorem_4_would_pass_if_trees_obeyed_it(results, stated):
    def obey(table):
        return table.assign(theorem_4_largest_z=2.5)

    assert judged("infinity-c09", results, stated).verdict == NOT_REPRODUCED
    assert judged("infinity-c09", results, stated, kernel_test=obey).verdict == REPRODUCED


def test_readings_that_all_agree_reproduce_a_number(results, stated):
    def agree(table):
        here = table["number"] == "Gaussians"
        table.loc[here, ["bayes", "increase"]] = [39.9, 0.6]
        return table

    assert judged("infinity-c14", results, stated).verdict == INCONCLUSIVE
    assert judged("infinity-c14", results, stated, readings=agree).verdict == REPRODUCED


def test_labels_that_moved_the_kernel_would_be_seen(results, stated):
    def move(table):
        table.loc[table["quantity"] == "change by other labels", "value"] = 0.1
        return table

    assert judged("infinity-c06", results, stated).verdict == REPRODUCED
    assert judged("infinity-c06", results, stated, kernel_properties=move).verdict == NOT_REPRODUCED


def test_the_pyramid_is_judged_for_each_kernel(results, stated):
    def spheres(table):
        table.loc[table["kernel"] == "exact kernel", "ratio"] *= np.sqrt(2)
        return table

    parts = judged("infinity-c13", results, stated).parts
    assert parts["level sets about the centre, kernel of trees"] == REPRODUCED
    assert parts["level sets, Theorem 4"] == NOT_REPRODUCED
    round_kernel = judged("infinity-c13", results, stated, level_sets=spheres).parts
    assert round_kernel["level sets about the centre, kernel of trees"] == NOT_REPRODUCED


def test_a_rise_of_zero_is_not_the_printed_rise(results, stated):
    def as_printed(table):
        table.loc[table["number"] == "linear", "increase"] = 0.3
        return table

    parts = judged("infinity-c15", results, stated).parts
    assert parts == {"the boundaries coincide": REPRODUCED, "the printed rise": NOT_REPRODUCED}
    assert judged("infinity-c15", results, stated, readings=as_printed).verdict == REPRODUCED


def test_weights_that_stand_still_would_be_seen(results, stated):
    def settle(table):
        table.loc[table["quantity"] == "movement per round, window", ["circle", "circle-rounded", "twonorm"]] = 1e-6
        return table

    parts = judged("infinity-c20", results, stated, finite_boosting=settle).parts
    assert parts["it does not converge"] == NOT_REPRODUCED
    assert parts["it does not cycle"] == REPRODUCED


# --- readings ---------------------------------------------------------------------------------------------------


def test_exactly_the_nearest_readings_of_each_number_are_marked(results):
    table = results.tables["readings"]
    for number, group in table[table["number"] != NO_CHOICE].groupby("number"):
        forest = group["rule"].str.contains("trees") & (number in ("Gaussians", "linear"))
        least = group.loc[~forest, "distance"].min()
        assert (group["nearest"] == (~forest & (group["distance"] <= least + 1e-9))).all(), number
    assert set(table.loc[table["nearest"], "number"]) == set(NUMBERS)


def test_readings_that_tie_are_all_nearest_and_the_first_by_keys_is_named(raw, results):
    # on the line both kinds of masses give the same number: which is smaller in the last place must not matter
    rows = results.tables["readings"].query("number == 'linear' and nearest")
    assert rows["masses"].tolist() == ["balanced", "natural"]
    for masses in rows["masses"]:
        boundaries = raw["boundaries"].copy()
        here = (boundaries["problem"] == "linear") & (boundaries["masses"] == masses)
        boundaries.loc[here, "increase"] = np.nextafter(boundaries.loc[here, "increase"], 1.0)  # nearer to print
        other = results_of({**raw, "boundaries": boundaries})
        assert other.tables["readings"]["nearest"].equals(results.tables["readings"]["nearest"])
        named = other.tables["section8"].set_index("number").loc["linear: rise over Bayes", "nearest_reading"]
        assert "balanced masses" in named


def test_the_printed_numbers_are_those_of_the_paper(results):
    numbers = results.tables["section8"].set_index("number")["value_printed"]
    assert numbers.tolist() == [39.9, 0.6, 10.3, 1.5, 0.3]


def test_the_rate_to_bayes_is_a_power_of_the_number_of_leaves(results):
    rows = results.tables["large_trees"]
    before = rows.groupby(["masses", "rule", "grid"])[["leaves", "increase"]].shift()
    rows, before = rows[before["leaves"].notna()], before.dropna()
    grown = before["increase"] * (rows["leaves"] / before["leaves"]) ** rows["exponent"]
    assert grown.to_numpy() == pytest.approx(rows["increase"].to_numpy())


def test_the_analytic_error_is_that_of_a_large_forest():
    reading = {"problem": "circle", "square": [0, 1], "exponent": "", "masses": "natural", "cells": "share", "grid": 50}
    masses = masses_of(reading)
    exact = population.positive(analytic_field(masses, 3, "exact"))
    forest = grid_forests.grow(masses, 3, 60_000, "uniform", generator(test="large forest"))
    simulated = population.positive(grid_forests.combine(forest, masses, "kernel"))
    assert np.mean(exact != simulated) < 0.02


@pytest.mark.parametrize("cut", ["uniform", "triangular"])
def test_the_engine_grows_the_forests_of_section_8(cut):
    # the same square, cell by cell: the engine's trees on the cells' centres against trees on the grid
    cells = 40
    points = population.unit_points(cells)
    masses = population.region(population.circle, points, 0, 1, "centre", False)
    x = np.stack(np.meshgrid(points, points, indexing="ij"), axis=-1).reshape(-1, 2)
    y = (masses.signed > 0).ravel().astype(int)
    engine = PurelyRandomForest(3000, 3, cut=cut, box="unit", random_state=1).fit(x, y)
    share = engine.predict_proba(x)[:, 1].reshape(cells, cells)
    forest = grid_forests.grow(masses, 3, 3000, cut, generator(test="engine", cut=cut))
    proportion = (1 + grid_forests.combine(forest, masses, "proportion")) / 2
    # two means of 3000 bounded values differ by some 0.01; a cut may fall anywhere within a cell's width
    assert np.abs(share - proportion).max() < 0.06
    assert np.abs(share - proportion).mean() < 0.015
