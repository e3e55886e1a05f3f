"""``arboretum sweep``: a Hydra multirun over data sets, learners and seeds, with a summary table at its end.

``arboretum sweep -m dataset=glass,sonar learner=vr_aggregating learner.alpha=0,0.5,1 seed=1,2,3``

Each job cross-validates one learner on one data set and writes ``result.json`` to its own Hydra folder; when all
jobs are done, :class:`Summary` writes ``summary.csv`` beside them and prints it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hydra
import numpy as np
import pandas as pd
from hydra.core.hydra_config import HydraConfig
from hydra.experimental.callback import Callback
from hydra.utils import instantiate
from omegaconf import DictConfig, OmegaConf

from arboretum import ensembles
from arboretum.datasets import Dataset, load
from arboretum.ensembles.vocabulary import make_learner, vocabulary
from arboretum.errors import ArboretumError, nearest
from arboretum.files import write_text
from arboretum.papers.resampling import stratified_folds
from arboretum.pipeline.data import fetch_sets, prepare_sets, prepared_path
from arboretum.project import params as parameters
from arboretum.project.workspace import Workspace
from arboretum.seeds import random_state

GROUPS = ("dataset", "learner")
LEARNERS = vocabulary(*(getattr(ensembles, name) for name in ensembles.__all__))


def check_overrides(conf: Path, overrides: Sequence[str]) -> None:
    """Refuse a data set or learner that does not exist, with the nearest one that does."""
    for override in overrides:
        group, _, values = override.partition("=")
        if group not in GROUPS or values.startswith(("choice(", "glob(")):
            continue
        known = [path.stem for path in (conf / group).glob("*.yaml")]
        for value in values.split(","):
            if value.strip() not in known:
                raise ArboretumError(f"unknown {group} {value.strip()!r}. {nearest(value.strip(), known)}")


def cross_validate(data: Dataset, learner: Any, seed: int, folds: int) -> dict[str, Any]:
    """Errors of a learner over stratified folds; every learner sees the same folds of a set and seed."""
    errors, sizes = [], []
    for fold, (train, test) in enumerate(
        stratified_folds(data.y, folds, experiment="sweep", dataset=data.name, seed=seed)
    ):
        stream = random_state(experiment="sweep", dataset=data.name, seed=seed, fold=fold)
        model = learner_from(learner).set_params(random_state=stream)
        model.fit(data.X.iloc[train], data.y.iloc[train])
        errors.append(int(np.sum(model.predict(data.X.iloc[test]) != data.y.iloc[test].to_numpy())))
        sizes.append(len(test))
    return {
        "errors": int(np.sum(errors)),
        "cases": int(np.sum(sizes)),
        "error_percent": 100 * np.sum(errors) / np.sum(sizes),
    }


def learner_from(config: DictConfig) -> Any:
    """The learner of a file of conf/learner: one of our kinds, or any estimator that ``_target_`` names."""
    return (
        instantiate(config)
        if "_target_" in config
        else make_learner(LEARNERS, OmegaConf.to_container(config, resolve=True))
    )


def ensure_prepared(workspace: Workspace, name: str) -> Path:
    """The prepared file of a data set, fetched and prepared first when it is not there yet."""
    try:
        return prepared_path(workspace, name)
    except ArboretumError:
        params = parameters.read(workspace)
        profile = "quick" if name in parameters.sets_of_profile(params, "quick") else "paper"
        fetch_sets(workspace, params, profile, [name])
        prepare_sets(workspace, params, profile, [name])
        return prepared_path(workspace, name)


def job(config: DictConfig) -> float:
    """One job of a sweep; returns the error in per cent, so that Hydra's optimisers can use it."""
    workspace = Workspace.find(Path(config.root))
    data = load(ensure_prepared(workspace, config.dataset.name))
    result = cross_validate(data, config.learner, config.seed, config.folds)
    settings = OmegaConf.to_container(config.learner, resolve=True)
    result = {
        "dataset": data.name,
        "learner": settings.pop("_target_", None) or settings.pop("kind"),
        **settings,
        "seed": config.seed,
        **result,
    }
    write_text(Path(HydraConfig.get().runtime.output_dir) / "result.json", json.dumps(result) + "\n")
    print(" ".join(f"{name}={value}" for name, value in result.items()))
    return result["error_percent"]


class Summary(Callback):
    """Collects the results of a multirun into one table."""

    def on_multirun_end(self, config: DictConfig, **_: Any) -> None:
        folder = Path(config.hydra.sweep.dir)
        rows = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*/result.json"))]
        if not rows:
            return
        frame = pd.DataFrame(rows)
        write_text(folder / "summary.csv", frame.to_csv(index=False, lineterminator="\n"))
        print(summary_table(frame).to_string())
        print(f"{len(rows)} jobs; all results in {folder / 'summary.csv'}")


def summary_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Mean error and its spread over seeds, for each combination of the settings that vary."""
    settings = [name for name in frame if name not in ("seed", "errors", "cases", "error_percent")]
    varying = [name for name in settings if frame[name].astype(str).nunique() > 1] or ["dataset"]
    grouped = frame.assign(**{name: frame[name].astype(str) for name in varying}).groupby(varying)["error_percent"]
    return (
        grouped.agg(["mean", "std", "count"])
        .round(2)
        .rename(columns={"mean": "error %", "std": "sd", "count": "seeds"})
    )


def sweep(workspace: Workspace, arguments: Sequence[str]) -> None:
    """Hand ``arguments`` to Hydra as it would take them from the command line."""
    check_overrides(workspace.conf, arguments)
    main = hydra.main(config_path=str(workspace.conf), config_name="sweep", version_base="1.3")(job)
    before = sys.argv
    sys.argv = ["arboretum sweep", *arguments, f"root={workspace.root}"]
    try:
        main()
    finally:
        sys.argv = before
