"""The figures of diversity: those of the thesis over the digitised print, and those beyond it."""

from __future__ import annotations

from arboretum.papers.contract import by_name
from arboretum.papers.diversity.figures import choices, errors, trees, weights
from arboretum.papers.diversity.figures.components import component_figure
from arboretum.papers.diversity.figures.errors import error_figure

FIGURES = by_name(
    trees.figure1_3,
    trees.figure1_4,
    trees.figure4_1,
    component_figure("figure4_2"),
    trees.figure4_6,
    trees.figure5_2,
    weights.weight_functions,
    *(component_figure(name) for name in ("figure5_4", "figure5_5", "figure5_7", "figure5_8")),
    trees.figure5_10,
    trees.figure5_11,
    *(error_figure(name) for name in errors.FIGURES),
    *(component_figure(name) for name in ("figure_a_1", "figure_a_2", "figure_a_3")),
    trees.bias_by_trials,
    trees.learner_map,
    errors.cells_among_draws,
    trees.lambda_of_networks,
    choices.tree_map,
)
