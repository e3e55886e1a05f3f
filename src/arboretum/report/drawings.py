"""SVG in a page: figures inlined so that several in one page do not clash, and a small picture of our own."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree

from markupsafe import escape

from arboretum.errors import ArboretumError

SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}"
LOCAL = re.compile(r"url\(\s*['\"]?#([^)'\"]+)['\"]?\s*\)")
RULE = re.compile(r"([^{}]+)\{")
MOST_BYTES = 60_000
PRINTED_MEANS = "printed-means"
PIXELS = {"pt": 4 / 3, "px": 1.0, "": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4}


def inlined(path: Path, name: str, label: str, printed_means: bool = True) -> str:
    """The drawing at ``path`` as an element of a page: its ids and its styles are confined to ``name``.

    Without ``printed_means`` what the drawing shows of printed means over data sets (ids that begin with
    ``printed-means``) is left out.
    """
    try:
        root = ElementTree.fromstring(path.read_bytes())
    except ElementTree.ParseError as problem:
        raise ArboretumError(f"{path} is not a valid SVG ({problem}). Render the paper again.") from None
    width = _pixels(root.get("width", ""))
    kept = {"viewBox": root.get("viewBox", f"0 0 {width:g} {_pixels(root.get('height', '')):g}")}
    if not printed_means:
        _drop(root, lambda element: element.get("id", "").startswith(PRINTED_MEANS))
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


def on_page(path: Path, name: str, label: str, address: str, printed_means: bool = True) -> str:
    """The drawing at ``path`` for a page: inlined, or by its ``address`` where it is so large that pages grow heavy."""
    if path.stat().st_size <= MOST_BYTES:
        return inlined(path, name, label, printed_means)
    root = ElementTree.fromstring(path.read_bytes())
    size = " ".join(f'{side}="{_pixels(root.get(side, "")):.0f}"' for side in ("width", "height"))
    return f'<img class="drawing" id="{name}" src="{address}" alt="{escape(label)}" {size} loading="lazy">'


def _drop(root: ElementTree.Element, unwanted: Callable[[ElementTree.Element], bool]) -> None:
    for parent in root.iter():
        for child in list(parent):
            if unwanted(child):
                parent.remove(child)


def _pixels(length: str) -> float:
    match = re.fullmatch(r"([0-9.]+)([a-z]*)", length)
    return float(match[1]) * PIXELS.get(match[2], 1.0) if match else 640.0


def _confine(root: ElementTree.Element, name: str, path: Path) -> None:
    """Prefix every id and every reference to one, scope the style rules, drop metadata and namespaces."""
    _drop(root, lambda element: element.tag.endswith(("metadata", "script")))
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
