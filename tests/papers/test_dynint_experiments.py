"""dynint: every experiment at a small size, and what its numbers must satisfy."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from omegaconf import OmegaConf

from arboretum.datasets.dataset import make_dataset
from arboretum.datasets.generators import by_name
from arboretum.ensembles import DynamicIntegration
from arboretum.measures.bias_variance import breiman, from_sums, kohavi_wolpert
from arboretum.papers.dynint.experiments import EXPERIMENTS, integrated
from arboretum.papers.resampling import hold_out
from arboretum.seeds import generator
from arboretum.trees import table_of

ROOT = Path(__file__).parents[2]
CONF = ROOT / "conf/paper/dynint"
SMALL = {
    "accuracy": {"sets": ["glass"], "repetitions": 3, "trees": [4, 9], "neighbours": [5, 15], "batch": 2},
    "replications": {
        "sets": ["glass"],
        "repetitions": 2,
        "studies": {"others": 3},
        "trees": [4, 9],
        "neighbours": [5, 15],
    },
    "further": {
        "sets": ["glass"],
        "repetitions": 1,
        "first": 3,
        "studies": {"others": 3, "glass": 5},
        "trees": [4],
    },
    "bias_variance": {"sets": ["glass"], "repetitions": 3, "trees": 8},
    "decompositions": {"sets": ["glass"], "repetitions": 3, "studies": {"others": 2}, "trees": 8},
    "draws": {"drawings": 2, "repetitions": 2, "trees": [8], "neighbours": [15]},
    "diversity": {"sets": ["glass"], "repetitions": 1, "trees": [8]},
    "selectors": {"sets": ["glass"], "repetitions": 1, "trees": 8},
    "ties": {"sets": ["glass"], "repetitions": 3, "trees": [2, 7, 8]},
}
SETS = {"glass": {"status": "available", "rows": 80, "attributes": 4, "printed_as": "glass", "explained": ""}}


def composed(*names):
    sections = [OmegaConf.load(CONF / f"{name}.yaml") for name in names]
    for section in sections:
        section.pop("defaults", None)
    merged = OmegaConf.merge(*sections)
    whole = OmegaConf.create({"full": {"dynint": OmegaConf.load(CONF / "full.yaml")}, "here": merged})
    OmegaConf.resolve(whole)
    return OmegaConf.to_container(whole.here)


def section_of(name):
    """An experiment at small size; those beyond print are in the profile extended."""
    whole = composed("extended" if name in ("diversity", "selectors", "ties") else "full")
    return whole[name] | SMALL.get(name, {})


def make_data(n=80):
    """Three classes, one declared and absent; a nominal attribute, missing values."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.random((n, 3)).round(2), columns=list("abc"))
    X["d"] = pd.Categorical(rng.choice(["x", "y", "z"], n), categories=["x", "y", "z"])
    X.loc[3:5, "a"] = np.nan
    high = X["b"] + X["c"] + 0.3 * rng.random(n) > 1.1
    y = pd.Categorical(np.where(high, "high", "low"), categories=["never", "low", "high"])
    return make_dataset("glass", X, pd.Series(y, name="class"))


@pytest.fixture(scope="module")
def data():
    return make_data()


def rows_of(name, data, **changes):
    experiment = EXPERIMENTS[name]
    tasks = list(experiment.plan(section_of(name) | changes, SETS))
    rows = [row for task in tasks for row in experiment.run(task, data if "dataset" in task else None)]
    json.dumps(rows, allow_nan=False)  # plain values
    frame, keys = pd.DataFrame(rows), list(experiment.keys)
    assert not frame.duplicated(keys).any() and not frame.isna().any().any()
    return frame.sort_values(keys, kind="stable").reset_index(drop=True)


@pytest.fixture(scope="module")
def accuracy(data):
    return rows_of("accuracy", data)


@pytest.mark.parametrize("profile", [["full"], ["full", "quick"], ["extended"]], ids=lambda names: names[-1])
def test_a_profile_plans_distinct_tasks_of_plain_values(profile):
    facts = {"status": "available", "rows": 300, "attributes": 20, "printed_as": "glass", "explained": ""}
    for name, section in composed(*profile).items():
        if isinstance(section, dict):
            plan = EXPERIMENTS[name].plan(section, dict.fromkeys(section.get("sets", ()), facts))
            tasks = [json.dumps(task, sort_keys=True, allow_nan=False) for task in plan]
            assert len(tasks) == len(set(tasks)) > 0


def test_configurations_are_complete(accuracy):
    assert len(accuracy) == 3 * 2 * 4 * 2
    assert (accuracy["cases"] == 24).all()
    for column in [name for name in accuracy if name.startswith("right_") and name != "right_all"]:
        assert accuracy[column].between(0, accuracy["cases"]).all(), column
    for column in [name for name in accuracy if name.startswith("margin_")]:
        assert (accuracy[column].abs() <= accuracy["cases"]).all(), column


def test_a_forest_and_its_voting_are_the_same_in_all_configurations(accuracy):
    counts = ["right_sv", "margin_sv", "right_least", "right_greatest", "right_all", "agreed", "covered"]
    assert (accuracy.groupby(["repetition", "trees"])[counts].nunique() == 1).all().all()
    assert (accuracy["agreed"] <= accuracy["right_least"]).all()
    assert (accuracy["covered"] >= accuracy["right_greatest"]).all()
    assert (accuracy["right_least"] * accuracy["trees"] <= accuracy["right_all"]).all()


def test_two_classes_margin_of_voting_follows_from_the_trees(accuracy):
    """Section 4.3: with crisp votes for two classes it is twice the mean accuracy less one."""
    expected = 2 * accuracy["right_all"] / accuracy["trees"] - accuracy["cases"]
    np.testing.assert_allclose(accuracy["margin_sv"], expected, atol=2 * integrated.MARGIN_UNIT)


def test_rows_are_what_the_estimator_says(accuracy, data):
    table, repetition = table_of(data.X), 1
    axes = {"dataset": "glass", "repetition": repetition}
    part = integrated.Part.of(table, data.y, integrated.random_split(data.y, 0.7, **axes))
    forest = integrated.grown_forest(part, 9, **axes)
    assert len(part.X) == 56
    for row in accuracy[accuracy["repetition"] == repetition].to_dict("records"):
        similarity, weighting = integrated.SCHEMES[row["scheme"]]
        options = {"similarity": similarity, "weighting": weighting, "n_neighbors": row["neighbours"]}
        for strategy in ("sv", "ds", "dv", "dvs"):
            model = integrated.integration_of(forest, part, axes, options | {"strategy": strategy}).head(row["trees"])
            assert isinstance(model, DynamicIntegration)
            right = int(np.sum(model.predict(part.test_X) == part.test_y.to_numpy()))
            assert right == row[f"right_{strategy}"]
            if strategy != "ds":
                share = model.predict_proba(part.test_X)
                own = share[np.arange(len(share)), part.truth].copy()
                share[np.arange(len(share)), part.truth] = -1
                assert row[f"margin_{strategy}"] == pytest.approx(
                    np.sum(own - share.max(axis=1)), abs=integrated.MARGIN_UNIT
                )


def test_batches_change_nothing(accuracy, data):
    pd.testing.assert_frame_equal(accuracy, rows_of("accuracy", data, batch=1))


def test_fewer_trees_are_the_first_ones(accuracy, data):
    alone = rows_of("accuracy", data, trees=[4])
    pd.testing.assert_frame_equal(alone, accuracy[accuracy["trees"] == 4].reset_index(drop=True))


def test_every_case_is_asked_once_in_each_run(data):
    frame = rows_of("bias_variance", data)
    assert len(frame) == 3 * len(data.y)
    assert (frame["class"] == np.tile(data.y.cat.codes, 3)).all()
    assert (frame["sv"] == frame["class"]).mean() > 0.6
    truth = data.y.cat.codes.to_numpy()
    for strategy in ("sv", "ds", "dv", "dvs"):
        answers = frame.pivot(index="case", columns="repetition", values=strategy).to_numpy()
        error = np.mean(answers != truth[:, None])
        for decompose in (kohavi_wolpert, breiman):
            mean = decompose(answers, truth, 3).mean()
            assert mean.bias + mean.variance == pytest.approx(error, abs=1e-12)


def test_a_replication_holds_sums_over_further_splits(data):
    """Replication 1 of two splits: the third and fourth split of the experiment accuracy."""
    sums = rows_of("replications", data).query("replication == 1")
    splits = rows_of("accuracy", data, repetitions=4).query("repetition >= 2")
    keys = ["trees", "scheme", "neighbours"]
    assert (sums["splits"] == 2).all() and len(sums) == 2 * 4 * 2
    gain = splits["right_dvs"] - splits["right_sv"]
    margin_gain = splits["margin_dv"] - splits["margin_sv"]
    expected = splits.assign(squares_right_dvs=gain**2, squares_margin_dv=margin_gain**2).groupby(keys).sum()
    for column in ("right_ds", "margin_dvs", "right_sv", "cases", "agreed", "squares_right_dvs", "squares_margin_dv"):
        np.testing.assert_allclose(sums.set_index(keys)[column], expected.loc[sums.set_index(keys).index, column])


def test_a_replication_of_bias_and_variance_holds_sums_over_further_runs(data):
    """Replication 1 of three runs: the fourth to the sixth run of the experiment bias_variance."""
    sums = rows_of("decompositions", data).set_index("method")
    answers = rows_of("bias_variance", data, repetitions=6).query("repetition >= 3")
    truth = data.y.cat.codes.to_numpy()
    for method, row in sums.iterrows():
        wide = answers.pivot(index="case", columns="repetition", values=method).to_numpy()
        assert row["wrong"] == np.sum(wide != truth[:, None])
        found = from_sums(*(row[name] for name in ("wrong", "disagreements", "central_wrong", "runs", "cases")))
        np.testing.assert_allclose(np.array(found["breiman"], float), breiman(wide, truth, 3).mean(), atol=1e-12)
        np.testing.assert_allclose(np.array(found["kw"], float), kohavi_wolpert(wide, truth, 3).mean(), atol=1e-12)


def test_a_set_has_the_further_studies_that_it_is_given(data):
    """Studies 3 and 4 of one split: the fourth and fifth split."""
    sums, splits = rows_of("further", data), rows_of("accuracy", data, repetitions=5, trees=[4], neighbours=[15])
    assert sums["replication"].unique().tolist() == [3, 4]
    for study in (3, 4):
        expected = splits[splits["repetition"] == study].set_index("scheme")["right_dvs"]
        found = sums[sums["replication"] == study].set_index("scheme")["right_dvs"]
        assert found.to_dict() == expected.to_dict()
    alone = rows_of("further", data, studies={"others": 4})
    pd.testing.assert_frame_equal(alone, sums[sums["replication"] == 3].reset_index(drop=True))


@pytest.mark.parametrize("stratified", [False, True])
def test_folds_are_even_and_differ_by_repetition(data, stratified):
    y = data.y
    first, again, other = (
        integrated.random_folds(y, 3, stratified, dataset="glass", repetition=number) for number in (0, 0, 1)
    )
    assert sorted(np.concatenate([test for _, test in first])) == list(range(len(y)))
    assert {len(test) for _, test in first} <= {26, 27}
    for (train, test), (same, _), (different, _) in zip(first, again, other, strict=True):
        assert not set(train) & set(test) and len(train) + len(test) == len(y)
        np.testing.assert_array_equal(train, same)
        assert len(train) != len(different) or (train != different).any()
    high = [np.sum(y.iloc[test] == "high") for _, test in first]
    assert (max(high) - min(high) <= 1) >= stratified


def test_the_first_drawing_is_the_set_that_is_prepared_and_each_study_has_another():
    """Study 0 of a generated set is the experiment accuracy on the prepared one; the next has the next drawing."""
    made = section_of("draws")["generated"]
    for name, how in made.items():
        source = yaml.safe_load((ROOT / f"conf/dataset/{name}.yaml").read_text())["sources"][0]
        assert {"function": source["function"], "arguments": source["arguments"]} == how and source["seed"] == 1
        assert name in section_of("replications")["leave_out"]
    drawn = rows_of("draws", None, generated={"parity2": made["parity2"]})
    X, y = by_name("parity")(**made["parity2"]["arguments"], rng=generator(dataset="parity2", seed=2))
    task = section_of("accuracy") | {"dataset": "parity2", "trees": [8], "neighbours": [15], "first": 0, "last": 2}
    splits = pd.DataFrame(EXPERIMENTS["accuracy"].run(task, make_dataset("parity2", X, y.rename("class"))))
    assert (drawn["replication"] == 1).all() and (drawn["splits"] == 2).all()
    for column in ("right_sv", "right_dvs", "margin_dv", "cases"):
        assert drawn.set_index("scheme")[column].to_dict() == splits.groupby("scheme")[column].sum().to_dict()


CHOICES = {  # what each changes, and what it leaves as it is
    "midpoint": ({"selection": "midpoint"}, ["margin_dvs"], ["margin_dv", "right_ds"]),
    "positive": ({"scale": "positive"}, ["margin_dv", "margin_dvs"], ["right_ds"]),
    "range": ({"scale": "range"}, ["margin_dv", "margin_dvs"], ["right_ds"]),
    "vote": ({"ties": "vote"}, ["right_ds"], ["margin_dv", "margin_dvs"]),
    "out of bag": ({"similarity": "forest_oob"}, ["margin_dv", "margin_dvs"], []),
}


@pytest.mark.parametrize("choice", CHOICES)
def test_a_choice_changes_what_it_is_about_and_nothing_else(choice, data, accuracy):
    change, moved, kept = CHOICES[choice]
    found = rows_of("accuracy", data, integration=section_of("accuracy")["integration"] | change)
    forest = accuracy["scheme"].isin(["rf", "rfw"])
    assert found["right_sv"].equals(accuracy["right_sv"])
    for column in moved:
        assert (found.loc[forest, column] != accuracy.loc[forest, column]).any(), column
    for column in kept:
        assert found[column].equals(accuracy[column]), column
    if choice == "out of bag":
        assert found[~forest].equals(accuracy[~forest])


def test_diversity_has_every_ensemble(data):
    frame = rows_of("diversity", data)
    assert len(frame) == 9
    pairs = frame["cases"] * 8 * 7
    assert frame["agreements"].between(0, pairs).all()
    forest = frame[frame["ensemble"] == "random forest"].iloc[0]
    axes = {"dataset": "glass", "repetition": 0}
    part = integrated.Part.of(table_of(data.X), data.y, integrated.random_split(data.y, 0.7, **axes))
    alone = integrated.forest_counts(integrated.grown_forest(part, 8, **axes).tree_votes(part.test_X), part.truth, 3)
    assert {name: forest[name] for name in alone} == alone


def test_a_held_out_part_grows_no_tree(data):
    frame = rows_of("selectors", data)
    assert len(frame) == 4 and set(frame["judged"]) == {"out of bag", "held out"}
    assert (frame.groupby("judged")["right_sv"].nunique() == 1).all()
    names = [name for name in frame if name.startswith("right_")]
    assert names == [f"right_{one}" for one in ("sv", "ds", "dv", "dvs", "knora_e", "knora_u", "ola", "lca")]
    assert (frame[names].le(frame["cases"], axis=0) & frame[names].ge(0)).all().all()
    axes = {"dataset": "glass", "repetition": 0}
    train, test = integrated.random_split(data.y, 0.7, **axes)
    table = table_of(data.X)
    grown, judging = hold_out(len(train), 37, paper="dynint", of="train", **axes)
    assert (len(grown), len(judging)) == (37, 19)
    part = integrated.Part.of(table, data.y, (train[grown], test))
    votes = integrated.grown_forest(part, 8, **axes).tree_votes(part.test_X)
    held = frame[frame["judged"] == "held out"].iloc[0]
    assert held["right_sv"] == integrated.forest_counts(votes, part.truth, 3)["right_sv"]


def test_answers_take_the_first_of_tied_classes():
    shares = np.array([[0.2, 0.4, 0.1], [0.4 + 1e-12, 0.4, 0.1], [0.4, 0.2, 0.8]])
    assert integrated.answers(shares).tolist() == [1, 0, 2]


def test_ties_are_counted_on_the_forests_of_the_tables(data):
    """With the first of tied classes the right answers are those of the experiment accuracy."""
    frame = rows_of("ties", data).set_index(["dataset", "repetition", "trees", "strategy"])
    tables = rows_of("accuracy", data, sets=["glass"], repetitions=3, trees=[2, 7, 8], neighbours=[15], schemes=["rfw"])
    wide = frame["right_first"].unstack("strategy").reset_index()
    for strategy in ("sv", "ds", "dv", "dvs"):
        assert (wide[strategy] == tables[f"right_{strategy}"]).all()
    sv = frame.xs("sv", level="strategy")
    assert (sv["tied"].xs(2, level="trees") > 0).any()
    assert ((sv["right_drawn"] - sv["right_first"]).abs() <= sv["tied"]).all()
    assert (frame.xs("ds", level="strategy")["tied"] == 0).all()  # one tree votes
