"""Files that are already on this machine: in the repository, in a mirror folder, inside scikit-learn."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from arboretum.datasets.sources.downloads import check_bytes
from arboretum.datasets.sources.errors import SourceError


def from_folder(source: dict, folder: Path) -> dict[str, bytes]:
    """The source's members below ``folder``, each checked against its SHA-256."""
    return _verified(source, lambda path: (folder / path).read_bytes())


def from_mirror(source: dict, mirror: Path | None) -> dict[str, bytes]:
    """Members in the folder that the user named as mirror; there is no default."""
    if mirror is None:
        raise SourceError("no mirror folder is given (data.mirror or ARBORETUM_MIRROR)")
    if not mirror.is_dir():
        raise SourceError(f"the mirror folder {mirror} does not exist")
    return from_folder(source, mirror)


def from_sklearn(source: dict) -> dict[str, bytes]:
    """Data files that every scikit-learn installation carries, read as files."""
    return _verified(source, lambda path: files("sklearn.datasets").joinpath(path).read_bytes())


def _verified(source: dict, read) -> dict[str, bytes]:
    content = {}
    for member in source["members"]:
        path = member["path"]
        try:
            content[path.rsplit("/", 1)[-1]] = check_bytes(path, read(path), member["sha256"])
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error.strerror or error}") from None
    return content
