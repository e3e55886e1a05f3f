"""From neighbours to votes: local margins, weights of trees and weighted votes (dynint, sections 3.1 and 3.2).

``record`` is what the trees did on the training cases, (training cases, trees): 1 right, -1 wrong, 0 where the case
tells nothing of the tree, being in its bag. It may have more columns than there are trees: see :func:`padded`.
Configurations that share neighbours and trees (sizes of the
neighbourhood, ways of weighting) are handled together: they are the last axis of the arrays, so that the processor
treats several of them in one step without changing the order of any sum.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.compiled import kernel, part

Array = np.ndarray
STRATEGIES = ("sv", "ds", "dv", "dvs", "ds_vote")
SV, DS, DV, DVS, DS_VOTE = range(5)
SCALES = ("accuracy", "positive", "range")  # what is taken from a local margin w to make a weight: -1, 0, the least w
ACCURACY, POSITIVE, RANGE = range(3)
STRIDE = 16
#: Local margins and vote sums that differ by rounding only are tied.
TIE = 1e-9


def padded(record: Array) -> Array:
    """The record with columns of zeros up to a whole number of ``STRIDE``, which the processor treats in one step."""
    trees = record.shape[1]
    return np.pad(record, ((0, 0), (0, -trees % STRIDE)))


def own_margins(record: Array) -> Array:
    """The margin of each tree over all cases that tell of it; 0 if there is none."""
    known = np.count_nonzero(record, axis=0)
    return record.sum(axis=0, dtype=np.int64) / np.maximum(known, 1)


@kernel
def local_margins(places, relevance, record, own, neighbourhoods, margins):
    """w_i(x) of equation 3, (cases, trees, neighbourhoods); each of ``neighbourhoods`` is a number of neighbours.

    ``relevance`` (sigma) may hold whole numbers: sums are then exact. A tree of which no neighbour tells anything, or
    only such of relevance 0, has its own margin.
    """
    trees = margins.shape[1]
    width = min(-(-trees // STRIDE) * STRIDE, record.shape[1])
    right, wrong = np.empty(width, relevance.dtype), np.empty(width, relevance.dtype)
    none = relevance.dtype.type(0)
    for case in range(places.shape[0]):
        right[:], wrong[:] = none, none
        first = 0
        for step in range(neighbourhoods.shape[0]):
            for place in range(first, neighbourhoods[step]):
                j, sigma = places[case, place], relevance[case, place]
                for tree in range(width):
                    right[tree] += sigma if record[j, tree] > 0 else none
                    wrong[tree] += sigma if record[j, tree] < 0 else none
            first = neighbourhoods[step]
            for tree in range(trees):
                known = right[tree] + wrong[tree]
                margins[case, tree, step] = (right[tree] - wrong[tree]) / known if known > 0 else own[tree]


def tree_weights(margins: Array, strategy: int, midpoint: bool = False, scale: int = ACCURACY) -> Array:
    """Weights of the trees for each case, not negative and summing to 1, from their local margins w (cases, trees).

    SV: equal. DS: the tree of greatest w alone, the first of tied ones (DS_VOTE: all tied ones). DV: proportional to
    the local accuracy (w + 1) / 2, or to max(w, 0) (POSITIVE), or to w less the least w of all trees here (RANGE);
    equal if that is 0 for all. DVS: as DV, without the trees whose local error lies in the upper half of the error
    interval. That is [0, 1], so that negative w are dropped, or (``midpoint``) from the least to the greatest error of
    all trees here. All are kept if none is left.
    """
    low, best = margins.min(axis=1, keepdims=True), margins.max(axis=1, keepdims=True)
    tied = margins >= best - TIE
    if strategy == SV:
        weights = np.ones(margins.shape)
    elif strategy in (DS, DS_VOTE):
        weights = (tied & (tied.cumsum(axis=1) == 1) if strategy == DS else tied).astype(float)
    else:
        floor = low if scale == RANGE else np.full_like(low, 0.0 if scale == POSITIVE else -1.0)
        weights = np.maximum(margins - floor, 0.0)
        if strategy == DVS:
            least = (low + best) / 2 if midpoint else np.where(best >= -TIE, 0.0, -1.0)
            weights[margins < least - TIE] = 0.0
        weights = np.where(best <= floor + TIE, 1.0, weights)
    return weights / weights.sum(axis=1, keepdims=True)


@part
def find_best(margin, best):
    """Of local margins (trees, configurations) the greatest in each configuration."""
    for c in range(margin.shape[1]):
        best[c] = margin[0, c]
    for tree in range(1, margin.shape[0]):
        for c in range(margin.shape[1]):
            best[c] = max(best[c], margin[tree, c])


@part
def find_least(margin, least):
    """Of local margins (trees, configurations) the least in each configuration."""
    for c in range(margin.shape[1]):
        least[c] = margin[0, c]
    for tree in range(1, margin.shape[0]):
        for c in range(margin.shape[1]):
            least[c] = min(least[c], margin[tree, c])


@part
def find_limits(margin, best, midpoint, scale, kept, floor):
    """In each configuration the least local margin that DVS keeps, and the one that has no weight."""
    if midpoint or scale == RANGE:
        find_least(margin, kept)
    for c in range(margin.shape[1]):
        floor[c] = kept[c] if scale == RANGE else 0.0 if scale == POSITIVE else -1.0
        if midpoint:
            kept[c] = (kept[c] + best[c]) / 2
        else:
            kept[c] = 0.0 if best[c] >= -TIE else -1.0


@part
def add_weights(margin, vote, kept, floor, dv, dvs):
    """DV and DVS: add the weight of each tree to the class that it votes for, (classes, configurations)."""
    for tree in range(margin.shape[0]):
        code = vote[tree]
        for c in range(margin.shape[1]):
            weight = max(margin[tree, c] - floor[c], 0.0)
            dv[code, c] += weight
            dvs[code, c] += weight if margin[tree, c] >= kept[c] - TIE else 0.0


@part
def add_best(margin, vote, best, everyone, ds):
    """DS: one vote of the first tree that is tied for the best; DS_VOTE (``everyone``): of all these trees."""
    for c in range(margin.shape[1]):
        first = 0
        while margin[first, c] < best[c] - TIE:
            first += 1
        ds[vote[first], c] += 1.0
        if everyone:
            for tree in range(first + 1, margin.shape[0]):
                if margin[tree, c] >= best[c] - TIE:
                    ds[vote[tree], c] += 1.0


@part
def add_equal_votes(vote, best, floor, sums):
    """SV everywhere; DV and DVS where no tree has a weight, so that none is better than another."""
    for c in range(best.shape[0]):
        hopeless = best[c] <= floor[c] + TIE
        for tree in range(vote.shape[0]):
            sums[SV, vote[tree], c] += 1.0
            if hopeless:
                sums[DV, vote[tree], c] += 1.0
                sums[DVS, vote[tree], c] += 1.0


@kernel
def vote_shares(margins, votes, strategies, midpoint, scale, shares):
    """Each class's share of the weighted votes by every strategy: weights as in :func:`tree_weights`.

    From local margins (cases, trees, configurations) and votes (cases, trees), which are class codes; ``shares`` is
    (classes, cases, configurations, strategies).
    """
    trees, n = margins.shape[1], margins.shape[2]
    best, kept, floor, sums = np.empty(n), np.empty(n), np.empty(n), np.empty((5, shares.shape[0], n))
    plain, everyone = (strategies == SV).any(), (strategies == DS_VOTE).any()
    for case in range(margins.shape[0]):
        sums[:] = 0.0
        margin, vote = margins[case], votes[case, :trees]
        find_best(margin, best)
        find_limits(margin, best, midpoint, scale, kept, floor)
        add_weights(margin, vote, kept, floor, sums[DV], sums[DVS])
        add_best(margin, vote, best, False, sums[DS])
        if everyone:
            add_best(margin, vote, best, True, sums[DS_VOTE])
        if plain or (best <= floor + TIE).any():
            add_equal_votes(vote, best, floor, sums)
        for place in range(strategies.shape[0]):
            for c in range(n):
                total = 0.0
                for code in range(shares.shape[0]):
                    total += sums[strategies[place], code, c]
                for code in range(shares.shape[0]):
                    shares[code, case, c, place] = sums[strategies[place], code, c] / total
