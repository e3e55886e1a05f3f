"""Random small tables for hypothesis: ties, constants, missing values, unused levels and classes, weights."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from reference.table import table

SCALES = [1.0, 0.5, 0.1]


@st.composite
def tables(draw, kinds=("numeric", "nominal"), missing=True, weights=("ones", "counts", "halves"), max_rows=30):
    """A table of 1 to ``max_rows`` cases whose class follows a column about half of the time."""
    n = draw(st.integers(1, max_rows))
    n_classes = draw(st.integers(2, 3))
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
    levels = [draw(st.integers(1, 5)) if kind == "nominal" else 0 for kind in chosen]
    columns = [draw(_column(n, kind, count, missing)) for kind, count in zip(chosen, levels, strict=True)]
    y = np.array(draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n)))
    if draw(st.booleans()):
        follow = np.nan_to_num(columns[draw(st.integers(0, len(columns) - 1))])
        strength = draw(st.integers(1, 4))
        y = np.where(np.arange(n) % (strength + 1) > 0, np.searchsorted(np.unique(follow), follow) % n_classes, y)
    return table(columns, chosen, levels, y, n_classes, draw(_weights(n, draw(st.sampled_from(weights)))))


@st.composite
def _column(draw, n, kind, levels, missing):
    if kind == "nominal":
        used = draw(st.integers(1, levels))
        values = st.integers(0, used - 1)
    else:
        values = st.integers(-3, draw(st.sampled_from([-3, -2, 0, 10])))
    if missing and draw(st.booleans()):
        values = st.one_of(values, values, values, st.none())
    cells = draw(st.lists(values, min_size=n, max_size=n))
    scale = 1.0 if kind == "nominal" else draw(st.sampled_from(SCALES))
    return np.array([np.nan if cell is None else cell * scale for cell in cells])


def _weights(n, kind):
    if kind == "ones":
        return st.just(np.ones(n))
    values = st.integers(0, 3) if kind == "counts" else st.sampled_from([0.5, 1.0, 1.5, 2.5])
    drawn = st.lists(values, min_size=n, max_size=n).filter(lambda w: sum(w) > 0)
    return drawn.map(lambda w: np.array(w, dtype=float))


@st.composite
def larger_tables(draw, kinds=("numeric", "nominal"), missing=True, weights=("ones", "counts", "halves")):
    """20 to 200 cases drawn from a seed: weak signals, many levels, few and many ties.

    Some rules of C4.5 depend on averages or on tenths of the cases. Only larger tables test them.
    """
    rng = np.random.Generator(np.random.PCG64(draw(st.integers(0, 2**32 - 1))))
    n, n_classes = int(rng.integers(20, 200)), int(rng.choice([2, 2, 2, 3, 5]))
    chosen = rng.choice(kinds, size=rng.integers(1, 6)).tolist()
    crowded = bool(rng.uniform() < 0.1) and "nominal" in kinds
    chosen = ["nominal"] * len(chosen) if crowded else chosen
    levels, columns = [], []
    for kind in chosen:
        few = [n // 2] if crowded else [2, 3, 6, n // 4 + 1, n // 3 + 1]
        count = int(rng.choice(few)) if kind == "nominal" else 0
        levels.append(count)
        columns.append(_drawn_column(rng, n, kind, count))
    y = rng.integers(0, n_classes, n)
    if rng.uniform() < 0.7:
        score = sum(rng.normal() * (column - column.mean()) / (column.std() + 1) for column in columns)
        edges = np.quantile(score, np.arange(1, n_classes) / n_classes)
        y = np.where(rng.uniform(size=n) < rng.uniform(0.2, 1.0), np.searchsorted(edges, score), y)
    if missing and rng.uniform() < 0.7:
        for column in columns:
            column[rng.uniform(size=n) < rng.choice([0.0, 0.05, 0.4])] = np.nan
    kind = rng.choice(weights)
    weight = {"ones": np.ones(n), "counts": rng.integers(0, 4, n) * 1.0, "halves": rng.integers(1, 6, n) / 2}[kind]
    declared = n_classes + int(rng.choice([0, 0, 0, 1]))
    return table(columns, chosen, levels, y, declared, weight)


def _drawn_column(rng, n, kind, levels):
    if kind == "nominal":
        return rng.integers(0, rng.integers(1, levels + 1), n).astype(float)
    column = rng.normal(size=n) if rng.uniform() < 0.5 else rng.integers(0, 6, n).astype(float)
    return np.round(column, int(rng.integers(0, 4)))
