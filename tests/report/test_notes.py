from __future__ import annotations

from arboretum.report.notes import read_notes


def test_table_and_remarks_of_the_misprints() -> None:
    notes = read_notes(
        "# oak: misprints\n\n| where | printed |\n|---|---|\n| sec 1 | a - b |\n| sec 2 |\n\nAll else agrees.\n"
    )
    assert notes.header == ["where", "printed"]
    assert notes.rows == [["sec 1", "a - b"], ["sec 2", ""]]
    assert notes.remarks == ["All else agrees."]
