"""conf/: everything composes, instantiates, is in params.yaml, and every experiment runs."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hydra import compose, initialize_config_dir
from sklearn.base import BaseEstimator

from arboretum import papers
from arboretum.pipeline import compose as composing
from arboretum.pipeline.code import code_files
from arboretum.pipeline.data import fetch_and_prepare
from arboretum.pipeline.executors import carry_out
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
            assert spec.title and spec.licence and set(spec.papers) <= PAPERS
            assert spec.sources or spec.unavailable


PAPERS = {"vrtrees", "dynint", "pert", "infinity", "diversity"}


def test_every_paper_has_its_lines():
    """A paper is a folder, a folder in conf/paper, printed numbers, and lines in conf/config.yaml."""
    params = parameters.read(WORKSPACE)
    stages = params["stages"]
    for key in papers.present():
        assert (CONF / "paper" / key / "paper.yaml").is_file()
        assert (ROOT / "data" / "published" / key).is_dir()
    for profile in ("quick", "paper"):
        assert set(parameters.papers_at(params, profile)) == set(papers.present())
        for key in papers.present():
            known = set(papers.get(key).experiments)
            listed = {
                item["experiment"]
                for item in stages["experiments"].values()
                if (item["profile"], item["paper"]) == (profile, key)
            }
            assert listed <= known
            if (
                profile == "quick"
            ):  # everything runs at quick; the printed protocol is listed once its results are stored
                assert listed == {name for name in known if name in params["quick"][key]}
        for paper in papers.present():
            assert stages["renderings"][f"{profile}-{paper}"] == {"profile": profile, "paper": paper}
    for name, item in stages["experiments"].items():
        assert name == f"{item['profile']}-{item['paper']}-{item['experiment']}"


def test_every_paper_has_its_four_files():
    """Whoever knows one folder knows all; what is beside the four serves tables and figures, never experiments."""
    for key in papers.present():
        folder = Path(papers.__file__).parent / key
        names = {path.name for path in folder.glob("*.py")}
        assert {"__init__.py", "experiments.py", "tables.py", "figures.py", "claims.py"} <= names
        assert {path.name for path in code_files(key) if path.parent == folder} <= {"__init__.py", "experiments.py"}


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
