"""The data sets of the measurements, as prepared by ``arboretum fetch``."""

from __future__ import annotations

import functools
from pathlib import Path

from arboretum.datasets import load
from arboretum.datasets.generators import waveform
from arboretum.seeds import generator

from .peers import Cases, cases_of

ROOT = Path(__file__).resolve().parents[1]
LARGE = ("nursery", "satimage", "waveform40", "letter")
SMALL = ("iris", "glass", "sonar")
FOREST = ("iris", "glass", "sonar", "vehicle", "credit-g", "pima", "segment", "vote", "tic-tac-toe", "waveform21")


@functools.cache
def cases(name) -> Cases:
    """All cases of a set; ArboretumError says how to fetch it when it is not here."""
    dataset = load(ROOT / "data" / "prepared" / f"{name}.parquet")
    return cases_of(dataset.X, dataset.y)


def waves(n, noise=19) -> Cases:
    """``n`` cases of waveform with ``noise`` irrelevant attributes (40 columns by default)."""
    return cases_of(*waveform(n, generator(bench="waveform", n=n), noise=noise))
