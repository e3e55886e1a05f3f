"""Text that is the same on every processor."""

from __future__ import annotations

import numpy as np

from arboretum.papers.kit.wording import say


def test_text_does_not_show_rounding():
    above = np.nextafter(16.25, 17)
    assert say("{x:.1f}", x=16.25) == say("{x:.1f}", x=above) == "16.2"
    assert say("{x:+.2f}", x=-8.9e-17) == say("{x:+.2f}", x=8.9e-17) == "+0.00"


def test_text_of_mappings_lists_and_nothing():
    assert say("{x:.1f}", x={"a": 1.25, "b": 2.0}) == "a 1.2, b 2.0"
    assert say("{x:.0%}", x=[0.5, 1.0]) == "50% / 100%"
    assert say("{x}; {y}", x={}, y=[]) == "none; none"
    assert say("{n} of {of} sets", n=3, of=np.int64(8)) == "3 of 8 sets"


def test_names_in_brackets_may_hold_any_sign():
    assert say("{c01[ratio: ringnorm, 0.5.low]:.1f}", c01={"ratio: ringnorm, 0.5.low": 2.04}) == "2.0"
