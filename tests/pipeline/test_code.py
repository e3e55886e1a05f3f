"""Fingerprints of code: what a stage reaches changes it, and nothing else does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arboretum import papers
from arboretum.pipeline.code import code_files, code_hash, reached, wanted_sets
from arboretum.project import params as parameters
from arboretum.project.workspace import Workspace

SOURCES = Path(__file__).parents[2] / "src"


def names(files: list[Path]) -> set[str]:
    return {f"{path.parent.name}/{path.name}" for path in files}


def test_code_hash_sees_code_and_not_words(tmp_path):
    source = tmp_path / "module.py"

    def hashed(text):
        source.write_text(text)
        return code_hash([source])

    base = hashed('"""What."""\n\ndef f(x):\n    """Twice."""\n    return 2 * x\n')
    assert hashed('"""Why."""\n# a comment\ndef f(x):\n    """Double."""\n    return (2 * x)\n') == base
    assert hashed("def f(x):\n    return 3 * x\n") != base
    assert hashed('"""What."""\n\ndef f(x):\n    """Twice."""\n    return 2 * x\n\ny = 1\n') != base


def test_an_experiment_reaches_what_it_imports_and_not_what_stands_beside_it():
    spectrum = names(code_files("vrtrees", "spectrum"))
    assert {
        "experiments/spectrum.py",
        "experiments/cross_validation.py",
        "ensembles/vr_forest.py",
        "arboretum/seeds.py",
    } <= spectrum
    others = {"experiments/coalescence.py", "ensembles/pert.py", "ensembles/boosted.py", "theory/kernels.py"}
    assert not others & spectrum
    assert not {"tables/errors.py", "pipeline/render.py"} & spectrum
    assert "theory/kernels.py" in names(code_files("infinity", "kernel"))
    assert "ensembles/boosted.py" in names(code_files("vrtrees", "coalescence"))


def test_what_only_type_checkers_import_is_not_reached():
    """A claim, a table and how they are judged are names in the contract of an experiment: they change no row of it."""
    for paper in papers.present():
        for experiment in papers.get(paper).experiments:
            reached_here = {path.relative_to(SOURCES) for path in code_files(paper, experiment)}
            assert not [path for path in reached_here if "kit" in path.parts], (paper, experiment)
    assert "papers/contract.py" in names(code_files("pert", "accuracy"))


def test_a_name_leads_to_the_module_that_defines_it():
    assert names(reached("arboretum.ensembles.pert")) & {"ensembles/pert.py", "trees/forest.py"} == {
        "ensembles/pert.py",
        "trees/forest.py",
    }
    assert "ensembles/__init__.py" not in names(reached("arboretum.papers.pert.experiments.strength"))


@pytest.fixture
def checkout(tmp_path):
    """The sources of this checkout, to edit, and a way to take their fingerprints."""
    shutil.copytree(SOURCES, tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    return tmp_path / "src" / "arboretum"


def fingerprints(package: Path) -> dict[str, str]:
    script = "import json; from arboretum.pipeline.code import fingerprints; print(json.dumps(fingerprints()))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_only_what_is_reached_changes_a_stage(checkout):
    before = fingerprints(checkout)
    assert {"fetch", "report", "vrtrees/render", "vrtrees/spectrum", "pert/accuracy"} <= set(before)

    (checkout / "measures" / "added.py").write_text('"""Not used by anybody yet."""\n')
    seeds = checkout / "seeds.py"
    seeds.write_text(seeds.read_text().replace('"""', '"""Better words. ', 1))
    assert fingerprints(checkout) == before

    kernels = checkout / "theory" / "kernels.py"
    kernels.write_text(kernels.read_text() + "\nADDED = 1\n")
    changed = {name for name, value in fingerprints(checkout).items() if value != before[name]}
    expected = {
        f"infinity/{name}"
        for name in ("kernel", "kernel_shape", "boundaries", "contours", "skewness")
        if "theory/kernels.py" in names(code_files("infinity", name))
    }
    assert {"infinity/kernel", "infinity/kernel_shape"} <= expected
    assert expected <= changed
    assert all(name.startswith("infinity/") for name in changed)


def test_the_report_depends_on_what_it_reads_of_the_parameters():
    params = parameters.read(Workspace.find(SOURCES))
    text = parameters.shown(params)
    assert parameters.shown({**params, "seeds": {}, "run": {"workers": 7}}) == text
    assert parameters.shown({**params, "quick": {}}) != text
    assert "boundaries@" in text  # the experiments of readings, which stand in files of their own


def test_fetching_depends_on_the_data_sets_of_a_profile_and_on_no_other_setting():
    params = parameters.read(Workspace.find(SOURCES))
    before = wanted_sets(params, "quick")
    spectrum = params["quick"]["vrtrees"]["spectrum"]

    def changed(**settings):
        paper = {**params["quick"]["vrtrees"], "spectrum": {**spectrum, **settings}}
        return wanted_sets({**params, "quick": {**params["quick"], "vrtrees": paper}}, "quick")

    assert "glass" in before
    assert changed(trees=7) == before
    assert changed(sets=[*spectrum["sets"], "covertype"]) != before
