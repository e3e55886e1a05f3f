"""Section 3: what trees with T leaves span."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.infinity.experiments.axes import Params
from arboretum.theory import completeness


def plan(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task per number of variables and leaves, up to one leaf more than Proposition 2 needs."""
    for variables, cells in enumerate(params["cells"], start=1):
        for leaves in range(2, variables + 2):
            yield {"variables": variables, "cells": cells, "leaves": leaves}


def run(task: Task, data: None) -> list[ResultRow]:
    """The rank of trees' leaves on the grid, the rank by counting, and parity's largest inner product."""
    shape = (task["cells"],) * task["variables"]
    found = {
        "functions": int(np.prod(shape)),
        "boxes": len(completeness.leaf_boxes(shape, task["leaves"])),
        "rank": completeness.rank(shape, task["leaves"]),
        "counted": completeness.rank_by_counting(task["cells"], task["variables"], task["leaves"]),
        "parity": completeness.largest_inner_product(shape, task["leaves"]),
    }
    return [{**task, **found}]


EXPERIMENT = Experiment(plan, run, keys=("variables", "cells", "leaves"))
