"""Class histograms over the ranks of a column: they make exact split search possible without sorting.

The histogram of a feature has one cell for each rank, and in that cell the packed class counts of the node's cases (see
:mod:`arboretum.trees.packing`). A bitmap marks the ranks that occur. If the bitmap has far more words than the node has
cases, a second bitmap marks the words of the first. So listing the ranks costs little more than a pass over the cases.

The histogram and the bitmap have two halves. A rule that looks at every feature counts two features in one pass, one
into each half.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.bits import set_bits, trailing_zeros
from arboretum.trees.block import code_count, in_block
from arboretum.trees.compiled import part, spliced_part
from arboretum.trees.packing import n_lanes

_1, _2, _6, _63 = np.uint64(1), np.uint64(2), np.uint64(6), np.uint64(63)
_ONE = np.int64(1)
SPARSE = 2  # with more words per case than this, sorting the cases by rank is faster than reading all words
DENSE = 4  # with at most this many ranks per case, checking every rank is faster than marking them in the bitmap


@spliced_part
def column_of(buffers, f):
    """Codes of feature f, from the block if the node has one, otherwise from the table."""
    return buffers.block[f] if in_block(buffers) else buffers.codes[f]


@part
def half_start(array, half):
    """Where half 0 or 1 of the histogram or bitmap begins. Half 1 belongs to a feature counted ahead of its turn."""
    return half * (array.shape[0] >> 1)


@part
def is_sparse(buffers, f, n_cases, lanes):
    """Has the histogram of feature f far more words than the node has cases? Then the cases are sorted instead."""
    return lanes > 1 and code_count(buffers, f) * lanes > SPARSE * n_cases


@part
def sort_cases(buffers, f, n_cases):
    """Sort the cases of the node by their rank in column f, by counting; returns the number of ranks.

    ``sorted_case`` gets weight and local class of each case, and ``hist`` where each rank ends among them.
    """
    column, place, hist, ranks = column_of(buffers, f), buffers.place, buffers.hist, buffers.ranks
    for i in range(n_cases):
        hist[np.uint64(column[place[i]])] += 1
    if uses_bitmap(buffers, f, n_cases):
        mark_ranks(column, place, n_cases, buffers.bitmap, 0)
    n, at = list_ranks(buffers, f, 0, n_cases, 1), np.int64(0)
    for j in range(n):
        count, hist[np.uint64(ranks[j])] = hist[np.uint64(ranks[j])], at
        at += count
    for i in range(n_cases):
        rank = np.uint64(column[place[i]])
        buffers.sorted_case[np.uint64(hist[rank])] = buffers.local_case[i]
        hist[rank] += 1
    return n


@part
def count_feature(buffers, f, n_cases, lanes):
    """Fill the histogram of one feature in half 0, and its bitmap if that is used. A sparse one is left for later."""
    column = column_of(buffers, f)
    if is_sparse(buffers, f, n_cases, lanes):
        return
    if lanes > 1:
        count_column_lanes(column, buffers.place, n_cases, buffers.word, buffers.lane, lanes, buffers.hist, 0)
    else:
        count_column(column, buffers.place, n_cases, buffers.word, buffers.hist, 0)
    if uses_bitmap(buffers, f, n_cases):
        mark_ranks(column, buffers.place, n_cases, buffers.bitmap, 0)


@part
def count_two_features(buffers, f, g, n_cases, lanes):
    """Fill the histograms of two features, one in each half."""
    column, other, second = column_of(buffers, f), column_of(buffers, g), half_start(buffers.hist, 1)
    if lanes > 1:
        count_two_columns_lanes(
            column, other, buffers.place, n_cases, buffers.word, buffers.lane, lanes, buffers.hist, second
        )
    else:
        count_two_columns(column, other, buffers.place, n_cases, buffers.word, buffers.hist, second)
    if uses_bitmap(buffers, f, n_cases):
        mark_ranks(column, buffers.place, n_cases, buffers.bitmap, 0)
    if uses_bitmap(buffers, g, n_cases):
        mark_ranks(other, buffers.place, n_cases, buffers.bitmap, half_start(buffers.bitmap, 1))


@part
def count_column(column, place, n_cases, word, hist, first):
    """Histogram of packed class counts over ranks, starting at ``hist[first]``."""
    for i in range(n_cases):
        hist[np.uint64(first) + np.uint64(column[place[i]])] += word[i]


@part
def count_column_lanes(column, place, n_cases, word, lane, lanes, hist, first):
    """The same if a rank has several words."""
    for i in range(n_cases):
        hist[np.uint64(first) + np.uint64(column[place[i]]) * np.uint64(lanes) + np.uint64(lane[i])] += word[i]


@part
def count_two_columns(column, other, place, n_cases, word, hist, first):
    """:func:`count_column` for two columns: a case is read once, and the two additions do not wait for each other."""
    for i in range(n_cases):
        p, unit = place[i], word[i]
        hist[np.uint64(column[p])] += unit
        hist[np.uint64(first) + np.uint64(other[p])] += unit


@part
def count_two_columns_lanes(column, other, place, n_cases, word, lane, lanes, hist, first):
    """:func:`count_column_lanes` for two columns."""
    for i in range(n_cases):
        p, unit, v = place[i], word[i], np.uint64(lane[i])
        hist[np.uint64(column[p]) * np.uint64(lanes) + v] += unit
        hist[np.uint64(first) + np.uint64(other[p]) * np.uint64(lanes) + v] += unit


@part
def uses_bitmap(buffers, f, n_cases):
    """Is it cheaper to mark the ranks that occur than to check every rank?"""
    return code_count(buffers, f) > DENSE * n_cases


@part
def mark_ranks(column, place, n_cases, bitmap, first):
    """Mark the ranks that occur, starting at ``bitmap[first]``."""
    for i in range(n_cases):
        code = np.uint64(column[place[i]])
        bitmap[np.uint64(first) + (code >> _6)] |= _ONE << np.int64(code & _63)


@part
def mark_bitmap_words(column, place, n_cases, marked_words):
    """Mark the words of the bitmap that are not 0, in a second bitmap."""
    for i in range(n_cases):
        code = np.uint64(column[place[i]]) >> _6
        marked_words[code >> _6] |= _ONE << np.int64(code & _63)


@part
def list_ranks(buffers, f, half, n_cases, lanes):
    """List the ranks of a counted feature that occur in the node, ascending; returns how many."""
    n_values = code_count(buffers, f)
    if uses_bitmap(buffers, f, n_cases):
        return list_marked_ranks(buffers, column_of(buffers, f), n_values, n_cases, half_start(buffers.bitmap, half))
    return list_nonzero_ranks(buffers.hist, half_start(buffers.hist, half), lanes, n_values, buffers.ranks)


@part
def list_marked_ranks(buffers, column, n_values, n_cases, first):
    """List the ranks marked from ``bitmap[first]`` on, ascending, and clear the bitmap; returns how many.

    If there are far more words than cases, the second bitmap finds the words that are not 0.
    """
    n, n_words = 0, (n_values >> 6) + 1
    if n_words <= 4 * n_cases:
        for w in range(n_words):
            n = list_marked_in_word(buffers.bitmap, first, w, buffers.ranks, n)
        return n
    mark_bitmap_words(column, buffers.place, n_cases, buffers.marked_words)
    for a in range((n_words >> 6) + 1):
        marked = buffers.marked_words[a]
        buffers.marked_words[a] = 0
        while marked != 0:
            n = list_marked_in_word(buffers.bitmap, first, a * 64 + trailing_zeros(marked), buffers.ranks, n)
            marked &= marked - 1
    return n


@part
def list_marked_in_word(bitmap, first, w, ranks, n):
    """Append the ranks marked in one word to ``ranks`` and clear the word; returns the new length.

    Ranks are written four at a time even if fewer are left. The excess is overwritten later, and the loop has fewer
    branches that the processor can mispredict.
    """
    at = np.uint64(first + w)
    occupied = bitmap[at]
    bitmap[at] = 0
    end, place = n + set_bits(occupied), np.uint64(n)
    while n < end:
        for _ in range(4):
            ranks[place] = w * 64 + trailing_zeros(occupied)
            occupied &= occupied - 1
            place += _1
        n += 4
    return end


@part
def list_nonzero_ranks(hist, first, lanes, n_values, ranks):
    """List the ranks that occur, by checking every rank; returns how many."""
    n, at = np.uint64(0), np.uint64(first)
    for rank in range(n_values):
        occurs = hist[at] != 0
        for v in range(1, lanes):
            occurs |= hist[at + np.uint64(v)] != 0
        ranks[n] = rank
        n += np.uint64(occurs)
        at += np.uint64(lanes)
    return np.int64(n)


@part
def accumulate(hist, first, ranks, n, sums):
    """Prefix sums of the packed class counts over the ranks that occur, one word each. Clears the histogram."""
    left = np.int64(0)
    for j in range(n):
        place = np.uint64(first + ranks[j])
        left += hist[place]
        hist[place] = 0
        sums[j] = left


@part
def count_weights(column, place, n_cases, unit, n_present, dense_hist, bitmap):
    """Fractional growth: histogram of real weights over ranks and classes, and the bitmap of ranks that occur."""
    for i in range(n_cases):
        code = np.uint64(column[place[i]])
        dense_hist[np.int64(code) * n_present + unit[i].slot] += unit[i].share
        bitmap[code >> _6] |= _ONE << np.int64(code & _63)


@part
def remove_missing(dense_hist, tally, n_values, n_present, total):
    """Fractional growth: class weights of the known cases, and their sum. Clears the bin of missing values."""
    known = total
    for k in range(n_present):
        missing = dense_hist[n_values * n_present + k]
        dense_hist[n_values * n_present + k] = 0
        tally[k].known = tally[tally[k].present].count - missing
        known -= missing
    return known


@part
def count_levels(buffers, f, rows, case_weight, start, end, total, summary):
    """Class counts of each level of nominal feature f, into ``dense_hist``; returns the known weight."""
    n_present, bits, per_word, _ = summary
    n_values = buffers.features[f].n_values
    column = column_of(buffers, f)
    known = total
    if case_weight is None:
        lanes = n_lanes(summary)
        count_level_words(
            column, buffers.place, end - start, buffers.word, buffers.lane, lanes, buffers.hist, buffers.odd_hist
        )
        unpack_levels(buffers.hist, buffers.odd_hist, buffers.dense_hist, n_values, n_present, bits, per_word, lanes)
    else:
        dense_hist, unit = buffers.dense_hist, buffers.unit
        for i in range(end - start):
            dense_hist[np.int64(column[buffers.place[i]]) * n_present + unit[i].slot] += unit[i].share
        known = remove_missing(buffers.dense_hist, buffers.tally, n_values, n_present, total)
    return known


@part
def count_level_words(column, place, n_cases, word, lane, lanes, hist, odd_hist):
    """Histogram of packed class counts over levels; every other case goes to ``odd_hist``.

    There are few levels, so consecutive cases often hit the same word, and the second addition would have to wait for
    the first.
    """
    for i in range(np.uint64(0), np.uint64(n_cases - 1), _2):
        one, two = np.uint64(column[place[i]]), np.uint64(column[place[i + _1]])
        if lanes > 1:
            one, two = one * np.uint64(lanes) + np.uint64(lane[i]), two * np.uint64(lanes) + np.uint64(lane[i + _1])
        hist[one] += word[i]
        odd_hist[two] += word[i + _1]
    if n_cases & 1:
        last = np.uint64(n_cases - 1)
        one = np.uint64(column[place[last]])
        if lanes > 1:
            one = one * np.uint64(lanes) + np.uint64(lane[last])
        hist[one] += word[last]


@part
def unpack_levels(hist, odd_hist, dense_hist, n_values, n_present, bits, per_word, lanes):
    """Add both histograms and write one count per level and class to ``dense_hist``. Clears both."""
    mask = (_ONE << np.int64(bits)) - 1
    for level in range(n_values):
        for v in range(lanes):
            packed = hist[level * lanes + v] + odd_hist[level * lanes + v]
            hist[level * lanes + v], odd_hist[level * lanes + v] = 0, 0
            for k in range(v * per_word, min((v + 1) * per_word, n_present)):
                dense_hist[level * n_present + k] = packed & mask
                packed >>= bits
