"""How much the next tree should look at each training case (diversity, section 5.3).

A strategy is a function of the votes so far: ``counts`` (cases, classes), the true classes, the number of trees, and
the two settings ``b_max`` and ``m_max``. It returns one weight per case, up to a common factor. W is the share of wrong
votes for a case. Register your own by :func:`register`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arboretum.trees.elementary import exp_of

Array = np.ndarray
Strategy = Callable[[Array, Array, int, float, int], Array]
STRATEGIES: dict[str, Strategy] = {}


def register(strategy: Strategy) -> Strategy:
    """Make a strategy known by the name of its function; usable as a decorator."""
    STRATEGIES[strategy.__name__] = strategy
    return strategy


def wrong_share(counts: Array, truth: Array) -> Array:
    """W of each case (Definition 5.3.1)."""
    return 1 - counts[np.arange(len(truth)), truth] / counts.sum(axis=1)


def rival_share(counts: Array, truth: Array) -> Array:
    """Share of the wrong class that has most votes; kappa is 1 less this."""
    others = counts.copy()
    others[np.arange(len(truth)), truth] = 0
    return others.max(axis=1) / counts.sum(axis=1)


def clipped_sigmoid(x: Array, b: float) -> Array:
    """min(1 / (1 + exp(-b x)), 1/2) (Definition 5.3.2; the sigmoid is printed without its inverse)."""
    return np.minimum(1 / (1 + exp_of(-b * x)), 0.5)


def steepness(trees: int, b_max: float, m_max: int) -> float:
    """b, growing linearly from 0 to b_max over the first m_max trees (Definition 5.3.3)."""
    return b_max * min(trees, m_max) / m_max


@register
def uniform(counts, truth, trees, b_max, m_max):
    """The plain random forest."""
    return np.ones(len(truth))


@register
def drf(counts, truth, trees, b_max, m_max):
    """W (Bernard, Adam and Heutte 2012; Definition 5.3.1)."""
    return wrong_share(counts, truth)


@register
def xuchen(counts, truth, trees, b_max, m_max):
    """W^2 below 1/2, sqrt(W) from 1/2 on (Xu and Chen; section 5.3.1 prints the border on the other side)."""
    share = wrong_share(counts, truth)
    return np.where(share < 0.5, share * share, np.sqrt(share))


@register
def sigmoid(counts, truth, trees, b_max, m_max):
    """Clipped sigmoid of W - 1/2, as steep from the second tree on as ever (Definition 5.3.2)."""
    return clipped_sigmoid(wrong_share(counts, truth) - 0.5, b_max)


@register
def lerp(counts, truth, trees, b_max, m_max):
    """Clipped sigmoid of W - 1/2 that grows steeper with the first trees (Definition 5.3.3)."""
    return clipped_sigmoid(wrong_share(counts, truth) - 0.5, steepness(trees, b_max, m_max))


@register
def dynamic(counts, truth, trees, b_max, m_max):
    """As lerp with the threshold kappa of each case (Definition 5.3.4); for two classes the sigmoid of 2W - 1."""
    kappa = 1 - rival_share(counts, truth)
    return clipped_sigmoid(wrong_share(counts, truth) - kappa, steepness(trees, b_max, m_max))


@register
def sigmoid_as_run(counts, truth, trees, b_max, m_max):
    """What the thesis ran as its sigmoid: the sign of b is reversed, so that the weight falls with W."""
    return clipped_sigmoid(wrong_share(counts, truth) - 0.5, -b_max)


@register
def dynamic_as_run(counts, truth, trees, b_max, m_max):
    """What the thesis ran as its dynamic threshold: the rival's own share, which W never falls below.

    Every weight is clipped to 1/2, and the forest is the plain one.
    """
    above = wrong_share(counts, truth) - rival_share(counts, truth)
    return clipped_sigmoid(np.maximum(above, 0), steepness(trees, b_max, m_max))
