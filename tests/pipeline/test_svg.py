"""Drawings do not change with the last digits of what they plot, and lose nothing that is written in them."""

from __future__ import annotations

import re

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from arboretum.pipeline.svg import svg_text

matplotlib.use("Agg")


def drawing(move: float = 0.0) -> str:
    figure = Figure(figsize=(3, 2))
    axes = figure.subplots(1, 2)
    x = np.linspace(0, 1, 50) * (1 + move)
    axes[0].plot(x, np.sin(9 * x), marker="o")
    axes[0].set_title("alpha = 0.12345")
    axes[1].bar([0, 1], [x.sum(), x.var()], hatch="//")
    axes[1].imshow(np.outer(x, x), extent=(0, 1, 0, 1))
    return svg_text(figure)


def test_a_change_in_the_last_digits_changes_no_byte():
    assert drawing() == drawing(4e-15) == drawing(-4e-13)


def test_a_visible_change_is_drawn():
    assert drawing() != drawing(1e-2)


def test_words_keep_their_digits_and_references_their_targets():
    svg = drawing()
    assert "alpha = 0.12345" in svg
    used = set(re.findall(r"(?:url\(#|href=\"#)([^)\"]+)", svg))
    assert used and used <= set(re.findall(r"id=\"([^\"]+)\"", svg))


def test_no_number_is_longer_than_it_need_be():
    tags = "".join(re.findall(r"<[^>]+>", drawing()))
    assert not re.search(r"[ \"](?:[1-9]\d*)\.\d{3,}", re.sub(r"base64,[^\"]+", "", tags))
