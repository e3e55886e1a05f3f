"""Moser (2023), Model Correlation in Random Forests, master's thesis, University of Konstanz."""

from arboretum.papers.contract import Citation

CITATION = Citation(
    authors="Moser, B.",
    year="2023",
    title="Model Correlation in Random Forests",
    venue="Master's thesis, University of Konstanz",
    adds="Decompositions of the error into bias, variance and diversity, and forests whose votes guide the next tree.",
)
