"""docs/readings.md and the readings of deviations: what turns, what each reading chooses, wrong names."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from arboretum.errors import ArboretumError
from arboretum.report.readings_page import readings_page, with_readings

DEVIATIONS = "paper,where,printed_protocol,ours,reason,reading,gives\npert,sec 4,ties,random,fair,{},old\n"


@pytest.fixture
def paper():
    names, chosen = ["text", "first"], {"choice: ties": ["random", "first"]}
    numbers = {"numbers": ["8 of 9 agree", "5 of 9 agree; chance alone leaves 1 out"]}
    tables = {
        "verdicts_by_reading": pd.DataFrame(
            {"claim": "c1", "reading": names, "conclusion": ["reproduced", "inconclusive"], "same": [True, False]}
            | numbers
        ),
        "headline_by_reading": pd.DataFrame({"reading": names, "title": "Error", "value": [12.75, 11.5]} | chosen),
        "readings_explained": pd.DataFrame(
            {"reading": names, "why": "because", "source": "sec 4", "decided_by": ["Table 3", None]} | chosen
        ),
    }
    titled = SimpleNamespace(title="Figure")
    return SimpleNamespace(
        key="pert",
        citation=SimpleNamespace(title="PERT"),
        robust=0,
        claims=[{"id": "c1", "verdict": "not reproduced"}],
        under_readings={"c1": []},
        paper=SimpleNamespace(figures=dict.fromkeys(("claims_by_reading", "specification_curve"), titled), tables={}),
        of_readings=tables.__getitem__,
    )


def test_the_page_says_what_turns_and_what_each_reading_chooses(paper):
    page = readings_page([paper, SimpleNamespace(under_readings={})])
    assert "0 of 1 claims have the same conclusion under all 2 readings. The others:" in page
    assert "- c1: reproduced under 1 of 2 readings; turns with: ties" in page
    assert "There the text has: c1 reproduced (in full not reproduced)." in page
    assert "| text | ties: random | because | sec 4 | Table 3 |" in page
    assert "| first | ties: first | because | sec 4 |  |" in page


def test_a_deviation_says_what_the_reading_that_undoes_it_gives(paper):
    text = with_readings(DEVIATIONS.format("first"), {"pert": paper}, "deviations.csv")
    assert text.endswith(",first,5 of 9 printed numbers agree (text: 8 of 9); Error: 11.5 (text: 12.8)\n")
    assert with_readings(text, {"pert": paper}, "deviations.csv") == text
    assert with_readings(DEVIATIONS.format("none"), {"pert": paper}, "").endswith(",none,none\n")


@pytest.mark.parametrize(
    ("reading", "said"), [("frist", "row 2: unknown reading 'frist'. Did you mean 'first'"), ("", "row 2")]
)
def test_a_wrong_reading_is_named_with_its_row(paper, reading, said):
    with pytest.raises(ArboretumError, match=said):
        with_readings(DEVIATIONS.format(reading), {"pert": paper}, "deviations.csv")
