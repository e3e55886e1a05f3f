from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from arboretum.errors import ArboretumError
from arboretum.papers.kit.checks import Check
from arboretum.report.findings import Findings, read_findings, values_of

VALUES = {"oak-c01": {"drop": 3.934, "drop.printed": 4.6, "gain.held": 3, "gain.of": 4}}
VERDICTS = {"oak-c01": "reproduced", "oak-c02": "not reproduced"}
STATED = {
    "headline": "Oaks are best.",
    "figure": ["figure7", "figure1"],
    "claimed": {"text": "Oaks drop {c01[drop.printed]:.1f}."},
    "held": {
        "text": "They drop {c01[drop]:.1f}, on {c01[gain.held]} of {c01[gain.of]}.",
        "rests_on": {"c01": "reproduced"},
    },
    "choices": {"default": "the kind of oak", "c02": "its age"},
}


def read(tmp_path: Path, **changes: object) -> Findings:
    path = tmp_path / "findings.yaml"
    path.write_text(yaml.safe_dump({**STATED, **changes}), encoding="utf-8")
    return read_findings(path, ["figure1"], VERDICTS, VALUES)


def test_numbers_come_from_the_values_of_claims_and_from_what_is_printed(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert [sentence.text for sentence in found.sentences] == [
        "Oaks drop 4.6.",
        "They drop 3.9, on 3 of 4.",
    ]
    assert found.sentences[1].claims == ("oak-c01",)


def test_the_headline_has_its_numbers_from_claims_too(tmp_path: Path) -> None:
    assert read(tmp_path).headline == "Oaks are best."
    assert read(tmp_path, headline="They drop {c01[drop]:.1f}.").headline == "They drop 3.9."
    with pytest.raises(ArboretumError, match="'headline' names 'c09'"):
        read(tmp_path, headline="{c09[drop]}")


def test_the_first_figure_that_is_there_is_shown(tmp_path: Path) -> None:
    assert read(tmp_path).figure == "figure1"


def test_a_choice_is_named_by_claim_or_for_the_whole_paper(tmp_path: Path) -> None:
    assert read(tmp_path).choice("oak-c02") == "its age"
    assert read(tmp_path).choice("oak-c01") == "the kind of oak"
    assert Findings().choice("oak-c01") == ""


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ({"text": "x", "rests_on": {"c02": "reproduced"}}, "'not reproduced'"),
        ({"text": "x", "rests_on": {"c09": "reproduced"}}, "'not judged'"),
        ({"text": "{c01[dorp]}"}, "drop"),
        ({"text": "{c09[drop]}"}, "c09"),
    ],
)
def test_a_text_that_no_longer_holds_is_refused(tmp_path: Path, held: dict, said: str) -> None:
    with pytest.raises(ArboretumError, match=r"findings\.yaml") as problem:
        read(tmp_path, held=held)
    assert said in str(problem.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("headline: a\nheadline: b\n", "the key 'headline' stands twice"),
        ("held: {text: a, text: b}\n", "the key 'text' stands twice"),
        ("headlines: a\n", "unknown key 'headlines'"),
        ("5: a\n", "unknown key 5"),
        ("headline: 5\n", "headline of the file cannot be '5'"),
        ("held: {rests_on: {c01: reproduced}}\n", "held needs keys, such as text"),
        ("held: {text: [a]}\n", "text of held cannot be"),
        ("held: {text: a, rests_on: [c01]}\n", "rests_on of held cannot be"),
        ("choices: [c01]\n", "choices of the file cannot be"),
        ("- headline\n", "the file needs keys"),
        ("", "the file needs keys"),
        ("a: [\n", "is not valid YAML"),
    ],
)
def test_a_faulty_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "findings.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ArboretumError, match=rf"findings\.yaml.*{said}"):
        read_findings(tmp_path / "findings.yaml", ["figure1"], VERDICTS, VALUES)


def test_a_choice_of_an_unknown_claim_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ArboretumError, match="choices names c99, no claim that was judged"):
        read(tmp_path, choices={"c99": "its age"})


def test_a_paper_without_findings_has_none(tmp_path: Path) -> None:
    assert read_findings(tmp_path / "findings.yaml", [], {}, {}) == Findings()


def test_values_come_from_the_rows_of_checks_with_counts_over_cells() -> None:
    checks = {
        "drop": Check.read("drop", {"kind": "number", "printed": 4.6, "within": 1}, ""),
        "gain": Check.read("gain", {"kind": "conclusion", "each": "set", "above": 0}, ""),
    }
    columns = ("check", "value", "low", "high", "printed", "verdict")
    rows = [("drop", "3.9", "3.7", "4.1", "4.6", "holds"), ("gain: glass", "1", "0.5", "1.5", "", "holds")]
    rows += [("gain: iris", "-1", "-2", "0", "", "open")]
    found = values_of([dict(zip(columns, row, strict=True)) for row in rows], checks)
    assert found["drop"] == 3.9 and found["drop.printed"] == 4.6 and found["gain: iris.low"] == -2
    assert (found["gain.held"], found["gain.of"], found["gain.least"], found["gain.greatest"]) == (1, 2, -1, 1)
