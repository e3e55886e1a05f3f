from __future__ import annotations

import json
from pathlib import Path


def test_the_index_has_a_document_for_each_claim_table_figure_and_set_and_its_links_hold(site: Path) -> None:
    text = (site / "search.js").read_text("utf-8")
    documents = json.loads(text.removeprefix("window.arboretumIndex = ").rstrip().removesuffix(";"))
    by_kind = {kind: {row["title"] for row in documents if row["kind"] == kind} for kind in ("claim", "data set")}
    assert {"oak-c01", "oak-c04"} <= by_kind["claim"] and {"glass", "zoo"} <= by_kind["data set"]
    assert {"paper", "table", "figure"} <= {row["kind"] for row in documents}
    for row in documents:
        address, _, anchor = row["url"].partition("#")
        page = (site / address).read_text("utf-8")
        assert not anchor or f'id="{anchor}"' in page, row


def test_the_library_comes_with_its_licence(site: Path) -> None:
    text = (site / "minisearch.js").read_text("utf-8")
    assert "Copyright 2022 Luca Ongaro" in text and "Permission is hereby granted" in text
    assert len(text) < 100_000
