"""Forests of R: the packages randomForest (Breiman and Cutler's own code) and ranger, one thread each."""

from __future__ import annotations

import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from . import Cases, PeerMissing, Timing

SCRIPT = Path(__file__).with_name("forests.R")


@functools.cache
def require(package) -> None:
    """Raise PeerMissing when R or the package is not here."""
    if shutil.which("Rscript") is None:
        raise PeerMissing("not installed: R")
    probe = ["Rscript", "-e", f"quit(status = !requireNamespace('{package}', quietly = TRUE))"]
    if subprocess.run(probe, capture_output=True).returncode:
        raise PeerMissing(f"not installed: R package {package}")


def installed(package="randomForest") -> bool:
    """Whether the package can be used here."""
    try:
        require(package)
    except PeerMissing:
        return False
    return True


def write_csv(path, cases: Cases) -> None:
    """Write the cases for ``forests.R``: column names tell kind and number of levels."""
    pairs = zip(cases.kinds, cases.levels, strict=True)
    names = [f"n{j}" if kind == "numeric" else f"f{j}_{levels}" for j, (kind, levels) in enumerate(pairs)]
    body = np.column_stack([*cases.columns, cases.y])
    header = ",".join([*names, f"y_{cases.n_classes}"])
    np.savetxt(path, body, fmt="%.17g", delimiter=",", header=header, comments="")


def forest(package, train: Cases, test: Cases, *, mtry, trees=100, repeats=3, seed=1, **how) -> tuple:
    """Timing and predicted class codes of one forest; missing values are filled in from the training cases.

    ``how``: bootstrap (default true) and, for ranger, its splitrule (default gini).
    """
    bootstrap, rule = how.get("bootstrap", True), how.get("rule", "gini")
    require(package)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / "train.csv", Path(folder) / "test.csv"]
        for path, cases in zip(paths, (train, test), strict=True):
            write_csv(path, cases.filled(train))
        arguments = [package, *paths, trees, mtry, int(bootstrap), rule, repeats, seed]
        done = subprocess.run(["Rscript", SCRIPT, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("R stopped: " + done.stderr.strip()[-500:])
    *lines, classes = done.stdout.splitlines()
    return Timing(**{name: float(value) for name, value in map(str.split, lines)}), np.array(classes.split(), int)


def timing(package, train: Cases, test: Cases, **settings) -> Timing:
    """Timing alone; a missing peer, or one that refuses the data, gives a status."""
    try:
        return forest(package, train, test, **settings)[0]
    except PeerMissing as missing:
        return Timing(status=str(missing))
    except RuntimeError as refused:
        return Timing(status=" ".join(str(refused).split()))
