"""Classes of one's own on the command line: found in the current folder, and computed anew when they change."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from arboretum.errors import ArboretumError
from arboretum.pipeline.own_code import class_of, foreign_version, own_sources
from arboretum.pipeline.sweep import check_overrides

ROOT = Path(__file__).parents[2]
RULE = '''"""A forest of one's own."""
from arboretum.ensembles import VRForest
from {helper} import SHARE
class Mine(VRForest):
    def _rule(self, alpha):
        return super()._rule(SHARE * alpha)
'''
SMALL = ["learner.n_estimators=3", "folds=3"]


@pytest.fixture
def module(tmp_path, monkeypatch):
    """The name of a module in the current folder, that imports another one."""
    name = f"own_{abs(hash(tmp_path)) % 10**9}"
    (tmp_path / f"{name}.py").write_text(RULE.format(helper=f"{name}_helper"))
    (tmp_path / f"{name}_helper.py").write_text("SHARE = 1.0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    return name


def arboretum(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command as its script starts it: the current folder is not on the path (-P)."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "arboretum", *arguments],
        cwd=folder,
        env=os.environ | {"ARBORETUM_ROOT": str(ROOT), "ARBORETUM_TASKS": str(folder / "tasks")},
        capture_output=True,
        text=True,
        timeout=300,
    )


# ------------------------------------------------------------------ what stands for a class


def test_a_changed_source_is_another_version_and_better_words_are_not(module, tmp_path):
    spec = {"_target_": f"{module}.Mine"}
    before = foreign_version(spec)
    assert before
    source = tmp_path / f"{module}.py"
    source.write_text("# a comment\n" + source.read_text())
    assert foreign_version(spec) == before
    source.write_text(source.read_text().replace("SHARE * alpha", "alpha / 2"))
    changed = foreign_version(spec)
    assert changed != before
    (tmp_path / f"{module}_helper.py").write_text("SHARE = 0.5\n")
    assert foreign_version(spec) not in (before, changed), "what it imports counts too"


def test_a_package_of_ones_own_with_relative_imports(tmp_path, monkeypatch):
    folder = tmp_path / "ownpackage" / "inner"
    folder.mkdir(parents=True)
    for path in (folder.parent / "__init__.py", folder / "__init__.py", folder / "far.py"):
        path.write_text("")
    (folder / "forest.py").write_text("import numpy\nfrom . import far\nfrom ..near import *\nclass Mine: pass\n")
    (folder.parent / "near.py").write_text("import ownpackage.inner.forest\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    found = [path.relative_to(tmp_path / "ownpackage") for path in own_sources("ownpackage.inner.forest")]
    assert set(map(str, found)) == {"__init__.py", "near.py", "inner/__init__.py", "inner/far.py", "inner/forest.py"}


def test_installed_packages_count_by_their_version_also_within_others():
    from importlib.metadata import version

    inner = {"_target_": "sklearn.tree.DecisionTreeClassifier"}
    assert foreign_version(inner) == version("scikit-learn")
    assert foreign_version({"kind": "pert"}) == ""
    both = {"_target_": "arboretum.ensembles.DynamicIntegration", "estimator": inner}
    assert foreign_version(both) == f"{version('arboretum')}+{version('scikit-learn')}"
    assert foreign_version({"_target_": "yaml.Loader"}) == version("pyyaml"), "the distribution has another name"


# ------------------------------------------------------------------ on the command line


def test_compare_finds_a_class_in_the_current_folder_in_workers_too(module, tmp_path):
    learners = f"learners=[sklearn.dummy.DummyClassifier,{module}.Mine]"
    words = ["dataset=iris", learners, "learners.Mine.n_estimators=3", "folds=3", "repetitions=2", "name=here"]
    first = arboretum(tmp_path, "compare", *words, "workers=2")
    assert first.returncode == 0, first.stderr
    page = tmp_path / "outputs" / "compare" / "here" / "comparison.json"
    before = json.loads(page.read_text())["errors"][1]["error"]
    source = tmp_path / f"{module}.py"
    source.write_text(source.read_text() + "    def predict(self, X):\n        return super().predict(X)[::-1]\n")
    again = arboretum(tmp_path, "compare", *words)
    assert again.returncode == 0, again.stderr
    assert json.loads(page.read_text())["errors"][1]["error"] > before + 10, "computed anew, and worse"


def test_sweep_takes_a_class_by_its_path(module, tmp_path):
    grid = ["-m", "dataset=iris", f"learner=vr_aggregating,{module}.Mine", "learner.alpha=0,1", *SMALL]
    done = arboretum(tmp_path, "sweep", *grid)
    assert done.returncode == 0, done.stdout + done.stderr
    (summary,) = (pd.read_csv(path) for path in tmp_path.glob("multirun/*/summary.csv"))
    assert summary["learner"].tolist() == ["aggregating"] * 2 + [f"{module}.Mine"] * 2
    assert summary["alpha"].tolist() == [0, 1, 0, 1]
    assert summary["errors"].tolist()[:2] == summary["errors"].tolist()[2:], "the same rule, the same trees"


@pytest.mark.slow
def test_the_rule_of_the_gallery_goes_along_the_spectrum_by_one_command(tmp_path):
    """As docs/adding.md and the README say it."""
    page = (ROOT / "docs" / "examples" / "plot_17_own_rule.py").read_text("utf-8")
    (tmp_path / "ownrule.py").write_text(page[: page.index("# Is it right?")])
    done = arboretum(
        tmp_path, "sweep", "-m", "dataset=iris", "learner=ownrule.HalfwayForest", "learner.alpha=0,0.5,1", *SMALL
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 jobs; all results in" in done.stdout


def test_sweep_takes_a_class_that_draws_nothing(tmp_path):
    done = arboretum(tmp_path, "sweep", "dataset=iris", "learner=sklearn.neighbors.KNeighborsClassifier")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["learner=nowhere.Forest"], r"unknown learner 'nowhere.Forest': no class of that path, neither in .*"),
        (["learner={module}.RULE"], "no class of that path"),
        (["learner={module}.Mine", "learner.alfa=1"], r"Mine has no parameter 'alfa'. Did you mean 'alpha'\?"),
    ],
)
def test_what_is_no_class_or_parameter_is_refused(module, overrides, said):
    with pytest.raises(ArboretumError, match=said):
        check_overrides(ROOT / "conf", [override.format(module=module) for override in overrides])


def test_a_module_that_fails_to_import_says_why(tmp_path, monkeypatch):
    (tmp_path / "own_broken.py").write_text("import no_such_library\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    with pytest.raises(ArboretumError, match=r"own_broken\.Mine fails to import.*no_such_library"):
        class_of("own_broken.Mine")
