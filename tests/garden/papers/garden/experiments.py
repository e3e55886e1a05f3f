"""Weigh random handfuls of each data set.

GARDEN_LOG counts how often a task really ran, GARDEN_SLOW makes a worker slow.
"""

import os
import time
from pathlib import Path

from arboretum.papers.contract import Experiment
from arboretum.seeds import generator


def plan(params, sets):
    for name in sets:
        for repetition in range(params["repetitions"]):
            yield {"dataset": name, "repetition": repetition, "seconds": params["seconds"]}


def run(task, data):
    time.sleep(task["seconds"] * float(os.environ.get("GARDEN_SLOW", 1)))
    if log := os.environ.get("GARDEN_LOG"):
        with Path(log).open("a") as file:
            file.write(f"{task['dataset']} {task['repetition']}\n")
    random = generator(paper="garden", dataset=task["dataset"], repetition=task["repetition"])
    chosen = random.integers(0, len(data.y), len(data.y))
    weights = data.X.select_dtypes("number").iloc[chosen].sum(axis=1)
    most = data.y.iloc[chosen].value_counts().sort_index()
    return [
        {
            "dataset": task["dataset"],
            "repetition": task["repetition"],
            "weight": weights.sum(),
            "first": most.iloc[0],
            "kinds": int((most > 0).sum()),
        }
    ]


EXPERIMENTS = {"weights": Experiment(plan=plan, run=run, keys=("dataset", "repetition"))}
