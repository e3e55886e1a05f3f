"""Kills: SIGKILL to the runner, a worker or ``dvc repro`` after the first finished task; the same command again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
from pathlib import Path

import psutil

from benchmarks.faults.flips import CLEAR, RECOVERED, SILENT, TRACEBACK
from benchmarks.faults.garden import Garden, finished, wait_until

TASKS = 24
RUN = ("run", "garden")


def killed_garden(folder: Path) -> Garden:
    """A garden whose run takes about two seconds after its first task."""
    return Garden(folder, repetitions=TASKS // 2, seconds=0.15)


def group_lives(process: subprocess.Popen) -> bool:
    """Whether anything that ``process`` started is left; its group is its own."""
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return False
    return True


def workers_of(process: subprocess.Popen) -> list[psutil.Process]:
    children = psutil.Process(process.pid).children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


class Kills:
    """One garden and its right rows; each method kills once and says what became of it."""

    def __init__(self, garden: Garden):
        self.garden = garden
        self.expected = self._whole()
        self.tries = 0

    def _whole(self):
        self.garden.did(*RUN)
        return self.garden.rows()

    def _fresh(self) -> dict[str, str]:
        """A task store that nobody has used, no raw results, an empty log."""
        self.tries += 1
        self.garden.raw().unlink(missing_ok=True)
        self.garden.log.unlink(missing_ok=True)
        self.garden.tasks = self.garden.root / ".arboretum" / f"tasks{self.tries}"
        return {"ARBORETUM_TASKS": str(self.garden.tasks)}

    def _finished(self) -> int:
        return finished(self.garden.tasks)

    def _started(self, random: random.Random, store: dict[str, str], *command: str, **how: str) -> subprocess.Popen:
        """A run that has finished a random number of tasks, at least one."""
        process = self.garden.start(*command, **store, **how)
        after = random.randrange(1, TASKS // 2)
        if not wait_until(lambda: self._finished() >= after or process.poll() is not None, 300):
            os.killpg(process.pid, signal.SIGKILL)
            raise AssertionError("the run finished no task")
        return process

    def runner(self, random: random.Random) -> str:
        """The runner is killed: its workers end, its pipes close, the same command does what is left."""
        store = self._fresh()
        process = self._started(random, store, *RUN)
        process.kill()
        process.communicate(timeout=30)  # hangs as long as anybody holds its output
        kept = self._finished()
        if not wait_until(lambda: not group_lives(process), 15):
            return SILENT
        return self._resumed(store, kept)

    def worker(self, random: random.Random) -> str:
        """One worker is killed: its tasks are tried once more and the run goes on."""
        store = self._fresh()
        process = self._started(random, store, *RUN)
        workers = workers_of(process) if process.poll() is None else []
        for chosen in random.sample(workers, min(1, len(workers))):
            chosen.kill()
        out, error = process.communicate(timeout=120)
        if "Traceback" in out + error:
            return TRACEBACK
        return self._judged() if process.returncode == 0 else CLEAR

    def dvc(self, random: random.Random) -> str:
        """``dvc repro`` is killed, alone or with all it started; again, and the stage is complete."""
        store, target = self._fresh(), "experiment@quick-garden-weights"
        if not (self.garden.root / ".dvc").is_dir():
            self._init_dvc(store, target)
            store = self._fresh()
        process = self._started(random, store, "repro", target, module="dvc")
        if random.random() < 0.5:
            process.kill()  # its `arboretum run` lives on, beside the next one
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=120)
        again = self.garden.start("repro", target, module="dvc", **store)
        said = "".join(again.communicate(timeout=300))
        return self._judged() if again.returncode == 0 else TRACEBACK if "Traceback" in said else CLEAR

    def _init_dvc(self, store: dict[str, str], target: str) -> None:
        quiet = {"cwd": self.garden.root, "check": True, "capture_output": True}
        subprocess.run(["git", "init", "-q"], **quiet)
        self.garden.start("init", "-q", module="dvc").communicate(timeout=120)
        self.garden.start("repro", target, module="dvc", **store).communicate(timeout=300)

    def _resumed(self, store: dict[str, str], kept: int) -> str:
        before = len(self.garden.ran())
        code, said = self.garden.run(*RUN, **store)
        if code != 0:
            return TRACEBACK if "Traceback" in said else CLEAR
        repeated = len(self.garden.ran()) - before - (TASKS - kept)
        return SILENT if repeated > 0 or self.garden.unfinished() else self._judged()

    def _judged(self) -> str:
        return RECOVERED if self.garden.rows().equals(self.expected) else SILENT
