"""Breiman (2000), Some Infinity Theory for Predictor Ensembles: a theory paper, computed."""

from arboretum.papers.contract import Citation

CITATION = Citation(
    authors="Breiman, L.",
    year="2000",
    title="Some Infinity Theory for Predictor Ensembles",
    venue="Technical Report 577, Statistics Department, University of California, Berkeley",
    adds="Ensembles in distribution space: completeness of trees, AdaBoost's convergence, forests as kernels.",
)
