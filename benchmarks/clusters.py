"""What a Dask cluster bears: ``python -m benchmarks.clusters [efficiency] [memory]``; writes benchmarks/clusters.csv.

Scheduler and workers are processes of their own on the loopback address; tasks are those of the small paper of
tests/garden, and each result is stored.

``efficiency``: tasks of half a second on 2, 4 and 8 workers, all of which have worked before. The tasks sleep, so more
workers than cores are no loss: what is measured is how fast one client and one scheduler hand out, take back and store.
Efficiency is the seconds slept, divided by workers times the time taken.

``memory``: the peak memory of the scheduler after 1,000 to 100,000 tasks that do not sleep, on two workers.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from arboretum.pipeline.executors import RunSettings
from arboretum.pipeline.task_store import TaskStore
from arboretum.writing import atomic_path
from benchmarks.engines import calls_of
from benchmarks.faults.cluster import Cluster, cluster
from benchmarks.faults.garden import GARDEN, ROOT, Garden, planted, wait_until

TABLE = Path(__file__).with_suffix(".csv")
SECONDS, PER_WORKER, WORKERS = 0.5, 40, (2, 4, 8)  # of the tasks that sleep
MANY, FEW_WORKERS = (1_000, 10_000, 100_000), 2  # of those that do not
COLUMNS = ("part", "workers", "task_seconds", "tasks", "elapsed", "efficiency", "scheduler_megabytes")
Row = dict[str, object]


def peak_megabytes(process: int) -> int:
    """The most memory that a process has had so far."""
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())[1]) // 1024


def joined(address: str) -> int:
    """How many workers a scheduler has."""
    from distributed import Client

    with Client(address, timeout=60) as client:
        return len(client.nthreads())


def elapsed(started: Cluster, seconds: float, tasks: int, place: Path) -> float:
    """The time from the first task handed out to the last result stored."""
    waiting, store = calls_of(started.garden, seconds, tasks), TaskStore(place)
    start, done = time.perf_counter(), 0
    for identity, result in RunSettings("dask", len(started.workers), started.address).finish(waiting):
        store.put(identity, {"dataset": "beds", "seconds": seconds}, result.rows, result.seconds)
        done += 1
    assert done == tasks
    return time.perf_counter() - start


def efficiency(garden: Garden, share: int) -> Iterator[Row]:
    for workers in WORKERS:
        tasks, place = workers * PER_WORKER // share, garden.root / ".arboretum"
        with cluster(garden, workers) as started:
            if not wait_until(lambda: joined(started.address) == workers, 180):  # noqa: B023
                raise SystemExit(f"{joined(started.address)} of {workers} workers joined")
            elapsed(started, SECONDS, 4 * workers, place / f"before{workers}")  # all of them import what they need
            took = elapsed(started, SECONDS, tasks, place / f"after{workers}")
            memory = peak_megabytes(started.scheduler.pid)
        row = {"workers": workers, "task_seconds": SECONDS, "tasks": tasks, "scheduler_megabytes": memory}
        yield row | {"elapsed": f"{took:.1f}", "efficiency": f"{tasks * SECONDS / (workers * took):.3f}"}


def memory(garden: Garden, share: int) -> Iterator[Row]:
    for tasks in MANY:
        with cluster(garden, FEW_WORKERS) as started:
            elapsed(started, 0.0, tasks // share, garden.root / ".arboretum" / f"many{tasks}")
            found = peak_megabytes(started.scheduler.pid)
        yield {"workers": FEW_WORKERS, "task_seconds": 0, "tasks": tasks // share, "scheduler_megabytes": found}


PARTS = {"efficiency": efficiency, "memory": memory}


def stored() -> list[Row]:
    if not TABLE.is_file():
        return []
    with TABLE.open(newline="") as file:
        return list(csv.DictReader(file))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="default: both; the other's rows stay")
    parser.add_argument("--quick", action="store_true", help="a tenth of the tasks; nothing is stored")
    options = parser.parse_args()
    parts = options.parts or list(PARTS)
    found = {part: [row for row in stored() if row["part"] == part] for part in PARTS}
    with tempfile.TemporaryDirectory(prefix="arboretum-clusters-") as folder, planted():
        os.environ["PYTHONPATH"] = os.pathsep.join([str(GARDEN / "papers"), str(ROOT / "src")])  # of workers
        garden = Garden(Path(folder) / "garden")
        for part in parts:
            found[part] = []
            for row in PARTS[part](garden, 10 if options.quick else 1):
                found[part].append({"part": part} | row)
                print(found[part][-1], flush=True)
    if not options.quick:
        with atomic_path(TABLE) as path, path.open("w", newline="") as file:
            rows = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            rows.writeheader()
            rows.writerows(row for part in PARTS for row in found[part])


if __name__ == "__main__":
    main()
