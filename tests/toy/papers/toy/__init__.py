"""A paper small enough to test the pipeline with: it throws coins."""

from arboretum.papers.contract import Citation

CITATION = Citation(authors="Toy, T.", year="2024", title="Coins")
