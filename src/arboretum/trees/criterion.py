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
from arboretum.trees.class_counts import CLASS, xlog, xlogs_of
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
def in_eights(n):
    """The next multiple of 8. The processor does eight numbers as fast as one, and a rest would be done one by one."""
    return (n + 7) & ~7


@part
def score_gini_cuts(buffers, n, summary, total):
    """:func:`score_cuts` by Gini. The cut above the last rank has nothing above it and no score.

    Counts become real numbers: so the processor does several cuts at a time. Their squares are exact up to 2**53, which
    is a weight of 94 million; beyond that they are rounded, by far less than the margin between two cuts.
    """
    n_present, bits, _, _ = summary
    n = in_eights(n)
    sums, sizes, scores, others, tally = buffers.sums, buffers.sizes, buffers.scores, buffers.others, buffers.tally
    if n_present == 2:
        gini_of_two(sums, n, bits, np.float64(tally[0].known), np.float64(tally[1].known), sizes, scores)
        return
    if n_present == 3:
        known = np.float64(tally[0].known), np.float64(tally[1].known), np.float64(tally[2].known)
        gini_of_three(sums, n, bits, known[0], known[1], known[2], sizes, scores)
        return
    mask = (_ONE << np.int64(bits)) - 1
    for j in range(n):
        sizes[j], scores[j], others[j] = 0, 0.0, 0.0
    for k in range(n_present):
        shift, known = tally[k].shift, np.float64(tally[k].known)
        for j in range(n):
            count = np.int32((sums[j] >> shift) & mask)
            sizes[j] += count
            scores[j] += np.float64(count) * np.float64(count)
            others[j] += (known - np.float64(count)) * (known - np.float64(count))
    divide_by_sizes(buffers, n, total)


@part
def divide_by_sizes(buffers, n, total):
    """Gini scores from the sums of squares below and above each cut."""
    sizes, scores, others = buffers.sizes, buffers.scores, buffers.others
    for j in range(in_eights(n)):
        scores[j] = scores[j] / np.float64(sizes[j]) + others[j] / np.float64(total - sizes[j])


@part
def gini_of_two(sums, n, bits, first, second, sizes, scores):
    """:func:`score_gini_cuts` for two classes."""
    mask = (_ONE << np.int64(bits)) - 1
    for j in range(n):
        one, two = np.int32(sums[j] & mask), np.int32((sums[j] >> np.int64(bits)) & mask)
        sizes[j] = np.int64(one) + two
        one, two = np.float64(one), np.float64(two)
        rest, other = first - one, second - two
        scores[j] = (one * one + two * two) / (one + two) + (rest * rest + other * other) / (rest + other)


@part
def gini_of_three(sums, n, bits, first, second, third, sizes, scores):
    """:func:`score_gini_cuts` for three classes."""
    mask = (_ONE << np.int64(bits)) - 1
    for j in range(n):
        one, two = np.int32(sums[j] & mask), np.int32((sums[j] >> np.int64(bits)) & mask)
        three = np.int32((sums[j] >> np.int64(2 * bits)) & mask)
        sizes[j] = np.int64(one) + two + three
        one, two, three = np.float64(one), np.float64(two), np.float64(three)
        below, above = one * one + two * two + three * three, (first - one) * (first - one)
        above += (second - two) * (second - two) + (third - three) * (third - three)
        scores[j] = below / (one + two + three) + above / (first + second + third - (one + two + three))


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
        else:
            buffers.scores[j], buffers.others[j] = below, above
    if gini is not None:
        divide_by_sizes(buffers, n, total)


@part
def score_sorted_cuts(buffers, n, summary, total, gini):
    """:func:`score_cuts_of_many` from cases sorted by rank (``sort_cases``). Clears the histogram."""
    hist, tally, tables, cases = buffers.hist, buffers.tally, buffers.tables, buffers.sorted_case
    size, score, below, above, i = np.int64(0), 0.0, np.int64(0), np.int64(0), np.int64(0)
    for k in range(summary[0]):
        tally[k].left = 0
        if gini is None:
            score += tables[tally[k].start]
        else:
            above += np.int64(tally[k].known) ** 2
    for j in range(n):
        rank = np.uint64(buffers.ranks[j])
        end, hist[rank] = hist[rank], 0
        while i < end:
            own, count = tally[np.uint64(cases[np.uint64(i)] & CLASS)], cases[np.uint64(i)] >> 32
            left = np.int64(own.left) + count
            if gini is None:
                score += tables[np.uint64(own.start + left)] - tables[np.uint64(own.start + left - count)]
            else:
                below += count * (2 * left - count)
                above -= count * (2 * (np.int64(own.known) - left) + count)
            own.left = left
            size += count
            i += 1
        buffers.sizes[j] = size
        if gini is None:
            buffers.scores[j] = score - tables[np.uint64(size)]
        else:
            buffers.scores[j], buffers.others[j] = below, above
    if gini is not None:
        divide_by_sizes(buffers, n, total)


@part
def score_weighted_cuts(buffers, n, n_present, known, gini):
    """:func:`score_cuts` for real weights, in three passes: list the weights, take all their terms at once, sum up.

    An event is a class that occurs at a rank. ``terms`` has the weights below the n cuts, then those above them, then
    two for each event: the class weights below and above the cut. Clears the histogram.
    """
    dense_hist, tally, terms = buffers.dense_hist, buffers.tally, buffers.tables
    klass, ends, e, n_left = buffers.word, buffers.sums, 0, 0.0
    for k in range(n_present):
        tally[k].left = 0
    for j in range(n):
        first = buffers.ranks[j] * n_present
        for k in range(n_present):
            moved = dense_hist[first + k]
            if moved != 0:
                dense_hist[first + k] = 0
                terms[2 * (n + e)] = tally[k].left + moved
                terms[2 * (n + e) + 1] = tally[k].known - tally[k].left - moved
                klass[e] = k
                tally[k].left += moved
                n_left += moved
                e += 1
        ends[j] = e
        buffers.sizes[j], terms[j], terms[n + j] = n_left, n_left, known - n_left
    if gini is None:
        xlogs_of(terms, in_eights(2 * (n + e)))
    else:
        for i in range(2 * n, 2 * (n + e)):
            terms[i] *= terms[i]
    below, above, e = 0.0, 0.0, 0
    for k in range(n_present):
        tally[k].below, tally[k].above = 0.0, class_term(buffers.xlogs, tally[k].known, gini)
        above += tally[k].above
    for j in range(n):
        while e < ends[j]:
            k, one, two = klass[e], terms[2 * (n + e)], terms[2 * (n + e) + 1]
            below += one - tally[k].below
            above += two - tally[k].above
            tally[k].below, tally[k].above = one, two
            e += 1
        if gini is None:
            buffers.scores[j] = below + above - terms[j] - terms[n + j]
        else:
            buffers.scores[j] = below / terms[j] + above / terms[n + j]
