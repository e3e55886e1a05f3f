from __future__ import annotations

from pathlib import Path

from arboretum import papers
from arboretum.papers.contract import Citation
from arboretum.report.citing import bibtex, read_citation

ROOT = Path(__file__).parents[2]


def test_a_paper_listed_in_citation_cff_is_cited_in_full() -> None:
    text = bibtex("vrtrees", papers.get("vrtrees").citation, read_citation(ROOT))
    assert text.startswith("@article{vrtrees2008,\n  author = {Liu, Fei Tony and Ting, Kai Ming and")
    assert "journal = {Journal of Artificial Intelligence Research 32}" in text
    assert "@software{arboretum,\n  author = {{The Arboretum developers}}," in text
    assert text.count("{") == text.count("}")


def test_every_paper_is_listed() -> None:
    kinds = [bibtex(key, papers.get(key).citation, read_citation(ROOT)).partition("{")[0] for key in papers.present()]
    assert "@misc" not in kinds


def test_a_paper_that_is_not_listed_is_cited_from_what_it_says_of_itself() -> None:
    text = bibtex("oak", Citation("Oak, A.; Elm, B.", "1999", "On Oaks", "Annals of Oaks"), {})
    assert text == (
        "@misc{oak1999,\n  author = {Oak, A. and Elm, B.},\n  title = {{On Oaks}},\n"
        "  howpublished = {Annals of Oaks},\n  year = {1999},\n}"
    )
