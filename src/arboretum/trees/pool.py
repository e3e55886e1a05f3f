"""The features that a node may use (Q of Algorithm 1), with a trail to undo removals on the way back up."""

from __future__ import annotations

from arboretum.trees.compiled import part
from arboretum.trees.draws import below


@part
def fill(features, slots, state):
    """All features of the tree are alive."""
    for f in range(features.shape[0]):
        features[f].alive = 0
    for j in range(state[0].n_features):
        features[slots[j].feature].alive = 1
    state[0].n_alive = state[0].n_features
    state[0].n_trail = 0


@part
def remove(features, slots, state, f):
    """Feature f is of no use in this node and below (constant, or a nominal feature just split on)."""
    if features[f].alive:
        features[f].alive = 0
        slots[state[0].n_trail].trail = f
        state[0].n_trail += 1
        state[0].n_alive -= 1


@part
def rewind(features, slots, state, length):
    """Undo removals made below another branch: back to a trail of ``length``."""
    while state[0].n_trail > length:
        state[0].n_trail -= 1
        features[slots[state[0].n_trail].trail].alive = 1
        state[0].n_alive += 1


@part
def draw_alive(features, slots, state):
    """A feature drawn uniformly from those alive, of which there must be one."""
    while True:
        f = slots[below(state, state[0].n_features)].feature
        if features[f].alive:
            return f
