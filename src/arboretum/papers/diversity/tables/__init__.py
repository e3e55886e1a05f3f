"""The tables of diversity: printed tables beside ours, what chance and the code explain, and the theory."""

from __future__ import annotations

from arboretum.papers.contract import by_name
from arboretum.papers.diversity.tables import choices, forests, guided, minima, question, theory

TABLES = by_name(
    question.question,
    theory.table1_1,
    theory.combiners,
    minima.table5_1,
    minima.table5_2,
    minima.minima,
    minima.printed_cells,
    minima.printed_differences,
    guided.text_against_code,
    guided.guided_components,
    guided.growth_of_forests,
    guided.spikes,
    guided.more_trials,
    guided.other_losses,
    forests.trade_off,
    forests.forest_measures,
    forests.measures_and_error,
    forests.margins,
    theory.negative_correlation,
    theory.statements,
    choices.all_trees,
    choices.good_and_bad,
    choices.pruning,
    choices.ties,
)
