"""The data sets of the measurements, fetched and prepared on first use into a folder of their own."""

from __future__ import annotations

import functools
from pathlib import Path

import pandas as pd
import yaml

from arboretum.datasets import fetch, load, prepare
from arboretum.datasets.generators import waveform
from arboretum.seeds import generator

from .peers import Cases, cases_of

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".arboretum" / "bench"
LARGE = ("nursery", "satimage", "waveform40", "letter")
SMALL = ("iris", "glass", "sonar")
MADE = {"500 x 10,000": (500, 10_000, 4), "200 classes": (10_000, 16, 200)}  # rows, columns, classes
FOREST = ("iris", "glass", "sonar", "vehicle", "credit-g", "pima", "segment", "vote", "tic-tac-toe", "waveform21")
MISSING = ("anneal", "audiology", "hepatitis", "horse", "labor")  # sets with missing values, of vrtrees' Table 6


@functools.cache
def cases(name) -> Cases:
    """All cases of a set; ArboretumError says why when it cannot be had."""
    if name in MADE:
        return clusters(*MADE[name])
    file = KEPT / "prepared" / f"{name}.parquet"
    if not file.is_file():
        spec = yaml.safe_load((ROOT / "conf" / "dataset" / f"{name}.yaml").read_text(encoding="utf-8"))
        fetch({name: spec}, KEPT / "raw", progress=False)
        prepare({name: spec}, KEPT / "raw", KEPT / "prepared")
    dataset = load(file)
    return cases_of(dataset.X, dataset.y)


def waves(n, noise=19) -> Cases:
    """``n`` cases of waveform with ``noise`` irrelevant attributes (40 columns by default)."""
    return cases_of(*waveform(n, generator(bench="waveform", n=n), noise=noise))


def clusters(n, columns, classes) -> Cases:
    """One cluster per class: its centre is drawn from a normal distribution with half the spread of the cases."""
    rng = generator(bench="clusters", n=n, columns=columns, classes=classes)
    y = rng.integers(0, classes, n)
    X = rng.normal(size=(n, columns)) + rng.normal(scale=0.5, size=(classes, columns))[y]
    return cases_of(pd.DataFrame(X), y)
