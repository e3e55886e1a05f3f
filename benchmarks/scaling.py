"""Growth with the number of cases, threads, first call, memory, weights: each a row with its goal."""

from __future__ import annotations

import functools
import math
import tempfile
import time

import matplotlib.pyplot as plt
import numpy as np

from arboretum.ensembles import VRForest
from arboretum.trees.table import CodedTable

from . import alone
from .sets import waves

SIZES = (3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
KINDS = (15, "all values distinct"), (2, "two decimals")  # UCI's file of waveform has two decimals
WITHOUT = "all values distinct, not presorted"


def rows():
    """Every measurement: name, measured, goal, whether less or more is better, and remarks."""
    yield from growth()
    yield from visited()
    yield from threads()
    yield from first_call()
    yield from memory()
    yield from weighted()
    yield from anchor()


def _row(name, measured, goal, better, remark=""):
    met = measured <= goal if better == "less" else measured >= goal
    return {"name": name, "measured": measured, "goal": goal, "better": better, "met": met, "remark": remark}


def _forest(alpha=1.0, trees=3, n_jobs=1):
    return VRForest(alpha=alpha, n_estimators=trees, random_state=0, n_jobs=n_jobs)


def _fit_seconds(model, X, y, repeats=2, **more):
    spent = []
    for _ in range(repeats):
        start = time.process_time()
        model.fit(X, y, **more)
        spent.append(time.process_time() - start)
    return min(spent)


def growth():
    """Exponent b of seconds ~ n^b on waveform with 40 columns."""
    large = waves(70_000)  # compiles for columns of more values than 16 bits number, before the clock runs
    for decimals, kind in KINDS:
        for alpha in (1.0, 0.5, 0.0):
            _forest(alpha, trees=1).fit(large.matrix().round(decimals), large.y)
            spent = []
            for n in SIZES[:-1]:
                cases = waves(n)
                model, X = _forest(alpha), cases.matrix().round(decimals)
                spent.append(_fit_seconds(model, X, cases.y, 3 if n < 100_000 else 1))
            slope = np.polyfit(np.log(SIZES[:-1]), np.log(spent), 1)[0]
            seconds = ", ".join(f"{n // 1000}k {s:.2f}s" for n, s in zip(SIZES, spent, strict=False))
            yield _row(f"exponent of n, alpha={alpha:g}, {kind}", slope, 1.1, "less", f"3 trees: {seconds}")


def visited():
    """Cost of a visited cell (one case of an inner node in one column) in the largest table over the smallest."""
    for kind, cost in cell_costs().items():
        if kind != WITHOUT:
            remark = ", ".join(f"{n // 1000}k {ns:.1f} ns" for n, ns in cost.items())
            yield _row(
                f"cost of a visited cell, 1M over 3k rows, {kind}",
                cost[SIZES[-1]] / cost[SIZES[0]],
                1.3,
                "less",
                remark,
            )


@functools.cache
def cell_costs():
    """Nanoseconds per visited cell, alpha=1, rank-coding included, by kind of values and rows."""
    large, found = waves(SIZES[-1]), {}
    for decimals, kind in (*KINDS, (15, WITHOUT)):
        whole = large.matrix().round(decimals)
        found[kind] = {}
        presorted = CodedTable.presorted
        try:
            if kind == WITHOUT:
                CodedTable.presorted = CodedTable.ranks
            _forest(trees=1).fit(whole[:70_000], large.y[:70_000])
            for n in SIZES:
                model = _forest(trees=max(2, min(30, 100_000 // n)))
                seconds = _fit_seconds(model, whole[:n], large.y[:n], 3 if n < 100_000 else 1)
                nodes = model.forest_.nodes
                cells = nodes["weight"][nodes["kind"] > 0].sum() * whole.shape[1]
                found[kind][n] = 1e9 * seconds / cells
        finally:
            CodedTable.presorted = presorted
    return found


def plot_costs(path):
    """The cost of a visited cell by rows: one line per kind of values."""
    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    looks = zip(cell_costs().items(), (("#4477aa", "o-"), ("#228833", "s-"), ("#cc6677", "^--")), strict=True)
    for (kind, cost), (colour, style) in looks:
        axes.plot(list(cost), list(cost.values()), style, color=colour, label=kind)
    axes.set_xscale("log")
    axes.set_xticks(SIZES, [f"{n // 1000}k" if n < 1_000_000 else "1M" for n in SIZES])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("rows (40 columns)")
    axes.set_ylabel("ns per visited cell")
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


def threads():
    """Wall time of one thread over that of two, and whether the forests are the same to the last bit."""
    cases = waves(30_000)
    X, y = cases.matrix(), cases.y
    wall, answers = {1: math.inf, 2: math.inf}, {}
    for n_jobs in (1, 2) * 3:
        model = _forest(trees=32, n_jobs=n_jobs)
        model.fit(X[:500], y[:500])
        start = time.perf_counter()
        model.fit(X, y)
        wall[n_jobs] = min(wall[n_jobs], time.perf_counter() - start)
        answers[n_jobs] = model.predict_proba(X[:2000])
    equal = np.array_equal(answers[1], answers[2])
    remark = f"bitwise {'equal' if equal else 'DIFFERENT'}, {wall[1]:.2f}s and {wall[2]:.2f}s"
    yield _row("two threads", wall[1] / wall[2], 1.75 if equal else math.inf, "more", remark)


def first_call():
    """First fit and predict of a process, without and with machine code in the cache."""
    with tempfile.TemporaryDirectory() as folder:
        cold = alone.call("first", ARBORETUM_CACHE_DIR=folder)["seconds"]
        warm = alone.call("first", ARBORETUM_CACHE_DIR=folder)["seconds"]
    yield _row("first call, no cache, seconds", cold, 12, "less")
    yield _row("first call, cache, seconds", warm, 0.4, "less")


def memory():
    """Bytes added by a fit over the goal of 300 a row of 40 columns."""
    for n in (300_000, 1_000_000):
        for decimals, kind in KINDS:
            found = alone.call("memory", n, decimals)
            goal = 300 * n
            remark = f"{found['bytes'] / 1e6:.0f} of {goal / 1e6:.0f} MB; one tree in {found['seconds']:.1f}s"
            yield _row(f"memory of {n:,} rows, {kind}, share of goal", found["bytes"] / goal, 1.0, "less", remark)


def anchor():
    """LightGBM on the largest table. It does not solve the same problem: values in 255 bins, trees of 255 leaves."""
    try:
        import lightgbm
    except ImportError:
        return
    cases = waves(SIZES[-1])
    settings = {"n_estimators": 1, "num_leaves": 255, "max_bin": 255, "n_jobs": 1, "verbose": -1}
    seconds = _fit_seconds(lightgbm.LGBMClassifier(**settings), cases.matrix(), cases.y, 1)
    remark = "not the same problem: values in 255 bins, three trees of 255 leaves; CPU seconds, binning included"
    yield _row("LightGBM, 1,000,000 rows, all values distinct, one round", seconds, math.inf, "less", remark)


def weighted():
    """How much slower real weights and missing values are than whole counts; said, not aimed at."""
    cases = waves(5000)
    X, y = cases.matrix(), cases.y
    rng = np.random.default_rng(0)
    holed = np.where(rng.uniform(size=X.shape) < 0.05, np.nan, X)
    models = [_forest(trees=10) for _ in range(3)]
    weights = rng.uniform(0.5, 1.5, len(y))
    for model in models:
        model.fit(holed[:300], y[:300], sample_weight=weights[:300])
    plain = _fit_seconds(models[0], X, y)
    real = _fit_seconds(models[1], X, y, sample_weight=weights)
    missing = _fit_seconds(models[2], holed, y, 1)
    yield _row("real weights, times the plain fit", real / plain, 2.5, "less", "waveform40, alpha=1")
    yield _row("5% missing cells, times the plain fit", missing / plain, 2.5, "less", "waveform40, alpha=1")
