from __future__ import annotations

import re
from pathlib import Path

import pytest

from arboretum.errors import ArboretumError
from arboretum.report.drawings import inlined, print_against_ours

from . import tree


def ids(svg: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', svg)


def test_two_drawings_in_one_page_share_no_id_and_keep_their_references(tmp_path: Path) -> None:
    tree.draw(tmp_path / "a.svg", "same")
    tree.draw(tmp_path / "b.svg", "same")
    drawn = [inlined(tmp_path / f"{name}.svg", name, "label") for name in "ab"]
    together = ids(drawn[0]) + ids(drawn[1])
    assert len(together) == len(set(together)) > 20
    for svg in drawn:
        references = re.findall(r"url\(#([^)]+)\)", svg) + re.findall(r'href="#([^"]+)"', svg)
        assert references and set(references) <= set(ids(svg))


def test_the_style_of_a_drawing_does_not_reach_the_page(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="72pt" height="36pt" viewBox="0 0 72 36">'
        "<metadata><a>x</a></metadata><style>*{stroke: red} g, .b{fill: none}</style><g/></svg>",
        encoding="utf-8",
    )
    svg = inlined(tmp_path / "a.svg", "a", 'a "quoted" label')
    assert "<style>#a *{stroke: red}#a g,#a .b{fill: none}</style>" in svg
    assert "metadata" not in svg and "xmlns" not in svg
    assert 'style="width:96px' in svg and 'viewBox="0 0 72 36"' in svg and "&quot;quoted&quot;" in svg


@pytest.mark.parametrize(
    "text", ['<svg xmlns="http://www.w3.org/2000/svg"><image href="http://a.b/c.png"/></svg>', "<svg"]
)
def test_a_drawing_that_loads_something_or_is_broken_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.svg").write_text(text, encoding="utf-8")
    with pytest.raises(ArboretumError, match=r"a\.svg"):
        inlined(tmp_path / "a.svg", "a", "label")


def test_equal_values_lie_on_the_diagonal() -> None:
    svg = print_against_ours([(1, 1), (3, 3), (5, 4)], "error")
    dots = [(float(x), float(y)) for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', svg)]
    assert [round(x + y, 1) for x, y in dots] == [120.0, 120.0, 146.0]
    assert "(log)" not in svg and "(log)" in print_against_ours([(1, 1), (1000, 900)], "size")
