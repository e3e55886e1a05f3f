"""One vocabulary of learners: the kinds that papers, sweeps and tests name, and the estimator that each stands for.

An estimator lists its kinds on its class, each with the parameters that it fixes::

    class RandomForest(...):
        kinds = {"random_forest": {"flavour": "r"}, "random_forest_weka": {"flavour": "weka"}}

Whoever makes learners names the estimators it needs, so that the code an experiment reaches can be read off its
imports. Kinds are axes of random streams: a kind that is renamed gives other random trees.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from arboretum.errors import ArboretumError, nearest

Vocabulary = Mapping[str, partial]


def vocabulary(*estimators: type) -> Vocabulary:
    """The kinds of ``estimators``: the name of each and how to make it."""
    kinds: dict[str, partial] = {}
    for estimator in estimators:
        for kind, fixed in getattr(estimator, "kinds", {}).items():
            if kind in kinds:
                raise ValueError(f"two estimators claim the kind {kind!r}: {kinds[kind].func} and {estimator}")
            kinds[kind] = partial(estimator, **fixed)
    return kinds


def make_learner(kinds: Vocabulary, spec: Mapping[str, Any], random_state: int | None = None):
    """The learner that ``spec`` describes: its ``kind``, its number of ``trees`` and its other parameters."""
    options = {name: value for name, value in spec.items() if name not in ("kind", "trees")}
    if spec["kind"] not in kinds:
        raise ArboretumError(f"unknown learner {spec['kind']!r}. {nearest(spec['kind'], kinds)}")
    if "trees" in spec:
        options["n_estimators"] = spec["trees"]
    return kinds[spec["kind"]](random_state=random_state, **options)
