"""A paper small enough to break things with: it weighs flowers, on data sets, as slowly as one likes."""

from arboretum.papers.contract import Citation

CITATION = Citation(authors="Garden, G.", year="2024", title="Flowers")
