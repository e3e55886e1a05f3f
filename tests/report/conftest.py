from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arboretum import papers
from arboretum.project import schema
from arboretum.report import build

from . import tree


@contextmanager
def made_up_papers() -> Iterator[None]:
    """The made-up papers in place of the real ones; what their settings may be is no matter of the report."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(papers, "present", lambda: sorted(tree.PAPERS))
        patch.setattr(papers, "get", tree.PAPERS.__getitem__)
        patch.setattr(schema, "check_params", lambda *_: None)
        patch.setattr(schema, "check_specification", lambda *_: None)
        yield


@pytest.fixture(scope="package")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tree.plant(tmp_path_factory.mktemp("planted") / "checkout")


@pytest.fixture(scope="package")
def site(planted: Path) -> Path:
    """A site to look at, not to touch."""
    with made_up_papers():
        return build(planted, planted / "report").parent


@pytest.fixture
def root(planted: Path, tmp_path: Path) -> Iterator[Path]:
    """A tree of results to build from, and to spoil."""
    with made_up_papers():
        yield Path(shutil.copytree(planted, tmp_path / "checkout", ignore=shutil.ignore_patterns("report")))
