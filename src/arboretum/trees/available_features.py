"""The features that a node may use (Q of Algorithm 1 of vrtrees).

A trail lists the removed features in order, so that removals made in one subtree are undone before the next one.
"""

from __future__ import annotations

from arboretum.trees.compiled import part
from arboretum.trees.random_stream import randbelow


@part
def make_all_available(features, slots, state):
    """Start a tree: all of its features are available. If these are all there are, the last tree removed only a few."""
    if state[0].n_available > 0 and state[0].n_features == features.shape[0]:
        restore_features(features, slots, state, 0)
        return
    for f in range(features.shape[0]):
        features[f].available = 0
    for j in range(state[0].n_features):
        features[slots[j].feature].available = 1
    state[0].n_available = state[0].n_features
    state[0].n_trail = 0


@part
def remove_feature(features, slots, state, f):
    """Feature f is constant in this node and below it, or a nominal feature just split on."""
    if features[f].available:
        features[f].available = 0
        slots[state[0].n_trail].trail = f
        state[0].n_trail += 1
        state[0].n_available -= 1


@part
def restore_features(features, slots, state, length):
    """Undo the removals made in another subtree: back to a trail of ``length``."""
    while state[0].n_trail > length:
        state[0].n_trail -= 1
        features[slots[state[0].n_trail].trail].available = 1
        state[0].n_available += 1


@part
def draw_available(features, slots, state):
    """Draw an available feature uniformly. At least one must be available."""
    while True:
        f = slots[randbelow(state, state[0].n_features)].feature
        if features[f].available:
            return f
