"""Measures of diversity that are not terms of a decomposition (diversity, section 4.1).

Pairwise measures take a table of ones and zeros (members, cases): says +1, or is right. Others take counts of votes
(cases, classes) with the same sum in every row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import entr

Array = np.ndarray


class Contingency(NamedTuple):
    """Table 4.1 of two members: cases on which both are positive, one is, or none."""

    both: int
    first: int
    second: int
    neither: int


def contingency(one: Array, other: Array) -> Contingency:
    """Cases by what two members say (Table 4.1)."""
    one, other = np.asarray(one, dtype=bool), np.asarray(other, dtype=bool)
    pairs = ((one & other), (one & ~other), (~one & other), (~one & ~other))
    return Contingency(*(int(pair.sum()) for pair in pairs))


def disagreement(table: Contingency) -> float:
    """(n+- + n-+) / n (section 4.1.1)."""
    return (table.first + table.second) / sum(table)


def q_statistic(table: Contingency) -> float:
    """(n++ n-- - n-+ n+-) / (n++ n-- + n-+ n+-) (section 4.1.1); NaN where both products are 0."""
    alike, apart = table.both * table.neither, table.first * table.second
    return (alike - apart) / (alike + apart) if alike + apart else float("nan")


def mean_over_pairs(measure: Callable[[Contingency], float], table: Array) -> float:
    """Mean of a pairwise measure over all pairs of different members; pairs without a value are left out."""
    members = len(table)
    found = [measure(contingency(table[i], table[j])) for i in range(members) for j in range(i)]
    return float(np.nanmean(found)) if np.isfinite(found).any() else float("nan")


class KohaviWolpert(NamedTuple):
    """Error = (noise + bias + variance) / 2, averaged over cases."""

    noise: float  # 1 - sum_y P(y)^2; printed without the square, which makes it 0
    bias: float
    variance: float

    @property
    def error(self) -> float:
        return (self.noise + self.bias + self.variance) / 2


def kohavi_wolpert(label_shares: Array, vote_shares: Array) -> KohaviWolpert:
    """Kohavi and Wolpert's decomposition of the 0/1 loss (section 4.1.3) from P(y|x) and P(q|x): (cases, classes)."""
    label, vote = np.asarray(label_shares, dtype=float), np.asarray(vote_shares, dtype=float)
    return KohaviWolpert(
        noise=float(np.mean(1 - np.sum(label**2, axis=1))),
        bias=float(np.mean(np.sum((label - vote) ** 2, axis=1))),
        variance=float(np.mean(1 - np.sum(vote**2, axis=1))),
    )


def correctness_variance(right_votes: Array, members: int) -> float:
    """Kuncheva's form (section 4.1.3): mean of 1 - r^2 - (1-r)^2, with r the share of members that are right."""
    share = np.asarray(right_votes) / members
    return float(np.mean(1 - share**2 - (1 - share) ** 2))


def vote_entropy(counts: Array) -> float:
    """Cunningham and Carney: mean entropy of the votes, natural logarithm (section 4.1.4)."""
    counts = np.asarray(counts)
    return float(np.mean(np.sum(entr(counts / counts.sum(axis=1, keepdims=True)), axis=1)))


def correctness_entropy(right_votes: Array, members: int) -> float:
    """Shipp and Kuncheva: mean of min(m+, M - m+) / (M - ceil(M/2)) (section 4.1.4); needs two members."""
    if members < 2:
        raise ValueError("correctness_entropy needs at least two members")
    right = np.asarray(right_votes)
    return float(np.mean(np.minimum(right, members - right)) / (members - -(-members // 2)))
