"""Weka's classifiers (version 3.6 or later, ``weka.jar``), run in a virtual machine of their own."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from . import Cases, PeerMissing, Timing

HARNESS = Path(__file__).with_name("Weka.java")
PLACES = ("/usr/share/java/weka.jar", "/usr/share/weka/weka.jar", "/opt/weka/weka.jar")
J48 = ("weka.classifiers.trees.J48", "-U", "-M", "2")


def jar() -> Path:
    """``weka.jar``: from the environment variable WEKA_JAR, else from where distributions put it."""
    if shutil.which("java") is None or shutil.which("javac") is None:
        raise PeerMissing("not installed: a Java development kit")
    for place in (os.environ.get("WEKA_JAR", ""), *PLACES):
        if place and Path(place).is_file():
            return Path(place)
    raise PeerMissing("not installed: weka.jar (set WEKA_JAR)")


def installed() -> bool:
    """Whether Weka can be run here."""
    try:
        jar()
    except PeerMissing:
        return False
    return True


def write_arff(path, cases: Cases) -> None:
    """Write the cases as ARFF; level k of a nominal column is called ``vk``, class k ``ck``."""
    lines = ["@relation cases"]
    for j, (kind, levels) in enumerate(zip(cases.kinds, cases.levels, strict=True)):
        domain = "numeric" if kind == "numeric" else "{" + ",".join(f"v{k}" for k in range(levels)) + "}"
        lines.append(f"@attribute x{j} {domain}")
    lines.append("@attribute class {" + ",".join(f"c{k}" for k in range(cases.n_classes)) + "}")
    lines.append("@data")
    columns = [_cells(column, kind) for column, kind in zip(cases.columns, cases.kinds, strict=True)]
    columns.append([f"c{int(k)}" for k in cases.y])
    if cases.weights is not None:
        columns.append([f"{{{float(weight)!r}}}" for weight in cases.weights])
    lines.extend(",".join(row) for row in zip(*columns, strict=True))
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _cells(column, kind):
    show = repr if kind == "numeric" else (lambda value: f"v{int(value)}")
    return ["?" if math.isnan(value) else show(float(value)) for value in column]


def _run(mode, train, test, *arguments) -> list:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / "train.arff", Path(folder) / "test.arff"]
        for path, cases in zip(paths, (train, test), strict=True):
            write_arff(path, cases)
        command = ["java", "-Xmx2g", "-cp", jar(), HARNESS, mode, *paths, *arguments]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError("Weka stopped: " + done.stderr.strip()[-500:])
    return done.stdout.splitlines()


def tree(train: Cases, test: Cases, options=J48) -> tuple:
    """Number of nodes of one tree (0 if the model is none), and the class probabilities of the test cases."""
    first, *rest = _run("predict", train, test, *options)
    return int(first.split()[1]), np.array([[float(p) for p in line.split()] for line in rest])


def printed(train: Cases, options) -> str:
    """A model as Weka prints it."""
    return "\n".join(_run("print", train, train, *options))


def bagging(train: Cases, test: Cases, trees=100, seconds=10) -> Timing:
    """Bagging of unpruned J48 trees, CPU seconds inside the virtual machine after one round to warm it up."""
    options = ("weka.classifiers.meta.Bagging", "-I", trees, "-W", J48[0], "--", *J48[1:])
    try:
        lines = _run("time", train, test, seconds, *options)
    except PeerMissing as missing:
        return Timing(status=str(missing))
    return Timing(**{name: float(value) for name, value in map(str.split, lines)})
