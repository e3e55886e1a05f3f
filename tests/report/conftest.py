from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arboretum import papers

from . import tree


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The made-up papers in place of the real ones."""
    monkeypatch.setattr(papers, "keys", lambda: sorted(tree.PAPERS))
    monkeypatch.setattr(papers, "get", tree.PAPERS.__getitem__)


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tree.plant(tmp_path_factory.mktemp("planted") / "checkout")


@pytest.fixture
def root(planted: Path, tmp_path: Path, registry: None) -> Path:
    """A tree of results to build from, and to spoil."""
    return Path(shutil.copytree(planted, tmp_path / "checkout"))
