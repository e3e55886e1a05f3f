"""Starvation: a full disk, a place that cannot be written, no file handles, SIGTERM; then the same command again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from benchmarks.faults.flips import CLEAR, SILENT, TRACEBACK
from benchmarks.faults.garden import Garden, finished, wait_until

STARVED, TERMINATED = 5, 143
# A command under a limit of the system: the name of the limit, its value, then the command's own arguments.
RUNNER = (
    "import resource, sys; from arboretum.__main__ import main; "
    "import arboretum.pipeline.experiment; "  # what is imported later would not find the file handles to be read
    "kind, value = sys.argv[1], int(sys.argv[2]); "
    "resource.setrlimit(getattr(resource, kind), (value, value)); "
    "sys.exit(main(sys.argv[3:]))"
)
RUN = ("run", "garden", "run.engine=serial")


class Starvation:
    """A garden with stored results; each method starves a run and says what became of it."""

    def __init__(self, garden: Garden):
        self.garden = garden
        garden.did("run", "garden")
        self.expected, self.stored = garden.rows(), garden.raw().read_bytes()
        self.tries = 0

    def _store(self) -> dict[str, str]:
        self.tries += 1
        return {"ARBORETUM_TASKS": str(self.garden.root / ".arboretum" / f"starved{self.tries}")}

    def _limited(self, store: dict[str, str], kind: str, value: int, *command: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-c", RUNNER, kind, str(value), *command],
            cwd=self.garden.root,
            env=self.garden.environment(**store),
            capture_output=True,
            text=True,
            timeout=300,
        )
        return done.returncode, done.stdout + done.stderr

    def _judged(self, store: dict[str, str], code: int, said: str, wanted: int = STARVED) -> str:
        """The failure was one clear line, stored results are as they were, and the same command resumes."""
        if "Traceback" in said or code != wanted:
            return TRACEBACK
        if self.garden.raw().read_bytes() != self.stored:
            return SILENT
        self.garden.did("run", "garden", **store)
        whole = self.garden.rows().equals(self.expected) and not self.garden.unfinished()
        return CLEAR if whole else SILENT

    def file_too_large(self) -> str:
        """No file may grow beyond some bytes: a task record cannot be written."""
        store = self._store()
        return self._judged(store, *self._limited(store, "RLIMIT_FSIZE", 150, *RUN))

    def full_disk(self) -> str:
        """The task store lies on a disk that is full after a few records (where this machine lets us mount one)."""
        place = Path(self._store()["ARBORETUM_TASKS"])
        place.mkdir(parents=True)
        command = f"mount -t tmpfs -o size=16k none {place} && exec {sys.executable} -m arboretum {' '.join(RUN)}"
        done = subprocess.run(
            ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", command],
            cwd=self.garden.root,
            env=self.garden.environment(ARBORETUM_TASKS=str(place)),
            capture_output=True,
            text=True,
            timeout=300,
        )
        return self._judged({"ARBORETUM_TASKS": str(place)}, done.returncode, done.stdout + done.stderr)

    def read_only_store(self) -> str:
        """The task store cannot be written."""
        code, said = self.garden.run(*RUN, ARBORETUM_TASKS="/sys/arboretum")
        return self._judged(self._store(), code, said)

    def read_only_results(self) -> str:
        """The results cannot be written: nobody may, not even root, make a file where a folder should be."""
        store, results = self._store(), self.garden.raw().parent
        kept = results.with_name("kept")
        results.rename(kept)
        results.symlink_to("/sys")
        try:
            code, said = self.garden.run(*RUN, **store)
        finally:
            results.unlink()
            kept.rename(results)
        return self._judged(store, code, said)

    def no_file_handles(self) -> str:
        """The process may open hardly any file."""
        store = self._store()
        return self._judged(store, *self._limited(store, "RLIMIT_NOFILE", 12, "run", "garden", "run.workers=2"))

    def terminated(self) -> str:
        """SIGTERM to the runner alone, in the middle of its work."""
        store = self._store()
        place = Path(store["ARBORETUM_TASKS"])
        process = self.garden.start("run", "garden", **store)
        wait_until(lambda: finished(place) or process.poll() is not None, 120)
        os.kill(process.pid, signal.SIGTERM)
        out, error = process.communicate(timeout=60)
        code = process.returncode if process.returncode else TERMINATED  # it may have been done already
        return self._judged(store, code, out + error, TERMINATED)


KINDS = ["file_too_large", "read_only_store", "read_only_results", "no_file_handles", "terminated"]


def can_mount() -> bool:
    """Whether this machine lets us mount a small disk in a namespace of our own."""
    probe = ["unshare", "--user", "--map-root-user", "--mount", "true"]
    return shutil.which("unshare") is not None and subprocess.run(probe, capture_output=True).returncode == 0
