"""A new paper: its skeleton runs from the first minute, and touches nothing but its own files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
SITE = """\
import arboretum.papers
arboretum.papers.__path__.append({folder!r})
"""


@pytest.fixture
def growing(checkout, tmp_path):
    """The toy checkout, with the data sets of the project, where papers under its own src/ are found."""
    shutil.copytree(ROOT / "conf" / "dataset", checkout.root / "conf" / "dataset")
    shutil.copytree(ROOT / "data" / "bundled", checkout.root / "data" / "bundled")
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(SITE.format(folder=str(checkout.root / "src" / "arboretum" / "papers")))
    shutil.rmtree(checkout.root / "conf" / "paper" / "toy")
    checkout.papers = site
    return checkout


def files(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def test_the_skeleton_of_a_paper_runs_end_to_end(growing):
    before = files(growing.root)
    growing.did("init", "paper", "oak")
    added = files(growing.root) - before
    assert added and all("/oak/" in name for name in added)
    growing.did("params")
    growing.did("fetch", "--profile", "quick")
    growing.did("run", "oak")
    assert "1 tables, 1 figures" in growing.did("render", "oak")
    table = pd.read_csv(growing.root / "results" / "quick" / "oak" / "tables" / "table1.csv")
    assert list(table["dataset"]) == ["iris"] and table["error"].between(0, 20).all()
    assert "oak         1 tables   1 figures" in growing.did("verify")
    assert growing.did("report").startswith("report: ")
    assert "quick-oak-accuracy" in (growing.root / "stages.yaml").read_text()


def test_a_paper_that_exists_is_never_overwritten(growing):
    growing.did("init", "paper", "oak")
    assert "exists already" in growing.failed("init", "paper", "oak")
    assert "small letters" in growing.failed("init", "paper", "Oak!")
