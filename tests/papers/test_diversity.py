"""diversity: every experiment at a small size, and what its rows must satisfy."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from omegaconf import OmegaConf

from arboretum import papers
from arboretum.datasets.dataset import make_dataset
from arboretum.measures.decomposition import decompose
from arboretum.measures.losses import Squared, ZeroOne
from arboretum.papers.diversity.claims import CLAIMS
from arboretum.papers.diversity.experiments import (
    EXPERIMENTS,
    choices,
    forests,
    growth,
    losses,
    statements_losses,
    theory,
)

ROOT = Path(__file__).parents[2]
CONF = ROOT / "conf/paper/diversity"
SMALL = {
    "sets": ["pima"],
    "small": ["pima"],
    "but_cover": ["pima"],
    "protocol": {"trees": 12, "trials": 2},
    "guided": {"each": 4, "step": 5, "splits": {"default": 2}},
    "growth": {"sizes": [1, 3, 5, 11], "splits": 1},
    "printed": {"trees": 5, "draws": {"default": 3}, "batch": 2},
    "trials": {"sizes": [1, 4, 12], "trial_counts": [2, 4], "splits": {"default": 1}},
    "losses": {"trees": 4, "trial_counts": [2, 3], "splits": 1},
    "margins": {"sets": ["pima"], "bins": 10, "along": 6, "splits": 1},
    "single_tree": {"depths": [1, 19], "samples": 3, "subsets": 3, "trees": 5},
    "theory": {"problems": {"default": 6, "diversity-c02": 1, "diversity-c43": 1, "diversity-c46": 2}},
    "ncl": {"sets": ["pima"], "lambdas": [0, 1], "members": 3, "hidden": 2, "steps": 5, "splits": 1},
}
SMALL_BEYOND = {  # experiments of the profile extended
    "choices": {
        "sets": ["pima"],
        "sets_of": {"map": ["pima"], "pruning": ["pima"]},
        "trials": 2,
        "trees": 12,
        "sizes": [5, 12],
        "splits": {"default": 1},
    },
    "ties": {"sets": ["pima"], "trials": 2, "trees": 12, "sizes": [2, 4, 12], "splits": 2},
}


def params(name, *more):
    merged = OmegaConf.load(CONF / "full.yaml")
    for part in more:
        merged = OmegaConf.merge(merged, part)
    if name in SMALL_BEYOND:
        beyond = OmegaConf.load(CONF / "extended.yaml")
        whole = OmegaConf.create({"full": {"diversity": merged}, "extended": beyond})
        if more:
            whole.extended[name] = OmegaConf.merge(whole.extended[name], SMALL_BEYOND[name])
        return OmegaConf.to_container(whole, resolve=True)["extended"][name]
    return OmegaConf.to_container(merged, resolve=True)[name]


def quick():
    section = OmegaConf.load(CONF / "quick.yaml")
    del section["defaults"]
    return section


@pytest.fixture(scope="module")
def data():
    """Three classes, one of them rare; one constant attribute."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.random((120, 5)), columns=list("abcde"))
    X["d"] = 1.0
    y = np.where(X["b"] + 0.3 * rng.random(120) > 0.9, "rare", np.where(X["a"] > 0.5, "high", "low"))
    return make_dataset("pima", X, pd.Series(pd.Categorical(y, categories=["low", "high", "rare"]), name="class"))


FACTS = {"status": "available", "rows": 120, "attributes": 5, "printed_as": "pima", "explained": ""}
SETS = {"pima": FACTS}


def rows_of(name, data, keep=lambda task: True, **changes):
    experiment, section = EXPERIMENTS[name], params(name, SMALL, {name: changes} if changes else {})
    tasks = [task for task in experiment.plan(section, SETS) if keep(task)]
    rows = [row for task in tasks for row in experiment.run(task, data if "dataset" in task else None)]
    json.dumps([{key: _plain(value) for key, value in row.items()} for row in rows], allow_nan=False)
    keys = list(experiment.keys)
    frame = pd.DataFrame(rows).sort_values(keys, kind="stable").reset_index(drop=True)
    assert not frame[keys].isna().any().any(), name
    assert not frame.duplicated(keys).any(), name
    assert all(experiment.cost is None or experiment.cost(task, FACTS) > 0 for task in tasks)
    return frame


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


@pytest.fixture(scope="module")
def raw(data):
    return {name: rows_of(name, data) for name in EXPERIMENTS}


# ------------------------------------------------------------------ shape


def test_the_paper_can_be_had():
    assert list(papers.get("diversity").experiments) == list(EXPERIMENTS)


@pytest.mark.parametrize("name", EXPERIMENTS)
@pytest.mark.parametrize("profile", ["full", "quick"])
def test_a_profile_plans_distinct_tasks_of_plain_values(name, profile):
    section = params(name, *([quick()] if profile == "quick" and name not in SMALL_BEYOND else []))
    sets = dict.fromkeys(section.get("sets", ()), FACTS)
    tasks = [json.dumps(task, sort_keys=True, allow_nan=False) for task in EXPERIMENTS[name].plan(section, sets)]
    assert len(tasks) == len(set(tasks)) > 0


def test_every_section_of_the_configuration_is_an_experiment():
    shared_keys = {"sets", "small", "but_cover", "protocol", "learners"}
    sections = {str(name) for name in OmegaConf.load(CONF / "full.yaml")} - shared_keys
    assert sections | set(SMALL_BEYOND) == set(EXPERIMENTS)


def test_every_experiment_gives_rows(raw):
    assert all(len(frame) for frame in raw.values())


# ------------------------------------------------------------------ splits, trials, counts


def test_parts_are_shared_and_disjoint(data):
    task = {"dataset": "pima", "test_share": 0.25, "trial_share": 0.9}
    part = forests.split_of(task, 120, 0)
    assert (len(part.train), len(part.test)) == (90, 30) and not set(part.train) & set(part.test)
    rows = forests.trial_rows(task, part, 0, 0)
    assert len(rows) == 81 and set(rows) <= set(part.train)
    assert set(rows) != set(forests.trial_rows(task, part, 0, 1))
    assert set(part.test) != set(forests.split_of(task, 120, 1).test)


def test_stored_sizes():
    section = {"each": 39, "step": 10, "trees": 150}
    assert forests.sizes_of(section) == [*range(1, 40), *range(40, 151, 10)]
    assert forests.sizes_of({"each": 39, "step": 10, "trees": 15}) == list(range(1, 16))


def test_counts_are_those_of_the_decomposition(data, raw):
    task = next(iter(EXPERIMENTS["guided"].plan(params("guided", SMALL), SETS)))
    cases = forests.cases_of(data)
    run, truth = forests.grown_votes(task, task["spec"], cases, 1), forests.truth_of(task, cases, 1)
    found = decompose(truth, run.votes[:, :10], ZeroOne(3))
    row = raw["guided"].query("learner == 'rf' and split == 1 and members == 10").iloc[0]
    assert row["ensemble_errors"] / (row["trials"] * row["cases"]) == pytest.approx(found.expected_ensemble_loss)
    assert row["central_member_errors"] / (10 * row["cases"]) == pytest.approx(found.average_bias)


def test_out_of_bag_errors_are_those_of_a_plain_count(data):
    cases = forests.cases_of(data)
    model = forests.learner_of({"strategy": "drf"}, 15, dataset="pima", split=0, trial=0)
    record = forests.OutOfBag(cases.classes, 3)
    counts = np.zeros((120, 3))
    for step in model.stream(cases.table, forests.labels(cases.classes, 3)):
        found = record.add(step.votes, step.unseen)
        counts[np.flatnonzero(step.unseen), step.votes[step.unseen]] += 1
        known = counts.any(axis=1)
        assert found == (known.sum(), np.sum(counts[known].argmax(axis=1) != cases.classes[known]))


def test_learners_share_their_first_tree(raw):
    first = raw["guided"].query("members == 1").groupby("split")["ensemble_errors"]
    assert (first.nunique() == 1).all()
    last = raw["guided"].query("members == 10").groupby("split")["ensemble_errors"]
    assert (last.nunique() > 1).any()


def test_batches_change_no_result(data):
    def one(task):
        return task["learner"] == "w_lerp"

    pd.testing.assert_frame_equal(rows_of("printed", data, one, batch=1), rows_of("printed", data, one, batch=2))


def test_three_trials_of_many_are_those_of_guided(data, raw):
    keys = ["learner", "members", "ensemble_errors", "central_member_errors"]
    few = raw["trials"].query("trials == 2 and members == 4")[keys].reset_index(drop=True)
    same = raw["guided"].query("split == 0 and members == 4")[keys]
    same = same[same["learner"].isin(few["learner"])].reset_index(drop=True)
    pd.testing.assert_frame_equal(few, same)


def test_printed_draws_have_splits_of_their_own(raw):
    frame = raw["printed"]
    assert (frame["least_errors"] <= frame["errors"]).all()
    assert frame["least_at"].between(1, 5).all()
    firsts = frame.query("draw == 0")["errors"]
    assert firsts.nunique() > 1


def test_ties_are_counted_on_the_forests_of_guided_growth(raw):
    """With the first of tied classes errors are those of the experiment guided; two trees tie where they disagree."""
    ties = raw["ties"].set_index(["learner", "split", "members"])
    guided = raw["guided"].set_index(["learner", "split", "members"])["ensemble_errors"]
    shared = ties.index.intersection(guided.index)
    assert len(shared) > 10
    assert (ties["cases"] - ties["right_first"]).loc[shared].tolist() == guided.loc[shared].tolist()
    assert (ties["tied"].xs(2, level="members") > 0).any()
    assert ((ties["right_drawn"] - ties["right_first"]).abs() <= ties["tied"]).all()


# ------------------------------------------------------------------ growth, margins, choices


def test_good_less_bad_is_the_effect(raw):
    for name in ("growth", "choices"):
        frame = raw[name].dropna(subset="good_votes")
        member = frame["wrong_votes"] if name == "growth" else frame["member_errors"]
        errors = frame["errors"] if name == "growth" else frame["ensemble_errors"]
        effect = member / frame["members"] - errors
        np.testing.assert_allclose((frame["good_votes"] - frame["bad_votes"]) / frame["members"], effect, atol=1e-9)


def test_forests_grown_apart_share_no_tree():
    sizes = [1, 3, 5, 11]
    spans = [range(growth.start_of(size, sizes), growth.start_of(size, sizes) + size) for size in sizes]
    seen = [tree for span in spans for tree in span]
    assert len(seen) == len(set(seen))


def test_margins_hold_every_case(raw):
    frame = raw["margins"]
    assert (frame.groupby(["learner", "split", "part", "members"])["cases"].sum() == 30).all()
    last = frame.query("part == 'along' and members == 6")
    assert (last["wrong"] <= last["cases"] * 6 * 2).all()


def test_representatives_are_one_of_each_kind():
    votes = np.array([[0] * 10, [1] * 10, [0] * 9 + [1], [2] * 10, [1] * 9 + [0], [0] * 10])
    assert choices.representatives(votes, 3).tolist() == [0, 1, 3]
    assert choices.representatives(votes, 6).tolist() == list(range(6))


# ------------------------------------------------------------------ single trees


def test_figure_1_3_has_its_printed_ends(raw):
    drawn = raw["single_tree"].query("figure == '1.3' and reading == 'as drawn'").set_index(["at", "quantity"])["value"]
    assert drawn[1].round().tolist() == [281, 329]
    assert drawn[19].round().tolist() == [0, 610]


def test_figure_4_1_has_its_printed_lines():
    section = params("single_tree")
    task = next(task for task in EXPERIMENTS["single_tree"].plan(section, {}) if task["figure"] == "4.1")
    found = {row["quantity"]: row["value"] for row in EXPERIMENTS["single_tree"].run(task, None)}
    assert found["mean test error of the members"] == pytest.approx(208.6, abs=0.05)
    assert found["test error of the forest"] == pytest.approx(161.0, abs=0.05)


def test_bias_falls_and_variance_rises_as_defined(raw):
    defined = raw["single_tree"].query("reading == 'as defined'").set_index(["quantity", "at"])["value"]
    assert defined["bias", 1] > defined["bias", 19] and defined["variance", 1] < defined["variance", 19]


# ------------------------------------------------------------------ theory


def test_every_theoretical_claim_has_its_statements():
    judged = {name for name, claim in CLAIMS.items() if "statements" in claim.evidence}
    assert judged == set(theory.STATEMENTS)


KNOWN_TO_FAIL = (
    "not competent",
    "weak on average only",
    "kappa >= 1/2",
    "(not convex)",
    "any ensemble",
    "competent as printed",
)


def test_corrected_statements_hold(raw):
    frame = raw["theory"]
    fails = frame[frame["violations"] > 0]
    assert all(
        any(text in statement for text in KNOWN_TO_FAIL) or variant.startswith("0/1")
        for statement, variant in zip(fails["statement"], fails["variant"], strict=True)
    ), fails


def test_counter_examples_are_those_of_the_checks(raw):
    value = raw["theory"].set_index(["claim", "statement", "variant"])["extreme"]
    assert value["diversity-c04", "counter-example: members that say A", "0/1"] == pytest.approx(0.385)
    assert value["diversity-c04", "counter-example: votes that say A", "0/1"] == pytest.approx(0.55)
    assert value["diversity-c23", "counter-example: effect", ""] == pytest.approx(-0.384, abs=5e-4)
    assert value["diversity-c24", "counter-example: effect", ""] == pytest.approx(0.02)
    assert value["diversity-c28", "counter-example: DER", ""] == pytest.approx(1.08)  # W = 0.1, 0.6; mass 0.7, 0.3
    assert value["diversity-c28", "counter-example: EIR", ""] == pytest.approx(-0.2)


def test_independent_members_are_independent_given_the_sample():
    """Given a sample the mean product of two members is the product of their means."""
    _, found = statements_losses.independent(Squared(), np.random.default_rng(4))
    members = found.shape[1]
    for sample in np.split(found, len(found) // 3**members):
        means = sample.mean(axis=0)
        np.testing.assert_allclose(means, np.broadcast_to(means[0], means.shape), atol=1e-12)  # alike
        np.testing.assert_allclose((sample[:, 0] * sample[:, 1]).mean(axis=0), means[0] * means[1], atol=1e-12)


# ------------------------------------------------------------------ other losses


def test_components_sum_up_under_every_loss_and_combiner(raw):
    frame = raw["losses"]
    total = frame["average_bias"] + frame["average_variance"] - frame["diversity"]
    np.testing.assert_allclose(total, frame["expected_ensemble_loss"], atol=1e-9)
    implied = frame.query("loss == 'squared' or combiner == 'geometric mean'")
    assert (implied["diversity"] >= 0).all()


def test_losses_of_few_trials_are_those_of_trials(raw):
    """The same forests: members 4, two trials."""
    few = raw["trials"].query("trials == 2 and members == 4 and learner == 'rf'").iloc[0]
    same = raw["losses"].query("loss == '0/1' and trials == 2 and learner == 'rf'").iloc[0]
    votes = few["trials"] * few["cases"]
    assert same["expected_ensemble_loss"] == pytest.approx(few["ensemble_errors"] / votes)
    assert same["average_bias"] == pytest.approx(few["central_member_errors"] / (few["cases"] * few["members"]))


def test_pooled_members_have_the_mode_of_all_votes():
    votes = np.array([[[0, 1], [0, 1]], [[1, 1], [0, 0]]])  # trials, members, cases: modes 0 and 1
    task = {"dataset": "a", "learner": "rf", "split": 0, "trees": 2, "spec": {"strategy": "uniform"}}
    (row,) = losses.pooled(task, votes, np.array([0, 0]), 2)
    assert row["average_bias"] == 0.5 and row["expected_member_loss"] == pytest.approx(4 / 8)
    assert list(losses.pooled(task | {"spec": {"strategy": "drf"}}, votes, np.array([0, 0]), 2)) == []


# ------------------------------------------------------------------ networks


def test_components_of_networks_sum_up(raw):
    frame = raw["ncl"]
    total = frame["noise"] + frame["average_bias"] + frame["average_variance"] - frame["diversity"]
    np.testing.assert_allclose(total, frame["expected_ensemble_loss"], atol=5e-6)
