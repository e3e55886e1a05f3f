"""Figures as SVG with nothing in them that changes from run to run or from processor to processor."""

from __future__ import annotations

import io
import re
from typing import Any

import matplotlib

SETTINGS = {"svg.hashsalt": "arboretum", "svg.fonttype": "none", "savefig.bbox": "tight"}
TAG = re.compile(r"<[^>]+>")
LONG_NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d{3,}(?:e-?\d+)?(?![\d.])")
IDENTIFIER = re.compile(r"\b([a-z])[0-9a-f]{10}\b")  # matplotlib hashes what a clip or a marker consists of


def svg_text(figure: Any) -> str:
    """A figure as SVG: points in hundredths, which no eye can tell apart, and identifiers numbered as they appear."""
    text = io.StringIO()
    with matplotlib.rc_context(SETTINGS):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": "Arboretum"})
    return numbered(TAG.sub(lambda tag: LONG_NUMBER.sub(shortened, tag[0]), text.getvalue()))


def shortened(number: re.Match[str]) -> str:
    """A number inside a tag, to two decimals; small factors keep four digits, and a residue of rounding is 0."""
    value = float(number[0])
    if abs(value) < 1e-6:
        return "0"
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) >= 1 else f"{value:.4g}"


def numbered(svg: str) -> str:
    """The text with its hashed identifiers replaced by a letter and a number."""
    names: dict[str, str] = {}
    return IDENTIFIER.sub(lambda found: names.setdefault(found[0], f"{found[1]}{len(names)}"), svg)
