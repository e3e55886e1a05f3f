"""Completion, asked as a shell asks: by environment variables."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("argcomplete", reason="argcomplete comes with arboretum[pipeline]")


def completed(line: str) -> set[str]:
    """What a shell would offer after ``line``."""
    environment = os.environ | {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": "/dev/stdout",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_COMP_WORDBREAKS": " ",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    done = subprocess.run([sys.executable, "-m", "arboretum"], env=environment, capture_output=True, text=True)
    return {word.strip() for word in done.stdout.split("\n") if word.strip()}


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("arboretum re", {"render", "report", "reproduce"}),
        ("arboretum run vr", {"vrtrees"}),
        ("arboretum run vrtrees/spec", {"vrtrees/spectrum"}),
        ("arboretum fetch --sets iris,gla", {"iris,glass"}),
        ("arboretum verify --profile ex", {"extended"}),
        ("arboretum render --profile quick per", {"pert"}),
        ("arboretum sweep data", {"dataset="}),
        ("arboretum sweep -m dataset=iris,gla", {"dataset=iris,glass"}),
        ("arboretum sweep dataset=iris learner=coal", {"learner=coalescence"}),
    ],
)
def test_a_shell_is_offered_commands_papers_experiments_and_sets(line, offered):
    assert completed(line) == offered
