from __future__ import annotations

from types import SimpleNamespace

import pytest

from arboretum import papers
from arboretum.report.evidence import looked_at, named_places, rests_on, rows_named

SHOWN = ["figure1", "figure2", "figure5_10", "figure5_11", "figure_iii_1", "table1", "table3", "table5_1", "spectrum"]


@pytest.mark.parametrize(
    ("where", "places"),
    [
        ("Fig 2a; sec 5.1 i", ["figure2"]),
        ("Obs 5.3.4; Fig 5.10, 5.11", ["figure5_10", "figure5_11"]),
        ("App III; Fig III-1", ["figure_iii_1"]),
        ("Table 3 and 1; Fig 1", ["figure1", "table1", "table3"]),
        ("Table 5.1", ["table5_1"]),
        ("Thm 4; sec 8", []),
    ],
)
def test_places_that_print_names(where: str, places: list[str]) -> None:
    assert named_places(where, SHOWN) == places


def table_of(results: SimpleNamespace) -> object:
    return results.tables["spectrum"]


def judge(results: SimpleNamespace, stated: object) -> None:
    table_of(results)
    results.tables["table3"]
    assert "table1" in results.tables


def test_tables_that_a_function_looks_at() -> None:
    assert set(looked_at(judge)) == {"table3", "table1"}  # helpers count within a paper's folder alone
    assert rests_on(judge, "Fig 1", SHOWN) == ["figure1", "table3", "table1"]


def test_every_claim_of_a_paper_leads_somewhere() -> None:
    """All but two claims of dynint, which rest on raw results alone."""
    lost = [
        name
        for key in papers.present()
        for name, claim in papers.get(key).claims.items()
        if not looked_at(claim.judge) and name not in {"dynint-c03", "dynint-c21"}
    ]
    named_in_print = {"dynint-c04", "dynint-c05", "dynint-c06", "dynint-c07", "dynint-c09", "dynint-c14"}
    named_in_print |= {"dynint-c15", "dynint-c16", "dynint-c17", "dynint-c22"}
    assert set(lost) <= named_in_print


def test_rows_that_values_name() -> None:
    rows = {"glass", "iris", "A / none", "oak-c01"}
    assert rows_named(["oak-c01", "error.glass.0", "iris, zoo", "oak"], rows) == ["oak-c01", "glass", "iris"]
