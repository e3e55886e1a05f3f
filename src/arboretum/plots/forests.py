"""Pictures of forests: error along the spectrum, strength and correlation, margins, kernels, calibration of votes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from arboretum.measures.intervals import wilson_interval
from arboretum.measures.margins import margins as margins_of
from arboretum.measures.margins import vote_counts
from arboretum.plots.look import BLACK, GREY, axes_for, colour

MARKERS = "s^Dvo"


def spectrum(
    alphas: ArrayLike, errors: Mapping[str, ArrayLike], *, spread: bool = True, ax: Axes | None = None
) -> Axes:
    """Error in per cent against alpha, the chance of a deterministic node.

    ``errors`` has error rates by method: one per alpha, or (runs x alphas), of which the mean is drawn and, with
    ``spread``, the range from the least to the greatest run.
    """
    ax, alphas = axes_for(ax), np.asarray(alphas, dtype=float)
    for place, (method, rates) in enumerate(errors.items()):
        runs = 100 * np.atleast_2d(np.asarray(rates, dtype=float))
        if runs.shape[1] != len(alphas):
            raise ValueError(f"{method}: {runs.shape[1]} errors for {len(alphas)} alphas")
        ax.plot(alphas, runs.mean(axis=0), "o-", color=colour(place), label=method)
        if spread and len(runs) > 1:
            ax.fill_between(alphas, runs.min(axis=0), runs.max(axis=0), color=colour(place), alpha=0.15, lw=0)
    ax.set(xlabel="alpha, the chance of a deterministic node", ylabel="error, per cent")
    ax.legend(frameon=False)
    return ax


def strength_correlation(
    curves: Mapping[str, ArrayLike], labels: Mapping[str, Sequence[str]] | None = None, *, ax: Axes | None = None
) -> Axes:
    """Strength and correlation of ensembles: a point (strength, correlation) each, or a curve of such points.

    ``labels`` has a text for every point of a curve, such as its alpha.
    """
    ax, single = axes_for(ax), 0
    for place, (name, points) in enumerate(curves.items()):
        points = np.atleast_2d(np.asarray(points, dtype=float))
        if len(points) > 1:
            ax.plot(*points.T, "o-", color=colour(place), label=name)
        else:
            ax.plot(*points.T, MARKERS[single % len(MARKERS)], color=BLACK, label=name)
            single += 1
        for text, point in zip((labels or {}).get(name, ()), points, strict=False):
            ax.annotate(text, point, xytext=(6, -10), textcoords="offset points", color=colour(place), fontsize=8)
    ax.set(xlabel="strength (higher is better)", ylabel="correlation (lower is better)")
    ax.legend(frameon=False)
    return ax


def margins(votes: Mapping[str, ArrayLike], truth: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """Share of cases whose margin is at most so much: votes for the true class less those for the best other one.

    ``votes`` has by ensemble the class codes (trees, cases), as ``tree_votes`` gives them; ``truth`` has codes too.
    """
    ax, truth = axes_for(ax), np.asarray(truth)
    for place, (name, found) in enumerate(votes.items()):
        counts = vote_counts(np.asarray(found), int(max(np.max(found), truth.max())) + 1)
        values = np.sort(margins_of(counts, truth))
        shares = np.arange(1, len(values) + 1) / len(values)
        ax.step([-1, *values, 1], [0, *shares, 1], where="post", color=colour(place), label=name)
    ax.axvline(0, color=GREY, lw=0.8)
    ax.set(xlabel="margin: below 0 is wrong", ylabel="share of cases", xlim=(-1, 1), ylim=(0, 1.01))
    ax.legend(frameon=False)
    return ax


def kernel(
    line: ArrayLike, curves: Mapping[str, ArrayLike], measured: Mapping[str, ArrayLike] | None = None, *,
    ax: Axes | None = None
) -> Axes:  # fmt: skip
    """Chance that the points of a line share a leaf with one of them: kernels as lines, ``measured`` shares as dots."""
    ax = axes_for(ax)
    for name, shares in (measured or {}).items():
        ax.plot(line, shares, ".", color=GREY, label=name)
    for place, (name, values) in enumerate(curves.items()):
        ax.plot(line, values, "--" if place else "-", color=colour(place), label=name)
    ax.set(ylabel="chance to share a leaf", ylim=(0, 1.02))
    ax.legend(frameon=False)
    return ax


def calibration(shares: Mapping[str, ArrayLike], truth: ArrayLike, *, bins: int = 10, ax: Axes | None = None) -> Axes:
    """How often a class is right that gets such a share of the votes, with Wilson's intervals.

    ``shares`` has by ensemble the shares (cases, classes), as ``predict_proba`` gives them; ``truth`` has class codes.
    Every share of every case counts. An ensemble whose shares are probabilities lies on the diagonal.
    """
    ax = axes_for(ax, 4.6, 4.2)
    ax.plot([0, 1], [0, 1], color=GREY, lw=0.8)
    for place, (name, found) in enumerate(shares.items()):
        means, right, low, high = calibration_bins(np.asarray(found, dtype=float), np.asarray(truth), bins)
        ax.errorbar(
            means, right, yerr=[right - low, high - right], fmt="o-", color=colour(place), label=name, capsize=2, lw=1.2
        )
    ax.set(xlabel="share of the votes", ylabel="share of cases of that class", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    ax.legend(frameon=False)
    return ax


def calibration_bins(shares: np.ndarray, truth: np.ndarray, bins: int) -> tuple[np.ndarray, ...]:
    """Per bin that holds a share: mean share, how often the class is right, and the ends of the interval."""
    right = (np.arange(shares.shape[1]) == truth[:, None]).ravel()
    flat = shares.ravel()
    place = np.minimum((flat * bins).astype(int), bins - 1)
    counts = np.bincount(place, minlength=bins)
    used = np.flatnonzero(counts)
    hits = np.bincount(place, weights=right, minlength=bins)[used].astype(int)
    ends = [wilson_interval(int(hit), int(count)) for hit, count in zip(hits, counts[used], strict=True)]
    low, high = np.array(ends).T
    return np.bincount(place, weights=flat, minlength=bins)[used] / counts[used], hits / counts[used], low, high
