"""conf/: everything composes, instantiates, is in params.yaml, and every experiment runs."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hydra import compose, initialize_config_dir
from sklearn.base import BaseEstimator

from arboretum import papers
from arboretum.pipeline import compose as composing
from arboretum.pipeline.calls import carry_out
from arboretum.pipeline.code import code_files
from arboretum.pipeline.data import fetch_and_prepare
from arboretum.pipeline.experiment import Plan
from arboretum.pipeline.sweep import learner_from
from arboretum.project import params as parameters
from arboretum.project.workspace import Workspace

ROOT = Path(__file__).parents[1]
CONF = ROOT / "conf"
WORKSPACE = Workspace.find(ROOT)
LEARNERS = sorted(path.stem for path in (CONF / "learner").glob("*.yaml"))
SETS = sorted(path.stem for path in (CONF / "dataset").glob("*.yaml"))
QUICK = list(parameters.targets(parameters.read(WORKSPACE), "quick"))


def test_params_and_stages_are_generated_from_conf():
    assert not composing.stale(WORKSPACE), "run `make params` and commit params.yaml and stages.yaml"


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_composes_and_instantiates(learner):
    with initialize_config_dir(str(CONF), version_base=None):
        config = compose("sweep", overrides=[f"learner={learner}"])
    model = learner_from(config.learner)
    assert isinstance(model, BaseEstimator)
    assert "random_state" in model.get_params()


def test_every_data_set_composes_and_is_complete():
    with initialize_config_dir(str(CONF), version_base=None):
        for name in SETS:
            spec = compose("sweep", overrides=[f"dataset={name}"]).dataset
            assert spec.name == name
            assert spec.title and spec.licence
            assert spec.sources or spec.unavailable


def test_every_paper_has_its_folders():
    """A paper is a folder of code, a folder in conf/paper and printed numbers; all else is generated from these."""
    params = parameters.read(WORKSPACE)
    for key in papers.present():
        assert (CONF / "paper" / key / "full.yaml").is_file()
        assert (ROOT / "data" / "published" / key).is_dir()
        assert papers.get(key).citation.year
    for profile in ("quick", "full"):
        assert set(parameters.papers_at(params, profile)) == set(papers.present())
        for key in papers.present():  # an experiment of the printed protocol runs at quick too; it may not be run yet
            shown = parameters.experiments_at(params, profile, key)
            assert set(shown) <= set(parameters.experiments_at(params, "quick", key))


def test_stages_are_named_by_what_they_run():
    listed = composing.stages(parameters.read(WORKSPACE))["stages"]
    for name, item in listed["experiments"].items():
        assert name == f"{item['profile']}-{item['paper']}-{item['experiment']}"


def test_the_lock_holds_every_stage_of_the_pipeline_and_no_other():
    """A stage that left the pipeline would stay in dvc.lock for ever: DVC never removes one."""
    listed = composing.stages(parameters.read(WORKSPACE))["stages"]
    groups = {"fetch": "profiles", "prepare": "profiles", "experiment": "experiments", "render": "renderings"}
    expected = {f"{stage}@{name}" for stage, group in groups.items() for name in listed[group]}
    locked = yaml.safe_load((WORKSPACE.root / "dvc.lock").read_text("utf-8"))["stages"]
    assert set(locked) == expected | {"code", "report"}


def test_every_paper_has_its_four_parts():
    """Whoever knows one folder knows all; experiments reach nothing of a paper but its experiments."""
    for key in papers.present():
        folder = Path(papers.__file__).parent / key
        for part in ("experiments", "tables", "figures", "claims"):
            assert (folder / f"{part}.py").is_file() or (folder / part / "__init__.py").is_file()
        for experiment in papers.get(key).experiments:
            reached = {path for path in code_files(key, experiment) if folder in path.parents}
            assert reached and all("experiments" in path.parts for path in reached), experiment


def test_claims_judged_are_claims_stated():
    for key in papers.present():
        stated = yaml.safe_load((ROOT / "data" / "published" / key / "claims.yaml").read_text())["claims"]
        assert set(papers.get(key).claims) <= {claim["id"] for claim in stated}


@pytest.fixture(scope="module")
def prepared():
    fetch_and_prepare(WORKSPACE, parameters.read(WORKSPACE), "quick", progress=False)


@pytest.mark.parametrize(("paper", "name"), QUICK, ids=["/".join(target) for target in QUICK])
def test_every_experiment_runs_its_cheapest_task(prepared, paper, name, tmp_path):
    plan = Plan.make(WORKSPACE.elsewhere(tmp_path), "quick", paper, name)
    outcome = carry_out(plan.call(plan.tasks[plan.missing[-1]]))
    assert outcome.failure is None, outcome.failure
    assert outcome.rows
    assert all(set(plan.experiment.keys) <= set(row) for row in outcome.rows)
