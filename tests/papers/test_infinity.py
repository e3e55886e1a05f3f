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
from arboretum.measures import grid_forests, population
from arboretum.papers.infinity import experiments, tables
from arboretum.papers.infinity.claims import CLAIMS
from arboretum.papers.infinity.experiments import EXPERIMENTS
from arboretum.papers.infinity.figures import FIGURES
from arboretum.papers.infinity.tables import TABLES
from arboretum.papers.shape import INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED
from arboretum.seeds import generator

matplotlib.use("Agg")
ROOT = Path(__file__).parents[2]
CONF = ROOT / "conf/paper/infinity"


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


@pytest.fixture(scope="module")
def printed():
    return {path.stem: pd.read_csv(path) for path in (ROOT / "data/published/infinity").glob("*.csv")}


@pytest.fixture(scope="module")
def frames(raw, printed):
    return {name: table.build(raw, printed) for name, table in TABLES.items()}


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


def test_tables_have_their_keys_once_and_read_back_from_csv(frames):
    for name, table in TABLES.items():
        keys = list(table.keys)
        assert not frames[name].duplicated(keys).any(), name
        assert not frames[name][keys].isna().any().any(), name
        assert len(frames[name]), name


def test_every_claim_has_a_verdict(frames):
    stated = yaml.safe_load((ROOT / "data/published/infinity/claims.yaml").read_text("utf-8"))["claims"]
    assert list(CLAIMS) == [claim["id"] for claim in stated]
    for claim, judged in CLAIMS.items():
        verdict = judged(frames)
        assert verdict.verdict in (REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE), claim
        assert verdict.observed and "nan" not in verdict.observed, claim


@pytest.mark.parametrize("name", FIGURES)
def test_figures_draw_what_they_store(name, raw, printed):
    figure = FIGURES[name]
    data = figure.data(raw, printed)
    drawn = figure.draw(data)
    assert drawn.axes
    matplotlib.pyplot.close(drawn)


# --- claims can fail ------------------------------------------------------------------------------------------


def changed(frames, name, change):
    return {**frames, name: change(frames[name].copy())}


def test_a_claim_on_rank_falls_with_one_rank(frames):
    assert CLAIMS["infinity-c01"](frames).verdict == REPRODUCED

    def lower(table):
        table.loc[table["leaves"] > table["variables"], "rank"] -= 1
        return table

    assert CLAIMS["infinity-c01"](changed(frames, "completeness", lower)).verdict == NOT_REPRODUCED


def test_theorem_4_would_pass_if_trees_obeyed_it(frames):
    assert CLAIMS["infinity-c09"](frames).verdict == NOT_REPRODUCED
    obedient = changed(frames, "kernel_test", lambda table: table.assign(theorem_4_largest_z=2.5))
    assert CLAIMS["infinity-c09"](obedient).verdict == REPRODUCED


def test_readings_that_all_agree_reproduce_a_number(frames):
    def agree(table):
        here = table["number"] == "Gaussians"
        table.loc[here, ["bayes", "increase"]] = [39.9, 0.6]
        return table

    assert CLAIMS["infinity-c14"](frames).verdict == INCONCLUSIVE
    assert CLAIMS["infinity-c14"](changed(frames, "readings", agree)).verdict == REPRODUCED


def test_labels_that_moved_the_kernel_would_be_seen(frames):
    def move(table):
        table.loc[table["quantity"] == "change by other labels", "value"] = 0.1
        return table

    assert CLAIMS["infinity-c06"](frames).verdict == REPRODUCED
    assert CLAIMS["infinity-c06"](changed(frames, "kernel_properties", move)).verdict == NOT_REPRODUCED


# --- readings ---------------------------------------------------------------------------------------------------


def test_exactly_the_nearest_reading_of_each_number_is_marked(frames):
    table = frames["readings"]
    for number, group in table[table["number"] != tables.NO_CHOICE].groupby("number"):
        assert group.loc[group["nearest"], "distance"].max() == group["distance"].min(), number
    assert set(table.loc[table["nearest"], "number"]) == set(tables.NUMBERS)


def test_the_printed_numbers_are_those_of_the_paper(frames):
    numbers = frames["section8"].set_index("number")["value_printed"]
    assert numbers.tolist() == [39.9, 0.6, 10.3, 1.5, 0.3]


def test_the_analytic_error_is_that_of_a_large_forest():
    reading = {"problem": "circle", "square": [0, 1], "exponent": "", "masses": "natural", "cells": "share", "grid": 50}
    masses = experiments.masses_of(reading)
    exact = population.positive(experiments.analytic_field(masses, 3, "exact"))
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
