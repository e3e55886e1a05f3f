"""The experiments of diversity, one file each.

Splits and trials are drawn on streams named by set, split and trial, so all learners see the same training cases; trees
draw on the stream of their trial, so every strategy begins with the same first tree.
"""

from __future__ import annotations

from arboretum.papers.diversity.experiments.choices import CHOICES
from arboretum.papers.diversity.experiments.growth import GROWTH
from arboretum.papers.diversity.experiments.guided import GUIDED
from arboretum.papers.diversity.experiments.losses import LOSSES
from arboretum.papers.diversity.experiments.margins import MARGINS
from arboretum.papers.diversity.experiments.ncl import NCL
from arboretum.papers.diversity.experiments.printed import PRINTED
from arboretum.papers.diversity.experiments.single_tree import SINGLE_TREE
from arboretum.papers.diversity.experiments.theory import THEORY
from arboretum.papers.diversity.experiments.ties import TIES
from arboretum.papers.diversity.experiments.trials import TRIALS

EXPERIMENTS = {
    "guided": GUIDED,
    "growth": GROWTH,
    "printed": PRINTED,
    "trials": TRIALS,
    "losses": LOSSES,
    "margins": MARGINS,
    "single_tree": SINGLE_TREE,
    "theory": THEORY,
    "ncl": NCL,
    "choices": CHOICES,
    "ties": TIES,
}
