"""The examples of the documentation run, every public thing is documented, and the README stays short."""

from __future__ import annotations

import csv
import doctest
import importlib
import inspect
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from sklearn.datasets import load_iris

from arboretum import ensembles, measures
from arboretum.__main__ import build_parser
from arboretum.ensembles import dynamic_selection
from arboretum.report import results_page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(page for page in DOCS.rglob("*.md") if "_build" not in page.parts and ">>>" in page.read_text("utf-8"))
MODULES = [
    module.name
    for package in (ensembles, measures)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_the_examples_of_a_page_run(page):
    blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    text = "\n".join(block for block in blocks if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert test.examples
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_docstring_run(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_estimator_measure_and_command_has_its_place_in_the_documentation():
    estimators = (DOCS / "api" / "ensembles.md").read_text("utf-8")
    for name in ensembles.__all__:
        kind = "autoclass" if inspect.isclass(getattr(ensembles, name)) else "autofunction"
        assert f"{kind}:: arboretum.ensembles.{name}\n" in estimators
    listed = (DOCS / "api" / "measures.md").read_text("utf-8")
    for module in pkgutil.iter_modules(measures.__path__):
        assert f"automodule:: arboretum.measures.{module.name}\n" in listed
    commands = (DOCS / "commands.md").read_text("utf-8")
    for name in next(action for action in build_parser()._actions if action.dest == "command").choices:
        assert f"\n## `{name}`\n" in commands


def test_docstrings_are_rewritten_for_numpydoc_as_the_house_writes_them(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(DOCS / "_ext"), *sys.path])
    rewrite = importlib.import_module("house_docstrings").rewrite
    lines = [
        "Parameters",
        "----------",
        "alpha : chance of a",
        "    deterministic node",
        "depth : int, default 3",
        "    depth",
    ]
    assert rewrite(lines) == [
        *("Parameters", "----------", "alpha", "    chance of a", "    deterministic node"),
        *("depth : int, default 3", "    depth"),
    ]


def test_the_readme_fits_three_screens_and_its_links_lead_somewhere():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) <= 120
    for target in re.findall(r"\]\(([^)]+)\)", readme):
        assert (ROOT / target).exists(), target


def test_readme_and_results_page_are_what_make_pages_writes():
    for path, text in results_page.pages(ROOT).items():
        assert path.read_text("utf-8") == text, f"{path.name}: run make pages"


def test_what_the_table_of_habits_says_of_ours_exists():
    names = {"fit", *inspect.signature(ensembles.VRForest.fit).parameters, *ensembles.__all__}
    names |= {"dynamic_selection", *vars(dynamic_selection)}
    for name in ("VRForest", "RandomForest", "DynamicIntegration", "GuidedForest"):
        names |= {*dir(getattr(ensembles, name)), *getattr(ensembles, name)().get_params()}
    names |= {*vars(ensembles.RandomForest(n_estimators=50, oob_score=True).fit(*load_iris(return_X_y=True)))}
    page = (DOCS / "guide" / "habits.md").read_text("utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.startswith("|")]
    stated = {word.partition("=")[0] for row in rows for word in re.findall(r"`([a-z_]\w*(?:=[^`]*)?)`", row[2])}
    assert len(stated) > 20
    assert stated <= names, stated - names


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path):
    """Every page and link; the examples of the gallery are read and not run, which ``make docs`` does."""
    pytest.importorskip("sphinx", reason="sphinx comes with arboretum[docs]")
    shutil.copytree(DOCS, tmp_path / "docs", ignore=shutil.ignore_patterns("_build", "gallery", "tutorial"))
    for folder in ("benchmarks", "figures"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-D", "plot_gallery=0"]
    done = subprocess.run([*command, tmp_path / "docs", tmp_path / "html"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    examples = {path.stem for path in (DOCS / "examples").glob("plot_*.py")}
    assert 10 <= len(examples) <= 20
    assert {path.stem for path in (tmp_path / "html" / "gallery").glob("plot_*.html")} == examples


STRONG = re.compile(r"\b(surely|certainly|for certain|clearly|significantly)\b", re.IGNORECASE)
MADE = {DOCS / "results.md", DOCS / "readings.md"}  # by make pages, from files that are read here


def prose() -> dict[str, str]:
    """What a reader may meet, by file, in single blanks; of claims everything but what the paper states itself."""
    paths = {ROOT / "README.md", *DOCS.rglob("*.md"), DOCS / "deviations.csv", DOCS / "filled.yaml"} - MADE
    for pattern in ("src/arboretum/papers/*/*.yaml", "src/arboretum/report/templates/*.j2"):
        paths |= set(ROOT.glob(pattern))
    found = {path: path.read_text("utf-8") for path in paths if not {"_build", "gallery", "tutorial"} & {*path.parts}}
    for path in ROOT.glob("data/published/*/claims.yaml"):
        claims = yaml.safe_load(path.read_text("utf-8"))["claims"]
        found[path] = yaml.safe_dump([{**claim, "statement": ""} for claim in claims], width=10**6)
    return {path.relative_to(ROOT).as_posix(): " ".join(text.split()) for path, text in found.items()}


def test_words_of_certainty_are_backed():
    texts, listed = prose(), yaml.safe_load((ROOT / "tests" / "strong_words.yaml").read_text("utf-8"))
    for entry in listed:
        assert entry["says"] in texts[entry["file"]], f"{entry['file']} no longer says: {entry['says']}"
        assert STRONG.search(entry["says"]), entry
        texts[entry["file"]] = texts[entry["file"]].replace(entry["says"], "")
    for file, text in texts.items():
        for word in STRONG.finditer(text):
            around = text[max(0, word.start() - 60) : word.end() + 60]
            pytest.fail(f"{file}: ...{around}... What backs it? List it in tests/strong_words.yaml, or reword it.")


def test_what_backs_a_word_of_certainty_exists():
    conclusions = {
        row["id"]: row["conclusion"]
        for path in ROOT.glob("results/full/*/tables/claims.csv")
        for row in csv.DictReader(path.open(encoding="utf-8"))
    }
    for entry in yaml.safe_load((ROOT / "tests" / "strong_words.yaml").read_text("utf-8")):
        backing = entry["backed_by"]
        known = conclusions.get(backing) == "reproduced" or (backing == "quotation" and entry["of"])
        assert known or (ROOT / backing).is_file(), entry


def test_a_verdict_that_moved_is_not_what_it_was():
    rows = [line.split(" | ") for line in (DOCS / "verdicts.md").read_text("utf-8").splitlines() if "-c" in line[:20]]
    assert len(rows) > 30
    for claim, before, now, *_ in rows:
        assert before != now, claim


def test_an_open_check_of_low_precision_says_why():
    """Runs are chosen so that half an interval is a third of its room; where it is more, the file says why."""
    for path in ROOT.glob("results/full/*/tables/checks.csv"):
        key = path.parts[-3]
        stated = yaml.safe_load((ROOT / "data" / "published" / key / "claims.yaml").read_text("utf-8"))["claims"]
        checks = {claim["id"]: claim.get("checks") or {} for claim in stated}
        for row in csv.DictReader(path.open(encoding="utf-8")):
            wide = row["precision"] and float(row["precision"]) > 1 / 3
            if row["verdict"] == "open" and (wide or float(row["high"]) == float("inf")):
                entry = max((name for name in checks[row["claim"]] if row["check"].startswith(name)), key=len)
                assert checks[row["claim"]][entry].get("why"), f"{row['claim']}: {row['check']}"
