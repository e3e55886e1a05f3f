"""Faults of a Dask cluster whose scheduler and workers are processes of their own, all on the loopback address."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.faults.flips import CLEAR, RECOVERED, SILENT, TRACEBACK
from benchmarks.faults.garden import Garden, finished, wait_until

# without the address of a dashboard, Dask serves the state of a cluster to everybody, --no-dashboard or not
LOOPBACK = ("--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0")
LOST = 6  # exit code: the scheduler no longer answers


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, garden: Garden):
        self.garden, self.processes = garden, []
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.scheduler = self._start("scheduler", "--port", str(port), "--no-show", *LOOPBACK)
        if not wait_until(lambda: self._answers(port), 120):
            raise AssertionError("the scheduler did not start")
        self.workers: list[subprocess.Popen] = []

    def _answers(self, port: int) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def _start(self, *command: str, **extra: str) -> subprocess.Popen:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *command],
            cwd=self.garden.root,
            env=self.garden.environment(**extra),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def add_worker(self, **extra: str) -> subprocess.Popen:
        place = str(self.garden.root / ".arboretum" / "dask")
        options = ["--nthreads", "1", "--no-nanny", "--local-directory", place, *LOOPBACK]
        worker = self._start("worker", self.address, *options, **extra)
        self.workers.append(worker)
        return worker

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait(timeout=30)


@contextmanager
def cluster(garden: Garden, workers: int = 1) -> Iterator[Cluster]:
    """A cluster with ``workers`` workers; all its processes end with the block."""
    started = Cluster(garden)
    try:
        for _ in range(workers):
            started.add_worker()
        yield started
    finally:
        started.close()


class ClusterFaults:
    """A garden and its right rows; each method breaks a cluster in the middle of a run."""

    def __init__(self, garden: Garden):
        self.garden, self.tries = garden, 0
        garden.did("run", "garden")
        self.expected, self.count = garden.rows(), len(garden.ran())

    def _store(self) -> Path:
        self.tries += 1
        self.garden.raw().unlink(missing_ok=True)
        return self.garden.root / ".arboretum" / f"cluster{self.tries}"

    def _begun(self, address: str, store: Path) -> subprocess.Popen:
        """A run on the cluster that has finished at least one task."""
        process = self.garden.start(
            "run", "garden", "run.engine=dask", f"run.address={address}", ARBORETUM_TASKS=str(store)
        )
        if not wait_until(lambda: bool(self._kept(store)) or process.poll() is not None, 300):
            process.kill()
            raise AssertionError("the run finished no task")
        return process

    def _kept(self, store: Path) -> int:
        return finished(store)

    def _judged(self, process: subprocess.Popen) -> str:
        said = "".join(process.communicate(timeout=300))
        if "Traceback" in said:
            return TRACEBACK
        if process.returncode != 0:
            return CLEAR
        return RECOVERED if self.garden.rows().equals(self.expected) else SILENT

    def worker_killed(self) -> str:
        """One of two workers dies: the other does its tasks."""
        store = self._store()
        with cluster(self.garden, 2) as broken:
            process = self._begun(broken.address, store)
            broken.workers[0].kill()
            return self._judged(process)

    def worker_replaced(self) -> str:
        """The only worker dies, data and all, and another one joins."""
        store = self._store()
        with cluster(self.garden, 1) as broken:
            process = self._begun(broken.address, store)
            broken.workers[0].kill()
            broken.add_worker()
            return self._judged(process)

    def slow_worker(self) -> str:
        """One worker is ten times as slow as the other."""
        store = self._store()
        with cluster(self.garden, 1) as broken:
            broken.add_worker(GARDEN_SLOW="10")
            return self._judged(self._begun(broken.address, store))

    def scheduler_lost(self) -> str:
        """The scheduler dies: a clear message; another cluster does what is left and nothing twice."""
        store = self._store()
        with cluster(self.garden, 1) as broken:
            process = self._begun(broken.address, store)
            broken.scheduler.kill()
            said = "".join(process.communicate(timeout=180))
        if "Traceback" in said or process.returncode != LOST:
            return TRACEBACK
        kept, ran = self._kept(store), len(self.garden.ran())
        with cluster(self.garden, 1) as whole:
            judged = self._judged(self._begun(whole.address, store))
        repeated = len(self.garden.ran()) - ran - (self.count - kept)
        return SILENT if repeated > 0 else judged


KINDS = ["worker_killed", "worker_replaced", "slow_worker", "scheduler_lost"]
