"""Generated bad settings and command lines: each is refused by one clear message, and no task runs.

A fixed sample runs by default; ``ARBORETUM_EXAMPLES=1000`` tries so many of each kind, drawn anew.
"""

from __future__ import annotations

import copy
import os
import shutil
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import arboretum.papers
from arboretum.__main__ import main
from arboretum.errors import ArboretumError
from arboretum.pipeline import compose
from arboretum.project import params as parameters
from arboretum.project.schema import check_params
from arboretum.project.workspace import Workspace

ROOT, TOY = Path(__file__).parents[2], Path(__file__).parents[1] / "toy"
EXAMPLES = int(os.environ.get("ARBORETUM_EXAMPLES", "0"))
SAMPLE = settings(
    max_examples=EXAMPLES or 60,
    derandomize=not EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)

# ------------------------------------------------------------------ settings

PARAMS = dict(parameters.read(Workspace.find(ROOT)))
DATASETS = PARAMS.pop("datasets")
FREE = [("data", "mirror"), ("run", "address")]  # any text may stand here


def places(value: object, path: tuple = ()) -> list[tuple]:
    """The paths of every value of nested settings, itself among them."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in below for place in places(inner, (*path, key)))]


def at(value: object, path: tuple) -> object:
    for key in path:
        value = value[key]
    return value


PLACES = [place for place in places(PARAMS) if place]
SECTIONS = [place for place in PLACES if isinstance(at(PARAMS, place), dict)]
LEAVES = [place for place in PLACES if not isinstance(at(PARAMS, place), dict | list) and place not in FREE]
NUMBERS = [place for place in LEAVES if type(at(PARAMS, place)) in (int, float)]


@st.composite
def typing_errors(draw, word: str) -> str:
    """The word with a letter lost, doubled or changed."""
    place = draw(st.integers(0, max(len(word) - 1, 0)))
    letter = draw(st.sampled_from(["", word[place : place + 1] * 2, "x"]))
    return word[:place] + letter + word[place + 1 :]


@st.composite
def bad_params(draw) -> dict:
    """The parameters with one thing wrong: a key that nothing reads, a value that cannot be, no section, no list."""
    params = copy.deepcopy(PARAMS)
    kind = draw(st.sampled_from(["key", "section", "text", "number", "list"]))
    if kind == "key":
        section = at(params, draw(st.sampled_from(SECTIONS)))
        wrong = draw(typing_errors(str(draw(st.sampled_from(sorted(section, key=str)))) if section else "trees"))
        section[wrong if wrong not in section else wrong + "s"] = 5
        return params
    path = draw(st.sampled_from({"section": SECTIONS, "number": NUMBERS}.get(kind, LEAVES)))
    values = {
        "section": st.integers() | st.text() | st.lists(st.integers(), max_size=2),
        "text": st.text().filter(lambda text: text != at(PARAMS, path)),
        "number": st.integers(max_value=-1) | st.just(float("inf")) | st.just(float("nan")) | st.booleans(),
        "list": st.lists(st.text(), max_size=2) | st.dictionaries(st.text(), st.text(), max_size=2),
    }
    value = draw(values[kind])
    if kind == "number" and "squares" in path:  # corners of a square may be negative
        value = "a corner"
    at(params, path[:-1])[path[-1]] = value
    return params


@SAMPLE
@given(bad_params())
def test_bad_settings_are_refused(params):
    with pytest.raises(ArboretumError) as failure:
        check_params(params, DATASETS, lambda path: ".".join(map(str, path)))
    assert str(failure.value).strip()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@SAMPLE
@given(st.sampled_from(PLACES), JSON | st.just("-"))
def test_whatever_stands_in_params_gives_an_answer_or_a_message(path, value):
    params = copy.deepcopy(PARAMS)
    if value == "-":
        del at(params, path[:-1])[path[-1]]
    else:
        at(params, path[:-1])[path[-1]] = value
    try:
        check_params(params, DATASETS, lambda place: ".".join(map(str, place)))
    except ArboretumError as problem:
        assert str(problem).strip()


# ------------------------------------------------------------------ files and command lines of a toy checkout


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """A checkout of the toy paper in this process: a thousand command lines in processes of their own take an hour."""
    root = tmp_path_factory.mktemp("toy") / "checkout"
    shutil.copytree(TOY / "checkout", root)
    log = root / "log.txt"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arboretum.papers, "__path__", [*arboretum.papers.__path__, str(TOY / "papers")])
        patch.setenv("ARBORETUM_ROOT", str(root))
        patch.setenv("ARBORETUM_TASKS", str(root / "tasks"))
        patch.setenv("TOY_LOG", str(log))
        compose.write(Workspace.at(root))
        yield root
    assert not log.exists(), "a task ran"
    assert not (root / "results").exists()


def answer(arguments: list[str], capsys) -> tuple[int, str]:
    """The exit code and the message of a command line; anything but these is a bug."""
    try:
        code = main(arguments)
    except SystemExit as stop:  # argparse
        code = stop.code
    return code, capsys.readouterr().err


@st.composite
def damaged(draw, text: str) -> str:
    """A text cut short, with a piece lost, or with something put in."""
    first = draw(st.integers(0, len(text)))
    last = draw(st.integers(first, min(len(text), first + 5)))
    return text[:first] + draw(st.text(max_size=3) | st.sampled_from(["\t", ": ", "- ", "[", "\0"])) + text[last:]


@SAMPLE
@given(st.data())
def test_damaged_files_give_an_answer_or_a_message(toy, capsys, data):
    """Of a text that is still the same settings, or other good ones, the answer is right; else there is a message."""
    name = data.draw(st.sampled_from(["params.yaml", "conf/paper/toy/full.yaml", "conf/config.yaml"]))
    path, before = toy / name, (toy / name).read_text("utf-8")
    text = data.draw(damaged(before))
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        line = ["run", "toy/coins", "--sets", "glass"] if name == "params.yaml" else ["params", "--check"]
        code, said = answer(line, capsys)
    finally:
        path.write_text(before, "utf-8")
    assert code in (0, 1) and (code == 0 or said.startswith("arboretum: ")), said


LINES = [  # each needs all of its words
    ["run", "toy/coins"],
    ["render", "toy"],
    ["verify", "--papers", "toy"],
    ["explain", "toy", "table1", "--row", "penny"],
    ["seeds", "toy", "--seeds", "2,3"],
    ["init", "paper", "oak"],
    ["data", "status"],
    ["fetch", "--sets", "glass"],
]
COMMANDS = ("code", "data", "explain", "fetch", "init", "params", "prepare", "render", "report", "reproduce", "run")
WORD = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(lambda text: text[0] != "-")


def not_a_count(text: str) -> bool:
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        return True
    return not (type(value) is int and 0 <= value <= 10**9)


@st.composite
def bad_lines(draw) -> list[str]:
    """A command line with one thing wrong."""
    line = list(draw(st.sampled_from(LINES)))
    junk = draw(WORD)
    kind = draw(st.sampled_from(["command", "option", "lost", "name", "profile", "setting", "value", "seed", "list"]))
    if kind == "command":
        known = {*COMMANDS, "seeds", "sweep", "verify"}
        return [draw(typing_errors(line[0]).filter(lambda word: word not in known)), *line[1:]]
    if kind == "option":
        return [*line, "--no-" + draw(st.text("abcxyz", min_size=1, max_size=8))]
    if kind == "lost":  # a part that the command needs
        line = draw(st.sampled_from([["run"], ["explain", "toy"], ["seeds", "toy"], ["init", "paper"], ["data"], []]))
        return [*line, *draw(st.sampled_from([[], ["--row"], ["--profile"]]))]
    if kind == "name":
        line = draw(st.sampled_from([["run"], ["render"], ["explain"], ["verify", "--papers"], ["fetch", "--sets"]]))
        more = ["table1", "--row", "penny"] if line == ["explain"] else []
        return [*line, junk + "?", *more]
    if kind == "profile":
        return ["run", "toy/coins", "--profile", junk + "?"]
    if kind == "setting":
        return ["run", "toy/coins", "--profile", "quick", f"run.{junk}?=2"]
    if kind == "value":
        return ["run", "toy/coins", "run.workers=" + draw(WORD.filter(not_a_count))]
    if kind == "seed":
        return ["run", "toy/coins", "seed=" + draw(WORD.filter(lambda text: not text.isdecimal()))]
    option = draw(st.sampled_from(["--sets", "--papers", "--seeds"]))
    line = {"--sets": ["fetch"], "--papers": ["verify"], "--seeds": ["seeds", "toy"]}[option]
    return [*line, option, draw(st.sampled_from([",", "", "2,,3", ",a", "a,", " , ", "2,2"]))]


@SAMPLE
@given(bad_lines())
def test_bad_command_lines_are_refused(toy, capsys, line):
    code, said = answer(line, capsys)
    assert code in (1, 2), line
    assert said.startswith("arboretum: "), said
