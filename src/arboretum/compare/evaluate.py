"""One repetition of cross-validation of one learner: what a result of a comparison depends on."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from omegaconf import OmegaConf
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils import get_tags

from arboretum.datasets.dataset import Dataset, is_nominal
from arboretum.ensembles import ExactPERT, NCLEnsemble
from arboretum.ensembles.base import TreeEnsemble
from arboretum.papers.resampling import stratified_folds
from arboretum.pipeline.learners import learner_from
from arboretum.seeds import random_state

OURS = (TreeEnsemble, ExactPERT, NCLEnsemble)


def repetition(data: Dataset, task: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One repetition of cross-validation; folds depend on the data set, the seed and the repetition alone."""
    axes = {"experiment": "compare", "dataset": data.name, "seed": task["seed"], "repetition": task["repetition"]}
    rows = []
    codes = data.y.cat.codes.to_numpy()
    for fold, (train, test) in enumerate(stratified_folds(data.y, task["folds"], **axes)):
        model, encoded = learner_for(task["learner"], data.X, random_state(**axes, fold=fold))
        y = codes[train] if encoded else data.y.iloc[train]
        start = time.perf_counter()
        model.fit(data.X.iloc[train], y)
        fitted = time.perf_counter()
        answers = np.asarray(model.predict(data.X.iloc[test])).ravel()
        end = time.perf_counter()
        truth = codes[test] if encoded else data.y.iloc[test].to_numpy()
        rows.append(
            {
                "fold": fold,
                "errors": int(np.sum(answers != truth)),
                "cases": len(test),
                "train": len(train),
                "fit_seconds": fitted - start,
                "predict_seconds": end - fitted,
            }
        )
    return rows


def learner_for(spec: Mapping[str, Any], X: pd.DataFrame, seed: int) -> tuple[Any, bool]:
    """An estimator for these columns, and whether it wants classes as codes, as those of other packages do.

    Ours, and classes derived from them, read nominal columns and missing values as they are. Of others, those with
    ``categorical_features`` get categorical columns; for the rest nominal columns are one-hot, and missing numbers the
    median of the training part where the estimator refuses them.
    """
    model = learner_from(OmegaConf.create(dict(spec)))
    if "random_state" in model.get_params():
        model.set_params(random_state=seed)
    return (model, False) if isinstance(model, OURS) else (fitting(model, X), True)


def fitting(model: Any, X: pd.DataFrame) -> Any:
    """Somebody else's estimator, with what it needs to read these columns before it."""
    nominal = [name for name in X.columns if is_nominal(X[name])]
    numeric = [name for name in X.columns if name not in nominal]
    if "categorical_features" in model.get_params() or type(model).__module__.startswith("lightgbm"):
        if "categorical_features" in model.get_params():
            model.set_params(categorical_features="from_dtype")
        return model
    fills = bool(X[numeric].isna().to_numpy().any()) and not get_tags(model).input_tags.allow_nan
    if not nominal and not fills:
        return model
    levels = [list(X[name].cat.categories) for name in nominal]
    encode = OneHotEncoder(categories=levels, handle_unknown="ignore", sparse_output=False)
    numbers = SimpleImputer(strategy="median", keep_empty_features=True) if fills else "passthrough"
    return make_pipeline(make_column_transformer((encode, nominal), (numbers, numeric)), model)


def read_as(spec: Mapping[str, Any], X: pd.DataFrame) -> str:
    """What is done to columns before a learner reads them; empty where nothing is."""
    model, _ = learner_for(spec, X, 0)
    if not hasattr(model, "steps"):
        return ""
    nominal = any(is_nominal(X[name]) for name in X.columns)
    fills = any(isinstance(part[1], SimpleImputer) for part in model.steps[0][1].transformers)
    return " and ".join(["nominal columns one-hot"] * nominal + ["missing numbers filled in"] * fills)
