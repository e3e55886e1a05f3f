"""Read the stored sets and Weka's stored answers (made by tests/fixtures/weka/make.py)."""

from __future__ import annotations

import csv
import functools
import gzip
from pathlib import Path

import numpy as np
import pandas as pd
from reference.table import Cases, table

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "weka"
SETS = sorted(path.name.removesuffix(".expected.csv.gz") for path in FOLDER.glob("*.expected.csv.gz"))
PARTS = range(3)


@functools.cache
def whole(name) -> Cases:
    """All cases of a set."""
    with gzip.open(FOLDER / f"{name}.csv.gz", "rt") as file:
        header, *rows = csv.reader(file)
    *columns, y = np.array([[float(cell or "nan") for cell in row] for row in rows]).T
    *features, target = [column.split(":") for column in header]
    return table(columns, [f[1] for f in features], [int(f[2]) for f in features], y, n_classes=int(target[2]))


def training(name, part, weights=None) -> Cases:
    """The cases that part ``part`` trains on, with the weights of a learner ("whole weights", "real weights")."""
    cases = whole(name)
    rows = np.flatnonzero(np.arange(len(cases.y)) % 3 != part)
    return cases.take(rows, None if weights is None else expected(name)[weights].to_numpy()[rows])


def has_missing(name) -> bool:
    return any(np.isnan(column).any() for column in whole(name).columns)


@functools.cache
def expected(name):
    """Weka's predictions of all cases, one column for each learner and part."""
    return pd.read_csv(FOLDER / f"{name}.expected.csv.gz")


@functools.cache
def sizes() -> dict:
    """Number of nodes by (set, learner, part)."""
    with (FOLDER / "sizes.csv").open() as file:
        return {(r["set"], r["learner"], int(r["part"])): int(r["nodes"]) for r in csv.DictReader(file)}
