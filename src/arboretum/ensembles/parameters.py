"""What the parameters of estimators may be, in scikit-learn's own terms: one entry for each name that several share."""

from __future__ import annotations

from numbers import Integral, Real

from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions

from arboretum.trees import MISSING


def choice(*names: str) -> list:
    """One of some names."""
    return [StrOptions(set(names))]


def number(low: float, high: float | None = None, closed: str = "both") -> list:
    """A number from ``low`` to ``high``; None is no bound."""
    return [Interval(Real, low, high, closed="left" if high is None else closed)]


def whole(low: int) -> list:
    """A whole number from ``low`` on."""
    return [Interval(Integral, low, None, closed="left")]


CONFIDENCE = [*number(0, 0.5, "right"), None]

SHARED = {
    "alpha": number(0, 1),
    "average_gain": ["boolean"],
    "bagged": ["boolean"],
    "bootstrap": ["boolean"],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    "combine": choice("probability", "votes"),
    "criterion": choice("gini", "entropy"),
    "curtailment": ["boolean", StrOptions({"up to 1"})],
    "max_depth": [*whole(0), None],
    "max_features": [
        *whole(1),
        Interval(RealNotInt, 0, 1, closed="right"),
        StrOptions({"sqrt", "log2", "all"}),
        None,
    ],
    "mdl": ["boolean"],
    "min_cases": number(0),
    "min_samples_leaf": number(1),
    "min_weight_fraction_leaf": number(0, 0.5),
    "missing": choice(*MISSING),
    "n_estimators": whole(1),
    "n_jobs": [Integral, None],
    "n_min": number(0),
    "oob_score": ["boolean", callable],
    "random_cut": choice("cases", "values"),
    "random_state": ["random_state"],
    "redraw_constants": ["boolean", StrOptions({"until_one_varies"})],
    "ties": choice("first", "random"),
    "tries": whole(1),
    "unknown": choice("error", "missing", "majority"),
    "warm_start": ["boolean"],
}


def constraints(*shared: str, **own: list) -> dict[str, list]:
    """The ``_parameter_constraints`` of an estimator: shared parameters by name, its own ones with what they may be."""
    return {**{name: SHARED[name] for name in shared}, **own}
