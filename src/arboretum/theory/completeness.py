"""What trees with T leaves span: section 3 of Breiman (2000), on a grid of m^D cells.

A box is a tuple of half-open intervals of cells, one per variable. A +-1 tree with T leaves is a partition of
the grid into T boxes by successive cuts, with a sign for each box. Two such trees that differ in one sign
differ by twice a leaf's indicator, so the trees span exactly what their leaves' indicators span.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

Box = tuple[tuple[int, int], ...]
Array = NDArray[np.float64]


def whole(shape: tuple[int, ...]) -> Box:
    """The box that is the whole grid."""
    return tuple((0, cells) for cells in shape)


def cuts(box: Box) -> list[tuple[Box, Box]]:
    """The pairs of boxes that one cut makes of a box."""
    pairs = []
    for m, (low, high) in enumerate(box):
        for line in range(low + 1, high):
            pairs.append((box[:m] + ((low, line),) + box[m + 1 :], box[:m] + ((line, high),) + box[m + 1 :]))
    return pairs


def leaf_boxes(shape: tuple[int, ...], leaves: int) -> list[Box]:
    """All boxes that at most T-1 cuts of the grid can make: what a leaf of a tree of T leaves can be."""
    found = frontier = {whole(shape)}
    for _ in range(leaves - 1):
        frontier = {part for box in frontier for pair in cuts(box) for part in pair} - found
        found = found | frontier
    return sorted(found)


@lru_cache(maxsize=32)
def partitions(shape: tuple[int, ...], leaves: int) -> tuple[tuple[Box, ...], ...]:
    """All partitions of the grid into T leaves by successive cuts, each once."""

    @cache
    def split(box: Box, parts: int) -> frozenset[tuple[Box, ...]]:
        if parts == 1:
            return frozenset({(box,)})
        return frozenset(
            tuple(sorted(a + b))
            for left, right in cuts(box)
            for share in range(1, parts)
            for a in split(left, share)
            for b in split(right, parts - share)
        )

    return tuple(sorted(split(whole(shape), leaves)))


def indicators(boxes: list[Box] | tuple[Box, ...], shape: tuple[int, ...]) -> Array:
    """One row per box: 1 in its cells, 0 elsewhere, cells in C order."""
    rows = np.zeros((len(boxes), *shape))
    for row, box in zip(rows, boxes, strict=True):
        row[tuple(slice(low, high) for low, high in box)] = 1.0
    return rows.reshape(len(boxes), -1)


def rank(shape: tuple[int, ...], leaves: int) -> int:
    """The dimension of the span of trees with T leaves on the grid (Proposition 2)."""
    return int(np.linalg.matrix_rank(indicators(leaf_boxes(shape, leaves), shape)))


def rank_by_counting(cells: int, variables: int, leaves: int) -> int:
    """sum_{j < T} C(D, j) (m-1)^j, capped by j <= D: functions whose interactions have order below T.

    T-1 cuts bound a leaf in at most T-1 variables, so that its indicator has interactions of that order at
    most, and every product of T-1 half-lines is a leaf. It equals m^D if and only if T > D.
    """
    return sum(comb(variables, j) * (cells - 1) ** j for j in range(min(leaves - 1, variables) + 1))


def parity(shape: tuple[int, ...]) -> Array:
    """The product of the signs of the centred variables: for D = 2 the quadrant function of section 3.1."""
    sign = np.ones(shape)
    for m, cells in enumerate(shape):
        if cells % 2:
            raise ValueError(f"parity needs an even number of cells per side, not {cells}")
        side = np.where(np.arange(cells) < cells // 2, -1.0, 1.0)
        sign = sign * side.reshape([-1 if axis == m else 1 for axis in range(len(shape))])
    return sign


def largest_inner_product(shape: tuple[int, ...], leaves: int) -> float:
    """The largest |(g, 1_R)| of parity g with a leaf R, uniform P; zero: g is orthogonal to every tree."""
    cells = float(np.prod(shape))
    return float(np.abs(indicators(leaf_boxes(shape, leaves), shape) @ parity(shape).ravel()).max() / cells)
