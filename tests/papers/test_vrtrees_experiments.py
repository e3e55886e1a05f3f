"""vrtrees: what its experiments compute, on small made-up data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from arboretum.datasets.dataset import make_dataset
from arboretum.datasets.generators.plane import gaussian_mixture, mixture_centres, mixture_posterior
from arboretum.ensembles.coalescence import Coalescence
from arboretum.ensembles.vocabulary import make_learner, vocabulary
from arboretum.measures.stability import infinite_output
from arboretum.papers.vrtrees.experiments import EXPERIMENTS, choices, half_attributes, stability
from arboretum.papers.vrtrees.experiments import coalescence as compared_learners
from arboretum.papers.vrtrees.experiments.cross_validation import count_errors, fitted
from arboretum.pipeline.experiment import Plan
from arboretum.project.workspace import Workspace
from arboretum.seeds import generator
from arboretum.trees import collapse, table_of

SETS = {"made-up": {"status": "available", "rows": 90, "attributes": 5}}
COMMON = {"sets": ["made-up"], "trees": 7, "folds": 3, "repetitions": 1}


@pytest.fixture(scope="module")
def data():
    """Two useful attributes, three of noise, one of them nominal."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.random((90, 4)), columns=list("abcd"))
    X["e"] = pd.Categorical(rng.choice(["x", "y", "z"], 90), categories=["x", "y", "z", "never"])
    y = np.where(X["a"] + X["c"] > 1, "high", "low")
    return make_dataset("made-up", X, pd.Series(pd.Categorical(y, categories=["low", "high", "none"]), name="class"))


def learner(spec, seed):
    return make_learner(compared_learners.LEARNERS, spec, seed)


def rows_of(name, params, data, sets=SETS):
    experiment = EXPERIMENTS[name]
    rows = [row for task in experiment.plan(params, sets) for row in experiment.run(task, data)]
    frame = pd.DataFrame(rows)
    assert not frame.duplicated(list(experiment.keys)).any()
    return frame


def spectrum(data, large=10**9):
    params = COMMON | {"methods": ["aggregating", "bagging", "subspacing"], "alphas": [0, 0.5, 1], "large": large}
    params |= {"many_cases": {"above": 1000, "repetitions": 1}}
    return rows_of("spectrum", params, data)


def test_the_deterministic_end_of_aggregating_is_one_tree_many_times(data):
    frame = spectrum(data)
    sums = frame.groupby(["method", "alpha"]).sum(numeric_only=True)  # each column is stored where it can be added up
    end, start = sums.loc[("aggregating", 1.0)], sums.loc[("aggregating", 0.0)]
    assert end["agreements"] == 90 * 7 * 6  # every pair agrees on every case
    assert end["tree_errors"] == 7 * end["errors"]
    assert end["deterministic"] == end["tests"] > 0
    assert start["deterministic"] == 0 and start["leaves"] > end["leaves"]


@pytest.mark.parametrize("name", ["spectrum", "forests"])
def test_what_belongs_to_a_forest_is_stored_once(name, data):
    """A value is in the rows of folds or in the row of votes, never in both: sums over rows count nothing twice."""
    if name == "spectrum":
        frame, by = spectrum(data), ["method", "alpha"]
    else:
        frame, by = rows_of(name, COMMON | {"feature_step": 2, "alphas": [0.0, 1.0]}, data), ["learner", "setting"]
    folds, votes = (frame[frame["kind"] == kind] for kind in ("fold", "votes"))
    assert len(folds) + len(votes) == len(frame) and (votes.groupby(by).size() == 1).all()
    for column in frame.columns.difference([*EXPERIMENTS[name].keys]):
        assert folds[column].notna().all() != votes[column].notna().all(), column
        assert folds[column].isna().all() != votes[column].isna().all(), column
    assert (frame.groupby(by)["trees"].sum() == 7).all()


def test_every_case_is_held_out_once(data):
    frame = spectrum(data)
    assert (frame.groupby(["method", "alpha"])["cases"].sum() == 90).all()


def test_cutting_a_large_set_into_tasks_changes_nothing(data):
    keys = list(EXPERIMENTS["spectrum"].keys)
    whole, cut = (spectrum(data, large).sort_values(keys, ignore_index=True) for large in (10**9, 0))
    pd.testing.assert_frame_equal(whole, cut)


def test_the_same_learner_gives_the_same_errors_in_every_experiment(data):
    learners = {"max_diverse": {"kind": "aggregating", "alpha": 0}, "bagging": {"kind": "bagging", "alpha": 1}}
    alone = rows_of("coalescence", COMMON | {"learners": learners}, data).set_index(["learner", "fold"])["errors"]
    frame = spectrum(data).query("kind == 'fold'").set_index(["method", "alpha", "fold"])["errors"]
    assert list(alone["max_diverse"]) == list(frame["aggregating", 0.0])
    assert list(alone["bagging"]) == list(frame["bagging", 1.0])


def test_repetitions_differ_and_a_learner_may_have_fewer(data):
    learners = {"max_diverse": {"kind": "aggregating", "alpha": 0}, "once": {"kind": "coalescence", "repetitions": 1}}
    frame = rows_of("coalescence", COMMON | {"learners": learners, "repetitions": 4}, data)
    assert frame[frame["learner"] == "once"]["repetition"].max() == 0
    errors = frame[frame["learner"] == "max_diverse"].groupby("repetition")["errors"].apply(list)
    assert len(set(map(tuple, errors))) > 1


def test_a_set_of_many_cases_has_fewer_repetitions():
    params = COMMON | {"repetitions": 5, "many_cases": {"above": 2000, "repetitions": 2}, "large": 1, "alphas": [0]}
    for rows, repetitions in ((2000, 5), (2001, 2)):
        sets = {"made-up": SETS["made-up"] | {"rows": rows}}
        tasks = list(EXPERIMENTS["spectrum"].plan(params | {"methods": ["bagging"]}, sets))
        assert [task["repetition"] for task in tasks] == list(range(repetitions))


def test_curtailments_differ_where_weights_are_fractions(data):
    holes = data.X.copy()
    holes.iloc[::3, :4] = np.nan
    params = COMMON | {"learners": {"max_diverse": {"kind": "aggregating", "alpha": 0}}, "leaves": LEAVES, "trees": 30}
    complete, holed = (
        {name: tuple(rows[f"errors, curtailment {name}"]) for name in choices.CURTAILMENTS}
        for found in (data, make_dataset("made-up", holes, data.y))
        for rows in [rows_of("coalescence", params, found)]
    )
    assert complete["up to 1"] == complete["below 2"] != complete["off"]
    assert holed["up to 1"] != holed["below 2"]


def test_a_set_that_cannot_be_had_has_no_task():
    params = COMMON | {"methods": ["aggregating"], "alphas": [0], "large": 1, "many_cases": {}}
    assert not list(EXPERIMENTS["spectrum"].plan(params, {"made-up": {"status": "unavailable", "reason": "lost"}}))


@pytest.mark.parametrize(("features", "used"), [(9, 4), (4, 2), (1, 1)])
def test_subspacing_uses_half_of_the_features_rounded_down(features, used):
    rng = np.random.default_rng(2)
    X, y = rng.random((80, features)), rng.integers(2, size=80)
    forest = learner({"kind": "subspacing", "alpha": 0.5, "trees": 40}, 1).fit(X, y)
    assert ((forest.feature_use_ > 0).sum(axis=1) <= used).all()
    assert (forest.feature_use_ > 0).sum(axis=1).max() == used


def test_coalescence_has_one_tree_for_each_alpha(data):
    forest = learner({"kind": "coalescence", "trees": 100}, 1).fit(data.X, data.y)
    np.testing.assert_allclose(forest.alphas_, np.arange(100) * 0.005)


def test_the_less_important_half_goes(data):
    params = COMMON | {"importance_trees": 60, "attributes": ["all", "all data", "training part"]}
    frame = rows_of("half_attributes", params | {"learners": {"coalescence": {"kind": "coalescence"}}}, data)
    assert set(frame[frame["attributes"] == "all"]["kept"]) == {"a b c d e"}
    for kept in frame[frame["attributes"] != "all"]["kept"]:
        assert len(kept.split()) == 3 and {"a", "c"} <= set(kept.split())


def test_attributes_that_are_equally_important_up_to_rounding_stay_in_order(data, monkeypatch):
    importance = np.array([0.1, 0.3, 0.1 + 1e-17, 0.2, 0.2 - 1e-17])
    monkeypatch.setattr(
        half_attributes.RandomForest, "permutation_importances", lambda self, X, y, random_state: importance
    )
    task = {"dataset": "made-up", "repetition": 0, "importance_trees": 2}
    kept = half_attributes.important_half(task, table_of(data.X), data.y, fold=0)
    assert list(kept) == [1, 3, 4]
    importance[2] = 0.1 - 1e-17
    assert list(half_attributes.important_half(task, table_of(data.X), data.y, fold=0)) == [1, 3, 4]


def test_concepts_are_learned_and_noise_hurts():
    learners = {"max_diverse": {"kind": "aggregating", "alpha": 0}}
    conditions = {"none": {"n": 400}, "class-noise-40": {"n": 400, "class_noise": 0.4}}
    params = {
        "concepts": ["A"],
        "conditions": conditions,
        "runs": 2,
        "runs_of": {},
        "lattice": 20,
        "trees": 20,
        "learners": learners,
    }
    frame = rows_of("concepts", params, None)
    assert (frame["cases"] == 400).all()
    clean, noisy = (frame[frame["condition"] == name]["errors"].mean() for name in conditions)
    assert clean < 0.1 * 400 < noisy


def test_the_bayes_rule_of_the_boundary_is_that_of_the_sample():
    params = {"samples": 2, "centres": 10, "cases_per_class": 100, "test_cases_per_class": 1000, "grid": 5}
    learners = {
        "ensemble": {"kind": "aggregating", "alpha": 0, "trees": 20},
        "tree": {"kind": "aggregating", "alpha": 1, "trees": 1},
    }
    frame = rows_of("boundary", params | {"learners": learners}, None)
    score = frame[frame["kind"] == "score"]
    assert (score["bayes_errors"] < score["errors"]).all()
    assert (frame["kind"] == "map").sum() == 25 and (frame["kind"] == "case").sum() == 200
    # Posterior and truth agree: in cells of the posterior the share of the second class is the posterior.
    X, y = gaussian_mixture(20000, generator(seed=3), 10)
    posterior = mixture_posterior(X.to_numpy(), mixture_centres(10, generator(seed=3)))
    for low in (0.1, 0.4, 0.7):
        inside = (posterior > low) & (posterior < low + 0.2)
        assert y.cat.codes[inside].mean() == pytest.approx(posterior[inside].mean(), abs=0.04)


def test_the_plane_shows_forest_and_tree_at_each_alpha():
    params = {"alphas": [0, 0.5, 1], "trees": 20, "centres": 10, "cases_per_class": 100, "test_cases_per_class": 1000}
    frame = rows_of("plane", params | {"grid": 5}, None)
    plane, nodes = (frame[frame["kind"] == kind] for kind in ("map", "node"))
    assert plane.groupby("alpha").size().tolist() == [25, 25, 25]
    same = plane[plane["alpha"] == 1]
    np.testing.assert_allclose(same["forest"], same["tree"], err_msg="at alpha 1 all trees are the same")
    assert (plane[plane["alpha"] == 0]["forest"] != plane[plane["alpha"] == 0]["tree"]).any()
    for alpha, tree in nodes.groupby("alpha"):
        tree = tree.set_index("index")
        assert tree.loc[0, "parent"] == -1 and tree.loc[0, "node_cases"] == 200
        inner = tree[tree["deterministic"].notna()]
        below = tree[tree["parent"] >= 0].groupby("parent")[["node_cases", "second_class"]].sum()
        np.testing.assert_array_equal(below, inner[["node_cases", "second_class"]])
        if alpha in (0, 1):
            assert (inner["deterministic"] == alpha).all()
    score = frame[frame["kind"] == "score"]
    assert (score["cases"] == 2000).all() and (score["forest"] < 800).all()


def test_grown_trees_agree_with_the_exact_infinite_ensemble():
    rng = np.random.default_rng(4)
    x, y = rng.random(15), rng.choice([-1, 1], size=15)
    forest = stability.random_trees(4000, x[:, None], y, 1)
    places = rng.random(25)
    expected = [infinite_output(x, y, place) for place in places]
    np.testing.assert_allclose(stability.output_of(forest, places[:, None]), expected, atol=4 / np.sqrt(4000))


def test_stability_rows():
    params = {
        "studies": {"size": {"values": [12]}, "irrelevant": {"values": [2]}},
        "condition": {"size": 10, "noise": 0.2, "irrelevant": 0},
        "segments": 3,
        "samples": 2,
        "exact_up_to": 12,
        "test_cases": 50,
        "trees": 30,
    }
    frame = rows_of("stability", params, None)
    assert (frame["training_loss"] == 0).all()
    assert frame.set_index("study").loc["size", "left_out_loss_exact"].notna().all()
    assert frame.set_index("study").loc["irrelevant", "left_out_loss_exact"].isna().all()
    assert (frame["left_out_loss"] <= frame["size"]).all()


def test_a_choice_changes_the_errors_and_one_on_missing_values_only_where_there_are_some(data):
    holes = data.X.copy()
    holes.iloc[::7, 0] = np.nan
    holes.iloc[::3, 4] = np.nan
    found = make_dataset("made-up", holes, data.y)
    params = COMMON | {"learners": {"max_diverse": {"kind": "aggregating", "alpha": 0}}}
    changes = {
        "default": {},
        "imputed": {"treatment": {"missing": "impute"}},
        "level": {"treatment": {"missing": "level"}},
        "plain folds": {"treatment": {"stratified": False}},
        "later stop": {"options": {"n_min": 40}},
    }
    facts = {"made-up": SETS["made-up"] | {"missing": 43}}
    frames = {name: rows_of("coalescence", params | change, found, facts) for name, change in changes.items()}
    assert all(frame["cases"].sum() == 90 for frame in frames.values())
    assert len({tuple(frame["errors"]) for frame in frames.values()}) >= 4
    complete = {"made-up": SETS["made-up"] | {"missing": 0}}
    plan = EXPERIMENTS["coalescence"].plan
    tasks = {name: list(plan(params | change, complete)) for name, change in changes.items()}
    assert tasks["imputed"] == tasks["level"] == tasks["default"] != tasks["later stop"]


def test_a_missing_level_is_declared_and_numbers_stay_missing():
    X = pd.DataFrame({"a": [1.0, np.nan], "b": pd.Categorical(["x", None]), "c": pd.Categorical([None, "-"])})
    full = choices.missing_as_level(X)
    assert list(full["b"]) == ["x", "?"] and list(full["c"]) == ["-", "-"]
    assert full["a"].isna().tolist() == [False, True]
    assert list(full["b"].cat.categories) == ["x", "?"] and list(full["c"].cat.categories) == ["-"]


def holed(data):
    """The made-up data with unknown numbers and unknown nominal values, and a third of the classes at random."""
    X = data.X.copy()
    X.iloc[::3, 0] = np.nan
    X.iloc[1::4, 4] = np.nan
    y = data.y.copy()
    y.iloc[::3] = np.random.default_rng(3).choice(["low", "high"], 30)
    return make_dataset("made-up", X, y)


FACTS = {"made-up": {"status": "available", "rows": 90, "attributes": 5, "numeric": 4, "missing": 53}}
LEAVES = {"curtailment": "up to 1", "collapse": False}


@pytest.mark.parametrize("missing", [{}, {"options": {"missing": "branch"}}, {"treatment": {"missing": "level"}}])
def test_leaves_read_from_the_same_trees_are_those_of_trees_grown_apart(data, missing):
    """Each curtailment and collapsing from one forest, beside forests that were grown with that choice alone."""
    found = holed(data)
    learners = {"coalescence": {"kind": "coalescence"}, "random_forest": {"kind": "random_forest"}}
    params = COMMON | missing | {"learners": learners, "leaves": LEAVES, "trees": 25}
    shared = rows_of("coalescence", params, found, FACTS)
    kinds = set()
    for name, curtailment in choices.CURTAILMENTS.items():
        for collapsed in (False, True):
            read = choices.as_read(params | {"leaves": {"curtailment": name, "collapse": collapsed}}, shared)
            own = {"kind": "coalescence", "trees": 25} | missing.get("options", {}) | {"curtailment": curtailment}
            task = {"dataset": "made-up", "repetition": 0, "folds": COMMON["folds"]} | missing.get("treatment", {})
            apart = []
            for part in choices.treated_parts(task, found):
                model = fitted(vocabulary(Coalescence), task, part, own)
                model.forest_ = collapse(model.forest_) if collapsed else model.forest_
                apart.append(count_errors(model, part)["errors"])
            errors = tuple(read.query("learner == 'coalescence'")["errors"])
            assert errors == tuple(apart)
            kinds.add(errors)
    assert len(kinds) >= 4  # the choices do something on these data
    ways = [name for name in shared if name.startswith("errors, ")]
    forest = shared[shared["learner"] == "random_forest"]
    assert len(ways) == 6 and (forest[ways].nunique(axis=1) == 1).all()


def test_a_reading_of_the_spectrum_repeats_its_errors(data):
    params = COMMON | {"methods": ["aggregating", "subspacing"], "alphas": [0, 0.5, 1], "large": 10**9}
    plain = rows_of("spectrum", params | {"many_cases": None}, data, FACTS).query("kind == 'fold'")
    read = rows_of("spectrum", params | {"many_cases": None, "leaves": LEAVES}, data, FACTS)
    read = choices.as_read({"leaves": LEAVES}, read)
    keys = list(EXPERIMENTS["spectrum"].keys)
    left, right = (frame.set_index(keys).sort_index()[["errors", "cases"]] for frame in (plain, read))
    pd.testing.assert_frame_equal(left, right, check_dtype=False)  # one tree at alpha 1 stands for all


def test_choices_that_cannot_matter_are_left_out_of_tasks_and_do_not_matter(data):
    """Unknown values where there are none, the MDL term without numbers or without deterministic nodes."""
    every = {"options": {"mdl": False, "missing": "branch"}, "treatment": {"missing": "level"}, "leaves": LEAVES}
    spec = {"kind": "bagging", "alpha": 1.0, "trees": 7}
    assert choices.chosen(every, {"missing": 0, "numeric": 0}, spec)["learners"] == [spec]
    kept = choices.chosen(every, {"missing": 5, "numeric": 1}, spec)
    assert kept["learners"] == [spec | every["options"]] and kept["missing"] == "level"
    random = choices.chosen(every, {"missing": 5, "numeric": 1}, {**spec, "alpha": 0.0})
    assert "mdl" not in random["learners"][0] and random["learners"][0]["missing"] == "branch"
    forest = choices.chosen(every, {"missing": 5, "numeric": 1}, {"kind": "random_forest", "trees": 7})
    assert forest == {"learners": [{"kind": "random_forest", "trees": 7}], "leaves": "all"}
    nominal = make_dataset("made-up", data.X[["e"]].assign(f=data.X["e"].iloc[::-1].set_axis(data.X.index)), data.y)
    for found, spec in ((nominal, {"kind": "bagging", "alpha": 1}), (data, {"kind": "aggregating", "alpha": 0})):
        errors = [
            tuple(rows_of("coalescence", COMMON | {"learners": {"one": spec | options}}, found)["errors"])
            for options in ({}, {"mdl": False}, {"missing": "branch"})
        ]
        assert len(set(errors)) == 1


def test_concepts_are_read_under_each_choice_of_leaves():
    params = {"trees": 9, "runs": 2, "runs_of": {}, "lattice": 20, "concepts": ["A"], "leaves": LEAVES}
    params |= {"conditions": {"class-noise-40": {"n": 120, "class_noise": 0.4}}}
    params |= {"learners": {"max_diverse": {"kind": "aggregating", "alpha": 0}, "coalescence": {"kind": "coalescence"}}}
    shared = rows_of("concepts", params, None)
    plain = rows_of("concepts", {name: value for name, value in params.items() if name != "leaves"}, None)
    read = choices.as_read(params, shared)
    assert list(read["errors"]) == list(plain["errors"])
    other = choices.as_read(params | {"leaves": {"curtailment": "off", "collapse": False}}, shared)
    assert list(other["errors"]) != list(plain["errors"])


def test_readings_that_differ_in_leaves_share_tasks_and_store_their_own_errors():
    section = {"trees": 3, "runs": 2, "runs_of": {}, "lattice": 5, "concepts": ["A"], "conditions": {"none": {"n": 20}}}
    section |= {"learners": {"coalescence": {"kind": "coalescence"}}}
    place, plans = Workspace.find(), {}
    for name, leaves in (("text", LEAVES), ("uncurtailed", {"curtailment": "off", "collapse": False})):
        plans[name] = Plan(place, "extended", "vrtrees", f"concepts@{name}", section | {"leaves": leaves}, {})
    assert list(plans["text"].tasks) == list(plans["uncurtailed"].tasks)
    ways = {choices.errors_column(*way): [number] for number, way in enumerate((("up to 1", False), ("off", False)))}
    for number, plan in enumerate(plans.values()):
        assert plan.as_stored(pd.DataFrame(ways)).to_dict("list") == {"errors": [number]}
    full = Plan(place, "full", "vrtrees", "concepts", section, {})
    assert not set(full.tasks) & set(plans["text"].tasks)
    assert full.as_stored(pd.DataFrame({"errors": [5]})).to_dict("list") == {"errors": [5]}


def test_tables_and_data_frames_give_the_same_forest(data):
    spec = {"kind": "aggregating", "alpha": 0.5, "trees": 10}
    one = learner(spec, 1).fit(data.X, data.y).predict(data.X)
    two = learner(spec, 1).fit(table_of(data.X), data.y).predict(table_of(data.X))
    np.testing.assert_array_equal(one, two)
