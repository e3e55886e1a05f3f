"""Verdicts: intervals against tolerances, parts, and text that is the same on every processor."""

from __future__ import annotations

import numpy as np
import pytest

from arboretum.errors import ArboretumError
from arboretum.papers.verdicts import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    Stated,
    Verdict,
    all_parts,
    around,
    flat,
    judge,
    say,
)


def test_an_interval_is_inside_outside_or_neither():
    assert judge(1.0, 2.0, (0.0, 3.0)) == REPRODUCED
    assert judge(4.0, 5.0, (0.0, 3.0)) == NOT_REPRODUCED
    assert judge(2.0, 5.0, (0.0, 3.0)) == INCONCLUSIVE


def test_ends_that_differ_by_rounding_are_equal():
    assert judge(0.1, 0.3 + 1e-15, (0.1 + 1e-15, 0.3)) == REPRODUCED
    assert judge(0.3 + 1e-15, 0.5, (0.1, 0.3)) == INCONCLUSIVE


@pytest.mark.parametrize("gap", [1e-7, 1e-4, 0.01])
def test_a_tolerance_is_not_wider_than_it_says(gap):
    assert judge(0.1, 0.3 + gap, (0.1, 0.3)) == judge(0.1 - gap, 0.3, (0.1, 0.3)) == INCONCLUSIVE
    assert judge(0.3 + gap, 0.5, (0.1, 0.3)) == judge(-0.5, 0.1 - gap, (0.1, 0.3)) == NOT_REPRODUCED
    assert around(4.6, 1.5) == (4.6 - 1.5, 4.6 + 1.5)


def test_the_whole_follows_from_its_parts():
    assert all_parts(REPRODUCED, REPRODUCED) == REPRODUCED
    assert all_parts(REPRODUCED, INCONCLUSIVE) == INCONCLUSIVE
    assert all_parts(NOT_REPRODUCED, INCONCLUSIVE) == NOT_REPRODUCED
    assert Verdict({"order": REPRODUCED, "level": NOT_REPRODUCED}, {}, "").verdict == NOT_REPRODUCED
    assert Verdict(INCONCLUSIVE, {}, "").verdict == INCONCLUSIVE


def test_text_does_not_show_rounding():
    above = np.nextafter(16.25, 17)
    assert say("{x:.1f}", x=16.25) == say("{x:.1f}", x=above) == "16.2"
    assert say("{x:+.2f}", x=-8.9e-17) == say("{x:+.2f}", x=8.9e-17) == "+0.00"
    assert say("gap {x:below 1e-12}", x=1.1e-16) == say("gap {x:below 1e-12}", x=-6.2e-17) == "gap below 1e-12"
    assert say("gap {x:below 1e-12}", x=3e-4) == "gap 3.0e-04"


def test_text_of_mappings_lists_and_nothing():
    assert say("{x:.1f}", x={"a": 1.25, "b": 2.0}) == "a 1.2, b 2.0"
    assert say("{x:.0%}", x=[0.5, 1.0]) == "50% / 100%"
    assert say("{x}; {y}", x={}, y=[]) == "none; none"
    assert say("{n} of {of} sets", n=3, of=np.int64(8)) == "3 of 8 sets"


def test_values_are_flattened_by_name():
    assert dict(flat({"a": 1, "b": {"c": 2.0, "d": {"e": "x"}}, "f": [3, 4]})) == {
        "a": 1,
        "b.c": 2.0,
        "b.d.e": "x",
        "f.0": 3,
        "f.1": 4,
    }


def test_a_missing_limit_is_an_error_that_names_file_claim_and_limit():
    stated = Stated("toy-c01", "sec 1", "Coins are fair.", {"share": 0.5}, {"share": [0.3, 0.7]}, file="claims.yaml")
    assert stated.limit("share") == (0.3, 0.7) and stated.printed("share") == 0.5
    with pytest.raises(ArboretumError, match=r"claims.yaml: toy-c01 has no limit 'shar'. Did you mean 'share'?"):
        stated.limit("shar")
    with pytest.raises(ArboretumError, match="publishes no value 'heads'"):
        stated.printed("heads")
