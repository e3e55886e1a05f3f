"""The tables of vrtrees, printed numbers beside ours."""

from arboretum.papers.contract import by_name
from arboretum.papers.vrtrees.tables.artificial import boundary, plane, stability, table4
from arboretum.papers.vrtrees.tables.attributes import table5, table5_counts, table6
from arboretum.papers.vrtrees.tables.errors import mean_differences, noise, table3, table3_cells, table3_means
from arboretum.papers.vrtrees.tables.performance import (
    best_alphas,
    methods_compared,
    spectrum,
    spectrum_by_set,
    swings,
    table1,
)
from arboretum.papers.vrtrees.tables.ranks import figure6_fragility, rank_differences, significance_tests
from arboretum.papers.vrtrees.tables.readings import (
    readings_answers,
    readings_distance,
    readings_options,
    readings_split,
)
from arboretum.papers.vrtrees.tables.strength import bound_check, curve_shapes, forest_ranges, table2

TABLES = by_name(
    *(table1, table2, table3, table3_means, table3_cells, mean_differences, noise),
    *(table4, table5, table5_counts, table6),
    *(spectrum, spectrum_by_set, best_alphas, methods_compared, swings, curve_shapes, bound_check),
    *(rank_differences, significance_tests, figure6_fragility),
    *(boundary, plane, forest_ranges, stability),
    *(readings_distance, readings_options, readings_split, readings_answers),
)
