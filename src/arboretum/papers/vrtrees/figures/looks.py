"""How the figures of vrtrees look: colours and marks of methods and learners, and the sets that are shown."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arboretum.papers.drawing import BLACK, BLUE, GREEN, ORANGE, PURPLE, VERMILION, panels

COLOURS = {"aggregating": BLUE, "bagging": VERMILION, "subspacing": GREEN, "bagging+subspacing": PURPLE}
MARKS = {"aggregating": "o", "bagging": "s", "subspacing": "^", "bagging+subspacing": "D"}
METHOD_NAMES = {"aggregating": "Aggregating", "bagging": "Bagging", "subspacing": "Subspacing"}

LEARNER_LOOKS = {  # colour and mark
    "coalescence": (BLUE, "o"),
    "max_diverse": (ORANGE, "v"),
    "bagging": (VERMILION, "s"),
    "random_subspace": (GREEN, "^"),
    "c50": (PURPLE, "D"),
    "random_forest": (BLACK, "P"),
}

# The printed figures show eight sets; their names are lost, so we choose: sizes, kinds of attributes and shapes vary.
CHOSEN_SETS = ["segment", "waveform21", "tic-tac-toe", "dna", "sonar", "glass", "balance", "credit-g-numeric"]


def eight_sets(names: list[str]) -> list[str]:
    """The chosen sets, others standing in for those that a profile does not have."""
    chosen = [name for name in CHOSEN_SETS if name in names]
    return (chosen + [name for name in names if name not in chosen])[:8]


def panels_of_sets(
    data: pd.DataFrame, height: float, across: str, up: str
) -> tuple[Figure, list[tuple[Axes, pd.DataFrame]]]:
    """A figure with one panel for each data set, four in a row, and the rows of each; labels at the outer panels."""
    sets = list(dict.fromkeys(data["dataset"]))
    columns = min(4, len(sets))
    drawing, axes = panels(-(-len(sets) // columns), columns, 2.6, height)
    for ax in axes.flat[len(sets) :]:
        ax.axis("off")
    for place, (ax, name) in enumerate(zip(axes.flat, sets, strict=False)):
        ax.set_title(name)
        ax.set_xlabel(across if place + columns >= len(sets) else "")
        ax.set_ylabel(up if place % columns == 0 else "")
    return drawing, [(ax, data[data["dataset"] == name]) for ax, name in zip(axes.flat, sets, strict=False)]
