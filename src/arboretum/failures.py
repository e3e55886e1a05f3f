"""What can go wrong outside the code and its input, each with an exit code of its own; the same command resumes."""

from __future__ import annotations

import errno
import locale
import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from arboretum.errors import ArboretumError

KEPT = "Stored results are untouched, finished tasks are kept, and the same command resumes."
STOPPED = f"arboretum: stopped. {KEPT}"
UNREAD = 141  # the exit code when nobody reads our output any more, as a shell gives it
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
MISPLACED = {
    errno.ENAMETOOLONG: "the name is too long for the file system. Choose a shorter one.",
    errno.EEXIST: "a link that leads nowhere, or a file where a folder should be. Remove it.",
    errno.ENOTDIR: "a file where a folder should be. Remove it.",
    errno.ELOOP: "a link that leads to itself. Remove it.",
}
ADDRESS_SPACE = 800 * 2**20  # bytes; with 600 MB libraries abort, with 400 MB they hang
SHOWN = 120  # characters of a path that a message shows of one that is too long


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


def check_address_space() -> None:
    """Refuse a limit that numerical libraries do not survive: they abort, or wait without end, before we can say it."""
    try:
        import resource
    except ImportError:  # no such limits on Windows
        return
    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    if allowed != resource.RLIM_INFINITY and allowed < ADDRESS_SPACE:
        raise Starved(
            f"this process may use {allowed / 2**20:.0f} MB of address space and needs {ADDRESS_SPACE // 2**20}. Raise "
            "the limit: ulimit -v unlimited"
        )


def misplaced(problem: BaseException) -> ArboretumError | None:
    """The failure in words where a name or a link is to blame; else None."""
    if not isinstance(problem, OSError) or problem.errno not in MISPLACED or not problem.filename:
        return None
    path = str(problem.filename)
    shown = path if problem.errno != errno.ENAMETOOLONG or len(path) <= SHOWN else path[:SHOWN] + "..."
    return ArboretumError(f"{shown}: {MISPLACED[problem.errno]} {KEPT}")


def spelled(path: Path) -> Path:
    """The path, or an error where the locale cannot spell it: libraries would take its files for damaged ones."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        raise ArboretumError(
            f"{str(path)!a}: the locale's encoding ({locale.getpreferredencoding(False)}) has no letters for this "
            "path. Set PYTHONUTF8=1, or another locale (LC_ALL=C.UTF-8)."
        ) from None
    return path


@contextmanager
def in_words() -> Iterator[None]:
    """Around a command: a machine that gives no more, and a path that leads nowhere, are errors in words."""
    try:
        yield
    except (OSError, MemoryError) as problem:
        if (failure := starved(problem) or misplaced(problem)) is not None:
            raise failure from None
        raise


# ------------------------------------------------------------------ outputs and signals


def say(text: str) -> None:
    """A message to the user, who may have closed that output too."""
    with suppress(OSError, AttributeError):
        print(text, file=sys.stderr, flush=True)


def nobody_reads() -> bool:
    """Whether whoever read our output has gone (``arboretum ... | head -1``); what is left of it is thrown away."""
    try:
        output, asked = sys.stdout.fileno(), select.poll()
    except (OSError, AttributeError):  # no output, or none of the system
        return False
    asked.register(output, 0)
    gone = any(found & (select.POLLERR | select.POLLHUP) for _, found in asked.poll(0))
    if gone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), output)
    return gone


def handle_signals() -> None:
    """SIGTERM and Ctrl-C end a command in good order, with one message and an exit code of their own."""
    signal.signal(signal.SIGTERM, _terminate)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell's background job ignores it
        signal.signal(signal.SIGINT, _interrupt)


def _terminate(*_: object) -> NoReturn:
    raise Terminated


def _interrupt(*_: object) -> NoReturn:
    """The first Ctrl-C ends the command in good order, the next one at once: nothing half-done passes for done."""
    signal.signal(signal.SIGINT, _interrupt_again)
    raise KeyboardInterrupt


def _interrupt_again(*_: object) -> NoReturn:
    with suppress(OSError):
        os.write(2, f"{STOPPED}\n".encode())
    os._exit(130)
