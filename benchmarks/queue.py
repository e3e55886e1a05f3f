"""How long 10,000 data sets would take on a cluster: a simulation of its queue; ``python -m benchmarks.queue``.

Demand comes from this project: the tasks of the vrtrees grid on its own data sets at the printed protocol, and the
seconds that they took. A set of the plan is one of ours, drawn with replacement, with its effort scaled by a
log-normal factor (sigma 1), because sizes elsewhere differ more. The queue is the one of
``arboretum.pipeline.cluster``: the most expensive tasks first, short ones in batches, one client that handles one
batch after the other; workers are lost at random, with the batch that they were at.
"""

from __future__ import annotations

import argparse
import heapq
import json
from typing import NamedTuple

import numpy as np

from arboretum.pipeline.cluster import BATCH_SECONDS, BATCH_TASKS
from arboretum.pipeline.experiment import Plan
from arboretum.project.raw_results import read_raw
from arboretum.project.workspace import Workspace

GRID = ("spectrum", "coalescence")
CORE_SECONDS = 2 * 50 * 60  # the grid on our sets took 50 minutes on two cores
HANDLING = 0.004  # seconds of the client per batch to hand out, receive and store: assumed (benchmarks/engines.py)
LOST_PER_HOUR = 0.05  # workers of a spot market that are lost in an hour, as a share
AGAIN_AFTER = 180.0  # seconds until a lost worker is replaced
PRICE = 0.04  # of a core hour, in dollars; about a third of it on a spot market


class Demand(NamedTuple):
    """What a plan asks for: seconds of each task, bytes of its records and of its data sets."""

    seconds: np.ndarray
    record_bytes: float
    data_bytes: float


class Simulated(NamedTuple):
    """What a simulated run took."""

    workers: int
    hours: float
    busy: float  # share of the workers' time that went into results
    client: float  # share of the client's time that was used
    repeated_hours: float  # core hours of work that was lost with its worker
    dollars: float


def efforts(workspace: Workspace) -> tuple[dict[str, list[float]], float, float]:
    """The efforts of our tasks by data set, bytes of a record on average, and bytes of a prepared set."""
    by_set: dict[str, list[float]] = {}
    record_bytes, tasks = 0.0, 0
    for name in GRID:
        plan = Plan.make(workspace, "full", "vrtrees", name)
        for task in plan.tasks.values():
            by_set.setdefault(task["dataset"], []).append(plan.cost(task))
        rows = read_raw(workspace.raw("full", "vrtrees") / f"{name}.parquet")
        sample = rows.sample(min(200, len(rows)), random_state=1).to_dict("records")
        record_bytes += len(json.dumps(sample, default=str)) / len(sample) * len(rows)
        tasks += len(plan.tasks)
    prepared = [path.stat().st_size for path in workspace.root.glob("data/prepared/*/*.parquet")]
    return by_set, record_bytes / tasks, float(np.mean(prepared)) if prepared else float("nan")


def demand(workspace: Workspace, sets: int, random: np.random.Generator) -> Demand:
    by_set, record_bytes, data_bytes = efforts(workspace)
    ours = [np.asarray(costs) for costs in by_set.values()]
    scale = CORE_SECONDS / sum(costs.sum() for costs in ours)
    factors = random.lognormal(0.0, 1.0, sets)
    chosen = random.integers(0, len(ours), sets)
    seconds = np.concatenate([ours[one] * factor for one, factor in zip(chosen, factors, strict=True)]) * scale
    return Demand(np.sort(seconds)[::-1], record_bytes, data_bytes * sets)


def batches(seconds: np.ndarray) -> list[float]:
    """Tasks as they are handed out: alone, or together until a batch takes about half a second."""
    found, start = [], 0
    while start < len(seconds):
        count = int(np.clip(BATCH_SECONDS / max(seconds[start], 1e-6), 1, BATCH_TASKS))
        found.append(float(seconds[start : start + count].sum()))
        start += count
    return found


def simulate(work: list[float], workers: int, random: np.random.Generator) -> Simulated:
    """Hand out batches in their order to whichever worker is free; a lost worker's batch goes to the next one."""
    free = [(0.0, worker) for worker in range(workers)]
    lost_at = random.exponential(3600 / LOST_PER_HOUR, workers)
    waiting, client, repeated, end = work[::-1], 0.0, 0.0, 0.0
    while waiting:
        seconds = waiting.pop()
        ready, worker = heapq.heappop(free)
        start = max(ready, client)
        client = start + HANDLING if ready <= client else max(client, ready - HANDLING) + HANDLING
        done = start + seconds
        if done > lost_at[worker]:
            repeated += max(lost_at[worker] - start, 0.0)
            back = max(lost_at[worker], start) + AGAIN_AFTER
            lost_at[worker] = back + random.exponential(3600 / LOST_PER_HOUR)
            waiting.append(seconds)
            heapq.heappush(free, (back, worker))
            continue
        end = max(end, done)
        heapq.heappush(free, (done, worker))
    useful = sum(work)
    hours = end / 3600
    return Simulated(
        workers, hours, useful / (workers * end), HANDLING * len(work) / end, repeated / 3600, workers * hours * PRICE
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=10_000)
    parser.add_argument("--workers", default="2,16,64,256,1024")
    options = parser.parse_args()
    random = np.random.default_rng(1)
    asked = demand(Workspace.find(), options.sets, random)
    work = batches(asked.seconds)
    print(f"{options.sets} sets: {len(asked.seconds)} tasks in {len(work)} batches, {asked.seconds.sum() / 3600:.0f} "
          f"core hours, longest task {asked.seconds[0] / 60:.1f} min; records {asked.record_bytes:.0f} bytes each, "
          f"{asked.record_bytes * len(asked.seconds) / 1e9:.1f} GB; data {asked.data_bytes / 1e9:.1f} GB")  # fmt: skip
    for workers in map(int, options.workers.split(",")):
        found = simulate(work, workers, random)
        print(f"{workers:>5} workers: {found.hours:7.2f} h, busy {found.busy:.0%}, client {found.client:.0%}, repeated "
              f"{found.repeated_hours:.1f} core hours, {found.dollars:.0f} dollars", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
