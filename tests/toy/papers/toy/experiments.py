"""Throw coins; TOY_LOG counts how often a task really ran, TOY_FAIL names a coin that cannot be thrown."""

import os
import time
from pathlib import Path

from arboretum.papers.contract import Experiment
from arboretum.seeds import generator


def plan(params, sets):
    for coin in params["coins"]:
        for repetition in range(params["repetitions"]):
            yield {
                "coin": coin,
                "repetition": repetition,
                "throws": params["throws"],
                "seconds": params["seconds"],
            }


def run(task, data):
    if task["coin"] == os.environ.get("TOY_FAIL"):
        raise RuntimeError("this coin cannot be thrown")
    time.sleep(task["seconds"])
    if log := os.environ.get("TOY_LOG"):
        with Path(log).open("a") as file:
            file.write(f"{task['coin']} {task['repetition']}\n")
    random = generator(paper="toy", experiment="coins", coin=task["coin"], repetition=task["repetition"])
    heads = random.binomial(task["throws"], 0.5)
    share = heads / task["throws"]
    return [
        {
            "coin": task["coin"],
            "repetition": task["repetition"],
            "heads": heads,
            "share": share,
            "seconds": time.time(),
        }
    ]


EXPERIMENTS = {"coins": Experiment(plan=plan, run=run, keys=("coin", "repetition"), timing=("seconds",))}
