"""What the tests of data sets share: the inventory, a small web server, and real sets from the shared store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arboretum.datasets import Dataset, FetchSettings, fetch
from arboretum.datasets.prepare import prepared
from arboretum.datasets.record import read_record
from arboretum.project.params import read_inventory

from .web import Web

ROOT = Path(__file__).resolve().parents[2]


def inventory() -> dict[str, dict]:
    return read_inventory(ROOT / "conf" / "dataset")


@pytest.fixture(scope="session")
def specs() -> dict[str, dict]:
    """conf/dataset/*.yaml by name."""
    return inventory()


@pytest.fixture
def web() -> Iterator[Web]:
    server = Web()
    yield server
    server.close()


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Downloads are tried again after a pause; tests need none."""
    monkeypatch.setattr("pooch.core.time.sleep", lambda _: None)


@pytest.fixture(scope="session")
def real(specs: dict[str, dict], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Dataset]:
    """A set from its default source through the shared store; skips when it cannot be had on this machine."""
    raw = tmp_path_factory.mktemp("raw")
    made: dict[str, Dataset] = {}

    def get(name: str) -> Dataset:
        if name not in made:
            settings = FetchSettings(root=ROOT)
            outcome = fetch({name: specs[name]}, raw, settings, progress=False)[name]
            if outcome.status != "available":
                pytest.skip(f"{name} cannot be had here: {outcome.reason}")
            made[name] = prepared(name, specs[name], raw / name, read_record(raw / name))
        return made[name]

    return get
