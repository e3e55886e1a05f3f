"""Measure everything in one run: ``python -m benchmarks.bench [ratios] [scaling] [parity]``.

Writes ``results.csv`` and ``ratios.svg`` (speed against peers), ``scaling.csv`` and ``cells.svg`` (growth, threads,
first call, memory), ``forest_parity.csv`` and ``boosting_parity.csv``, and prints each table with its goals.
"""

from __future__ import annotations

import os
import sys

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import matplotlib  # noqa: E402

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "arboretum"

import matplotlib.pyplot as plt  # noqa: E402
import pandas as pd  # noqa: E402

from . import parity, ratios, scaling, sets  # noqa: E402

FOLDER = sets.ROOT / "benchmarks"


def write(frame: pd.DataFrame, name) -> None:
    """Write a table beside this file, all at once."""
    temporary = FOLDER / f".{name}.part"
    frame.to_csv(temporary, index=False, float_format="%.4g", lineterminator="\n")
    temporary.replace(FOLDER / name)


def show(frame: pd.DataFrame, title) -> None:
    print(f"\n{title}\n" + frame.to_string(index=False, float_format=lambda v: f"{v:.3g}", na_rep=""), flush=True)


def run_ratios() -> None:
    rows = []
    for name in (*sets.LARGE, *sets.SMALL, *sets.MADE):
        for comparison in ratios.COMPARISONS:
            rows.append(ratios.measure(comparison, name))
            ratio = rows[-1].get("ratio")
            print(name, comparison.name, f"{ratio:.3g}" if ratio else rows[-1]["status"], sep=" | ", flush=True)
    frame = pd.DataFrame(rows)
    write(frame, "results.csv")
    show(pd.DataFrame(ratios.summary(rows)), "Times faster than peers (seconds of the peer / ours)")
    for line in frame.loc[frame.status != "ok", ["comparison", "set", "status"]].itertuples(index=False):
        print("not measured:", *line, sep=" | ")
    plot(frame[frame.status == "ok"])


def plot(frame) -> None:
    """One line of dots per comparison: sets, their geometric mean (bar) and the goal (ring)."""
    figure, axes = plt.subplots(figsize=(8, 4.2), layout="constrained")
    comparisons = [c for c in ratios.COMPARISONS if c.name in set(frame.comparison)]
    for place, comparison in enumerate(reversed(comparisons)):
        found = frame.loc[frame.comparison == comparison.name]
        axes.plot(found.ratio, [place] * len(found), "o", color="#4477aa", alpha=0.7, markersize=5)
        mean = ratios.geometric_mean(found.ratio)
        axes.plot(mean, place, "|", color="#222222", markersize=16, markeredgewidth=2.5)
        axes.plot(comparison.mean_goal, place, "o", color="#cc6677", fillstyle="none", markersize=10)
    axes.set_yticks(range(len(comparisons)), [c.name for c in reversed(comparisons)])
    axes.set_xscale("log")
    ticks = (1, 2, 5, 10, 20, 50, 100)
    axes.set_xticks(ticks, map(str, ticks))
    axes.axvline(1, color="#999999", linewidth=0.8)
    axes.set_xlabel("peer / ours, seconds (dot: a set, bar: mean, ring: its goal)")
    figure.savefig(FOLDER / "ratios.svg", metadata={"Date": None})


def run_scaling() -> None:
    frame = pd.DataFrame(scaling.rows())
    write(frame, "scaling.csv")
    scaling.plot_costs(FOLDER / "cells.svg")
    show(frame, "Growth, threads, first call, memory")


def run_parity() -> None:
    forests = pd.DataFrame([parity.forests(name) for name in (*sets.FOREST, *sets.MISSING)])
    write(forests, "forest_parity.csv")
    show(forests, "Random forest error, ours beside R randomForest, same folds")
    boosted = pd.DataFrame([parity.boosting(name) for name in parity.BOOST_SETS])
    write(boosted, "boosting_parity.csv")
    show(boosted, "AdaBoost (SAMME) error, ours beside scikit-learn, same folds")


PARTS = {"ratios": run_ratios, "scaling": run_scaling, "parity": run_parity}


def main(chosen) -> None:
    for name in chosen or PARTS:
        if name not in PARTS:
            sys.exit(f"Unknown part {name!r}. Known: {', '.join(PARTS)}.")
        PARTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
