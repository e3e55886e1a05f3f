"""Fetch: the first source that has the pinned bytes, a record of it, and no harm to what is there already."""

from __future__ import annotations

import logging
import os
import socket
from pathlib import Path

import pytest

from arboretum.datasets import FetchSettings, fetch
from arboretum.datasets.record import read_record
from arboretum.errors import ArboretumError

from .web import Web, sha256

CSV = b"1,2,a\n3,4,b\n"
OTHER = b"5,6,a\n7,8,b\n"


def url_source(web: Web, content: bytes = CSV, name: str = "toy.csv") -> dict:
    return {"kind": "url", "url": f"{web.address}/{name}", "sha256": sha256(content)}


def mirror_source(content: bytes = CSV, name: str = "toy.csv") -> dict:
    return {"kind": "mirror", "members": [{"path": name, "sha256": sha256(content)}]}


def spec(*sources: dict, **more: object) -> dict:
    return {"name": "toy", "rows": 2, "sources": list(sources), **more}


@pytest.fixture
def settings(tmp_path: Path) -> FetchSettings:
    (tmp_path / "mirror").mkdir()
    return FetchSettings(store=tmp_path / "store", mirror=tmp_path / "mirror", root=tmp_path)


def run(chosen: dict, tmp_path: Path, settings: FetchSettings):
    return fetch({"toy": chosen}, tmp_path / "raw", settings, progress=False)["toy"]


def record(tmp_path: Path) -> dict:
    return read_record(tmp_path / "raw" / "toy")


def test_the_first_source_that_works_is_used_and_recorded(web, tmp_path, settings):
    web.pages["/toy.csv"] = CSV
    (tmp_path / "mirror" / "toy.csv").write_bytes(CSV)
    outcome = run(spec(url_source(web), mirror_source()), tmp_path, settings)
    assert (outcome.status, outcome.source) == ("available", "url:127.0.0.1/toy.csv")
    assert (tmp_path / "raw/toy/toy.csv").read_bytes() == CSV
    assert record(tmp_path) == {
        "status": "available",
        "source": "url:127.0.0.1/toy.csv",
        "files": {"toy.csv": sha256(CSV)},
    }


def test_a_hash_mismatch_names_set_source_file_and_hashes_and_moves_on(web, tmp_path, settings, caplog):
    web.pages["/toy.csv"] = OTHER
    (tmp_path / "mirror" / "toy.csv").write_bytes(CSV)
    with caplog.at_level(logging.WARNING):
        outcome = run(spec(url_source(web), mirror_source()), tmp_path, settings)
    assert outcome.source == "mirror:toy.csv"
    assert (
        "data set toy: url:127.0.0.1/toy.csv: toy.csv: SHA-256 differs, "
        f"expected {sha256(CSV)}, got {sha256(OTHER)}" in caplog.text
    )


def test_when_no_source_works_all_reasons_are_told(web, tmp_path, settings):
    (tmp_path / "mirror" / "toy.csv").write_bytes(OTHER)
    outcome = run(spec(url_source(web), mirror_source()), tmp_path, settings)
    assert outcome.status == "unavailable"
    assert "download of toy.csv failed: HTTPError: 404" in outcome.reason
    assert f"mirror:toy.csv: toy.csv: SHA-256 differs, expected {sha256(CSV)}" in outcome.reason
    assert record(tmp_path) == {"status": "unavailable", "reason": outcome.reason}


def test_fetching_again_changes_nothing_and_asks_nobody(web, tmp_path, settings):
    web.pages["/toy.csv"] = CSV
    chosen = spec(url_source(web))
    first = run(chosen, tmp_path, settings)
    before = {path: path.read_bytes() for path in (tmp_path / "raw").rglob("*") if path.is_file()}
    assert run(chosen, tmp_path, settings) == first
    assert {path: path.read_bytes() for path in (tmp_path / "raw").rglob("*") if path.is_file()} == before
    assert web.asked["GET /toy.csv"] == 1


def test_raw_files_deleted_as_dvc_does_come_back_from_the_store_without_network(web, tmp_path, settings):
    web.pages["/toy.csv"] = CSV
    chosen = spec(url_source(web))
    run(chosen, tmp_path, settings)
    (tmp_path / "raw" / "toy" / "toy.csv").unlink()
    web.close()
    assert run(chosen, tmp_path, settings).status == "available"
    assert (tmp_path / "raw/toy/toy.csv").read_bytes() == CSV


def test_files_that_are_here_and_verified_need_no_source(tmp_path, settings):
    (tmp_path / "mirror" / "toy.csv").write_bytes(CSV)
    run(spec(mirror_source()), tmp_path, settings)
    (tmp_path / "mirror" / "toy.csv").unlink()
    assert run(spec(mirror_source()), tmp_path, settings).status == "available"
    (tmp_path / "raw" / "toy" / "toy.csv").write_bytes(OTHER)  # damaged: not taken for the set
    assert run(spec(mirror_source()), tmp_path, settings).status == "unavailable"


def test_a_failed_fetch_leaves_other_raw_files_alone(web, tmp_path, settings):
    (tmp_path / "mirror" / "toy.csv").write_bytes(CSV)
    run(spec(mirror_source()), tmp_path, settings)
    assert run(spec(url_source(web, OTHER, "other.csv")), tmp_path, settings).status == "unavailable"
    assert (tmp_path / "raw/toy/toy.csv").read_bytes() == CSV
    assert run(spec(mirror_source()), tmp_path, settings).status == "available"


def test_a_forced_kind_of_source_is_the_only_one_tried(web, tmp_path, settings):
    web.pages["/toy.csv"] = CSV
    (tmp_path / "mirror" / "toy.csv").write_bytes(CSV)
    chosen = spec(url_source(web), mirror_source())
    forced = FetchSettings(store=settings.store, mirror=settings.mirror, source="mirror")
    assert run(chosen, tmp_path, forced).source == "mirror:toy.csv"
    assert not web.asked
    forced = FetchSettings(store=settings.store, mirror=settings.mirror, source="bundled")
    assert run(chosen, tmp_path, forced).reason == "it has no source of the kind 'bundled'"
    generated = spec({"kind": "generator", "function": "twonorm", "seed": 1})
    assert run(generated, tmp_path, forced).source == "generator:twonorm"


def test_an_unknown_kind_of_source_gets_the_nearest_one(tmp_path):
    with pytest.raises(ArboretumError, match=r"data.source=opennml is not a kind of source. Did you mean 'openml'"):
        fetch({}, tmp_path, FetchSettings(source="opennml"))


def test_without_a_mirror_the_reason_says_how_to_give_one(tmp_path, settings):
    bare = FetchSettings(store=settings.store, mirror=None)
    assert (
        "no mirror folder is given (data.mirror or ARBORETUM_MIRROR)"
        in run(spec(mirror_source()), tmp_path, bare).reason
    )
    gone = FetchSettings(store=settings.store, mirror=tmp_path / "gone")
    assert "gone does not exist" in run(spec(mirror_source()), tmp_path, gone).reason
    assert "toy.csv cannot be read: No such file" in run(spec(mirror_source()), tmp_path, settings).reason


def test_bundled_files_are_found_from_the_root(tmp_path, settings):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "toy.csv").write_bytes(CSV)
    source = {"kind": "bundled", "members": [{"path": "data/toy.csv", "sha256": sha256(CSV)}]}
    assert run(spec(source), tmp_path, settings).source == "bundled:data/toy.csv"


def test_files_keep_the_order_of_the_configuration(tmp_path, settings):
    for name, content in {"b.csv": CSV, "a.csv": OTHER}.items():
        (tmp_path / "mirror" / name).write_bytes(content)
    members = [{"path": "b.csv", "sha256": sha256(CSV)}, {"path": "a.csv", "sha256": sha256(OTHER)}]
    for _ in range(2):  # obtained, then kept
        run(spec({"kind": "mirror", "members": members}), tmp_path, settings)
        assert list(record(tmp_path)["files"]) == ["b.csv", "a.csv"]


def test_a_set_without_sources_says_why(tmp_path, settings):
    assert run(spec(unavailable="found nowhere"), tmp_path, settings).reason == "found nowhere"


def test_environment_names_store_and_mirror(monkeypatch, tmp_path):
    monkeypatch.setenv("ARBORETUM_STORE", str(tmp_path / "s"))
    monkeypatch.setenv("ARBORETUM_MIRROR", str(tmp_path / "m"))
    assert (FetchSettings().store, FetchSettings().mirror) == (tmp_path / "s", tmp_path / "m")
    monkeypatch.delenv("ARBORETUM_MIRROR")
    assert FetchSettings().mirror is None


def test_downloads_run_side_by_side_but_no_more_than_the_workers_allow(web, tmp_path, settings):
    names = [f"set{i}" for i in range(8)]
    chosen = {}
    for name in names:
        web.pages[f"/{name}.csv"] = content = name.encode() * 1000
        chosen[name] = {**spec(url_source(web, content, f"{name}.csv")), "name": name}
    few = FetchSettings(store=settings.store, workers=2)
    web.delay = 0.1
    outcomes = fetch(chosen, tmp_path / "raw", few, progress=False)
    assert list(outcomes) == names
    assert {outcome.status for outcome in outcomes.values()} == {"available"}
    assert web.most_at_once == 2


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def test_a_set_of_which_no_source_could_be_reached_is_told_apart(web, tmp_path, settings, monkeypatch):
    nowhere = f"http://127.0.0.1:{closed_port()}"
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", f"{nowhere}/simple")
    url = {"kind": "url", "url": f"{nowhere}/toy.csv", "sha256": sha256(CSV)}
    package = {"kind": "pypi", "package": "toy", "version": "1.0", "filename": "toy-1.0.tar.gz", "sha256": "a" * 64}
    package["members"] = [{"path": "toy.csv", "sha256": sha256(CSV)}]
    assert run(spec(url, mirror_source()), tmp_path, settings).unreachable
    assert run(spec(package), tmp_path, settings).unreachable
    assert not run(spec(mirror_source()), tmp_path, settings).unreachable  # asks nobody
    assert not run(spec(url_source(web), url), tmp_path, settings).unreachable  # one server answers: 404
    (tmp_path / "mirror" / "toy.csv").write_bytes(CSV)
    assert not run(spec(url, mirror_source()), tmp_path, settings).unreachable  # it is here
