"""What can go wrong outside the code and its input, each with an exit code of its own; the same command resumes."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from arboretum.errors import ArboretumError

KEPT = "Stored results are untouched, finished tasks are kept, and the same command resumes."
STARVED = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be larger than the system allows",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.EMFILE: "too many open files: raise the limit (ulimit -n), or use fewer workers (run.workers=1)",
    errno.ENFILE: "too many open files on this machine",
    errno.ENOMEM: "out of memory: use fewer workers (run.workers=1)",
    errno.EAGAIN: "no more processes or threads: use fewer workers (run.workers=1)",
    errno.EIO: "the disk does not read or write",
}


class Unavailable(ArboretumError):
    """A data set that was asked for by name cannot be had."""

    exit_code = 3


class WorkersLost(ArboretumError):
    """Worker processes died again on the same tasks."""

    exit_code = 4


class Starved(ArboretumError):
    """The machine gives no more: disk, permission, file handles, memory."""

    exit_code = 5


class ClusterLost(ArboretumError):
    """The scheduler of a cluster cannot be reached, or no longer answers."""

    exit_code = 6


class Terminated(BaseException):
    """SIGTERM: like an interrupt, it passes through code that handles errors."""


def starved(problem: BaseException) -> Starved | None:
    """The failure in words where the machine, not the code, is to blame; else None."""
    if isinstance(problem, MemoryError):
        return Starved(f"out of memory: use fewer workers (run.workers=1). {KEPT}")
    if isinstance(problem, OSError) and problem.errno in STARVED:
        place = f"{problem.filename}: " if problem.filename else ""
        return Starved(f"{place}{STARVED[problem.errno]} ({problem.strerror}). {KEPT}")
    return None


@contextmanager
def in_words() -> Iterator[None]:
    """Around a command: a machine that gives no more is an error in words."""
    try:
        yield
    except (OSError, MemoryError) as problem:
        if (failure := starved(problem)) is not None:
            raise failure from None
        raise
