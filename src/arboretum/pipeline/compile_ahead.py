"""``arboretum compile``: what learners compile on first use, compiled now and kept for this machine.

Each learner of ``conf/learner`` is fitted on small tables and asked. What it compiles depends on the table: missing
values make growth fractional, and a table of more rows than :data:`LARGE` is presorted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from omegaconf import OmegaConf

from arboretum.errors import ArboretumError
from arboretum.pipeline.learners import learner_from
from arboretum.pipeline.progress import Progress, duration
from arboretum.project.schema import read_mapping
from arboretum.project.workspace import Workspace
from arboretum.trees.buffers import LARGE
from arboretum.trees.compiled import cache_folder
from arboretum.trees.first_use import compiling

FEW = {"n_estimators": 2, "n_leaves": 4, "alphas": [0, 0.5]}  # enough to compile everything that a learner uses


def tables() -> dict[str, tuple[pd.DataFrame, pd.Series]]:
    """A small table, the same with missing values, and a large one of one column: what is compiled anew for each."""
    rng = np.random.default_rng(0)
    y = pd.Series(np.tile(["a", "b", "c"], 20))
    small = pd.DataFrame({"size": rng.normal(size=60), "colour": pd.Categorical(rng.choice(["red", "blue"], 60))})
    missing = small.mask(rng.random(small.shape) < 0.2)
    large = pd.DataFrame({"size": rng.normal(size=LARGE + 1)})
    return {"complete": (small, y), "missing": (missing, y), "large": (large, (large["size"] > 0).map(str))}


def compile_ahead(workspace: Workspace) -> Iterator[str]:
    """Fit every learner on every table that it takes; yields what to say."""
    learners, places = sorted((workspace.conf / "learner").glob("*.yaml")), tables().values()
    jobs = [(learner, X, y) for X, y in places for learner in learners]
    progress, start = Progress("compile", len(jobs), len(jobs)), time.monotonic()
    taken = 0
    with compiling.silent():
        try:
            for learner, X, y in jobs:
                taken += fitted(learner, X, y)
                progress.advance(1)
        finally:
            progress.close()
    yield f"kernels of {len(learners)} learners on {taken} tables in {duration(time.monotonic() - start)}"
    yield f"kept in {cache_folder()}"


def fitted(path: Path, X: pd.DataFrame, y: pd.Series) -> bool:
    """Whether the learner takes this table; where it does, everything that it needs is compiled afterwards."""
    spec: dict[str, Any] = read_mapping(path, "Fix the file.")
    for part in [spec, *(value for value in spec.values() if isinstance(value, dict))]:
        part.update({name: few for name, few in FEW.items() if name in part})
    try:
        model = learner_from(OmegaConf.create(spec)).set_params(random_state=0).fit(X, y)
        model.predict_proba(X.head())
    except (ValueError, ArboretumError):
        return False
    return True
