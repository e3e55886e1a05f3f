"""Split criteria: the entropy or Gini score of every cut.

A split of a node scores, over its sides with class counts c and size n,

    entropy   sum of c log2 c  -  sum of n log2 n
    Gini      sum of c^2 / n

For both, gain * weight = score of the split - score of the whole node.

``gini`` is True or None. numba drops what stands under ``gini is None``, or all else, before it compiles a rule.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.bits import trailing_zeros
from arboretum.trees.class_counts import xlog, xlogs_of
from arboretum.trees.compiled import part

_ONE = np.int64(1)


@part
def class_term(xlogs, count, gini):
    """What one class with this count adds to the score of a side."""
    if gini is None:
        return xlog(xlogs, count)
    return np.float64(count) * count


@part
def split_score(xlogs, below, above, n_below, n_above, gini):
    """Score of a two-way split, from the summed class terms of both sides."""
    if gini is None:
        return below + above - xlog(xlogs, n_below) - xlog(xlogs, n_above)
    return below / n_below + above / n_above


@part
def node_score(xlogs, tally, n_present, total, gini):
    """Score of the whole node."""
    score = 0.0
    for k in range(n_present):
        score += class_term(xlogs, tally[k].known, gini)
    return score - xlog(xlogs, total) if gini is None else score / total


@part
def tabulate_xlogs(tables, tally, xlogs, n_present, total):
    """Tables of xlog(left) + xlog(right) that all features of the node share: by size, then for each class."""
    n = np.int64(total)
    for left in range(n + 1):
        tables[left] = xlogs[left] + xlogs[n - left]
    place = n + 1
    for k in range(n_present):
        tally[k].start = place
        n = np.int64(tally[k].known)
        for left in range(n + 1):
            tables[place + left] = xlogs[left] + xlogs[n - left]
        place += n + 1


@part
def score_cuts(buffers, n, summary):
    """Entropy score of the cut above each of the n ranks, and the weight at or below it."""
    n_present, bits, per_word, _ = summary
    sizes, scores, tally = buffers.sizes, buffers.scores, buffers.tally
    if per_word == n_present and n_present == 2:
        entropy_of_two(buffers.sums, n, bits, buffers.tables, tally[0].start, tally[1].start, sizes, scores)
        return
    if per_word == n_present and n_present == 3:
        starts = tally[0].start, tally[1].start, tally[2].start
        entropy_of_three(buffers.sums, n, bits, buffers.tables, starts[0], starts[1], starts[2], sizes, scores)
        return
    for j in range(n):
        sizes[j], scores[j] = 0, 0.0
    mask = (_ONE << np.int64(bits)) - 1
    for k in range(n_present):
        first, shift = tally[k].lane * n, tally[k].shift
        add_entropy(buffers.sums, first, n, shift, mask, buffers.tables, tally[k].start, sizes, scores)
    for j in range(n):
        scores[j] -= buffers.tables[np.uint64(sizes[j])]


@part
def entropy_of_two(sums, n, bits, tables, first, second, sizes, scores):
    """:func:`score_cuts` for two classes."""
    mask = (_ONE << np.int64(bits)) - 1
    for j in range(n):
        one, two = sums[j] & mask, (sums[j] >> np.int64(bits)) & mask
        sizes[j] = one + two
        scores[j] = tables[np.uint64(first + one)] + tables[np.uint64(second + two)] - tables[np.uint64(one + two)]


@part
def entropy_of_three(sums, n, bits, tables, first, second, third, sizes, scores):
    """:func:`score_cuts` for three classes."""
    mask = (_ONE << np.int64(bits)) - 1
    for j in range(n):
        one, two = sums[j] & mask, (sums[j] >> np.int64(bits)) & mask
        three = (sums[j] >> np.int64(2 * bits)) & mask
        size = one + two + three
        score = tables[np.uint64(first + one)] + tables[np.uint64(second + two)] + tables[np.uint64(third + three)]
        sizes[j] = size
        scores[j] = score - tables[np.uint64(size)]


@part
def add_entropy(sums, first, n, shift, mask, tables, start, sizes, scores):
    """Add the entropy term of one class to the score of every cut, and its count to the size below."""
    for j in range(n):
        count = (sums[np.uint64(first + j)] >> shift) & mask
        sizes[j] += count
        scores[j] += tables[np.uint64(start + count)]


@part
def score_cuts_of_many(buffers, first, n, lanes, summary, total, gini):
    """Score of the cut above each of the n ranks, for so many classes that a rank has several words (``lanes``).

    The histogram begins at ``first``. Few classes occur at one rank, so the score is carried on from rank to rank, and
    only their terms are exchanged. Clears the histogram.
    """
    n_present, bits, per_word, _ = summary
    hist, tally, tables = buffers.hist, buffers.tally, buffers.tables
    mask, inverse = (_ONE << np.int64(bits)) - 1, 65535 // bits + 1  # n * inverse >> 16 is n // bits for n < 64
    size, score, below, above = np.int64(0), 0.0, np.int64(0), np.int64(0)
    for k in range(n_present):
        tally[k].left = 0
        if gini is None:
            score += tables[tally[k].start]
        else:
            above += np.int64(tally[k].known) ** 2
    for j in range(n):
        place = first + buffers.ranks[j] * lanes
        for v in range(lanes):
            packed = hist[place + v]
            hist[place + v] = 0
            while packed != 0:
                field = (trailing_zeros(packed) * inverse) >> 16
                count = (packed >> (field * bits)) & mask
                packed &= ~(mask << (field * bits))
                k = v * per_word + field
                left = np.int64(tally[k].left) + count
                if gini is None:
                    score += tables[tally[k].start + left] - tables[tally[k].start + left - count]
                else:
                    below += count * (2 * left - count)
                    above -= count * (2 * (np.int64(tally[k].known) - left) + count)
                tally[k].left = left
                size += count
        buffers.sizes[j] = size
        if gini is None:
            buffers.scores[j] = score - tables[size]
        elif j < n - 1:
            buffers.scores[j] = below / size + above / (total - size)


@part
def score_weighted_cuts(buffers, n, n_present, known, gini):
    """:func:`score_cuts` for real weights, in three passes: list the events, take all class terms, sum up.

    An event is a class that occurs at a rank. Its two terms are those of the class weights below and above the cut.
    Clears the histogram.
    """
    dense_hist, tally, terms = buffers.dense_hist, buffers.tally, buffers.tables
    klass, ends, n_events, n_left = buffers.word, buffers.sums, 0, 0.0
    for k in range(n_present):
        tally[k].left = 0
    for j in range(n):
        first = buffers.ranks[j] * n_present
        for k in range(n_present):
            moved = dense_hist[first + k]
            if moved != 0:
                dense_hist[first + k] = 0
                terms[2 * n_events] = tally[k].left + moved
                terms[2 * n_events + 1] = tally[k].known - tally[k].left - moved
                klass[n_events] = k
                tally[k].left += moved
                n_left += moved
                n_events += 1
        ends[j] = n_events
        buffers.sizes[j], buffers.scores[j], buffers.others[j] = n_left, n_left, known - n_left
    if gini is None:
        xlogs_of(terms, 2 * n_events)
        xlogs_of(buffers.scores, n)
        xlogs_of(buffers.others, n)
    else:
        for i in range(2 * n_events):
            terms[i] *= terms[i]
    below, above, e = 0.0, 0.0, 0
    for k in range(n_present):
        tally[k].below, tally[k].above = 0.0, class_term(buffers.xlogs, tally[k].known, gini)
        above += tally[k].above
    for j in range(n):
        while e < ends[j]:
            k = klass[e]
            below += terms[2 * e] - tally[k].below
            above += terms[2 * e + 1] - tally[k].above
            tally[k].below, tally[k].above = terms[2 * e], terms[2 * e + 1]
            e += 1
        if gini is None:
            buffers.scores[j] = below + above - buffers.scores[j] - buffers.others[j]
        else:
            buffers.scores[j] = below / buffers.scores[j] + above / buffers.others[j]
