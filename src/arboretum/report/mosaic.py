"""Every claim at a glance: one square per claim, a row per paper, as a drawing that a README can show.

Colour and shape both say the conclusion, so that it can be told without colour vision. The first page of the report
shows the same squares as links.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from arboretum.papers.kit.claims import CONCLUSIONS, CONTRADICTED, CORRECTED, INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED
from arboretum.report.inputs import PaperInputs

SIDE, GAP, LEFT, ROW, TOP = 14, 3, 180, 30, 34
BLUE, ORANGE, PURPLE = "#0072b2", "#b34700", "#6b5b95"
CHECK = "M3 7.5l3 3 5.5-6.5"
SHAPES = {  # a square of 14 by 14: filled or not, and a sign
    REPRODUCED: (BLUE, True, CHECK),
    CORRECTED: (BLUE, False, CHECK),
    INCONCLUSIVE: (PURPLE, False, "M3 5.5q2-2.4 4 0t4 0M3 9.5q2-2.4 4 0t4 0"),
    CONTRADICTED: (ORANGE, False, "M3 5.3h8M3 8.9h8M9 2.5L5 11.5"),
    NOT_REPRODUCED: (ORANGE, True, "M3.6 3.6l6.8 6.8M10.4 3.6l-6.8 6.8"),
}


def in_order(claims: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Claims by conclusion, as the key has them, so that a row reads like a bar."""
    order = {verdict: place for place, verdict in enumerate(CONCLUSIONS)}
    return sorted(claims, key=lambda claim: order.get(claim["verdict"], len(order)))


def drawing(papers: Sequence[PaperInputs]) -> str:
    """The mosaic as an svg file, on a white ground so that it reads on a dark page too."""
    papers = [paper for paper in papers if paper.claims]
    most = max(len(paper.claims) for paper in papers)
    width, height = LEFT + most * (SIDE + GAP) + 150, TOP + ROW * len(papers) + 40
    total, held = sum(len(paper.claims) for paper in papers), sum(paper.held for paper in papers)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="13" role="img" '
        f'aria-label="{held} of {total} conclusions held">',
        f'<rect width="{width}" height="{height}" rx="6" fill="#fff"/>',
        f'<text x="16" y="22" font-weight="bold" fill="#1d1f21">{total} claims, one square each: {held} hold</text>',
    ]
    for number, paper in enumerate(papers):
        y = TOP + ROW * number + (ROW - SIDE) / 2
        parts.append(f'<text x="16" y="{y + 11}" fill="#1d1f21">{escape(paper.citation.short)}</text>')
        for place, claim in enumerate(in_order(paper.claims)):
            title = f"<title>{escape(claim['id'])}, {claim['verdict']}: {escape(claim['statement'])}</title>"
            parts.append(_square(claim["verdict"], LEFT + place * (SIDE + GAP), y, title))
        x = LEFT + len(paper.claims) * (SIDE + GAP) + 8
        parts.append(f'<text x="{x}" y="{y + 11}" fill="#565c62">{paper.badge}</text>')
    x, y = 16.0, TOP + ROW * len(papers) + 12
    for verdict in CONCLUSIONS:
        parts.append(_square(verdict, x, y))
        parts.append(f'<text x="{x + SIDE + 5:g}" y="{y + 11}" fill="#565c62">{verdict}</text>')
        x += SIDE + 22 + 7.4 * len(verdict)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _square(verdict: str, x: float, y: float, title: str = "") -> str:
    colour, filled, sign = SHAPES[verdict]
    edge = f'<rect x=".75" y=".75" width="12.5" height="12.5" rx="2" fill="{colour if filled else "#fff"}" '
    edge += f'stroke="{colour}" stroke-width="1.5"/>'
    mark = f'<path d="{sign}" fill="none" stroke="{"#fff" if filled else colour}" stroke-width="1.6"/>'
    return f'<g transform="translate({x:g} {y:g})">{title}{edge}{mark}</g>'
