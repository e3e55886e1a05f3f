"""Readings: what a file may say, what each runs, and the matrix of verdicts that they give."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from arboretum.errors import ArboretumError
from arboretum.papers.kit.claims import Claim
from arboretum.papers.kit.estimate import exact
from arboretum.papers.kit.readings import FIGURES, TABLES, by_what_decides, robust, said
from arboretum.papers.kit.stated import Stated
from arboretum.papers.results import Results
from arboretum.project import params as parameters
from arboretum.project.readings import Reading, check_readings, combined, line_of, merged, read_readings
from arboretum.project.workspace import Workspace

FILE = """\
headline: {claim: pert-c05, check: sets within the printed range, title: Sets within the range}
size:
  larger: {repetitions: 7}
readings:
  text: {why: as printed, source: section 4, choices: {ties: random}}
  first:
    why: by order
    source: software of the time
    choices: {ties: first class}
    change:
      strength:
        learners: {pert: {ties: first}}
"""


@pytest.fixture
def written(tmp_path):
    def write(text: str = FILE) -> Path:
        path = tmp_path / "pert" / "readings.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        read_readings.cache_clear()
        return path

    return write


@pytest.fixture(scope="module")
def full():
    return parameters.read(Workspace.find())


def test_a_reading_changes_what_it_names_and_all_share_the_size(written, full):
    sections = read_readings(written()).sections(full["full"]["pert"])
    assert list(sections) == ["larger@text", "larger@first", "strength@first"]
    own = full["full"]["pert"]["strength"]
    assert sections["larger@text"] == {**full["full"]["pert"]["larger"], "repetitions": 7}
    assert sections["strength@first"]["learners"]["pert"] == {**own["learners"]["pert"], "ties": "first"}
    assert sections["strength@first"]["learners"]["bagged_cart"] == own["learners"]["bagged_cart"]


def test_mappings_are_merged_and_lists_replaced():
    assert merged({"a": {"b": 1, "c": [1, 2]}, "d": 3}, {"a": {"c": [9]}}) == {"a": {"b": 1, "c": [9]}, "d": 3}


@pytest.mark.parametrize(
    ("wrong", "right", "said"),
    [
        (
            "ties: first class",
            "tys: first class",
            "line 9: readings.first.choices.tys: unknown choice 'tys'. Did you mean",
        ),
        ("strength:", "strenght:", "unknown experiment 'strenght'. Did you mean 'strength'?"),
        ("pert: {ties: first}", "pert: {ties: frist}", "line 12: readings.first.change.strength.learners.pert"),
        (
            "repetitions: 7",
            "repetition: 7",
            "line 3: size.larger: unknown key 'repetition'. Did you mean 'repetitions'?",
        ),
        ("    why: by order\n", "", "why: is missing"),
        ("  first:\n", "  fir@st:\n", "has no '@'"),
        ("section 4, choices", "section 4, change: {larger: {repetitions: 1}}, choices", "the first reading must be"),
    ],
)
def test_a_wrong_word_is_named_with_its_line(written, full, wrong, right, said):
    path = written(FILE.replace(wrong, right))
    with pytest.raises(ArboretumError, match=r"readings\.yaml") as raised:
        check_readings(path, full["full"]["pert"], full["datasets"])
    assert said in str(raised.value)


CROSSED = """\
headline: {claim: pert-c05, check: sets within the printed range, title: Sets within the range}
size:
  larger: {repetitions: 7, many: ~}
  strength: ~
crossed:
  ties:
    random: {why: as printed, source: section 4, change: {}}
    first: {why: by order, source: software of the time, change: {accuracy: {learners: {pert: {ties: first}}}}}
  size:
    all: {why: all cases, source: section 4}
    half: {why: half of them, source: nowhere, decided_by: Table 9, change: {accuracy: {repetitions: 3}, strength: {}}}
"""


def test_crossed_choices_give_every_combination(written, full):
    """Named by what is not the first option; what options change is merged, and what is left out does not run."""
    readings = read_readings(written(CROSSED))
    assert list(readings.readings) == ["text", "half", "first", "first+half"]
    both = readings.readings["first+half"]
    assert both.choices == {"ties": "first", "size": "half"} and both.decided_by == "Table 9"
    assert both.why == "first: by order; half: half of them"  # each option by its name
    assert readings.readings["text"].why == "random: as printed; all: all cases"
    assert readings.readings["first"].why == "by order" and not readings.readings["first"].decided_by
    assert both.crossed and not read_readings(written()).readings["first"].crossed
    own = full["full"]["pert"]
    sections = readings.sections(own | {"larger": own["larger"] | {"many": {"above": 1}}})
    names = ["larger@text", "accuracy@half", "larger@half", "accuracy@first", "larger@first"]
    assert sorted(sections) == sorted([*names, "accuracy@first+half", "larger@first+half"])
    assert sections["accuracy@first+half"]["learners"]["pert"]["ties"] == "first"
    assert sections["accuracy@first+half"]["repetitions"] == 3
    assert sections["larger@text"] == own["larger"] | {"repetitions": 7}
    assert readings.left_out == ["strength"]


def test_a_setting_changed_to_nothing_is_left_out_and_one_that_is_empty_stays():
    assert merged({"a": {"b": 1, "c": 2}, "d": None}, {"a": {"b": None}}) == {"a": {"c": 2}, "d": None}
    assert merged({"a": 1}, {"b": {"c": None, "d": 2}}) == {"a": 1, "b": {"d": 2}}
    option = {"why": "x", "source": "y"}
    drops, adds = ({**option, "change": {"accuracy": {key: value}}} for key, value in (("fewer", None), ("trees", 7)))
    both = combined({"one": {"all": option, "without": drops}, "two": {"few": option, "many": adds}})["without+many"]
    assert both["change"] == {"accuracy": {"fewer": None, "trees": 7}}


@pytest.mark.parametrize(
    ("wrong", "right", "said"),
    [
        ("{ties: first}", "{ties: frist}", "line 8: crossed.ties.first.change.accuracy.learners.pert"),
        ("{accuracy: {rep", "{acuracy: {rep", "line 11: crossed.size.half.change.acuracy: unknown experiment"),
        ("why: as printed, source", "why: as printed, sourse", "unknown key 'sourse'. Did you mean 'source'?"),
        ("change: {}", "change: {larger: {repetitions: 8}}", "the first reading must be 'text', which changes nothing"),
    ],
)
def test_a_wrong_word_in_a_choice_is_named_with_its_line(written, full, wrong, right, said):
    path = written(CROSSED.replace(", many: ~", "").replace(wrong, right))
    with pytest.raises(ArboretumError, match=r"readings\.yaml") as raised:
        check_readings(path, full["full"]["pert"], full["datasets"])
    assert said in str(raised.value)


def test_the_line_of_a_key_is_found(written):
    path = written()
    assert line_of(path, ("readings", "first", "change", "strength")) == 11
    assert line_of(path, ("readings", "second")) is None


def matrix() -> pd.DataFrame:
    rows = [("c1", "text", True), ("c1", "first", True), ("c2", "text", True), ("c2", "first", False)]
    frame = pd.DataFrame(rows, columns=["claim", "reading", "same"])
    words = {True: "reproduced", False: "not reproduced"}
    return frame.assign(conclusion=frame["same"].map(words), numbers="")


def test_a_claim_is_robust_when_no_reading_turns_it_and_the_sentence_says_which_choice_does():
    choices = pd.DataFrame(
        {"reading": ["text", "first"], "choice: ties": ["random", "first"], "choice: cuts": ["a", "a"]}
    )
    assert robust(matrix()).to_dict() == {"c1": True, "c2": False}
    assert said(matrix(), choices, "c1") == "reproduced under 2 of 2 readings"
    assert said(matrix(), choices, "c2") == "reproduced under 1 of 2 readings; turns with: ties"


def test_a_choice_that_turns_nothing_by_itself_is_not_named():
    """Of four combinations the claim turns with the ties; the size differs in a reading that turns, and is not why."""
    names, turned = ["text", "half", "first", "first+half"], [False, False, True, True]
    frame = pd.DataFrame({"claim": "c1", "reading": names, "same": [not one for one in turned]})
    frame = frame.assign(conclusion=["reproduced", "reproduced", "open", "open"])
    choices = pd.DataFrame({"reading": names, "choice: ties": ["r", "r", "f", "f"], "choice: size": list("ahah")})
    assert said(frame, choices, "c1") == "reproduced under 2 of 4 readings; turns with: ties"
    both = frame[frame["reading"].isin(["text", "first+half"])]
    assert said(both, choices.loc[[0, 3]], "c1").endswith("turns with: ties, size")


def test_seeds_stand_beside_their_control():
    """The stored seed at the size of the others is a column of its own; the others are compared with it."""
    seeds = pd.DataFrame(
        [("a", 1, "reproduced"), ("a", 2, "inconclusive"), ("a", 3, "reproduced")], columns=["id", "seed", "conclusion"]
    )
    claims = {"a": Claim("a", lambda results: {"x": exact(1)}, ())}
    stated = {"a": Stated.read({"id": "a", "where": "here", "statement": "x", "checks": CHECKS}, "claims.yaml")}
    results = Results({}, {}, pd.DataFrame(), {}, stated)
    readings = {"text": results}
    results.readings = Readings_(readings, claims, seeds.assign(numbers=""))
    table = TABLES[0].build(results).set_index("reading")
    assert table["conclusion"].to_dict() == {
        "text": "not reproduced",
        "seed 1 (control)": "reproduced",
        "seed 2": "inconclusive",
        "seed 3": "reproduced",
    }
    assert table["same"].to_dict() == {"text": True, "seed 1 (control)": True, "seed 2": False, "seed 3": True}


CHECKS = {"x": {"kind": "conclusion", "above": 2}}


class Readings_(dict):
    def __init__(self, readings, claims, seeds):
        super().__init__(readings)
        self.claims, self.seeds = claims, seeds


def described(*names: str, crossed: bool = True) -> dict[str, Reading]:
    """Readings by name from words such as "first+half": the options that are not the first of their choice."""
    options = {"first": ("ties", "first"), "half": ("size", "half")}
    text = {"ties": "random", "size": "all"}
    return {
        name: Reading(
            name,
            "because",
            "there",
            text | dict(options[one] for one in name.split("+") if one in options),
            {},
            "",
            crossed,
        )
        for name in names
    }


def test_readings_stand_in_order_of_the_choice_that_turns_most_claims():
    """Ties turn one claim of two, the size none: the size changes last, whatever the order in the file."""
    choices = pd.DataFrame.from_dict(
        {name: dict(one.choices) for name, one in described("text", "first", "half", "first+half").items()},
        orient="index",
    )[["size", "ties"]]
    conclusions = pd.DataFrame(
        {"c1": ["reproduced"] * 4, "c2": ["reproduced", "open", "reproduced", "open"]}, index=choices.index
    )
    order, readings = by_what_decides(conclusions, choices)
    assert order == ["ties", "size"]
    assert readings == ["text", "half", "first", "first+half"]
    order, readings = by_what_decides(conclusions[["c1"]], choices[["ties"]].loc[["text", "first"]])
    assert (order, readings) == (["ties"], ["text", "first"])


def explained(readings: dict[str, Reading]) -> list[str]:
    results = Results({}, {}, pd.DataFrame(), {}, {})
    results.readings = SimpleNamespace(described=readings)
    return list(next(table for table in TABLES if table.name == "readings_explained").build(results)["reading"])


def test_every_reading_is_explained_and_of_combinations_each_option_once():
    names = ("text", "first", "half", "first+half")
    assert explained(described(*names)) == ["text", "first", "half"]
    assert explained(described(*names, crossed=False)) == list(names)


def test_both_figures_draw():
    curve = pd.DataFrame(
        {"reading": ["text", "first"], "title": "Sets", "value": [0.6, 0.5], "low": [0.5, float("nan")]}
    )
    curve = curve.assign(high=[0.7, float("nan")], printed=0.8, limit_low=0.6, limit_high=float("inf"))
    chosen = {"choice: ties": ["random", "first"]}
    claims = matrix().merge(pd.DataFrame({"reading": ["text", "first"]} | chosen), on="reading")
    seed = claims.tail(1).assign(reading="seed 2", **{"choice: ties": None})
    for figure, data in zip(FIGURES, (pd.concat([claims, seed]), curve.assign(**chosen)), strict=True):
        assert figure.draw(data).axes
