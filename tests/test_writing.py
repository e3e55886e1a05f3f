"""Files appear whole or not at all; what a killed process leaves lies elsewhere and is swept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arboretum.writing import PLACE, atomic_path, sweep, write_text

KILLED = """
import os, sys
from pathlib import Path
from arboretum.writing import atomic_path
with atomic_path(Path(sys.argv[1])) as temporary:
    temporary.write_text("half")
    os.kill(os.getpid(), 9)
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "dvc.yaml").touch()
    return tmp_path


def kill_a_writer_of(target: Path) -> None:
    assert subprocess.run([sys.executable, "-c", KILLED, str(target)]).returncode == -9


def test_a_killed_writer_leaves_the_old_file_and_nothing_beside_it(checkout):
    target = checkout / "results" / "a.csv"
    write_text(target, "whole")
    kill_a_writer_of(target)
    assert target.read_text() == "whole"
    assert list(target.parent.iterdir()) == [target]
    assert len(list((checkout / PLACE).iterdir())) == 1


def test_the_next_command_sweeps_what_dead_processes_left_and_nothing_of_the_living(checkout):
    target = checkout / "results" / "a.csv"
    kill_a_writer_of(target)
    with atomic_path(target) as temporary:
        temporary.write_text("whole")
        sweep(checkout / PLACE)
        assert [path.name for path in (checkout / PLACE).iterdir()] == [temporary.name]
    assert target.read_text() == "whole"
    assert not list((checkout / PLACE).iterdir())


def test_a_writer_that_fails_leaves_nothing(checkout):
    with pytest.raises(RuntimeError), atomic_path(checkout / "a.csv") as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert not (checkout / "a.csv").exists() and not list((checkout / PLACE).iterdir())


def test_outside_a_checkout_the_temporary_file_lies_beside_its_target(tmp_path):
    with atomic_path(tmp_path / "store" / "a.json") as temporary:
        assert temporary.parent == tmp_path / "store"
        temporary.write_text("{}")
    assert (tmp_path / "store" / "a.json").read_text() == "{}"
