"""What the papers are. A paper without an entry here is shown by the docstring of its folder."""

from __future__ import annotations

import importlib
from typing import NamedTuple


class Citation(NamedTuple):
    authors: str
    year: str
    title: str
    venue: str
    adds: str

    @property
    def short(self) -> str:
        """Authors and year as running text cites them."""
        names = [name.split(",")[0].strip() for name in self.authors.split(";")]
        first = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        return f"{first} ({self.year})" if self.year else first


CITATIONS = {
    "vrtrees": Citation(
        "Liu, F. T.; Ting, K. M.; Yu, Y.; Zhou, Z.-H.",
        "2008",
        "Spectrum of Variable-Random Trees",
        "Journal of Artificial Intelligence Research 32",
        "Trees whose nodes are deterministic with probability alpha, the spectrum between the two ends, and "
        "Coalescence, which joins points of its random half.",
    ),
    "dynint": Citation(
        "Tsymbal, A.; Pechenizkiy, M.; Cunningham, P.",
        "2006",
        "Dynamic Integration with Random Forests",
        "",
        "Trees of a forest selected or weighted by how well they do near the case, with HEOM or the forest's own "
        "similarity as the distance.",
    ),
    "pert": Citation(
        "Cutler, A.; Zhao, G.",
        "2001",
        "PERT – Perfect Random Tree Ensembles",
        "Computing Science and Statistics 33",
        "Trees that fit their training data perfectly with splits chosen at random: weak, and almost uncorrelated.",
    ),
    "infinity": Citation(
        "Breiman, L.",
        "2000",
        "Some Infinity Theory for Predictor Ensembles",
        "Technical Report 577, Statistics Department, University of California, Berkeley",
        "Ensembles in distribution space: completeness of trees, AdaBoost's convergence, forests as kernels.",
    ),
    "diversity": Citation(
        "Moser, B.",
        "2023",
        "Model Correlation in Random Forests",
        "Master thesis, University of Konstanz",
        "Bias, variance and diversity of an ensemble's error, competence, and forests grown under its guidance.",
    ),
}


def citation(key: str) -> Citation:
    """The citation of a paper."""
    if key in CITATIONS:
        return CITATIONS[key]
    try:
        docstring = importlib.import_module(f"arboretum.papers.{key}").__doc__ or key
    except ModuleNotFoundError:
        docstring = key
    return Citation(key, "", " ".join(docstring.strip().split("\n\n")[0].split()).rstrip("."), "", "")
