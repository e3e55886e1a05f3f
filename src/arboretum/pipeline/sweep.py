"""``arboretum sweep``: a Hydra multirun over data sets, learners and seeds, with a summary table at its end.

``arboretum sweep -m dataset=glass,sonar learner=vr_aggregating learner.alpha=0,0.5,1 seed=1,2,3``
``arboretum sweep dataset=mine.csv target=class``
``arboretum sweep -m dataset=glass learner=ownrule.HalfwayForest learner.alpha=0,0.5,1``

Each job cross-validates one learner on one data set. Its result is kept in the task store under the identity of all
that it depends on, so a job that was finished once, by whatever sweep, is not run again. It also writes
``result.json`` to its own Hydra folder, below a folder named by the grid: another grid has another folder. A job that
fails is a row with its error; the others are summarised all the same.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import hydra
import numpy as np
import pandas as pd
import yaml
from hydra.core.hydra_config import HydraConfig
from hydra.experimental.callback import Callback
from omegaconf import DictConfig, OmegaConf

from arboretum.datasets import Dataset, load
from arboretum.datasets.formats import is_own
from arboretum.datasets.inferred import Settings
from arboretum.errors import ArboretumError, nearest
from arboretum.papers.resampling import stratified_folds
from arboretum.pipeline.code import code_hash, reached
from arboretum.pipeline.data import fetch_sets, prepare_sets, prepared_path
from arboretum.pipeline.learners import learner_from
from arboretum.pipeline.own_code import class_of, foreign_version, look_in_current_folder, parameters_of
from arboretum.pipeline.own_sets import absolute, as_settings, named, read_own, say, take_settings
from arboretum.pipeline.stopped import raise_stop
from arboretum.pipeline.task_store import TaskStore
from arboretum.pipeline.tasks import task_id
from arboretum.project import params as parameters
from arboretum.project.schema import check_learner, read_mapping
from arboretum.project.workspace import FULL, Workspace
from arboretum.seeds import random_state
from arboretum.writing import write_text

GROUPS = ("dataset", "learner")
CODE = ("arboretum.ensembles", "arboretum.papers.resampling", "arboretum.seeds")  # what a result depends on
MEASURED = ("errors", "cases", "error_percent")


def check_overrides(conf: Path, overrides: Sequence[str]) -> None:
    """Refuse a data set, learner, setting of a learner or launcher that does not exist, with the nearest that does."""
    learners = ["vr_aggregating"]  # the default of conf/sweep.yaml
    for override in overrides:
        group, _, values = override.partition("=")
        if group == "hydra/launcher" and values == "joblib" and not _has_joblib_launcher():
            raise ArboretumError("the launcher 'joblib' is not installed: pip install 'arboretum[sweep]'")
        if group not in GROUPS or values.startswith(("choice(", "glob(")):
            continue
        known = [path.stem for path in (conf / group).glob("*.yaml")]
        named = [value.strip() for value in values.split(",")]
        for value in named:
            if group == "learner" and "." in value:
                class_of(value)
            elif value not in known and not (group == "dataset" and is_own(value)):
                raise ArboretumError(f"unknown {group} {value!r}. {nearest(value, known)}")
        learners = named if group == "learner" else learners
    _check_parameters(conf, learners, [override.partition("=")[0] for override in overrides])


def _has_joblib_launcher() -> bool:
    return find_spec("hydra_plugins") is not None and find_spec("hydra_plugins.hydra_joblib_launcher") is not None


def _check_parameters(conf: Path, learners: Sequence[str], keys: Sequence[str]) -> None:
    """Refuse ``learner.alfa``: what all chosen learners lack, by their files or, of a class, by what it takes."""
    known: set[str] = set()
    for learner in learners:
        path = conf / "learner" / f"{learner}.yaml"
        taken = parameters_of(learner) if "." in learner else path.is_file() and read_mapping(path, "Fix the file.")
        if taken is None:  # any
            return
        known |= set(taken or ())
    for key in keys:
        name = key.removeprefix("learner.").split(".")[0]
        if known and key.startswith("learner.") and name not in known:
            near = nearest(name, known - {"kind", "_target_"})
            if "." in learners[0]:
                raise ArboretumError(f"{learners[0]} has no parameter {name!r}. {near}")
            raise ArboretumError(
                f"conf/learner/{learners[0]}.yaml has no {name!r}. {near} "
                f"+learner.{name}=... sets a parameter that the file does not list."
            )


def with_own(workspace: Workspace, overrides: Sequence[str]) -> list[str]:
    """The overrides in terms that Hydra knows: data sets and classes of one's own have their files in a folder."""
    overrides, sets = with_own_sets(workspace, overrides)
    overrides, learners = with_own_learners(workspace, overrides)
    places = [quoted(folder.as_uri()) for folder in (sets, learners) if folder is not None]
    return [*overrides, f"hydra.searchpath=[{','.join(places)}]"] if places else overrides


def with_own_learners(workspace: Workspace, overrides: Sequence[str]) -> tuple[list[str], Path | None]:
    """The overrides where learners may be classes, each with a file that names it, and the folder of these files."""
    chosen = [override.partition("=")[2] for override in overrides if override.startswith("learner=")]
    named = [value.strip() for values in chosen for value in values.split(",")]
    paths = sorted({value for value in named if "." in value and "(" not in value})
    if not paths:
        return list(overrides), None
    folder = workspace.root / ".arboretum" / "own" / hashlib.sha256(json.dumps(paths).encode()).hexdigest()[:12]
    for path in paths:
        write_text(folder / "learner" / f"{path}.yaml", yaml.safe_dump({"_target_": path}))
    # The files list no parameters, so a result shows those that were set and no others: ++ adds them.
    return [f"++{override}" if override.startswith("learner.") else override for override in overrides], folder


def with_own_sets(workspace: Workspace, overrides: Sequence[str]) -> tuple[list[str], Path | None]:
    """The overrides with files and OpenML ids replaced by names that Hydra finds in a folder, and this folder.

    They are read here, before any job: a file that cannot be read is one message.
    """
    settings, rest = take_settings(overrides)
    known = [path.stem for path in (workspace.conf / "dataset").glob("*.yaml")]
    replaced, folder = [], None
    for override in rest:
        group, _, values = override.partition("=")
        if group == "dataset" and any(map(is_own, values.split(","))):
            sets = named([value.strip() for value in values.split(",")], known)
            digest = hashlib.sha256(json.dumps([sets, asdict(settings)]).encode()).hexdigest()[:12]
            folder = workspace.root / ".arboretum" / "own" / digest
            for name, reference in sets.items():
                if is_own(reference):
                    say(read_own(reference, settings, name))
                    entry = {"name": name, "file": absolute(reference), "settings": asdict(settings)}
                    write_text(folder / "dataset" / f"{name}.yaml", yaml.safe_dump(entry))
            override = f"dataset={','.join(sets)}"
        replaced.append(override)
    if folder is None and settings != Settings():
        raise ArboretumError("target, kinds, missing, drop and columns are of a file: dataset=mine.csv target=class")
    return replaced, folder


def cross_validate(data: Dataset, learner: Any, seed: int, folds: int) -> dict[str, Any]:
    """Errors of a learner over stratified folds; every learner sees the same folds of a set and seed."""
    errors, sizes = [], []
    for fold, (train, test) in enumerate(
        stratified_folds(data.y, folds, experiment="sweep", dataset=data.name, seed=seed)
    ):
        stream = random_state(experiment="sweep", dataset=data.name, seed=seed, fold=fold)
        model = learner_from(learner)
        if "random_state" in model.get_params():
            model.set_params(random_state=stream)
        model.fit(data.X.iloc[train], data.y.iloc[train])
        errors.append(int(np.sum(model.predict(data.X.iloc[test]) != data.y.iloc[test].to_numpy())))
        sizes.append(len(test))
    return {
        "errors": int(np.sum(errors)),
        "cases": int(np.sum(sizes)),
        "error_percent": float(100 * np.sum(errors) / np.sum(sizes)),
    }


def data_of(workspace: Workspace, dataset: DictConfig) -> Dataset:
    """The data set of a job: one of one's own, or a prepared one."""
    if "file" not in dataset:
        return load(ensure_prepared(workspace, dataset.name))
    settings = as_settings(OmegaConf.to_container(dataset.settings))
    return read_own(dataset.file, settings, dataset.name).data


def ensure_prepared(workspace: Workspace, name: str) -> Path:
    """The prepared file of a data set, fetched and prepared first when it is not there yet."""
    try:
        return prepared_path(workspace, name)
    except ArboretumError:
        params = parameters.read(workspace, ())
        profile = "quick" if name in parameters.sets_of_profile(params, "quick") else FULL
        fetch_sets(workspace, params, profile, [name])
        prepare_sets(workspace, params, profile, [name])
        return prepared_path(workspace, name)


# ------------------------------------------------------------------ one job


def job(config: DictConfig) -> float:
    """One job of a sweep; returns the error in per cent, so that Hydra's optimisers can use it (nan: it failed)."""
    learner = OmegaConf.to_container(config.learner, resolve=True)
    name = learner.get("_target_") or learner.get("kind")
    described = {"dataset": config.dataset.name, "learner": name}
    described |= {key: value for key, value in learner.items() if key not in ("_target_", "kind")}
    described |= {"seed": config.seed}
    try:
        row = described | finished(Workspace.find(Path(config.root)), config, learner)
    except Exception as problem:  # whatever it is, the other jobs of the sweep go on
        raise_stop(problem)
        kind = "" if isinstance(problem, ArboretumError) else f"{type(problem).__name__}: "
        row = described | {"error": f"{kind}{problem}"}
    write_text(Path(HydraConfig.get().runtime.output_dir) / "result.json", json.dumps(row) + "\n")
    print(" ".join(f"{key}={value}" for key, value in row.items()))
    return row.get("error_percent", float("nan"))


def finished(workspace: Workspace, config: DictConfig, learner: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a job: kept from an earlier sweep, or computed now and kept."""
    task = {"dataset": config.dataset.name, "learner": dict(learner), "folds": config.folds}
    task["seed"] = parameters.as_seed("seed", config.seed)
    check_learner(lambda place: "learner" + "".join(f".{key}" for key in place), learner)
    data = data_of(workspace, config.dataset)
    if type(config.folds) is not int or not 2 <= config.folds <= len(data.y):
        raise ArboretumError(f"folds: found {config.folds!r}, must be from 2 to {len(data.y)}, the number of cases")
    store = kept(workspace.tasks / "sweep")
    store.refresh()
    code = code_hash(reached(*CODE)) + foreign_version(learner)
    identity = task_id("sweep", "job", task, data.fingerprint, code)
    if identity not in store:
        start = time.monotonic()
        row = cross_validate(data, config.learner, task["seed"], config.folds)
        store.put(identity, task, [row], time.monotonic() - start)
        store.sync()
    return store.get(identity)["rows"][0]


@cache
def kept(folder: Path) -> TaskStore:
    """The finished jobs of all sweeps; one process reads them once."""
    return TaskStore(folder)


# ------------------------------------------------------------------ all jobs


class Ended(Callback):
    """Notes where the jobs of the run that just ended wrote their results; Hydra makes it from conf/sweep.yaml."""

    results: ClassVar[list[Path]] = []

    def on_run_end(self, config: DictConfig, **_: Any) -> None:
        Ended.results[:] = [Path(config.hydra.run.dir) / "result.json"]

    def on_multirun_end(self, config: DictConfig, **_: Any) -> None:
        found = (Path(config.hydra.sweep.dir) / config.grid).glob("*/result.json")
        Ended.results[:] = sorted(found, key=lambda path: int(path.parent.name))


def summarise(results: Sequence[Path]) -> None:
    """Write and print the table of a grid; jobs that failed are rows with their error, and an error at the end."""
    frame = pd.DataFrame([json.loads(path.read_text("utf-8")) for path in results])
    failed = frame[frame["error"].notna()] if "error" in frame else frame.iloc[:0]
    if len(results) > 1 or results[0].parent.name.isdecimal():
        folder = results[0].parents[1]
        write_text(folder / "summary.csv", frame.to_csv(index=False, lineterminator="\n"))
        if len(failed) < len(frame):
            print(summary_table(frame.drop(index=failed.index).drop(columns="error", errors="ignore")).to_string())
        print(f"{len(frame)} jobs; all results in {folder / 'summary.csv'}")
    if len(failed):
        lines = [f"  job {place}: {error}" for place, error in failed["error"].items()]
        raise ArboretumError(
            "\n".join([f"{len(failed)} of {len(frame)} jobs failed; the same command runs them again:", *lines])
        )


def summary_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Mean error and its spread over seeds, for each combination of the settings that vary."""
    settings = [name for name in frame if name not in ("seed", *MEASURED)]
    varying = [name for name in settings if frame[name].astype(str).nunique() > 1] or ["dataset"]
    grouped = frame.assign(**{name: frame[name].astype(str) for name in varying}).groupby(varying)["error_percent"]
    return (
        grouped.agg(["mean", "std", "count"])
        .round(2)
        .rename(columns={"mean": "error %", "std": "sd", "count": "seeds"})
    )


def quoted(text: str) -> str:
    """A text as Hydra's overrides take it, whatever commas or blanks it holds."""
    return "'" + text.replace("'", "\\'") + "'"


def sweep(workspace: Workspace, arguments: Sequence[str]) -> None:
    """Hand ``arguments`` to Hydra as it would take them from the command line."""
    look_in_current_folder()
    overrides = [word for word in arguments if word[:1] != "-" and ("=" in word or word[:1] == "~")]
    flags = [word for word in arguments if word not in overrides]
    choices = [word for word in overrides if not word.startswith("hydra")]
    check_overrides(workspace.conf, take_settings(overrides)[1])
    overrides = with_own(workspace, overrides)
    grid = hashlib.sha256(json.dumps(choices).encode()).hexdigest()[:12]
    main = hydra.main(config_path=str(workspace.conf), config_name="sweep", version_base="1.3")(job)
    before, Ended.results[:] = sys.argv, []
    # Hydra takes overrides in one piece: --cfg job between them would cut off those that follow.
    sys.argv = ["arboretum sweep", *flags, *overrides, f"root={quoted(str(workspace.root))}", f"grid={quoted(grid)}"]
    try:
        main()
    except ValueError as problem:  # flags that Hydra does not take together
        raise ArboretumError(f"{problem}.") from None
    finally:
        sys.argv = before
    if Ended.results:
        summarise(Ended.results)
