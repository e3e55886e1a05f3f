"""Every page opens from its folder: no request, no error, no sideways scrolling, nothing that a reader cannot reach."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import SETTINGS, Visit

KINDS = ["index.html", "claims.html", "sets.html", "deviations.html", "provenance.html", "sets/glass.html"]
PAPERS = ["infinity", "pert", "dynint", "vrtrees", "diversity"]
PAGES = [*KINDS, *(f"full/{key}.html" for key in PAPERS), "extended/vrtrees.html"]
MOST_BYTES = 2_500_000  # diversity: 46 claims, each under seven readings


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_without_an_error_or_a_request_and_fits_a_phone(
    visit: Callable[..., Visit], real_site: Path, name: str
) -> None:
    assert (real_site / name).stat().st_size < MOST_BYTES
    opened = visit(real_site / name, "light phone")
    assert opened.said == []
    assert all(address.startswith(real_site.as_uri()) for address in opened.asked), opened.asked
    width = opened.page.evaluate("document.documentElement.scrollWidth")
    assert width <= SETTINGS["light phone"]["viewport"]["width"]


@pytest.mark.parametrize("name", PAGES)
def test_links_and_anchors_hold_where_they_are_scripted_too(
    visit: Callable[..., Visit], real_site: Path, name: str
) -> None:
    opened = visit(real_site / name)
    lost = opened.page.evaluate(
        "Array.from(document.querySelectorAll('a[href^=\"#\"]'))"
        ".filter((link) => !document.getElementById(decodeURIComponent(link.hash.slice(1)))).map((link) => link.hash)"
    )
    assert lost == []


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("name", [*KINDS, "full/oak.html", "quick/oak.html"])
def test_axe_finds_nothing_to_complain_of(
    browser: Any, visit: Callable[..., Visit], site: Path, name: str, setting: str
) -> None:
    """On a small site with every kind of page."""
    assert not complaints(visit(site / name, setting))


def test_axe_finds_nothing_to_complain_of_on_a_full_page(visit: Callable[..., Visit], real_site: Path) -> None:
    assert not complaints(visit(real_site / "extended" / "vrtrees.html"))


def complaints(visited: Visit) -> list[str]:
    """What axe says: WCAG A and AA and best practice."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    found = axe.Axe().run(visited.page)
    return [
        f"{rule['id']}: {node['target']} {node['html'][:120]}"
        for rule in found.response["violations"]
        for node in rule["nodes"][:5]
    ]


def test_a_page_prints_without_menus_and_with_all_of_its_text(visit: Callable[..., Visit], real_site: Path) -> None:
    opened = visit(real_site / "full" / "pert.html")
    opened.page.emulate_media(media="print")
    assert not opened.page.locator("header.top nav").is_visible()
    assert not opened.page.locator(".search").is_visible()
    assert opened.page.locator("#findings").is_visible()
    boxes = opened.page.evaluate(
        "Array.from(document.querySelectorAll('.box'))"
        ".filter((box) => getComputedStyle(box).overflow !== 'visible').length"
    )
    assert boxes == 0
