"""A new paper: its skeleton runs from the first minute, and touches nothing but its own files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest
import yaml

from arboretum.__main__ import build_parser
from arboretum.errors import ArboretumError
from arboretum.papers.kit.claims import CONCLUSIONS
from arboretum.pipeline.init_paper import init_paper
from arboretum.project import params as parameters
from arboretum.project.workspace import Workspace

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
    said = growing.did("init", "paper", "oak")
    added = files(growing.root) - before
    assert added and all("/oak/" in name for name in added)
    advised = [line.split()[1:] for line in said.splitlines() if line.startswith("  arboretum ")]
    assert [command[0] for command in advised][:4] == ["params", "fetch", "run", "render"]
    found = [growing.did(*command) for command in advised]
    assert "1 tables, 1 figures" in found[3] and "1 claims" in found[6] and found[7].startswith("report: ")
    claims = pd.read_csv(growing.root / "results" / "full" / "oak" / "tables" / "claims.csv")
    assert len(claims) == 1 and claims["conclusion"][0] in CONCLUSIONS
    table = pd.read_csv(growing.root / "results" / "quick" / "oak" / "tables" / "table1.csv")
    assert list(table["dataset"]) == ["iris"] and table["error"].between(0, 20).all()
    assert (table["error_low"] < table["error"]).all() and (table["error"] < table["error_high"]).all()
    code = "".join(path.read_text() for path in (growing.root / "src" / "arboretum" / "papers" / "oak").glob("*.py"))
    assert "standard_error" not in code and ".sem()" not in code, "intervals come from papers/kit"
    assert "oak         1 tables   1 figures" in growing.did("verify")
    assert "quick-oak-accuracy" in (growing.root / "stages.yaml").read_text()


def test_a_paper_that_exists_is_never_overwritten(growing):
    growing.did("init", "paper", "oak")
    assert "exists already" in growing.failed("init", "paper", "oak")
    assert "small letters" in growing.failed("init", "paper", "Oak!")


def test_words_with_another_meaning_are_no_papers(checkout):
    """Those of conf/, of params.yaml, of the command line, and of papers/ itself."""
    words = {path.stem for path in (ROOT / "conf").iterdir()} | {"sets", "all", "kit", "settings", "seed", "class"}
    words |= set(yaml.safe_load((ROOT / "params.yaml").read_text())) - set(parameters.papers.present())
    words |= {name for action in build_parser()._actions for name in action.choices or ()}
    before = files(checkout.root)
    for word in words:
        with pytest.raises(ArboretumError, match="cannot be a paper's key"):
            init_paper(Workspace.at(checkout.root), word)
    assert files(checkout.root) == before
