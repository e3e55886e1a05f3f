"""Liu, Ting, Yu and Zhou (2008), Spectrum of Variable-Random Trees, JAIR 32."""

from arboretum.papers.contract import Citation

CITATION = Citation(
    authors="Liu, F. T.; Ting, K. M.; Yu, Y.; Zhou, Z.-H.",
    year="2008",
    title="Spectrum of Variable-Random Trees",
    venue="Journal of Artificial Intelligence Research 32",
    adds="Trees whose nodes are deterministic with probability alpha, the spectrum between the two ends, and "
    "Coalescence, which joins points of its random half.",
)
