from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from arboretum.errors import ArboretumError
from arboretum.report.findings import Findings, read_findings, values_by_claim

VALUES = {"oak-c01": {"drop": 3.934, "lost": "iris, zoo"}}
PRINTED = {"oak-c01": {"drop": 4.6, "region": [0.1, 0.6]}, "oak-c02": {}}
VERDICTS = {"oak-c01": "reproduced", "oak-c02": "not reproduced"}
STATED = {
    "headline": "Oaks are best.",
    "figure": ["figure7", "figure1"],
    "claimed": {"text": "Oaks drop {c01[printed.drop]:.1f} from {c01[printed.region.0]:g}."},
    "held": {"text": "They drop {c01[drop]:.1f}; lost: {c01[lost]}.", "rests_on": {"c01": "reproduced"}},
    "choices": {"default": "the kind of oak", "c02": "its age"},
}


def read(tmp_path: Path, **changes: object) -> Findings:
    path = tmp_path / "findings.yaml"
    path.write_text(yaml.safe_dump({**STATED, **changes}), encoding="utf-8")
    return read_findings(path, ["figure1"], VERDICTS, VALUES, PRINTED)


def test_numbers_come_from_the_values_of_claims_and_from_what_is_printed(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert [sentence.text for sentence in found.sentences] == [
        "Oaks drop 4.6 from 0.1.",
        "They drop 3.9; lost: iris, zoo.",
    ]
    assert found.sentences[1].claims == ("oak-c01",)


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


def test_evidence_of_an_unknown_claim_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ArboretumError, match="evidence names c99, no claim that was judged"):
        read(tmp_path, evidence={"c99": ["table1"]})


def test_a_paper_without_findings_has_none(tmp_path: Path) -> None:
    assert read_findings(tmp_path / "findings.yaml", [], {}, {}, {}) == Findings()


def test_values_are_numbers_or_words() -> None:
    rows = [{"id": "a", "name": "x", "number": "1.5", "text": ""}, {"id": "a", "name": "y", "number": "", "text": "z"}]
    assert values_by_claim(rows) == {"a": {"x": 1.5, "y": "z"}}
