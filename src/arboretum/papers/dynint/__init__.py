"""Tsymbal, Pechenizkiy and Cunningham (2006), Dynamic Integration with Random Forests."""

from arboretum.papers.contract import Citation

CITATION = Citation(
    authors="Tsymbal, A.; Pechenizkiy, M.; Cunningham, P.",
    year="2006",
    title="Dynamic Integration with Random Forests",
    venue="Proceedings of the ACM Symposium on Applied Computing",
    adds="Trees of a forest selected or weighted by how well they do near the case, with HEOM or the forest's own "
    "similarity as the distance.",
)
