"""The figures of diversity: those of the thesis over the digitised print, and those beyond it."""

from __future__ import annotations

from arboretum.papers.contract import by_name
from arboretum.papers.diversity.figures import choices, components, errors, trees, weights

FIGURES = by_name(
    trees.figure1_3,
    trees.figure1_4,
    trees.figure4_1,
    components.figure4_2,
    trees.figure5_2,
    weights.weight_functions,
    components.figure5_4,
    components.figure5_5,
    components.figure5_7,
    components.figure5_8,
    trees.figure5_10,
    trees.figure5_11,
    errors.figure5_12,
    errors.figure5_13,
    errors.figure5_14,
    components.figure_a_1,
    components.figure_a_2,
    components.figure_a_3,
    trees.learner_map,
    errors.cells_among_draws,
    trees.lambda_of_networks,
    choices.settings_changed,
    choices.tree_map,
)
