"""What an engine costs per task: efficiency for tasks of 10 ms to 10 s; ``python -m benchmarks.engines [--quick]``.

Tasks of the small paper of tests/garden sleep, so that the numbers show what handing out, checking and storing cost
and not how many cores this machine has free. Efficiency is the time that one process needs without any overhead,
divided by workers times the time taken, from the first result on (workers start once, whatever they do then). Every
result is put into a task store, as in a run. Writes benchmarks/engines.csv.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arboretum.datasets import load
from arboretum.pipeline.calls import Call
from arboretum.pipeline.executors import RunSettings
from arboretum.pipeline.task_store import TaskStore
from arboretum.writing import atomic_path
from benchmarks.faults.garden import GARDEN, ROOT, Garden, planted

TASKS = {0.01: 100_000, 0.1: 1_000, 1.0: 100, 10.0: 12}  # seconds of a task -> how many
QUICK = {0.01: 400, 0.1: 60, 1.0: 8}
WORKERS = 2


class Measured(NamedTuple):
    """One engine on tasks of one length."""

    engine: str
    workers: int
    task_seconds: float
    tasks: int
    elapsed: float
    efficiency: float
    client_megabytes: float


def calls_of(garden: Garden, seconds: float, tasks: int) -> list[tuple[str, Call]]:
    """Tasks that sleep so long, each with an identity of its own."""
    data = garden.root / "data" / "prepared" / "quick" / "beds.parquet"
    fingerprint, task = load(data).fingerprint, {"dataset": "beds", "seconds": seconds}
    return [
        (f"{number:064x}", Call("garden", "weights", task | {"repetition": number}, data, fingerprint=fingerprint))
        for number in range(tasks)
    ]


def measure(engine: str, seconds: float, tasks: int, garden: Garden, store: TaskStore) -> Measured:
    """Run ``tasks`` sleeping tasks and keep what they give."""
    task, calls = {"dataset": "beds", "seconds": seconds}, calls_of(garden, seconds, tasks)
    first, done = 0.0, 0
    for identity, result in RunSettings(engine, WORKERS).finish(calls):
        store.put(identity, task, result.rows, result.seconds)
        done += 1
        first = first or time.perf_counter()
    elapsed = time.perf_counter() - first
    assert done == tasks
    workers = 1 if engine == "serial" else WORKERS
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    left = tasks - workers  # all workers finish their first task when the clock starts
    return Measured(engine, workers, seconds, tasks, elapsed, left * seconds / (workers * elapsed), round(used))


def measurements(counts: dict[float, int], engines: list[str]) -> Iterator[Measured]:
    with tempfile.TemporaryDirectory(prefix="arboretum-engines-") as folder:
        garden = Garden(Path(folder) / "garden")
        os.environ["PYTHONPATH"] = os.pathsep.join([str(GARDEN / "papers"), str(ROOT / "src")])  # of workers
        with planted():
            for engine in engines:
                for seconds, tasks in counts.items():
                    store = TaskStore(Path(folder) / f"{engine}{seconds}")
                    yield measure(engine, seconds, tasks if engine == "dask" else min(tasks, 5_000), garden, store)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few tasks, a minute; nothing is stored")
    parser.add_argument("--engines", default="serial,processes,dask")
    options = parser.parse_args()
    found = []
    for measured in measurements(QUICK if options.quick else TASKS, options.engines.split(",")):
        found.append(measured)
        print(f"{measured.engine:<10} {measured.workers} x {measured.task_seconds:g} s: {measured.tasks} tasks in "
              f"{measured.elapsed:.1f} s, efficiency {measured.efficiency:.2f}, {measured.client_megabytes} MB",
              flush=True)  # fmt: skip
    if not options.quick:
        with atomic_path(Path(__file__).with_name("engines.csv")) as path, path.open("w", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(Measured._fields)
            rows.writerows((*row[:4], f"{row.elapsed:.1f}", f"{row.efficiency:.3f}", row[6]) for row in found)


if __name__ == "__main__":
    main()
