"""The error of a forest as a sum over its cells (diversity, Propositions 3.2.1 and 5.2.1).

A forest cell is a non-empty intersection of leaves, one of each tree. Cells part the space of X, not of (X, Y): within
a cell every prediction is the same, while labels may differ.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

Array = np.ndarray


def forest_cells(leaves: Array) -> Array:
    """The cell of each case, numbered from 0, from the leaf that it reaches in each tree: (cases, trees)."""
    return np.unique(np.asarray(leaves), axis=0, return_inverse=True)[1].reshape(-1)


class CellTerms(NamedTuple):
    """One entry per cell: its share of the cases, and conditional means over its cases."""

    mass: Array
    member_loss: Array
    diversity: Array

    @property
    def error(self) -> float:
        """sum_p P(Z_p) (member loss - diversity-effect) (Proposition 5.2.1): the ensemble's error."""
        return float(np.sum(self.mass * (self.member_loss - self.diversity)))


def cell_terms(cells: Array, member_losses: Array, ensemble_loss: Array) -> CellTerms:
    """Mean member loss and diversity-effect of each cell.

    ``member_losses`` is (members, cases), ``ensemble_loss`` (cases,), of any loss and combiner.
    """
    member = np.mean(member_losses, axis=0)
    sizes = np.bincount(cells)
    mean_member = np.bincount(cells, weights=member) / sizes
    mean_effect = np.bincount(cells, weights=member - ensemble_loss) / sizes
    return CellTerms(sizes / len(cells), mean_member, mean_effect)


def is_constant_in_cells(cells: Array, predictions: Array) -> bool:
    """Does every member say the same on all cases of a cell? ``predictions`` is (members, cases)."""
    order = np.argsort(cells, kind="stable")
    same_cell = cells[order][1:] == cells[order][:-1]
    ordered = np.asarray(predictions)[:, order]
    return bool(np.all((ordered[:, 1:] == ordered[:, :-1])[:, same_cell]))
