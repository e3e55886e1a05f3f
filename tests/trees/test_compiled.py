"""Compiling: one process at a time, what it says, and the garbage collector as it was before."""

import fcntl
import gc
import os
import pty
import subprocess
import sys
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from arboretum.trees import first_use
from arboretum.trees.compiled import SELDOM, _few_collections
from arboretum.trees.first_use import SAID

SOURCES = Path(__file__).parents[2] / "src"


@pytest.mark.parametrize(
    ("former", "meanwhile"), [((700, 10, 10), SELDOM), ((0, 10, 10), (0, 10, 10)), ((50_000, 5, 5), (50_000, 5, 5))]
)
def test_thresholds_are_raised_and_restored(former, meanwhile):
    before = gc.get_threshold()
    gc.set_threshold(*former)
    try:
        with pytest.raises(ZeroDivisionError), _few_collections():
            assert gc.get_threshold() == meanwhile
            raise ZeroDivisionError
        assert gc.get_threshold() == former
    finally:
        gc.set_threshold(*before)


def test_a_second_thread_that_leaves_last_restores_nothing_wrong():
    before, entered, leave = gc.get_threshold(), threading.Event(), threading.Event()

    def second():
        with _few_collections():
            entered.set()
            leave.wait(10)

    with _few_collections():
        thread = threading.Thread(target=second)
        thread.start()
        assert entered.wait(10)
    leave.set()
    thread.join()
    assert gc.get_threshold() == before


# ------------------------------------------------------------------ one process compiles, and says so

KERNELS = """
import sys
from arboretum.trees import first_use
from arboretum.trees.compiled import kernel, part

@part
def twice(x):
    return 2 * x

@kernel
def doubled(x):
    return twice(x)

@kernel
def {name}(x):
    return doubled(x) + 1

assert {name}(20) == 41 and {name}(0.5) == 2
print("done", flush=True)
"""


@pytest.fixture
def script(tmp_path):
    """A process that compiles two small kernels for two types each, with a cache of its own: a function that starts it.

    Kernels are looked for by file and name, so the name ``plus_one`` is one kernel in every process.
    """
    path = tmp_path / "kernels.py"
    path.write_text(KERNELS.format(name="plus_one"))
    environment = os.environ | {"ARBORETUM_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(SOURCES)}

    def start(**more) -> subprocess.Popen:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | more
        return subprocess.Popen([sys.executable, str(path)], env=environment, **pipes)

    return start


def ended(process: subprocess.Popen) -> str:
    """What a process says on its error output."""
    out, said = process.communicate(timeout=240)
    assert process.returncode == 0 and out == "done\n", said
    return said


def test_the_first_use_says_one_line_and_the_second_nothing(script):
    assert ended(script()) == SAID + "\n"
    assert ended(script()) == ""


def test_a_warm_cache_takes_no_lock(script, tmp_path):
    ended(script())
    locks = list((tmp_path / "cache").rglob("*.lock"))
    assert len(locks) == 2
    with ExitStack() as held:
        for path in locks:
            fcntl.flock(held.enter_context(path.open("w")), fcntl.LOCK_EX)
        assert ended(script()) == ""


def test_a_process_that_waited_compiles_nothing(script, tmp_path):
    ended(script())
    kept = {path: path.read_bytes() for path in (tmp_path / "cache").rglob("*.nb?")}
    locks = list((tmp_path / "cache").rglob("*.lock"))
    for path in kept:
        path.unlink()
    with ExitStack() as held:
        for path in locks:
            fcntl.flock(held.enter_context(path.open("w")), fcntl.LOCK_EX)
        waiting = script()
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(5)
        for path, content in kept.items():
            path.write_bytes(content)
    assert ended(waiting) == ""


def test_a_bar_on_a_terminal(script):
    ours, theirs = pty.openpty()
    process = script(stderr=theirs)
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # a terminal whose other end is closed
        while piece := os.read(ours, 4096):
            shown += piece
    os.close(ours)
    assert process.wait(240) == 0
    lines = shown.decode().replace("\r\n", "\n").split("\n")
    assert lines[0] == SAID and lines[1].endswith("\r\033[K")
    assert first_use.bar(10) == f"[{'#' * 15}{'.' * 15}] 10 s" and first_use.bar(60) == f"[{'#' * 30}] 60 s"


def test_a_command_that_shows_its_own_progress_is_silent(capsys):
    announced = first_use.Announcement(SAID)
    with announced.silent(), announced():
        pass
    with announced(), announced():
        pass
    assert capsys.readouterr().err == SAID + "\n"
