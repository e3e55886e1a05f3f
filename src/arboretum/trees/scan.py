"""Exact split search with no sort: class histograms over the ranks of a column.

The class counts of one rank are either packed into a single 64-bit word (``hist``; ``64 // classes`` bits a class,
after renumbering the classes that the node has) or, where they do not fit, kept one to a cell (``dense``). A bitmap
marks the ranks that occur, so that a scan costs the cases of the node plus a 64th of the distinct values.

A division of a node scores, over its sides with class counts c and size n,

    entropy   sum of c log2 c  -  sum of n log2 n       (gain * weight = score - score of the whole node)
    Gini      sum of c^2 / n                            (likewise)
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.bits import trailing_zeros
from arboretum.trees.compiled import part
from arboretum.trees.counts import TOLERANCE, count_classes, weight_of, xlog

_6, _63 = np.uint64(6), np.uint64(63)
_ONE = np.int64(1)


@part
def digest(work, rows, base, mass, start, end, total, gini):
    """Renumber the classes of the node and prepare each case: (classes present, bits a class or 0, whole score)."""
    count_classes(rows, base, mass, start, end, work.classes, work.tally)
    n_present = number_classes(work.tally)
    bits = packing(mass, n_present, total)
    if bits > 0:
        pack(work.word, work.tally, rows, base, start, end, work.classes, bits)
        if not gini:
            tabulate(work.tables, work.tally, work.xlogs, n_present, total)
    else:
        unpack(work.unit, work.tally, rows, base, mass, start, end, work.classes)
    return n_present, bits, whole_score(work.xlogs, work.tally, n_present, total, gini)


@part
def number_classes(tally):
    n_present = 0
    for k in range(tally.shape[0]):
        if tally[k].count > 0:
            tally[k].local = n_present
            tally[n_present].present = k
            tally[n_present].known = tally[k].count
            n_present += 1
    return n_present


@part
def packing(mass, n_present, total):
    """Bits a class in a packed word; 0 where counts are real or do not fit."""
    if mass is None:
        bits = 64 // n_present
        return bits if total < (_ONE << min(bits, 62)) else 0
    else:
        return 0


@part
def pack(word, tally, rows, base, start, end, classes, bits):
    for i in range(start, end):
        row = rows[i]
        word[i - start] = np.int64(base[row]) << np.int64(bits * tally[classes[row]].local)


@part
def unpack(unit, tally, rows, base, mass, start, end, classes):
    for i in range(start, end):
        unit[i - start].slot = tally[classes[rows[i]]].local
        unit[i - start].share = weight_of(rows, base, mass, i)


@part
def tabulate(tables, tally, xlogs, n_present, total):
    """Tables that all features of the node share: xlog of both sides by size, then for each class."""
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
def mark_packed(column, rows, start, end, word, hist, bitmap):
    """Histogram of packed class counts over ranks, and the ranks that occur."""
    for i in range(start, end):
        code = np.uint64(column[rows[i]])
        hist[code] += word[i - start]
        bitmap[code >> _6] |= _ONE << np.int64(code & _63)


@part
def mark_dense(column, rows, start, end, unit, n_present, dense, bitmap):
    """The same with a cell for each class."""
    for i in range(start, end):
        code = np.uint64(column[rows[i]])
        dense[np.int64(code) * n_present + unit[i - start].slot] += unit[i - start].share
        bitmap[code >> _6] |= _ONE << np.int64(code & _63)


@part
def walk_packed(hist, bitmap, tables, tally, n_words, n_present, bits, total, least, floor, margin, gini):
    """Best cut of a packed histogram, which is emptied: (score, rank below, rank above, cuts, ranks, size below).

    A cut is admissible with at least ``least`` cases on each side; it wins by more than ``margin`` over the best so
    far, which begins at ``floor``.
    """
    best, low, high, best_left = floor, -1, -1, 0
    last, left, cuts, ranks = -1, np.int64(0), 0, 0
    for w in range(n_words):
        occupied = bitmap[w]
        bitmap[w] = 0
        while occupied != 0:
            rank = w * 64 + trailing_zeros(occupied)
            occupied &= occupied - 1
            if last >= 0:
                if gini:
                    score, n_left = gini_packed(tally, left, n_present, bits, total)
                else:
                    score, n_left = entropy_packed(tables, tally, left, n_present, bits)
                if n_left >= least and total - n_left >= least:
                    cuts += 1
                    if score > best + margin:
                        best, low, high, best_left = score, last, rank, n_left
            left += hist[rank]
            hist[rank] = 0
            last = rank
            ranks += 1
    return best, low, high, cuts, ranks, best_left


@part
def entropy_packed(tables, tally, left, n_present, bits):
    mask = (_ONE << np.int64(bits)) - 1
    n_left = np.int64(0)
    score = 0.0
    for k in range(n_present):
        count = left & mask
        left >>= bits
        n_left += count
        score += tables[tally[k].start + count]
    return score - tables[n_left], n_left


@part
def gini_packed(tally, left, n_present, bits, total):
    mask = (_ONE << np.int64(bits)) - 1
    n_left, below, above = np.int64(0), np.int64(0), np.int64(0)
    for k in range(n_present):
        count = left & mask
        left >>= bits
        n_left += count
        below += count * count
        above += (np.int64(tally[k].known) - count) * (np.int64(tally[k].known) - count)
    return below / n_left + above / (total - n_left), n_left


@part
def walk_dense(dense, bitmap, tally, xlogs, n_words, n_values, n_present, known, least, floor, margin, gini):
    """As :func:`walk_packed`, for whole or real counts; the sums change only where a rank has cases."""
    best, low, high = floor, -1, -1
    last, cuts, ranks = -1, 0, 0
    n_left = 0 * known
    best_left = n_left
    below, above = 0.0, 0.0
    for k in range(n_present):
        tally[k].left = 0
        above += term(xlogs, tally[k].known, gini)
    for w in range(n_words):
        occupied = bitmap[w]
        bitmap[w] = 0
        while occupied != 0:
            rank = w * 64 + trailing_zeros(occupied)
            occupied &= occupied - 1
            if rank == n_values:
                break
            if last >= 0 and n_left >= least and known - n_left >= least:
                cuts += 1
                score = combine(xlogs, below, above, n_left, known - n_left, gini)
                if score > best + margin:
                    best, low, high, best_left = score, last, rank, n_left
            for k in range(n_present):
                moved = dense[rank * n_present + k]
                if moved != 0:
                    dense[rank * n_present + k] = 0
                    left, right = tally[k].left, tally[k].known - tally[k].left
                    below += term(xlogs, left + moved, gini) - term(xlogs, left, gini)
                    above += term(xlogs, right - moved, gini) - term(xlogs, right, gini)
                    tally[k].left = left + moved
                    n_left += moved
            last = rank
            ranks += 1
    return best, low, high, cuts, ranks, best_left


@part
def term(xlogs, count, gini):
    """What one class adds to the score of a side."""
    if gini:
        return np.float64(count) * count
    return xlog(xlogs, count)


@part
def combine(xlogs, below, above, n_below, n_above, gini):
    """Score of a two-way division from the sums of its sides."""
    if gini:
        return below / n_below + above / n_above
    return below + above - xlog(xlogs, n_below) - xlog(xlogs, n_above)


@part
def whole_score(xlogs, tally, n_present, total, gini):
    """Score of the undivided node."""
    score = 0.0
    for k in range(n_present):
        score += term(xlogs, tally[k].known, gini)
    return score / total if gini else score - xlog(xlogs, total)


@part
def take_missing(dense, tally, n_values, n_present, total):
    """Fractional growth: known class weights are those of the node less those of the missing bin, emptied here."""
    known = total
    for k in range(n_present):
        missing = dense[n_values * n_present + k]
        dense[n_values * n_present + k] = 0
        tally[k].known = tally[tally[k].present].count - missing
        known -= missing
    return known


@part
def best_cut(work, f, rows, mass, start, end, total, digested, limits, margin, gini):
    """Best cut of numeric feature f: (gain * weight, rank below, rank above, cuts, ranks, size below, known weight).

    ``digested`` is the answer of :func:`digest`; ``limits`` is (share, least, most, positive): each side needs
    ``share`` of the known weight, clamped to least .. most, and with ``positive`` the gain must exceed ``margin``.
    Rank below is -1 where no cut qualifies.
    """
    n_present, bits, whole = digested
    share, least, most, positive = limits
    n_values = work.features[f].n_values
    n_words = (n_values >> 6) + 1
    column = work.codes[f]
    known = total
    if bits > 0:
        mark_packed(column, rows, start, end, work.word, work.hist, work.bitmap)
    else:
        mark_dense(column, rows, start, end, work.unit, n_present, work.dense, work.bitmap)
        if mass is not None:
            known = take_missing(work.dense, work.tally, n_values, n_present, total)
            whole = whole_score(work.xlogs, work.tally, n_present, known, gini)
    least = min(max(share * known, least), most) - TOLERANCE
    floor = whole if positive else -np.inf
    if bits > 0:
        best, low, high, cuts, ranks, below = walk_packed(
            work.hist, work.bitmap, work.tables, work.tally, n_words, n_present, bits, total, least, floor, margin, gini
        )
        return best - whole, low, high, cuts, ranks, np.float64(below), np.float64(known)
    best, low, high, cuts, ranks, weight = walk_dense(
        work.dense, work.bitmap, work.tally, work.xlogs, n_words, n_values, n_present, known, least, floor, margin, gini
    )
    return best - whole, low, high, cuts, ranks, np.float64(weight), np.float64(known)


@part
def branch_gain(work, f, rows, mass, start, end, total, digested, least):
    """Nominal feature f, one branch a level: (gain * weight, split information * weight, branches, large, known).

    ``branches`` counts the levels that occur, ``large`` those with at least ``least`` cases; the split information
    is over branches and missing.
    """
    n_present, _, whole = digested
    n_values = work.features[f].n_values
    known = gather_levels(work, f, rows, mass, start, end, total, digested)
    if mass is not None:
        whole = whole_score(work.xlogs, work.tally, n_present, known, False)
    score, division, branches, large = sum_levels(work.dense, work.xlogs, n_values, n_present, least - TOLERANCE)
    division = xlog(work.xlogs, total) - division - xlog(work.xlogs, total - known)
    return score - whole, division, branches, large, np.float64(known)


@part
def gather_levels(work, f, rows, mass, start, end, total, digested):
    """Class counts of each level of nominal feature f, into ``dense``; the known weight."""
    n_present, bits, _ = digested
    n_values = work.features[f].n_values
    known = total
    if bits > 0:
        mark_levels(work.codes[f], rows, start, end, work.word, work.hist)
        unpack_levels(work.hist, work.dense, n_values, n_present, bits)
    else:
        mark_dense(work.codes[f], rows, start, end, work.unit, n_present, work.dense, work.bitmap)
        for w in range((n_values >> 6) + 1):
            work.bitmap[w] = 0
        if mass is not None:
            known = take_missing(work.dense, work.tally, n_values, n_present, total)
    return known


@part
def mark_levels(column, rows, start, end, word, hist):
    for i in range(start, end):
        hist[column[rows[i]]] += word[i - start]


@part
def unpack_levels(hist, dense, n_values, n_present, bits):
    """Packed counts of each level to one cell each; the histogram is emptied."""
    mask = (_ONE << np.int64(bits)) - 1
    for level in range(n_values):
        packed = hist[level]
        hist[level] = 0
        for k in range(n_present):
            dense[level * n_present + k] = packed & mask
            packed >>= bits


@part
def sum_levels(dense, xlogs, n_values, n_present, least):
    """Sums of :func:`branch_gain` over the levels; their counts are emptied."""
    score, division, branches, large = 0.0, 0.0, 0, 0
    for level in range(n_values):
        size = 0 * dense[0]
        for k in range(n_present):
            count = dense[level * n_present + k]
            if count > 0:
                dense[level * n_present + k] = 0
                score += xlog(xlogs, count)
                size += count
        if size > 0:
            term = xlog(xlogs, size)
            score -= term
            division += term
            branches += 1
            large += size >= least
    return score, division, branches, large
