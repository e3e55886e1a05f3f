"""Exact split search with no sort: class histograms over the ranks of a column.

In exact growth the class counts of one rank are packed into 64-bit words, after renumbering the classes that the node
has: all of them in one word where they fit, else a few words. A bitmap marks the ranks that occur, and above 4096
ranks a second one marks its words, so that a scan costs the cases of the node and hardly more. Fractional growth keeps
one real weight for each rank and class.

A division of a node scores, over its sides with class counts c and size n,

    entropy   sum of c log2 c  -  sum of n log2 n       (gain * weight = score - score of the whole node)
    Gini      sum of c^2 / n                            (likewise)
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.bits import leading_zeros, set_bits, trailing_zeros
from arboretum.trees.block import code_count, in_block, place_cases
from arboretum.trees.compiled import part, step
from arboretum.trees.counts import TOLERANCE, count_classes, xlog

_1, _2, _6, _63 = np.uint64(1), np.uint64(2), np.uint64(6), np.uint64(63)
_ONE = np.int64(1)
DENSE = 4  # ranks a case up to which a look at every rank beats marks


@part
def digest(work, rows, base, mass, start, end, total, gini):
    """Renumber the classes of the node and prepare each case: (classes present, bits a class, classes a word, score).

    Bits are 0 where weights are real; the score is that of the whole node.
    """
    count_classes(rows, base, mass, start, end, work.classes, work.tally)
    place_cases(work, rows, start, end)
    n_present = number_classes(work.tally)
    bits, per_word = 0, 1
    if mass is None:
        bits, per_word = packing(n_present, total)
        assign_lanes(work.tally, n_present, bits, per_word)
        pack(work.word, work.lane, work.tally, rows, base, start, end, work.classes)
        if not gini:
            tabulate(work.tables, work.tally, work.xlogs, n_present, total)
    else:
        unpack(work.unit, work.tally, rows, mass, start, end, work.classes)
    return n_present, bits, per_word, whole_score(work.xlogs, work.tally, n_present, total, gini)


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
def packing(n_present, total):
    """(bits a class, classes a word): all classes in one word where they fit, else as many as do."""
    bits = 64 // n_present
    if bits >= 32 or total < (_ONE << bits):
        return min(bits, 32), n_present
    bits = 64 - leading_zeros(np.int64(total))
    return bits, 64 // bits


@part
def assign_lanes(tally, n_present, bits, per_word):
    """Which word of a rank counts each class, and from which bit on; told by local class and by class."""
    lane, place = 0, 0
    for k in range(n_present):
        tally[k].lane, tally[k].shift = lane, bits * place
        tally[tally[k].present].own_lane, tally[tally[k].present].own_shift = lane, bits * place
        place += 1
        if place == per_word:
            lane, place = lane + 1, 0


@part
def pack(word, lane, tally, rows, base, start, end, classes):
    """The packed unit of each case, and which word of its rank it belongs to."""
    for i in range(np.uint64(end - start)):
        row = rows[np.uint64(start) + i]
        k = np.uint64(classes[row])
        lane[i] = tally[k].own_lane
        word[i] = np.int64(base[row]) << tally[k].own_shift


@part
def unpack(unit, tally, rows, mass, start, end, classes):
    for i in range(start, end):
        unit[i - start].slot = tally[classes[rows[i]]].local
        unit[i - start].share = mass[i]


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
def count_ranks(column, place, n_cases, word, hist, first):
    """Histogram of packed class counts over ranks, from ``hist[first]`` on."""
    for i in range(n_cases):
        hist[np.uint64(first) + np.uint64(column[place[i]])] += word[i]


@part
def count_lanes(column, place, n_cases, word, lane, lanes, hist, first):
    """The same where a rank has several words."""
    for i in range(n_cases):
        hist[np.uint64(first) + np.uint64(column[place[i]]) * np.uint64(lanes) + np.uint64(lane[i])] += word[i]


@part
def count_two(column, other, place, n_cases, word, hist, first):
    """:func:`count_ranks` of two columns at a time: neither addition waits for the other, and a case is read once."""
    for i in range(n_cases):
        p, unit = place[i], word[i]
        hist[np.uint64(column[p])] += unit
        hist[np.uint64(first) + np.uint64(other[p])] += unit


@part
def count_two_lanes(column, other, place, n_cases, word, lane, lanes, hist, first):
    """:func:`count_lanes` of two columns at a time."""
    for i in range(n_cases):
        p, unit, v = place[i], word[i], np.uint64(lane[i])
        hist[np.uint64(column[p]) * np.uint64(lanes) + v] += unit
        hist[np.uint64(first) + np.uint64(other[p]) * np.uint64(lanes) + v] += unit


@part
def mark_ranks(column, place, n_cases, bitmap, first):
    """Mark the ranks that occur, from ``bitmap[first]`` on."""
    for i in range(n_cases):
        code = np.uint64(column[place[i]])
        bitmap[np.uint64(first) + (code >> _6)] |= _ONE << np.int64(code & _63)


@part
def mark_words(column, place, n_cases, above):
    """Mark the words of the bitmap that hold marks."""
    for i in range(n_cases):
        code = np.uint64(column[place[i]]) >> _6
        above[code >> _6] |= _ONE << np.int64(code & _63)


@part
def mark_dense(column, place, n_cases, unit, n_present, dense, bitmap):
    """Histogram of real weights over ranks and classes, and the ranks that occur."""
    for i in range(n_cases):
        code = np.uint64(column[place[i]])
        dense[np.int64(code) * n_present + unit[i].slot] += unit[i].share
        bitmap[code >> _6] |= _ONE << np.int64(code & _63)


@part
def list_word(bitmap, first, w, ranks, n):
    """Append the ranks marked in one word, and take the marks off; how many there are now.

    Four at a time, whether there are so many or not: what is written beyond is written over later, and a processor that
    need not guess how many there are does not guess wrong.
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
def list_ranks(work, column, n_values, n_cases, first):
    """The ranks marked from ``bitmap[first]`` on, ascending; how many. Where words are far more than cases, mark those
    first."""
    n, n_words = 0, (n_values >> 6) + 1
    if n_words <= 4 * n_cases:
        for w in range(n_words):
            n = list_word(work.bitmap, first, w, work.ranks, n)
        return n
    mark_words(column, work.place, n_cases, work.above)
    for a in range((n_words >> 6) + 1):
        marked = work.above[a]
        work.above[a] = 0
        while marked != 0:
            n = list_word(work.bitmap, first, a * 64 + trailing_zeros(marked), work.ranks, n)
            marked &= marked - 1
    return n


@part
def list_all(hist, first, lanes, n_values, ranks):
    """The ranks that occur, by a look at every one."""
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
def is_marked(work, f, n_cases):
    """Are the ranks that occur marked? They are where a look at every rank would cost more."""
    return code_count(work, f) > DENSE * n_cases


@part
def accumulate(hist, first, ranks, n, lanes, sums):
    """Packed class counts up to each rank; the histogram is emptied."""
    for v in range(lanes):
        left = np.int64(0)
        for j in range(n):
            place = np.uint64(first + ranks[j] * lanes + v)
            left += hist[place]
            hist[place] = 0
            sums[v * n + j] = left


@step
def column_of(work, f):
    """Codes of feature f in the columns now in use."""
    return work.block[f] if in_block(work) else work.codes[f]


@part
def half_of(array, half):
    """Where a half of the scratch begins: that of the feature in hand (0) or of one counted along with it (1)."""
    return half * (array.shape[0] >> 1)


@part
def count_one(work, f, n_cases, lanes):
    """Class counts of one feature into the first half of the scratch, and marks where they pay."""
    column = column_of(work, f)
    if lanes > 1:
        count_lanes(column, work.place, n_cases, work.word, work.lane, lanes, work.hist, 0)
    else:
        count_ranks(column, work.place, n_cases, work.word, work.hist, 0)
    if is_marked(work, f, n_cases):
        mark_ranks(column, work.place, n_cases, work.bitmap, 0)


@part
def count_pair(work, f, g, n_cases, lanes):
    """Class counts of two features, one into each half."""
    column, other, second = column_of(work, f), column_of(work, g), half_of(work.hist, 1)
    if lanes > 1:
        count_two_lanes(column, other, work.place, n_cases, work.word, work.lane, lanes, work.hist, second)
    else:
        count_two(column, other, work.place, n_cases, work.word, work.hist, second)
    if is_marked(work, f, n_cases):
        mark_ranks(column, work.place, n_cases, work.bitmap, 0)
    if is_marked(work, g, n_cases):
        mark_ranks(other, work.place, n_cases, work.bitmap, half_of(work.bitmap, 1))


@part
def list_counted(work, f, half, n_cases, lanes):
    """The ranks of a counted feature that occur in the node, ascending; how many."""
    n_values = code_count(work, f)
    if is_marked(work, f, n_cases):
        return list_ranks(work, column_of(work, f), n_values, n_cases, half_of(work.bitmap, half))
    return list_all(work.hist, half_of(work.hist, half), lanes, n_values, work.ranks)


@part
def entropy_of_two(sums, n, bits, tables, first, second, sizes, scores):
    """Size below and score of every cut, two classes."""
    mask = (_ONE << np.int64(bits)) - 1
    for j in range(n):
        one, two = sums[j] & mask, (sums[j] >> np.int64(bits)) & mask
        sizes[j] = one + two
        scores[j] = tables[np.uint64(first + one)] + tables[np.uint64(second + two)] - tables[np.uint64(one + two)]


@part
def entropy_of_three(sums, n, bits, tables, first, second, third, sizes, scores):
    """Size below and score of every cut, three classes."""
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
    """Add the term of one class to the score of every cut, and its count to the size below."""
    for j in range(n):
        count = (sums[np.uint64(first + j)] >> shift) & mask
        sizes[j] += count
        scores[j] += tables[np.uint64(start + count)]


@part
def add_gini(sums, first, n, shift, mask, known, sizes, scores, others):
    """The same for Gini: squares below and squares above."""
    for j in range(n):
        count = (sums[np.uint64(first + j)] >> shift) & mask
        sizes[j] += count
        scores[j] += np.float64(count * count)
        others[j] += np.float64((known - count) * (known - count))


@part
def score_cuts(work, n, digested, total, gini):
    """Score of the cut above each of the n ranks, and the size below it."""
    n_present, bits, per_word, _ = digested
    sizes, scores, others, tally = work.sizes, work.scores, work.others, work.tally
    if not gini and per_word == n_present and n_present == 2:
        entropy_of_two(work.sums, n, bits, work.tables, tally[0].start, tally[1].start, sizes, scores)
        return
    if not gini and per_word == n_present and n_present == 3:
        starts = tally[0].start, tally[1].start, tally[2].start
        entropy_of_three(work.sums, n, bits, work.tables, starts[0], starts[1], starts[2], sizes, scores)
        return
    for j in range(n):
        sizes[j], scores[j], others[j] = 0, 0.0, 0.0
    mask = (_ONE << np.int64(bits)) - 1
    for k in range(n_present):
        first, shift = tally[k].lane * n, tally[k].shift
        if gini:
            add_gini(work.sums, first, n, shift, mask, np.int64(tally[k].known), sizes, scores, others)
        else:
            add_entropy(work.sums, first, n, shift, mask, work.tables, tally[k].start, sizes, scores)
    if gini:
        for j in range(n - 1):
            scores[j] = scores[j] / sizes[j] + others[j] / (total - sizes[j])
    else:
        for j in range(n):
            scores[j] -= work.tables[np.uint64(sizes[j])]


@part
def walk_gini(hist, first, ranks, n, tally, n_present, bits, total, least, floor, margin):
    """Gini where one word holds all classes: sum, score and :func:`pick_cut` in one walk, which empties the histogram.

    Squares of counts are whole numbers; entropy is faster step by step, each of which the machine does four at a time.
    """
    mask, low = (_ONE << np.int64(bits)) - 1, np.int64(np.ceil(least))
    sums, best, place, cuts, below = np.int64(0), floor, -1, 0, np.int64(0)
    for j in range(n - 1):
        rank = np.uint64(first + ranks[j])
        sums += hist[rank]
        hist[rank] = 0
        packed, size, squares, others = sums, np.int64(0), np.int64(0), np.int64(0)
        for k in range(np.uint64(n_present)):
            count = packed & mask
            other = tally[k].known - count
            packed >>= bits
            size += count
            squares += count * count
            others += other * other
        if size >= low and total - size >= low:
            cuts += 1
            score = np.float64(squares) / size + np.float64(others) / (total - size)
            if score > best + margin:
                best, place, below = score, j, size
    hist[np.uint64(first + ranks[n - 1])] = 0
    return best, place, cuts, below


@part
def pick_cut(sizes, scores, n, total, least, floor, margin):
    """The first cut that wins by more than ``margin`` over all before it: (score, place, admissible cuts, size below).

    A cut is admissible with at least ``least`` cases on each side; the best score so far begins at ``floor``.
    """
    first, last = 0, n - 1
    while first < last and sizes[first] < least:
        first += 1
    while last > first and total - sizes[last - 1] < least:
        last -= 1
    best, place = floor, -1
    for eight in range(first, last, 8):
        end = min(eight + 8, last)
        if greatest(scores, eight, end) > best + margin:
            for j in range(eight, end):
                if scores[j] > best + margin:
                    best, place = scores[j], j
    return best, place, last - first, sizes[max(place, 0)]


@part
def greatest(scores, start, end):
    """The greatest of a few scores: most eights hold no winner and need no closer look."""
    most = scores[start]
    if end - start == 8:
        one, two = max(most, scores[start + 1]), max(scores[start + 2], scores[start + 3])
        three, four = max(scores[start + 4], scores[start + 5]), max(scores[start + 6], scores[start + 7])
        return max(max(one, two), max(three, four))
    for j in range(start + 1, end):
        most = max(most, scores[j])
    return most


@part
def score_real(work, n, n_present, known, gini):
    """As :func:`accumulate` and :func:`score_cuts`, for real weights; the sums change only where a rank has cases."""
    dense, tally, xlogs = work.dense, work.tally, work.xlogs
    n_left = 0 * known
    below, above = 0.0, 0.0
    for k in range(n_present):
        tally[k].left, tally[k].below, tally[k].above = 0, 0.0, term(xlogs, tally[k].known, gini)
        above += tally[k].above
    for j in range(n):
        first = work.ranks[j] * n_present
        for k in range(n_present):
            moved = dense[first + k]
            if moved != 0:
                dense[first + k] = 0
                left, right = tally[k].left + moved, tally[k].known - tally[k].left - moved
                term_below, term_above = term(xlogs, left, gini), term(xlogs, right, gini)
                below += term_below - tally[k].below
                above += term_above - tally[k].above
                tally[k].left, tally[k].below, tally[k].above = left, term_below, term_above
                n_left += moved
        work.sizes[j] = n_left
        work.scores[j] = combine(xlogs, below, above, n_left, known - n_left, gini)


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
    """Count numeric feature f and find its best cut: see :func:`cut_of`."""
    if mass is None:
        count_one(work, f, end - start, n_lanes(digested))
    return cut_of(work, f, 0, mass, end - start, total, digested, limits, margin, gini)


@part
def n_lanes(digested):
    """Words that hold the class counts of a rank."""
    return (digested[0] + digested[2] - 1) // digested[2]


@part
def cut_of(work, f, half, mass, n_cases, total, digested, limits, margin, gini):
    """Best cut of numeric feature f: (gain * weight, rank below, rank above, cuts, ranks, size below, known weight).

    In exact growth its class counts are in that half of the scratch.

    ``digested`` is the answer of :func:`digest`; ``limits`` is (share, least, most, positive): each side needs
    ``share`` of the known weight, clamped to least .. most, and with ``positive`` the gain must exceed ``margin``.
    Rank below is -1 where no cut qualifies.
    """
    n_present, bits, _, whole = digested
    share, least, most, positive = limits
    ranks, known, lanes = work.ranks, total, n_lanes(digested)
    if mass is None:
        n = list_counted(work, f, half, n_cases, lanes)
    else:
        n_values, column = code_count(work, f), column_of(work, f)
        mark_dense(column, work.place, n_cases, work.unit, n_present, work.dense, work.bitmap)
        known = take_missing(work.dense, work.tally, n_values, n_present, total)
        whole = whole_score(work.xlogs, work.tally, n_present, known, gini)
        n = list_ranks(work, column, n_values, n_cases, 0)
        if n > 0 and ranks[n - 1] == n_values:
            n -= 1
        score_real(work, n, n_present, known, gini)
    least = min(max(share * known, least), most) - TOLERANCE
    floor, first = whole if positive else -np.inf, half_of(work.hist, half)
    if mass is None and gini and lanes == 1:
        best, place, cuts, below = walk_gini(
            work.hist, first, ranks, n, work.tally, n_present, bits, total, least, floor, margin
        )
    else:
        if mass is None:
            accumulate(work.hist, first, ranks, n, lanes, work.sums)
            score_cuts(work, n, digested, total, gini)
        best, place, cuts, below = pick_cut(work.sizes, work.scores, n, known, least, floor, margin)
    if place < 0:
        return -1.0, -1, -1, cuts, n, 0.0, np.float64(known)
    low, high = ranks[place], ranks[place + 1]
    if in_block(work):
        low, high = np.int64(work.block_ranks[f, low]), np.int64(work.block_ranks[f, high])
    return best - whole, low, high, cuts, n, np.float64(below), np.float64(known)


@part
def branch_gain(work, f, rows, mass, start, end, total, digested, least):
    """Nominal feature f, one branch a level: (gain * weight, split information * weight, branches, large, known).

    ``branches`` counts the levels that occur, ``large`` those with at least ``least`` cases; the split information
    is over branches and missing.
    """
    n_present, _, _, whole = digested
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
    n_present, bits, per_word, _ = digested
    n_values = work.features[f].n_values
    column = column_of(work, f)
    known = total
    if mass is None:
        lanes = n_lanes(digested)
        count_levels(column, work.place, end - start, work.word, work.lane, lanes, work.hist, work.odd)
        unpack_levels(work.hist, work.odd, work.dense, n_values, n_present, bits, per_word, lanes)
    else:
        for i in range(end - start):
            work.dense[np.int64(column[work.place[i]]) * n_present + work.unit[i].slot] += work.unit[i].share
        known = take_missing(work.dense, work.tally, n_values, n_present, total)
    return known


@part
def count_levels(column, place, n_cases, word, lane, lanes, hist, odd):
    """As :func:`count_ranks` and :func:`count_lanes`, every other case into ``odd``: levels are few, so that the next
    case often adds to the same word and would have to wait."""
    for i in range(np.uint64(0), np.uint64(n_cases - 1), _2):
        one, two = np.uint64(column[place[i]]), np.uint64(column[place[i + _1]])
        if lanes > 1:
            one, two = one * np.uint64(lanes) + np.uint64(lane[i]), two * np.uint64(lanes) + np.uint64(lane[i + _1])
        hist[one] += word[i]
        odd[two] += word[i + _1]
    if n_cases & 1:
        last = n_cases - 1
        hist[np.uint64(column[place[last]]) * np.uint64(lanes) + np.uint64(lane[last])] += word[last]


@part
def unpack_levels(hist, odd, dense, n_values, n_present, bits, per_word, lanes):
    """Packed counts of each level, even and odd cases together, to one cell each; the histograms are emptied."""
    mask = (_ONE << np.int64(bits)) - 1
    for level in range(n_values):
        for v in range(lanes):
            packed = hist[level * lanes + v] + odd[level * lanes + v]
            hist[level * lanes + v], odd[level * lanes + v] = 0, 0
            for k in range(v * per_word, min((v + 1) * per_word, n_present)):
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
