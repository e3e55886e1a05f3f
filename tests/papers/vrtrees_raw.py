"""Raw results of vrtrees as they would be if every printed number had come out exactly (1000 cases per fold).

What the paper does not print (trees, votes, single alphas) is made up, smoothly and without randomness where possible.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import yaml

from arboretum.papers.kit.stated import Stated
from arboretum.papers.results import Results
from arboretum.papers.vrtrees.experiments.votes import ALL_FOLDS
from arboretum.papers.vrtrees.figures import FIGURES
from arboretum.papers.vrtrees.rates import TABLE3_LEARNERS
from arboretum.papers.vrtrees.tables import TABLES

PUBLISHED = Path(__file__).parents[2] / "data" / "published" / "vrtrees"
ALPHAS = [round(0.1 * i, 1) for i in range(11)]
CASES, FOLDS, TREES = 1000, 2, 100


def printed() -> dict[str, pd.DataFrame]:
    """What is published, with errors of C5.0 that repeat print."""
    text = {path.stem: pd.read_csv(path) for path in PUBLISHED.glob("*.csv")}
    return text | {"c50_errors": c50_errors(text)}


def c50_errors(text: dict[str, pd.DataFrame]) -> pd.DataFrame:
    found = []
    for name, rate in have(text)["c50"].items():
        for trials, worse in ((10, 0.5), (100, 0.0)):
            for repetition in range(len(SHIFTS)):
                found += rows(shifted(rate + worse, repetition), dataset=name, repetition=repetition, trials=trials)
    return pd.DataFrame(found)


def rows(rate: float, **described: object) -> list[dict]:
    """Folds with exactly this error rate in per cent."""
    return [described | {"fold": fold, "errors": round(rate * CASES / 100), "cases": CASES} for fold in range(FOLDS)]


def sets() -> pd.DataFrame:
    """The data sets as the manifest gives them; coding cannot be had."""
    frame = printed()["table6_datasets"]
    return pd.DataFrame(
        {
            "dataset": frame["dataset"].replace("credit-g", "credit-g-numeric"),
            "printed_as": frame["dataset"],
            "status": np.where(frame["dataset"] == "coding", "no public source", "available"),
            "explained": "",
            "rows": np.where(frame["dataset"] == "coding", np.nan, CASES * FOLDS),
            **dict.fromkeys(("numeric", "nominal", "binary", "classes", "classes_occurring", "missing"), 1.0),
        }
    )


def have(text: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Printed Table 3 of the sets that can be had, by our names."""
    frame = text["table3_error"].set_index("dataset").drop(index=["mean", "coding"])
    return frame.rename(index={"credit-g": "credit-g-numeric"})


SHIFTS = (0.0, 0.2, -0.2, 0.1, -0.1)  # of the repetitions, in points: their mean is print


def shifted(rate: float, repetition: int, turned: bool = False) -> float:
    """The rate in one repetition; rates near zero do not move, so that the mean stays."""
    return rate + (SHIFTS[repetition] * (-1 if turned else 1) if rate > 0.5 else 0)


def coalescence(text: dict[str, pd.DataFrame]) -> pd.DataFrame:
    found = []
    for place, (name, row) in enumerate(have(text).iterrows()):
        rates = {learner: row[learner] for learner in TABLE3_LEARNERS if learner != "c50"}
        rates |= {"boosting": row["c50"], "boosting_10": row["c50"] + 0.5, "boosting_c5": row["c50"]}
        rates |= {"searched": row["coalescence"] + 0.1}
        for number, (learner, rate) in enumerate(rates.items()):
            for repetition in range(len(SHIFTS)):
                key = {"dataset": name, "repetition": repetition, "learner": learner}
                found += rows(shifted(rate, repetition, (place + number) % 2 == 1), **key)
    return pd.DataFrame(found)


def spectrum(text: dict[str, pd.DataFrame], repetitions: int = 2) -> pd.DataFrame:
    """Curves through the printed ends, lowest inside; correlation rises late, as section 5.2 describes."""
    found = []
    ends = {"aggregating": ("max_diverse", 4.0), "bagging": ("bagging", 1.0), "subspacing": ("random_subspace", 0.5)}
    ends |= {"bagging+subspacing": ("bagging", 1.5)}
    for name, row in have(text).iterrows():
        for method, (column, swing) in ends.items():
            for repetition in range(repetitions):
                for alpha in ALPHAS:
                    rate = row[column] + swing * (alpha - 0.4) ** 2 + (2 if "+" in method else 0) + 0.2 * repetition
                    key = {"dataset": name, "repetition": repetition, "method": method, "alpha": alpha}
                    found += [*rows(rate, kind="fold", **key), key | votes(alpha, swing)]
    return pd.DataFrame(found)


def votes(alpha: float, swing: float) -> dict:
    """The row of votes and sizes of all folds together."""
    strength = 0.5 + 0.03 * swing * min(alpha, 0.5)
    correlation = 0.1 + (0.2 * swing) * max(alpha - 0.5, 0)
    spread = np.sqrt(1 - strength**2) * 0.9
    variance = correlation * spread**2
    cases, tests = CASES * FOLDS, 1000
    return {
        "kind": "votes",
        "fold": ALL_FOLDS,
        "trees": TREES,
        "tree_errors": round(0.25 * cases * TREES),
        "margins": round(strength * cases * TREES),
        "squared_margins": round((variance + strength**2) * cases * TREES**2),
        "agreements": round((0.6 + 0.4 * alpha) * cases * TREES * (TREES - 1)),
        "spread": spread,
        "correlation_by_fold": correlation,
        "leaves": round(FOLDS * TREES * 40 * (2 - alpha)),
        "tests": tests,
        "deterministic": round(alpha * tests),
    }


def concepts(text: dict[str, pd.DataFrame]) -> pd.DataFrame:
    found = []
    for row in text["table4_concepts"].itertuples():
        for learner in ("max_diverse", "coalescence", "agg_alpha05", "random_forest"):
            for run in range(3):  # the same in every run
                value = {"concept": row.concept, "condition": row.condition, "run": run, "learner": learner}
                found.append(value | {"errors": round(getattr(row, learner) * 100), "cases": 10000})
    return pd.DataFrame(found)


def half_attributes(text: dict[str, pd.DataFrame]) -> pd.DataFrame:
    found = []
    for row in text["table5_half_attributes"].itertuples():
        for learner, key in (("coalescence", "coalescence"), ("random_forest", "rf")):
            full, half = getattr(row, f"{key}_full_corrected"), getattr(row, f"{key}_half_corrected")
            for attributes, rate in (("all", full), ("all data", half), ("training part", half + 1)):
                for repetition in range(3):
                    key = {"dataset": row.dataset, "repetition": repetition, "learner": learner}
                    found += rows(rate, attributes=attributes, **key)
    return pd.DataFrame(found)


def boundary() -> pd.DataFrame:
    found = []
    for sample in range(4):
        for index, (learner, errors) in enumerate((("ensemble", 260), ("tree", 300 + sample))):
            described = {"sample": sample, "kind": "score", "index": index, "learner": learner}
            found.append(
                described | {"cases": 1000, "bayes_errors": 210, "errors": errors, "unlike_bayes": errors - 200}
            )
    grid = np.linspace(-2, 2, 20)
    for index, (x1, x2) in enumerate((a, b) for a in grid for b in grid):
        place = {"sample": 0, "kind": "map", "index": index, "x1": x1, "x2": x2}
        found.append(place | {"bayes": float(x1 > x2), "ensemble": float(x1 > x2), "tree": float(x1 > 0)})
    for index in range(20):
        x = np.cos(index), np.sin(3 * index)
        found.append({"sample": 0, "kind": "case", "index": index, "x1": x[0], "x2": x[1], "label": float(x[0] > x[1])})
    return pd.DataFrame(found)


def plane() -> pd.DataFrame:
    """Trees of three leaves: the left child of the root is a leaf, the right one has two."""
    found, grid = [], np.linspace(-2, 2, 6)
    for alpha in (0.0, 1.0):
        found.append({"alpha": alpha, "kind": "score", "index": 0, "cases": 200, "forest": 40, "tree": 50})
        for index, (x1, x2) in enumerate((a, b) for a in grid for b in grid):
            place = {"alpha": alpha, "kind": "map", "index": index, "x1": x1, "x2": x2}
            found.append(place | {"forest": float(x1 > x2), "tree": float(x1 > 0)})
        for index, (parent, cases) in enumerate([(-1, 20), (0, 5), (0, 15), (2, 8), (2, 7)]):
            node = {"alpha": alpha, "kind": "node", "index": index, "parent": float(parent), "node_cases": float(cases)}
            inner = index in (0, 2)
            found.append(node | {"second_class": cases / 2, "deterministic": alpha if inner else None})
    return pd.DataFrame(found)


def forests() -> pd.DataFrame:
    found = []
    for name, repetition in product(("segment", "waveform21"), range(3)):
        place = {"dataset": name, "repetition": repetition}
        for alpha in ALPHAS:
            key = place | {"learner": "aggregating", "setting": alpha}
            found += [*rows(5, kind="fold", **key), key | votes(alpha, 4)]
        for F in range(1, 6):
            key = place | {"learner": "random_forest", "setting": float(F)}
            found += [*rows(5, kind="fold", **key), key | votes(0.4 + (0.04 + 0.001 * repetition) * F, 4)]
    return pd.DataFrame(found)


def stability() -> pd.DataFrame:
    found = []
    for study, values in {"size": (16, 32), "noise": (0, 0.2), "irrelevant": (0, 2)}.items():
        for value in values:
            for sample in range(3):
                row = {"study": study, "value": float(value), "sample": sample, "size": 32, "transitions": 4}
                row |= {"mean_transitions": 4.0, "training_loss": 0.0, "left_out_loss": 3.0 + sample}
                row |= {"test_loss": 50.0, "test_cases": 1000, "left_out_loss_exact": 3.0 + sample}
                found.append(row)
    return pd.DataFrame(found)


def raw() -> dict[str, pd.DataFrame]:
    text = printed()
    return {
        "spectrum": spectrum(text),
        "coalescence": coalescence(text),
        "concepts": concepts(text),
        "half_attributes": half_attributes(text),
        "boundary": boundary(),
        "plane": plane(),
        "forests": forests(),
        "stability": stability(),
    }


def results(changed: dict[str, pd.DataFrame] | None = None) -> Results:
    """The results of the paper, some raw results replaced."""
    shown = {name: thing for name, thing in {**TABLES, **FIGURES}.items() if not thing.readings}
    return Results(raw() | (changed or {}), printed(), sets(), shown)


CROSSED = {"missing values": ("fractions", "branch"), "MDL term": ("mdl", "no-mdl")}


class UnderReadings(dict):
    """Four readings: unknown values in a branch give the printed errors, without the MDL term they are a point off."""

    def __init__(self):
        super().__init__()
        self.described = {}
        for missing, mdl in product(*CROSSED.values()):
            name = "+".join(one for one in (missing, mdl) if one in ("branch", "no-mdl")) or "text"
            off = 2.0 * (missing == "fractions") + (mdl == "no-mdl")
            self[name] = results({key: moved(frame, off) for key, frame in read_again().items()})
            self.described[name] = SimpleNamespace(choices=dict(zip(CROSSED, (missing, mdl), strict=True)))


def read_again() -> dict[str, pd.DataFrame]:
    """What readings run: two repetitions, three alphas, no votes."""
    frames = raw()
    spectrum_, coalescence_ = frames["spectrum"], frames["coalescence"]
    kept = (spectrum_["kind"] == "fold") & spectrum_["alpha"].isin([0, 0.5, 1])
    learners = coalescence_["learner"].isin(["coalescence", "random_forest"])
    return {
        "spectrum": spectrum_[kept & (spectrum_["method"] != "bagging+subspacing")],
        "coalescence": coalescence_[learners & (coalescence_["repetition"] < 2)],
        "concepts": frames["concepts"],
    }


def moved(frame: pd.DataFrame, off: float) -> pd.DataFrame:
    """The same with so many points more of error, the random forest's apart."""
    apart = frame["learner"] == "random_forest" if "learner" in frame else np.zeros(len(frame), dtype=bool)
    return frame.assign(errors=frame["errors"] + np.where(apart, 0, (off * frame["cases"] / 100).round().astype(int)))


def stated() -> dict[str, Stated]:
    """The claims as claims.yaml states them."""
    entries = yaml.safe_load((PUBLISHED / "claims.yaml").read_text("utf-8"))["claims"]
    return {entry["id"]: Stated.read(entry, "claims.yaml") for entry in entries}
