"""The real C5.0 on the folds of vrtrees, where R has the package C50: data/published/vrtrees/c50_errors.csv anew.

python -m benchmarks.peers.c50 [set ...]          prints the rows of these sets, of all without any
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from arboretum.datasets.dataset import Dataset, is_nominal, load
from arboretum.papers.resampling import stratified_folds

from . import PeerMissing
from .r import require

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("c50.R")
TRIALS, REPETITIONS, FOLDS = (10, 100), 5, 10
COLUMNS = ("dataset", "repetition", "fold", "trials", "errors", "cases", "trees")


def coded(data: Dataset) -> pd.DataFrame:
    """The data set as ``c50.R`` reads it: names tell kinds and levels, nominal values are codes, missing is empty."""
    columns = {}
    for place, (_, column) in enumerate(data.X.items()):
        if is_nominal(column):
            codes = column.cat.codes.astype("Int64").where(column.notna())
            columns[f"f{place}_{len(column.cat.categories)}"] = codes
        else:
            columns[f"n{place}"] = column
    return pd.DataFrame(columns).assign(**{f"y_{len(data.y.cat.categories)}": data.y.cat.codes})


def rows_of(name: str) -> Iterator[dict[str, object]]:
    """One row for each repetition, fold and number of trials."""
    path = next(ROOT.glob(f"data/prepared/*/{name}.parquet"))
    data = load(path)
    frame = coded(data)
    for repetition in range(REPETITIONS):
        folds = stratified_folds(data.y, FOLDS, paper="vrtrees", dataset=name, repetition=repetition)
        for fold, (train, test) in enumerate(folds):
            with tempfile.TemporaryDirectory() as folder:
                files = [Path(folder) / "train.csv", Path(folder) / "test.csv"]
                for file, part in zip(files, (train, test), strict=True):
                    frame.iloc[part].to_csv(file, index=False)
                call = ["Rscript", SCRIPT, *files, *TRIALS]
                said = subprocess.run(list(map(str, call)), capture_output=True, text=True, check=True).stdout
            for line in said.splitlines():
                trials, errors, trees = map(int, line.split())
                yield dict(zip(COLUMNS, (name, repetition, fold, trials, errors, len(test), trees), strict=True))


def main(names: list[str]) -> None:
    require("C50")
    stored = pd.read_csv(ROOT / "data/published/vrtrees/c50_errors.csv")["dataset"].unique()
    writer = csv.DictWriter(sys.stdout, COLUMNS)
    writer.writeheader()
    for name in names or [name for name in stored if name != "horse-ages-missing"]:
        writer.writerows(rows_of(name))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except PeerMissing as missing:
        sys.exit(str(missing))
