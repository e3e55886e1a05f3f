"""An experiment of a paper on settings and data of one's own: tables and figures elsewhere, nothing stored changes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pandas as pd
import pytest
import yaml

from arboretum.__main__ import main
from arboretum.errors import ArboretumError
from arboretum.pipeline.executors import RunSettings
from arboretum.pipeline.own_run import changed, run_own
from arboretum.project import params as parameters
from arboretum.project.workspace import Workspace

ROOT = Path(__file__).parents[2]
WORDS = ["trees=3", "folds=3", "repetitions=2", "alphas=[0,0.5,1]"]
TEXT = "size,class\n" + "".join(f"{i * 7 % 13 + 3 * (i % 2)},{'ab'[i % 2]}\n" for i in range(40))


@pytest.fixture(scope="module")
def params():
    return parameters.read(Workspace.at(ROOT), ["vrtrees"])


def stored() -> str:
    done = subprocess.run(["git", "status", "--short", "results", "figures", "data", "conf", "params.yaml"], cwd=ROOT,
                          capture_output=True, text=True)  # fmt: skip
    return done.stdout


def test_tables_and_figures_of_ones_own(tmp_path, monkeypatch, params):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARBORETUM_TASKS", str(tmp_path / "tasks"))
    (tmp_path / "mine.csv").write_text(TEXT)
    before = stored()
    words = [*WORDS, "sets=[iris,mine.csv]", "target=class"]
    here = Workspace.at(ROOT)
    said = list(run_own(here, params, "quick", "vrtrees/spectrum", words, "here", RunSettings("serial")))
    assert not any("left out" in line for line in said), said
    assert said[0] == "vrtrees/spectrum: 16 tasks" and said[-1].startswith("tables and figures: outputs/here")
    place = tmp_path / "outputs" / "here"
    assert {"figure1.svg", "figure2.svg", "figure4.svg"} <= {path.name for path in (place / "figures").glob("*")}
    table = pd.read_csv(place / "tables" / "figure1.csv")
    assert set(table["alpha"]) == {0, 0.5, 1}
    raw = pd.read_parquet(place / "checkout/results/quick/vrtrees/raw/spectrum.parquet")
    assert set(raw["dataset"]) == {"iris", "mine"}
    section = yaml.safe_load((place / "checkout" / "params.yaml").read_text())["quick"]["vrtrees"]
    assert section["spectrum"]["trees"] == 3 and section["sets"] == ["iris", "mine"]
    assert stored() == before

    size = sum(path.stat().st_size for path in (tmp_path / "tasks").rglob("*.records"))
    list(run_own(here, params, "quick", "vrtrees/spectrum", words, "again", RunSettings("serial")))
    assert sum(path.stat().st_size for path in (tmp_path / "tasks").rglob("*.records")) == size, "nothing ran twice"


def test_the_first_run_on_a_fresh_clone(tmp_path, monkeypatch):
    """Nothing is prepared there: the sets of the command are, and the experiment finds them."""
    clone = tmp_path / "clone"
    for name in ("conf", "params.yaml", "stages.yaml", "dvc.yaml", "data/published", "data/manifest", "data/bundled"):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).symlink_to(ROOT / name)
    (tmp_path / "mine.csv").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARBORETUM_TASKS", str(tmp_path / "tasks"))
    here = Workspace.at(clone)
    words = [*WORDS, "sets=[labor,mine.csv]", "target=class"]  # labor is kept in data/bundled
    fresh = parameters.read(here, ["vrtrees"])
    said = list(run_own(here, fresh, "quick", "vrtrees/spectrum", words, "mine", RunSettings("serial")))
    assert said[0] == "vrtrees/spectrum: 16 tasks" and (tmp_path / "outputs/mine/figures/figure1.svg").is_file()


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("tree=500", "Did you mean 'trees'"),
        ("many_cases.abov=1", "has no setting 'many_cases.abov'"),
        ("trees", "write it as KEY=VALUE"),
        ("trees=[", "no value that YAML knows"),
    ],
)
def test_a_setting_that_is_none(word, said, params):
    with pytest.raises(ArboretumError, match=said):
        changed(params, "quick", "vrtrees", ["spectrum"], [word], ["glass"])


def test_settings_reach_every_experiment_that_has_them_and_leave_the_parameters_alone(params):
    sections, own = changed(
        params, "quick", "vrtrees", ["spectrum", "plane"], ["trees=7", "many_cases.above=9", "sets=[glass,a/b.csv]"], []
    )
    assert sections["spectrum"]["trees"] == 7 and sections["spectrum"]["many_cases"]["above"] == 9
    assert sections["spectrum"]["sets"] == ["glass", "b"] and own == {"b": "a/b.csv"}
    assert params["quick"]["vrtrees"]["spectrum"]["trees"] == 20
    assert params["quick"]["vrtrees"]["spectrum"]["many_cases"]["above"] != 9


@pytest.mark.parametrize(
    ("words", "said"),
    [(["trees=many"], "spectrum.trees"), (["sets=[glas]"], "glas"), (["alphas=[2]"], "spectrum.alphas")],
)
def test_a_wrong_value_is_one_message_before_any_task(tmp_path, monkeypatch, params, words, said):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ArboretumError, match=said):
        list(run_own(Workspace.at(ROOT), params, "quick", "vrtrees/spectrum", words, "x", RunSettings("serial")))
    with pytest.raises(ArboretumError, match="--name"):
        list(run_own(Workspace.at(ROOT), params, "quick", "vrtrees/spectrum", [], "../x", RunSettings("serial")))


def test_a_setting_of_an_experiment_without_a_name_is_told_where_it_goes(capsys):
    assert main(["run", "vrtrees/spectrum", "trees=500"]) == 1
    said = capsys.readouterr().err
    assert "unknown setting 'trees=500'" in said and "add --name NAME" in said
    assert main(["run", "vrtrees/spectrum", "rum.workers=2"]) == 1
    assert "Did you mean 'run.workers'?" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a/b", "", 300 * "x"])
def test_a_name_that_cannot_be_a_folder_is_refused_at_once(params, name):
    with pytest.raises(ArboretumError, match="letters, digits, hyphens and underscores"):
        next(run_own(Workspace.at(ROOT), params, "quick", "vrtrees/spectrum", [], name, RunSettings("serial")))
