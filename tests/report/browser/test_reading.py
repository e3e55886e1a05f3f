"""What a reader does: finds the finding, follows a claim to its rows, searches, filters, switches profiles."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from .conftest import Visit


@pytest.mark.parametrize("key", ["infinity", "pert", "dynint", "vrtrees", "diversity"])
def test_the_finding_and_its_figure_come_before_any_table(
    visit: Callable[..., Visit], real_site: Path, key: str
) -> None:
    page = visit(real_site / "full" / f"{key}.html").page
    assert page.locator(".findings dd").count() == 3
    assert page.locator("#findings").bounding_box()["y"] < 400
    top = page.locator("figure.front").bounding_box()["y"]
    assert top < 900 and top < page.locator("table").first.bounding_box()["y"]


def test_from_a_verdict_to_its_row_and_on_to_its_tasks(visit: Callable[..., Visit], real_site: Path) -> None:
    page = visit(real_site / "claims.html").page
    page.locator('#vrtrees-c26 a[href$="#forest_ranges.segment"]').click()
    row = page.locator("tr:target")
    assert row.locator("th").inner_text().startswith("segment")
    panel = page.locator("aside.evidence")
    assert (
        "arboretum explain vrtrees forest_ranges --profile full --row 'segment'"
        in panel.locator(".origin").inner_text()
    )
    assert panel.locator("th[scope=col]").count() > 3 and panel.locator("tr.marked").count() == 1
    assert panel.locator(".drawing").is_visible()
    page.locator(".origin a").first.click()
    assert page.locator("details:target").evaluate("fold => fold.open") and not panel.is_visible()


@pytest.mark.parametrize("key", ["infinity", "pert", "dynint", "vrtrees", "diversity"])
def test_the_rows_of_random_claims_arrive_with_their_headings(
    visit: Callable[..., Visit], real_site: Path, key: str
) -> None:
    page = visit(real_site / "full" / f"{key}.html").page
    links = page.locator("article.claim dd a[href*='#']").evaluate_all(
        "links => links.filter(a => document.getElementById(decodeURIComponent(a.hash.slice(1))).tagName === 'TR')"
        ".map(a => [a.closest('article').id, a.getAttribute('href')])"
    )
    inside = (
        "one => { const b = one.getBoundingClientRect(); return b.height > 0 && b.top >= 0 && b.bottom <= innerHeight }"
    )
    for claim, address in random.Random(key).sample(links, min(8, len(links))):
        page.locator(f'#{claim} dd a[href="{address}"]').first.click()
        panel = page.locator("aside.evidence")
        assert panel.locator("tr.marked").evaluate(inside) and panel.locator("thead tr").first.evaluate(inside), address
        page.keyboard.press("Escape")
        assert page.locator("tr:target").evaluate(inside), address


def test_a_square_of_the_mosaic_tells_its_sentence_and_opens_its_claim(
    visit: Callable[..., Visit], real_site: Path
) -> None:
    page = visit(real_site / "index.html").page
    squares = page.locator(".mosaic .square")
    assert squares.count() == page.locator(".mosaic a[href*='-c']").count() > 100
    last = squares.last
    last.hover()
    said = page.locator(".mosaic .said").inner_text()
    assert said == last.get_attribute("title") and "not reproduced" in said
    last.click()
    page.locator("article.claim:target").wait_for()


def test_search_finds_claims_sets_tables_and_learners_and_lives_in_the_address(
    visit: Callable[..., Visit], real_site: Path
) -> None:
    page = visit(real_site / "index.html").page
    for words, kind in (
        ("glass", "data set"),
        ("coalescence ranks", "claim"),
        ("Table 3", "table"),
        ("forest", "learner"),
    ):
        page.fill(".search input", words)
        page.wait_for_function("document.querySelectorAll('.found a').length > 0")
        kinds = page.locator(".found small").all_inner_texts()
        assert kind in kinds, (words, kinds)
    page.fill(".search input", "gkass")  # a slip of the keys
    page.wait_for_function("document.querySelector('.found a')?.textContent.includes('glass')")
    assert parse_qs(urlsplit(page.url).query)["search"] == ["gkass"]
    page.keyboard.press("Enter")
    page.wait_for_url("**/sets/glass.html*")


def test_a_filter_lives_in_the_address(visit: Callable[..., Visit], real_site: Path) -> None:
    page = visit(real_site / "claims.html").page
    page.select_option("form.filter select", "inconclusive")
    page.fill("form.filter input", "bagging")
    shown = page.locator("article.claim:visible")
    assert 0 < shown.count() == page.locator('article.claim[data-kind="inconclusive"]:visible').count()
    again = visit(real_site / "claims.html", address="?" + urlsplit(page.url).query)
    assert again.page.locator("article.claim:visible").count() == shown.count()


def test_a_link_to_a_claim_shows_it_though_a_filter_would_hide_it(visit: Callable[..., Visit], real_site: Path) -> None:
    page = visit(real_site / "full" / "vrtrees.html", address="?verdict=reproduced#vrtrees-c16").page
    assert page.locator("#vrtrees-c16").is_visible()


def test_a_heading_sorts_its_table_and_means_stay_apart(visit: Callable[..., Visit], real_site: Path) -> None:
    page = visit(real_site / "full" / "vrtrees.html").page
    heading = page.locator("#table3 table.compact th[data-column='1']")
    heading.click()
    cells = page.locator("#table3 table.compact tbody tr:not(.summary):not(.unavailable) td:nth-child(2)")
    values = [float(value) for value in cells.evaluate_all("cells => cells.map(cell => cell.dataset.v)")]
    assert values == sorted(values) and len(values) > 40


def test_the_switch_leads_to_the_same_paper_at_another_profile(visit: Callable[..., Visit], real_site: Path) -> None:
    page = visit(real_site / "full" / "vrtrees.html").page
    page.click(".profiles a:has-text('extended')")
    assert page.url.endswith("/extended/vrtrees.html")
    assert page.locator(".profiles a[aria-current]").inner_text() == "extended"


def test_bibtex_is_there_to_copy(visit: Callable[..., Visit], real_site: Path) -> None:
    page = visit(real_site / "full" / "vrtrees.html").page
    page.click(".cite summary")
    page.click("button[data-copies]")
    assert page.evaluate("getSelection().toString()").startswith("@article{vrtrees2008,")


def test_the_slider_moves_along_the_stored_curves_and_lives_in_the_address(
    visit: Callable[..., Visit], real_site: Path
) -> None:
    opened = visit(real_site / "full" / "vrtrees.html")
    page = opened.page
    page.select_option(".explorer select", "glass")
    seen = set()
    for place in range(11):
        page.locator(".explorer input").first.fill(str(place))
        seen.add(page.locator(".explorer tbody td").first.inner_text())
    assert len(seen) > 5 and page.locator(".explorer output").first.inner_text() == "1"
    stored = next(
        row
        for row in csv.DictReader((real_site / "files/full/vrtrees/spectrum_by_set.csv").open(encoding="utf-8"))
        if (row["dataset"], row["method"]) == ("glass", "aggregating")
    )
    assert page.locator(".explorer tbody td").first.inner_text() == f"{float(stored['alpha_1']):.2f}"
    assert parse_qs(urlsplit(page.url).query) == {"data set": ["glass"], "at": ["1"]}
    again = visit(real_site / "full" / "vrtrees.html", address="?" + urlsplit(page.url).query).page
    assert again.locator(".explorer select").first.input_value() == "glass"
    assert again.locator(".explorer output").first.inner_text() == "1"
    assert opened.said == []


@pytest.mark.parametrize(("key", "count"), [("vrtrees", 2), ("dynint", 2), ("diversity", 2)])
def test_every_explorer_draws_lines(visit: Callable[..., Visit], real_site: Path, key: str, count: int) -> None:
    page = visit(real_site / "full" / f"{key}.html").page
    assert page.locator(".explorer").count() == count
    for place in range(count):
        assert page.locator(".explorer").nth(place).locator("svg path.line").count() >= 2


def test_maps_and_trees_follow_the_slider(visit: Callable[..., Visit], real_site: Path) -> None:
    opened = visit(real_site / "full" / "vrtrees.html")
    part = opened.page.locator(".explorer", has=opened.page.locator("canvas"))
    seen = []
    for place in range(11):
        part.locator("input").fill(str(place))
        maps = [part.locator("canvas").nth(number).evaluate("(canvas) => canvas.toDataURL()") for number in (0, 1)]
        seen.append((*maps, part.locator(".tree .leaf").count()))
    assert len(set(seen)) == 11
    leaves = [
        row
        for row in csv.DictReader((real_site / "files/full/vrtrees/figure_trees.csv").open(encoding="utf-8"))
        if row["alpha"] == "1.0" and not row["deterministic"]
    ]
    assert seen[-1][2] == len(leaves)
    assert part.locator(".tree .drawn").count() == 0, "at alpha 1 every test is deterministic"
    assert opened.said == []


def test_a_figure_is_printed_alone(browser: Any, real_site: Path) -> None:
    page = browser.new_page()
    page.add_init_script(
        "window.print = () => { const drawing = document.images[0];"
        " top.printed = [document.title, drawing.naturalWidth > 0, document.images.length]; };"
    )
    page.goto((real_site / "full" / "vrtrees.html").as_uri())
    page.locator("button.pdf").first.click()
    page.wait_for_function("window.printed")
    assert page.evaluate("window.printed") == ["figure1.pdf", True, 1]
    page.close()


@pytest.mark.parametrize("key", ["infinity", "pert", "dynint", "vrtrees", "diversity"])
def test_every_claim_leads_to_its_evidence(visit: Callable[..., Visit], real_site: Path, key: str) -> None:
    page = visit(real_site / "full" / f"{key}.html").page
    claims = page.locator(".claim[data-kind]")
    assert claims.count() > 10
    assert claims.filter(has_not_text="Rests on").evaluate_all("(items) => items.map((item) => item.id)") == []
