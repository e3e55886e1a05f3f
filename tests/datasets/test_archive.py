"""Archives that are damaged, locked or made to expand without end are refused, so that the next source is tried."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest

from arboretum.datasets.sources.archive import EXPANSION, read_members
from arboretum.datasets.sources.errors import SourceError

CSV = b"".join(b"%d,%d,a\n" % (i, i * i % 97) for i in range(300))


def zipped(content: bytes = CSV, method: int = zipfile.ZIP_DEFLATED) -> bytearray:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("toy.csv", content)
    return bytearray(buffer.getvalue())


def tarred(content: bytes = CSV) -> bytearray:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        member = tarfile.TarInfo("toy.csv")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return bytearray(buffer.getvalue())


def in_both_headers(archive: bytearray, local: int, central: int, value: int) -> bytearray:
    """The zip archive with a two-byte field of its one member changed."""
    start = archive.index(b"PK\x01\x02")
    struct.pack_into("<H", archive, local, value)
    struct.pack_into("<H", archive, start + central, value)
    return archive


def corrupt(archive: bytearray) -> bytearray:
    """The archive with bytes in the middle of its compressed data changed."""
    middle = len(archive) // 2
    archive[middle : middle + 8] = b"\xff" * 8
    return archive


@pytest.mark.parametrize("make", [zipped, tarred])
def test_a_whole_archive_gives_its_member(tmp_path, make):
    path = tmp_path / "archive"
    path.write_bytes(make())
    assert read_members(path, ["toy.csv"]) == {"toy.csv": CSV}


HOSTILE = {
    "corrupt deflate data": corrupt(zipped()),
    "corrupt tar": corrupt(tarred()),
    "cut tar": tarred()[:400],
    "encrypted": in_both_headers(zipped(), 6, 8, 1),
    "unknown compression": in_both_headers(zipped(), 8, 10, 77),
    "zip bomb": zipped(b"\0" * 10**7),
    "tar bomb": tarred(b"\0" * 10**7),
    "no archive": bytearray(b"not an archive"),
    "empty": bytearray(),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_archive_is_a_reason_to_try_the_next_source(tmp_path, kind):
    path = tmp_path / "archive"
    path.write_bytes(HOSTILE[kind])
    with pytest.raises(SourceError, match="archive"):
        read_members(path, ["toy.csv"])


def test_a_bomb_is_given_up_before_it_expands(tmp_path, monkeypatch):
    """No more is read than the limit and one byte, whatever the member claims to hold."""
    path: Path = tmp_path / "archive"
    path.write_bytes(zipped(b"\0" * 10**7))
    asked: list[int] = []
    read = zipfile.ZipExtFile.read
    monkeypatch.setattr(zipfile.ZipExtFile, "read", lambda self, n=-1: asked.append(n) or read(self, n))
    with pytest.raises(SourceError, match="expands to more than"):
        read_members(path, ["toy.csv"])
    assert asked == [EXPANSION * path.stat().st_size + 1]
