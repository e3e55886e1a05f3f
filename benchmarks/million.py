"""A thousand to a million small tasks: planned, resumed, collected; ``python -m benchmarks.million [--sizes 10000]``.

Tasks of the small paper of tests/garden. A first process plans them and keeps a record of all but the last hundred, as
workers would give them. A second process is what a user sees who gives the same command again: it plans, reads and
checks the store, runs what is missing, collects the rows and writes the raw results. Seconds of each step, the peak
memory of the process and the size of the store go to benchmarks/million.csv, the curve to million.svg. Rows of sizes
that are not measured stay as they are.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arboretum.pipeline.executors import RunSettings
from arboretum.pipeline.experiment import Plan, collect, raw_path, run
from arboretum.project.raw_results import write_raw
from arboretum.project.workspace import Workspace
from arboretum.writing import atomic_path
from benchmarks.faults.garden import Garden, planted

TABLE = Path(__file__).with_suffix(".csv")
SIZES = (1_000, 10_000, 100_000, 1_000_000)
LEFT = 100  # tasks that the second process has to run
GOAL_SECONDS, GOAL_MEGABYTES = 120, 1024
STEPS = ("plan", "resume", "run", "collect", "write")
COLUMNS = ("tasks", "store", *STEPS, "in_all", "megabytes", "store_megabytes")


def fill(plan: Plan) -> dict[str, float]:
    """Keep a record of all but the last tasks; the seconds of that alone."""
    tasks, start = list(plan.tasks.items()), time.perf_counter()
    for number, (identity, task) in enumerate(tasks[:-LEFT]):
        row = {"dataset": task["dataset"], "repetition": task["repetition"]}
        plan.store.put(identity, task, [{**row, "weight": 1000 + number / 7, "first": number % 10, "kinds": 3}], 0.003)
    plan.store.sync()
    return {"store": time.perf_counter() - start}


def resume(plan: Plan) -> dict[str, float]:
    """The seconds of each step of the same command given again."""
    steps = {
        "plan": lambda: plan.tasks,
        "resume": lambda: plan.missing,
        "run": lambda: run(plan, RunSettings("serial")),
        "collect": lambda: collect(plan).frame,
    }
    found, start = {}, time.perf_counter()
    for name, step in steps.items():
        made = step()
        found[name], start = time.perf_counter() - start, time.perf_counter()
        if name == "resume" and len(made) != LEFT:
            raise SystemExit(f"{len(made)} tasks are missing, not {LEFT}")
    write_raw(made, raw_path(plan))
    found["write"] = time.perf_counter() - start
    if len(made) != len(plan.tasks):
        raise SystemExit(f"{len(made)} rows of {len(plan.tasks)} tasks")
    return found | {"megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def measured(garden: Garden, size: int) -> dict[str, float]:
    """One size: both processes, one after the other."""
    garden.change(repetitions=size // 2, seconds=0)
    tasks = garden.root / ".arboretum" / f"tasks{size}"
    found: dict[str, float] = {"tasks": size}
    for step in ("fill", "resume"):
        command = [sys.executable, "-m", "benchmarks.million", "--step", step, "--checkout", str(garden.root)]
        environment = os.environ | {"ARBORETUM_TASKS": str(tasks)}
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        found |= json.loads(done.stdout.splitlines()[-1])
    stored = sum(path.stat().st_size for path in tasks.rglob("*.records"))
    return found | {"in_all": sum(found[step] for step in STEPS), "store_megabytes": stored / 2**20}


def stored() -> dict[int, dict[str, float]]:
    """The rows of the table by their number of tasks."""
    with TABLE.open(newline="") as file:
        return {int(row["tasks"]): {name: float(row[name]) for name in COLUMNS} for row in csv.DictReader(file)}


def draw(table: list[dict[str, float]], path: Path) -> None:
    """Seconds and memory against the number of tasks, with the goals."""
    import matplotlib.pyplot as plt

    sizes = [row["tasks"] for row in table]
    figure, axes = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
    for step in ("plan", "resume", "collect", "write", "in_all"):
        axes[0].plot(sizes, [row[step] for row in table], marker="o", markersize=3, label=step.replace("_", " "))
    axes[1].plot(sizes, [row["megabytes"] for row in table], marker="o", markersize=3, label="peak memory")
    axes[1].plot(sizes, [row["store_megabytes"] for row in table], marker="o", markersize=3, label="task store")
    for axis, goal, name in zip(axes, (GOAL_SECONDS, GOAL_MEGABYTES), ("seconds", "MB"), strict=True):
        axis.axhline(goal, color="grey", linewidth=0.8, linestyle=":")
        axis.set(xscale="log", yscale="log", xlabel="tasks", ylabel=name)
        axis.legend(frameon=False, fontsize=7)
    with atomic_path(path) as temporary:
        figure.savefig(temporary, metadata={"Date": None})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), metavar="1000,10000", help="numbers of tasks")
    parser.add_argument("--step", choices=["fill", "resume"], help=argparse.SUPPRESS)
    parser.add_argument("--checkout", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        with planted():
            plan = Plan.make(Workspace.at(options.checkout), "quick", "garden", "weights")
            print(json.dumps({"fill": fill, "resume": resume}[options.step](plan)))
        return 0
    rows = stored()
    with tempfile.TemporaryDirectory(prefix="arboretum-million-") as folder:
        garden = Garden(Path(folder) / "garden")
        for size in map(int, options.sizes.split(",")):
            rows[size] = measured(garden, size)
            print("  ".join(f"{name} {rows[size][name]:.1f}" for name in COLUMNS), flush=True)
    table = [rows[size] for size in sorted(rows)]
    with atomic_path(TABLE) as path, path.open("w", newline="") as file:
        written = csv.writer(file, lineterminator="\n")
        written.writerow(COLUMNS)
        written.writerows([int(row["tasks"]), *(f"{row[name]:.2f}" for name in COLUMNS[1:])] for row in table)
    draw(table, TABLE.with_suffix(".svg"))
    return 0 if table[-1]["in_all"] <= GOAL_SECONDS and table[-1]["megabytes"] <= GOAL_MEGABYTES else 1


if __name__ == "__main__":
    sys.exit(main())
