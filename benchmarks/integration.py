"""Dynamic integration against growing the forest: CPU seconds, all sets of dynint but images, in one run.

``python -m benchmarks.integration`` from the root of the checkout, after ``arboretum fetch --profile full``. For each
set: 100 trees grown on 70% of the cases; what the trees did on these cases (record); all 64 configurations with DS, DV
and DVS; the number of leaves that each other case shares with each of them (similarity, a part of the
configurations). The least of several rounds, sets interleaved.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import yaml

from arboretum.datasets import load
from arboretum.ensembles import DynamicIntegration, RandomForest
from arboretum.ensembles.neighbourhood import add_equal, leaf_codes
from arboretum.trees import table_of

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 7
GOALS = {"similarity": 0.15, "integration": 1.0}
GRID = (["heom", "forest"], ["none", "local"], [10, 25, 50, 100], [15, 31, 63, 127], ["ds", "dv", "dvs"])


def sets() -> list[str]:
    named = yaml.safe_load((ROOT / "conf/paper/dynint/full.yaml").read_text("utf-8"))["sets"]
    return [name for name in named if name != "images"]


def seconds_of(name: str) -> dict[str, float]:
    """CPU seconds of each step on one set."""
    data = load(next((ROOT / "data/prepared").glob(f"*/{name}.parquet")))
    table, order = table_of(data.X), np.random.default_rng(0).permutation(len(data.y))
    train, test = np.split(order, [round(0.7 * len(order))])
    X, y, asked = table.take(train), data.y.iloc[train], table.take(test)
    marks = [time.thread_time()]
    forest = RandomForest("weka", random_state=1).fit(X, y)
    marks.append(time.thread_time())
    model = DynamicIntegration(forest, random_state=1).fit(X, y)
    marks.append(time.thread_time())
    for _ in model.integrate(asked, *GRID):
        pass
    marks.append(time.thread_time())
    codes = leaf_codes(model.apply(asked), int(forest.n_nodes_.max()))
    counts = np.zeros((len(asked), len(X)), np.uint16)
    marks.append(time.thread_time())
    add_equal(codes, model._leaves, 0, codes.shape[1], counts)
    marks.append(time.thread_time())
    took = np.diff(marks)
    return {"grow": took[0], "record": took[1], "configurations": took[2], "similarity": took[4]}


def main() -> None:
    names = sets()
    rounds = [{name: seconds_of(name) for name in names} for _ in range(ROUNDS)]
    least = {name: {step: min(one[name][step] for one in rounds) for step in rounds[0][name]} for name in names}
    for name, steps in least.items():
        print(f"{name:15}" + "".join(f"{step:>16} {1000 * value:6.2f} ms" for step, value in steps.items()))
    total = {step: sum(steps[step] for steps in least.values()) for step in least[names[0]]}
    ratios = {
        "similarity": total["similarity"] / total["grow"],
        "configurations": total["configurations"] / total["grow"],
        "integration": (total["record"] + total["configurations"]) / total["grow"],
    }
    for step, ratio in ratios.items():
        goal = f", goal {GOALS[step]}" if step in GOALS else ""
        print(f"{step}: {ratio:.3f} of growing the forests{goal}")


if __name__ == "__main__":
    main()
