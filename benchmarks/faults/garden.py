"""The checkout that faults are injected into: a paper of small tasks on two data sets, and what it should give."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import yaml

import arboretum.papers
from arboretum.pipeline.segments import IDENTITY

ROOT = Path(__file__).parents[2]
GARDEN = ROOT / "tests" / "garden"


class Garden:
    """A checkout of the paper ``garden`` in a folder of its own, its data fetched."""

    def __init__(self, root: Path, repetitions: int = 6, seconds: float = 0.05):
        self.root, self.log = root, root / "log.txt"
        self.tasks = root / ".arboretum" / "tasks"
        shutil.copytree(GARDEN / "checkout", root)
        shutil.copyfile(ROOT / "dvc.yaml", root / "dvc.yaml")
        self.change(repetitions=repetitions, seconds=seconds)
        self.did("fetch")

    def change(self, **values: float) -> None:
        """Set parameters of the experiment at quick."""
        text = yaml.safe_dump({"defaults": ["full", "_self_"], "weights": values})
        (self.root / "conf" / "paper" / "garden" / "quick.yaml").write_text(text)
        self.did("params")

    def environment(self, **extra: str) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("ARBORETUM_", "GARDEN_"))}
        path = os.pathsep.join([str(GARDEN / "papers"), str(ROOT / "src")])
        return kept | {"PYTHONPATH": path, "GARDEN_LOG": str(self.log)} | extra

    def start(self, *arguments: str, module: str = "arboretum", **extra: str) -> subprocess.Popen[str]:
        """Start a command in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=self.root,
            env=self.environment(**extra),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, **extra: str) -> tuple[int, str]:
        """Run a command; its exit code and what it said."""
        process = self.start(*arguments, **extra)
        out, error = process.communicate(timeout=300)
        return process.returncode, out + error

    def did(self, *arguments: str, **extra: str) -> str:
        """Run a command that must succeed; returns what it said."""
        code, said = self.run(*arguments, **extra)
        assert code == 0, said
        return said

    def ran(self) -> list[str]:
        """The tasks that really ran, one line each."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def raw(self) -> Path:
        return self.root / "results" / "quick" / "garden" / "raw" / "weights.parquet"

    def rows(self) -> pd.DataFrame:
        return pd.read_parquet(self.raw())

    def unfinished(self) -> list[Path]:
        """Temporary files that somebody left behind."""
        return [path for path in self.root.rglob(".*") if path.is_file() and "unfinished-" in path.name]


def finished(tasks: Path) -> int:
    """How many tasks have a whole record in the stores below a folder, whatever process is writing them."""
    lines = [line for path in tasks.rglob("*.records") for line in path.read_bytes().split(b"\n")[:-1]]
    return len({line[IDENTITY] for line in lines})


@contextlib.contextmanager
def planted() -> Iterator[None]:
    """The paper ``garden`` is one of the papers of this process; afterwards it is not."""
    papers = str(GARDEN / "papers")
    arboretum.papers.__path__.append(papers)
    try:
        yield
    finally:
        arboretum.papers.__path__.remove(papers)


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> bool:
    """Whether ``condition`` came true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
