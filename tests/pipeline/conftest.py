"""A checkout of the toy paper, and a way to run the command line in it as a user does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOY = Path(__file__).parents[1] / "toy"


class Checkout:
    """A temporary checkout; ``run("run", "toy/coins")`` runs the command line in a process of its own."""

    def __init__(self, root: Path):
        self.root = root
        self.log = root / "log.txt"
        self.papers = TOY / "papers"  # its sitecustomize adds the toy paper to those present

    def environment(self, **extra: str) -> dict[str, str]:
        base = {key: value for key, value in os.environ.items() if not key.startswith(("ARBORETUM_", "TOY_"))}
        path = os.pathsep.join(filter(None, [str(self.papers), os.environ.get("PYTHONPATH")]))
        return base | {"PYTHONPATH": path, "TOY_LOG": str(self.log)} | extra

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "arboretum", *arguments]

    def run(self, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments),
            cwd=self.root,
            env=self.environment(**extra),
            capture_output=True,
            text=True,
            timeout=600,
        )

    def did(self, *arguments: str, **extra: str) -> str:
        """Run a command that must succeed; returns what it printed."""
        done = self.run(*arguments, **extra)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def failed(self, *arguments: str, **extra: str) -> str:
        """Run a command that must fail with a message and no traceback of ours; returns the message."""
        done = self.run(*arguments, **extra)
        assert done.returncode != 0, done.stdout
        return done.stderr

    def ran(self) -> list[str]:
        """The tasks that really ran, one line each."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def results(self, profile: str = "quick") -> Path:
        return self.root / "results" / profile / "toy"


@pytest.fixture(scope="session")
def composed(tmp_path_factory) -> Path:
    """The toy checkout with its generated files, made once."""
    root = tmp_path_factory.mktemp("composed") / "checkout"
    shutil.copytree(TOY / "checkout", root)
    Checkout(root).did("params")
    return root


@pytest.fixture
def checkout(composed: Path, tmp_path: Path) -> Checkout:
    root = tmp_path / "checkout"
    shutil.copytree(composed, root)
    return Checkout(root)
