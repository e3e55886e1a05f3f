"""Bad settings and command lines, made by hypothesis: each must be refused in words before any task runs."""

from __future__ import annotations

import contextlib
import copy
import io
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from arboretum.__main__ import main
from arboretum.pipeline.experiment import Plan
from arboretum.project import params as parameters
from arboretum.project.workspace import Workspace
from benchmarks.faults.flips import CLEAR, SILENT, TRACEBACK, outcome
from benchmarks.faults.garden import ROOT, Garden

WORDS = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=3, max_size=12).map(lambda word: f"x{word}")
COMMANDS = st.sampled_from(["run", "render", "report", "fetch", "prepare", "verify", "explain", "params", "seeds"])
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
BAD_LINES = st.one_of(
    WORDS.map(lambda word: [word]),
    st.tuples(COMMANDS, WORDS).map(lambda pair: [pair[0], f"--{pair[1]}"]),
    st.tuples(COMMANDS, WORDS).map(lambda pair: [pair[0], "--profile", pair[1]]),
    WORDS.map(lambda word: ["run", word]),
    WORDS.map(lambda word: ["run", f"garden/{word}"]),
    WORDS.map(lambda word: ["run", "garden", "--sets", word]),
    WORDS.map(lambda word: ["fetch", "--sets", word]),
    WORDS.map(lambda word: ["render", word]),
    WORDS.map(lambda word: ["verify", "--papers", word]),
    WORDS.map(lambda word: ["explain", "garden", word, "--row", "beds"]),
    st.tuples(WORDS, WORDS).map(lambda pair: ["run", "garden", f"{pair[0]}={pair[1]}"]),
    st.tuples(WORDS, WORDS).map(lambda pair: ["run", "garden", f"run.{pair[0]}={pair[1]}"]),
    WORDS.map(lambda word: ["run", "garden", f"run.engine={word}"]),
    WORDS.map(lambda word: ["run", "garden", f"run.workers={word}"]),
    WORDS.map(lambda word: ["run", "garden", f"seed={word}"]),
    st.integers(max_value=-1).map(lambda number: ["run", "garden", f"seed={number}"]),
    WORDS.map(lambda word: ["seeds", "garden", "--seeds", word]),
    st.floats(min_value=1.01, max_value=1e6).map(lambda share: ["verify", "--sample", str(share)]),
    st.just(["fetch", "--sets", ","]),
)


def _examples(tries: int):
    return settings(
        max_examples=tries,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def command_lines(garden: Garden, tries: int) -> Counter[str]:
    """Give bad command lines to the command line, in this process."""
    found: Counter[str] = Counter()

    @_examples(tries)
    @given(BAD_LINES)
    def refused(line: list[str]) -> None:
        found[_said(line)] += 1

    before = Path.cwd()
    os.chdir(garden.root)
    try:
        refused()
    finally:
        os.chdir(before)
    return found


def _said(line: list[str]) -> str:
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            code = main(line)
    except SystemExit as end:
        code = end.code
    except Exception:
        return TRACEBACK
    return CLEAR if code and said.getvalue().strip() else SILENT


def _edits(params: dict[str, Any]) -> st.SearchStrategy[tuple[str, str, Any]]:
    """Wrong parameters of an experiment at quick: (paper, experiment, its section)."""
    targets = list(parameters.targets(params, "quick"))

    @st.composite
    def edit(draw: st.DrawFn) -> tuple[str, str, Any]:
        paper, experiment = draw(st.sampled_from(targets))
        section = copy.deepcopy(dict(params["quick"][paper][experiment]))
        numbers = [key for key, value in section.items() if type(value) is int]
        kinds = ["unknown key", "other section", *(["text", "negative"] if numbers else [])]
        kind = draw(st.sampled_from(kinds + ["sets"] * ("sets" in section)))
        if kind == "unknown key":
            section[draw(WORDS)] = draw(st.integers(1, 9))
        elif kind == "text":
            section[draw(st.sampled_from(numbers))] = draw(WORDS)
        elif kind == "negative":
            section[draw(st.sampled_from(numbers))] = draw(st.integers(-9, -1))
        elif kind == "sets":
            section["sets"] = [*section["sets"], draw(WORDS)]
        else:
            section = draw(WORDS)
        return paper, experiment, section

    return edit()


def parameter_files(folder: Path, tries: int) -> Counter[str]:
    """Write bad sections into params.yaml of a copy of this checkout, and plan the experiment."""
    for name in ("conf", "data/manifest", "data/published"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("dvc.yaml", "params.yaml", "stages.yaml"):
        shutil.copyfile(ROOT / name, folder / name)
    workspace = Workspace.at(folder)
    whole = yaml.safe_load((ROOT / "params.yaml").read_text("utf-8"))
    found: Counter[str] = Counter()

    @_examples(tries)
    @given(_edits(parameters.read(workspace)))
    def refused(edited: tuple[str, str, Any]) -> None:
        paper, experiment, section = edited
        quick = {"seed": 1, paper: {**whole["quick"][paper], experiment: section}}  # one paper: it is read in no time
        text = yaml.dump({"data": whole["data"], "run": whole["run"], "quick": quick}, Dumper=DUMPER)
        workspace.params.write_text(text, "utf-8")
        found[outcome(lambda: Plan.make(workspace, "quick", paper, experiment).tasks, lambda _: False)] += 1

    refused()
    return found
