"""Pages in a real browser: Debian's Chromium, driven by playwright; skipped where either is missing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arboretum.report import build

ROOT = Path(__file__).parents[3]
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
SLOWEST = 180_000  # milliseconds; a busy machine takes its time
STORED = ("conf", "data", "docs", "params.yaml", "CITATION.cff")
SETTINGS = {
    "light desktop": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark desktop": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "light phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
    "dark phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = shutil.which("chromium")
    if not path:
        pytest.skip("no chromium on this machine; .ci/run installs Debian's")
    with driver.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=path, args=list(FLAGS))
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def real_site(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of what is stored in this checkout, without quick, whose figures are not stored."""
    root = tmp_path_factory.mktemp("checkout")
    for name in STORED:
        (root / name).symlink_to(ROOT / name)
    for folder in ("results", "figures"):
        (root / folder).mkdir()
        for profile in ("full", "extended"):
            (root / folder / profile).symlink_to(ROOT / folder / profile)
    return build(root, root / "report").parent


class Visit:
    """A page as a visitor has it open, and what the browser said and asked for on the way."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.set_default_timeout(SLOWEST)
        self.said: list[str] = []
        self.asked: list[str] = []
        page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))

    def count(self, selector: str) -> int:
        return self.page.locator(selector).count()


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Visit]]:
    """``visit(path, setting, address="?words=oak")`` opens a page from its folder."""
    contexts = []

    def opened(path: Path, setting: str = "light desktop", address: str = "") -> Visit:
        contexts.append(browser.new_context(**SETTINGS[setting]))
        visited = Visit(contexts[-1].new_page())
        visited.page.goto(path.as_uri() + address)
        return visited

    yield opened
    for context in contexts:
        context.close()
