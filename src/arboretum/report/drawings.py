"""SVG in a page: figures inlined so that several in one page do not clash, and a small picture of our own."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from arboretum.errors import ArboretumError

SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}"
LOCAL = re.compile(r"url\(\s*['\"]?#([^)'\"]+)['\"]?\s*\)")
RULE = re.compile(r"([^{}]+)\{")
PIXELS = {"pt": 4 / 3, "px": 1.0, "": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4}


def inlined(path: Path, name: str, label: str) -> str:
    """The drawing at ``path`` as an element of a page: its ids and its styles are confined to ``name``."""
    try:
        root = ElementTree.fromstring(path.read_bytes())
    except ElementTree.ParseError as problem:
        raise ArboretumError(f"{path} is not a valid SVG ({problem}). Render the paper again.") from None
    width = _pixels(root.get("width", ""))
    kept = {"viewBox": root.get("viewBox", f"0 0 {width:g} {_pixels(root.get('height', '')):g}")}
    _confine(root, name, path)
    root.attrib.clear()
    root.attrib.update(
        {
            "id": name,
            "class": "drawing",
            "role": "img",
            "aria-label": label,
            "style": f"width:{width:.0f}px;min-width:min({width:.0f}px,30rem)",
            **kept,
        }
    )
    return ElementTree.tostring(root, encoding="unicode")


def _pixels(length: str) -> float:
    match = re.fullmatch(r"([0-9.]+)([a-z]*)", length)
    return float(match[1]) * PIXELS.get(match[2], 1.0) if match else 640.0


def _confine(root: ElementTree.Element, name: str, path: Path) -> None:
    """Prefix every id and every reference to one, scope the style rules, drop metadata and namespaces."""
    for parent in root.iter():
        for child in list(parent):
            if child.tag.endswith(("metadata", "script")):
                parent.remove(child)
    for element in root.iter():
        element.tag = element.tag.replace(SVG, "")
        for key, value in list(element.attrib.items()):
            del element.attrib[key]
            element.set(key.replace(XLINK, ""), _renamed(key.replace(XLINK, ""), value, name, path))
        if element.tag == "style" and element.text:
            element.text = RULE.sub(lambda rule: _scoped(rule[1], name) + "{", element.text)


def _renamed(key: str, value: str, name: str, path: Path) -> str:
    if key == "id":
        return f"{name}-{value}"
    if key == "href":
        if value.startswith("#"):
            return f"#{name}-{value[1:]}"
        if not value.startswith("data:"):
            raise ArboretumError(f"{path} loads {value!r}. A figure must hold all that it shows: embed it.")
    return LOCAL.sub(lambda match: f"url(#{name}-{match[1]})", value)


def _scoped(selectors: str, name: str) -> str:
    return ",".join(f"#{name} {selector.strip()}" for selector in selectors.split(","))


def print_against_ours(pairs: Sequence[tuple[float, float]], measure: str) -> str:
    """A small scatter of ours over print; what agrees lies on the diagonal."""
    values = [value for pair in pairs for value in pair if math.isfinite(value)]
    low, high = min(values), max(values)
    logarithmic = low > 0 and high > 50 * low
    scale = math.log if logarithmic else float
    bottom, top = scale(low), scale(high)
    span = (top - bottom) or 1.0

    def place(value: float) -> float:
        return 8 + 104 * (scale(value) - bottom) / span

    dots = "".join(
        f'<circle cx="{place(printed):.1f}" cy="{120 - place(ours):.1f}" r="2.6"/>'
        for printed, ours in pairs
        if math.isfinite(printed) and math.isfinite(ours)
    )
    return (
        f'<svg class="scatter" viewBox="0 0 138 142" role="img" aria-label="{measure}: ours against print">'
        '<g transform="translate(16 2)"><rect width="120" height="120"/><line x1="0" y1="120" x2="120" y2="0"/>'
        f"{dots}"
        f'<text x="60" y="134">printed {measure}{" (log)" if logarithmic else ""}</text>'
        '<text transform="translate(-6 60) rotate(-90)">ours</text></g></svg>'
    )
