"""The figures of vrtrees."""

from arboretum.papers.contract import by_name
from arboretum.papers.vrtrees.figures.artificial import figure8, stability
from arboretum.papers.vrtrees.figures.performance import figure1, figure7
from arboretum.papers.vrtrees.figures.plane import boundaries, trees
from arboretum.papers.vrtrees.figures.ranks import figure2, figure5, figure6, readings_nearest
from arboretum.papers.vrtrees.figures.strength import figure3, figure4, figure9

FIGURES = by_name(
    *(figure1, figure2, figure3, figure4, figure5, figure6, figure7, figure8, figure9),
    *(boundaries, trees, stability, readings_nearest),
)
