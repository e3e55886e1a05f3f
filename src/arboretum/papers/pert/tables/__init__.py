"""The tables of pert: ours beside print, and what section 6 and the belief on ringnorm come to."""

from __future__ import annotations

from arboretum.papers.contract import by_name
from arboretum.papers.pert.tables.constants import constants
from arboretum.papers.pert.tables.ensemble_size import table3, tree_curve
from arboretum.papers.pert.tables.errors import datasets, fixed_splits, table2, table2_cells
from arboretum.papers.pert.tables.kernel_classifier import kernel_classifier
from arboretum.papers.pert.tables.places import places
from arboretum.papers.pert.tables.rings import ringnorm, ringnorm_rings
from arboretum.papers.pert.tables.strength import table4
from arboretum.papers.pert.tables.surface import convergence, posterior
from arboretum.papers.pert.tables.tree_size import table1, tree_times

TABLES = by_name(
    table1,
    tree_times,
    table2,
    table2_cells,
    fixed_splits,
    constants,
    places,
    table3,
    tree_curve,
    table4,
    posterior,
    convergence,
    ringnorm,
    ringnorm_rings,
    kernel_classifier,
    datasets,
)
