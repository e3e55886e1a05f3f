"""Writing files whole or not at all, with the unfinished ones kept away from results.

A file is written in the folder for unfinished files of its checkout, which git and DVC ignore and no stage depends on,
and then takes its place. What a killed process left there is swept by the next command.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from uuid import uuid4

PLACE = Path(".arboretum") / "unfinished"
HOST = re.sub(r"\W", "_", platform.node())
OWNER = re.compile(r"\.unfinished-(\w*)-(\d+)-")  # in the name of a file: the machine and process that write it


@lru_cache(maxsize=4096)
def _checkout(folder: Path) -> Path | None:
    return next((parent for parent in (folder, *folder.parents) if (parent / "dvc.yaml").is_file()), None)


def _place(target: Path, wanted: Path | None) -> Path:
    """Where a file is written before it takes its place: on the same disk, or it could not take it in one step."""
    checkout = _checkout(target.parent.absolute())
    place = wanted or (checkout / PLACE if checkout else target.parent)
    target.parent.mkdir(parents=True, exist_ok=True)
    place.mkdir(parents=True, exist_ok=True)
    return place if place.stat().st_dev == target.parent.stat().st_dev else target.parent


@contextmanager
def atomic_path(target: Path, place: Path | None = None) -> Iterator[Path]:
    """Yield a temporary path; on success it replaces ``target``, on failure it is removed.

    The temporary file lies in ``place``, by default the folder for unfinished files of the checkout of ``target``;
    outside a checkout beside ``target``.
    """
    temporary = _place(target, place) / f".unfinished-{HOST}-{os.getpid()}-{uuid4().hex}{target.suffix}"
    created = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    mode = os.fstat(created).st_mode & 0o777  # what the user's mask leaves of 666
    os.close(created)
    try:
        yield temporary
        with temporary.open("rb") as written:
            os.fsync(written.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def write_bytes(target: Path, content: bytes, place: Path | None = None) -> None:
    """Write ``content`` to ``target`` atomically."""
    with atomic_path(target, place) as temporary:
        temporary.write_bytes(content)


def write_text(target: Path, content: str, place: Path | None = None) -> None:
    """Write ``content`` to ``target`` atomically, as UTF-8 with the line endings given."""
    write_bytes(target, content.encode("utf-8"), place)


@contextmanager
def claimed(path: Path) -> Iterator[bool]:
    """Whether no other process holds the lock file ``path``; if so, nobody else gets it until the end of the block.

    The system gives it back when the process ends, however it ends. Where files cannot be locked everybody gets it.
    """
    try:
        import fcntl
    except ImportError:
        yield True
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def sweep(place: Path) -> None:
    """Remove the unfinished files in ``place`` whose process on this machine has ended."""
    for path in place.glob(".*") if place.is_dir() else ():
        owner = OWNER.search(path.name)
        if owner and owner[1] == HOST and not lives(int(owner[2])):
            path.unlink(missing_ok=True)


def lives(process: int) -> bool:
    """Whether a process of this machine has not ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it lives and belongs to another user
        return True
    return True
