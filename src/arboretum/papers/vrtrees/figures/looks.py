"""How the figures of vrtrees look: colours and marks of methods and learners, and the sets that are shown."""

from __future__ import annotations

from arboretum.papers.drawing import BLACK, BLUE, GREEN, ORANGE, PURPLE, VERMILION

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
