from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arboretum import papers
from arboretum.report import build

from . import tree


@pytest.fixture(scope="package")
def registry() -> Iterator[None]:
    """The made-up papers in place of the real ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(papers, "present", lambda: sorted(tree.PAPERS))
        patch.setattr(papers, "get", tree.PAPERS.__getitem__)
        yield


@pytest.fixture(scope="package")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tree.plant(tmp_path_factory.mktemp("planted") / "checkout")


@pytest.fixture(scope="package")
def site(planted: Path, registry: None) -> Path:
    """A site to look at, not to touch."""
    return build(planted, planted / "report").parent


@pytest.fixture
def root(planted: Path, tmp_path: Path, registry: None) -> Path:
    """A tree of results to build from, and to spoil."""
    return Path(shutil.copytree(planted, tmp_path / "checkout", ignore=shutil.ignore_patterns("report")))
