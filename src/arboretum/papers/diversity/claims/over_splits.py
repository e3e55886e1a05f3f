"""Comparisons over splits that all learners share, as estimates; sets have 20, 5 or 1 of them.

Two constructors that the kit has not: on what share of the sets something holds where sets differ in their number of
splits, and the best or worst of many comparisons with an interval that allows for the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import pandas as pd

from arboretum.measures.intervals import LEAST_RUNS, NONE, choice_samples
from arboretum.papers.diversity.tables.components import SETS, components, sets_present
from arboretum.papers.kit.estimate import Estimate, difference_of
from arboretum.papers.results import NotRun, Results
from arboretum.seeds import generator

Array = np.ndarray


def sets_run(results: Results, names: tuple[str, ...] = SETS) -> list[str]:
    """Those of ``names`` on which forests were grown, in the order of print; at least one."""
    results.tables["minima"]  # says so where no forests were grown
    found = sets_present(results, names)
    if not found:
        raise NotRun("no forests on " + ", ".join(names))
    return found


def along(results: Results, column: str, dataset: str, learner: str, most: int | None = None) -> pd.DataFrame:
    """A component of one learner on one set: one row per split, one column per number of trees."""
    frame = components(results)
    frame = frame[(frame["dataset"] == dataset) & (frame["learner"] == learner)]
    return frame.pivot(index="split", columns="members", values=column).loc[:, :most]


def pair(wide: pd.DataFrame, dataset: str, *learners: str) -> Array:
    """Splits of one set by learners."""
    return wide.loc[dataset, list(learners)].to_numpy()


def less_rival(wide: pd.DataFrame, learner: str, rival: str, sets: Iterable[str]) -> dict[str, Estimate]:
    """``learner`` less ``rival`` on the same splits, for each set."""
    return {name: difference_of(*pair(wide, name, learner, rival).T) for name in sets}


def share_of_sets(runs: Mapping[str, Array], holds: Callable[[Array], bool]) -> Estimate:
    """On what share of the sets something holds of the mean over splits (splits x columns, for each set).

    The splits of each set are drawn anew. A set with fewer than three may belong to either side.
    """
    value = float(np.mean([bool(holds(np.mean(one, axis=0))) for one in runs.values()]))
    known = {name: one for name, one in runs.items() if len(one) >= LEAST_RUNS}
    drawn: list[Array] = []

    def at_level(level: float) -> tuple[float, float]:
        if not drawn:
            rngs = {name: generator(purpose="splits", dataset=name) for name in known}
            found = [choice_samples(one, lambda mean: float(holds(mean)), rngs[name]) for name, one in known.items()]
            drawn.append(sum(found, np.zeros(1)) / len(runs))
        tail, unknown = (1 - level) / 2, 1 - len(known) / len(runs)
        low, high = np.quantile(drawn[0], [tail, 1 - tail], method="inverted_cdf")
        return float(min(low, value)), float(max(high + unknown, value))

    sizes = sorted({len(one) for one in runs.values()})
    return Estimate(value, f"{' or '.join(map(str, sizes))} splits on each of {len(runs)} sets", at_level)


def extreme(differences: Mapping[str, Estimate], pick: Callable = min) -> Estimate:
    """The least (or greatest) of several differences, at a level that allows for the choice among them.

    Simultaneous intervals of all bound it. Differences that have no interval are left out.
    """
    known = [one for one in differences.values() if np.isfinite(one.interval).all()]
    if not known:
        return Estimate(pick(one.value for one in differences.values()), "one run", lambda level: NONE)

    def at_level(level: float) -> tuple[float, float]:
        ends = [one.at(1 - (1 - level) / len(known)) for one in known]
        return pick(low for low, _ in ends), pick(high for _, high in ends)

    return Estimate(pick(one.value for one in known), f"{len(known)} comparisons, each on splits", at_level)
