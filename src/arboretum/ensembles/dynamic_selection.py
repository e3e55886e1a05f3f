"""KNORA-E, KNORA-U, OLA and LCA on the votes and neighbours that dynamic integration has at hand.

What a tree did on a neighbour is 1 (right), -1 (wrong) or 0 (the neighbour is in its bag and tells nothing). Of a
held-out part, where nothing is 0, the rules are those of DESlib.

References: Woods, Kegelmeyer, Bowyer (1997) for OLA and LCA; Ko, Sabourin, Britto (2008) for KNORA.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from arboretum.ensembles.dynamic_integration import DynamicIntegration
from arboretum.ensembles.integration import TIE

Array = np.ndarray


def knora_e(success: Array, same: Array, own: Array) -> Array:
    """All trees that get the most of the nearest neighbours right before the first wrong one."""
    before = np.cumsum(success < 0, axis=1) == 0
    return _greatest(np.sum(before & (success > 0), axis=1))


def knora_u(success: Array, same: Array, own: Array) -> Array:
    """Each tree with as many votes as it gets neighbours right; equal votes where none gets any."""
    right = np.sum(success > 0, axis=1)
    return np.where(right.any(axis=1, keepdims=True), right, 1)


def ola(success: Array, same: Array, own: Array) -> Array:
    """The first tree of the greatest share of right neighbours; its own accuracy where none tells anything."""
    return _first(_share(success > 0, success != 0, (own + 1) / 2))


def lca(success: Array, same: Array, own: Array) -> Array:
    """The same, of the neighbours of the class that the tree votes for; 0 where there is none."""
    return _first(_share(same & (success > 0), same & (success != 0), np.zeros(len(own))))


RULES: dict[str, Callable[[Array, Array, Array], Array]] = {
    "knora_e": knora_e,
    "knora_u": knora_u,
    "ola": ola,
    "lca": lca,
}


def _share(right: Array, known: Array, other: Array) -> Array:
    told = known.sum(axis=1)
    return np.where(told > 0, right.sum(axis=1) / np.maximum(told, 1), other)


def _greatest(competence: Array) -> Array:
    return competence >= competence.max(axis=1, keepdims=True) - TIE


def _first(competence: Array) -> Array:
    tied = _greatest(competence)
    return tied & (tied.cumsum(axis=1) == 1)


def selected_shares(model: DynamicIntegration, X, rules: Sequence[str]) -> Array:
    """Each class's share of the votes of the trees that a rule selects: (rules, cases, classes).

    ``model`` is fitted; its similarity, number of neighbours and record of the trees are those of the rules.
    """
    trees, (k,) = model._n_trees(), model._neighbourhoods([model.n_neighbors])
    parts = []
    for _, asked in model._blocks(X, int(k)):
        places = model._neighbours(asked, model.similarity, [trees], int(k))[0].places
        success, votes = model._record[places, :trees], asked.votes[:, :trees]
        same = model._classes[places][:, :, None] == votes[:, None, :]
        weights = [RULES[rule](success, same, model._own).astype(float) for rule in rules]
        given = [[np.sum(one * (votes == code), axis=1) for code in range(len(model.classes_))] for one in weights]
        parts.append(np.array(given).transpose(0, 2, 1))
    counts = np.concatenate(parts, axis=1)
    return counts / counts.sum(axis=2, keepdims=True)
