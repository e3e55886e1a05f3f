"""Sets that are complete lists: the balance scale and the end positions of tic-tac-toe."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from arboretum.datasets.generators.columns import classes, nominal_frame

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
SQUARES = [f"{row}-{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")]


def balance_scale(rng: np.random.Generator | None = None) -> tuple[pd.DataFrame, pd.Series]:
    """All 625 combinations of weight and distance on both sides; the class says which side goes down."""
    values = np.array(list(product(range(1, 6), repeat=4)))
    left, right = values[:, 0] * values[:, 1], values[:, 2] * values[:, 3]
    names = ["left-weight", "left-distance", "right-weight", "right-distance"]
    X = pd.DataFrame(values.astype(np.float64), columns=names)
    return X, classes(1 + np.sign(right - left), ["L", "B", "R"])


def tic_tac_toe(rng: np.random.Generator | None = None) -> tuple[pd.DataFrame, pd.Series]:
    """The 958 boards on which a game that x began can end; positive means that x has three in a row."""
    boards = sorted(_end_positions(tuple("b" * 9), "x", set()))
    levels = ["x", "o", "b"]
    codes = np.array([[levels.index(mark) for mark in board] for board in boards])
    X = nominal_frame(codes, [levels] * 9, SQUARES)
    return X, classes([_wins(board, "x") for board in boards], ["negative", "positive"])


def _wins(board: tuple[str, ...], mark: str) -> bool:
    return any(all(board[square] == mark for square in line) for line in LINES)


def _end_positions(board: tuple[str, ...], mark: str, seen: set) -> set:
    """Boards where play stops, reached from ``board`` with ``mark`` to move; ``seen`` spares repeated work."""
    if board in seen:
        return set()
    seen.add(board)
    if _wins(board, "x") or _wins(board, "o") or "b" not in board:
        return {board}
    other = "o" if mark == "x" else "x"
    moves = [board[:i] + (mark,) + board[i + 1 :] for i in range(9) if board[i] == "b"]
    return set().union(*(_end_positions(move, other, seen) for move in moves))
