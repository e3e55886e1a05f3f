"""The tables of dynint: ours beside print, the tests behind them, and what lies beyond print."""

from __future__ import annotations

from arboretum.papers.contract import by_name
from arboretum.papers.dynint.tables.beside import table2, table2_trees, table3
from arboretum.papers.dynint.tables.bias_variance import bias_variance_gaps, table4
from arboretum.papers.dynint.tables.cells import beyond, cells
from arboretum.papers.dynint.tables.diversity import diversity, diversity_by_set
from arboretum.papers.dynint.tables.drawings import drawings
from arboretum.papers.dynint.tables.fixed_configuration import fixed_configuration
from arboretum.papers.dynint.tables.selectors import selectors, selectors_by_set
from arboretum.papers.dynint.tables.sets import table1
from arboretum.papers.dynint.tables.significance import improved, margin_wins, selection, wins
from arboretum.papers.dynint.tables.ties import ties

TABLES = by_name(
    table1,
    table2,
    table2_trees,
    table3,
    table4,
    beyond,
    fixed_configuration,
    improved,
    wins,
    margin_wins,
    selection,
    bias_variance_gaps,
    drawings,
    cells,
    diversity,
    diversity_by_set,
    selectors,
    selectors_by_set,
    ties,
)
