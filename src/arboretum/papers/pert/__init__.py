"""Cutler and Zhao (2001), PERT: perfect random tree ensembles, Computing Science and Statistics 33."""

from arboretum.papers.contract import Citation

CITATION = Citation(
    authors="Cutler, A.; Zhao, G.",
    year="2001",
    title="PERT – Perfect Random Tree Ensembles",
    venue="Computing Science and Statistics 33",
    adds="Trees that fit their training data perfectly with splits chosen at random: weak, and almost uncorrelated.",
)
