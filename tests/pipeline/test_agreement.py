"""What counts as the same: frames, and drawings whose points moved by less than anybody sees."""

from __future__ import annotations

import base64
import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from arboretum.pipeline.agreement import compare_frames, same_drawing


def differences(stored: list, found: list) -> int:
    frames = (pd.DataFrame({"value": values}) for values in (stored, found))
    return len(compare_frames("table.csv", *frames, keys=(), tolerance=1e-9).differences)


@pytest.mark.parametrize(("stored", "found"), [([1, 2], [1.0, 2 + 1e-12]), ([1.0, 2 + 1e-12], [1, 2])])
def test_whole_numbers_beside_floats_are_compared_as_floats(stored, found):
    """A column of whole numbers is stored as such, and comes back as floats where one of them is not."""
    assert differences(stored, found) == 0
    assert differences(stored, [value + 1e-6 for value in found]) == 2


@pytest.mark.parametrize(("stored", "found"), [([True, False], [1.0, 0.0 + 1e-12]), (["1", "2"], [1.0, 2.0])])
def test_truth_values_and_words_are_no_numbers(stored, found):
    assert differences(stored, found) > 0


def drawing(x: float, word: str = "alpha") -> str:
    return f'<svg><path d="M {x} 10.5 L 20 30"/><text>{word}</text></svg>'


@pytest.mark.parametrize("by", [0.0, 0.019, -0.019])
def test_a_point_may_move_by_a_fiftieth_of_a_pixel(by):
    assert same_drawing(drawing(10.0), drawing(10.0 + by))


@pytest.mark.parametrize("by", [0.021, -0.021, 0.1])
def test_a_point_that_moves_further_is_another_drawing(by):
    assert not same_drawing(drawing(10.0), drawing(10.0 + by))


def test_another_word_is_another_drawing():
    assert not same_drawing(drawing(10.0), drawing(10.0, "beta"))


def picture(shade: int, side: int = 4) -> str:
    content = io.BytesIO()
    Image.fromarray(np.full((side, side), shade, dtype=np.uint8)).save(content, "PNG")
    return f'<svg><image href="data:image/png;base64,{base64.b64encode(content.getvalue()).decode()}"/></svg>'


@pytest.mark.parametrize(("shade", "same"), [(100, True), (102, True), (98, True), (103, False), (97, False)])
def test_a_pixel_may_change_by_two_shades(shade, same):
    assert same_drawing(picture(100), picture(shade)) is same


def test_pictures_of_another_size_or_damaged_ones_are_not_the_same():
    assert not same_drawing(picture(100), picture(100, 5))
    damaged = picture(100).replace("iVBOR", "iVBOS")
    assert not same_drawing(damaged, picture(100))
