"""Strips: places on a shared scale, words, and one entry of claims.yaml as a group."""

from __future__ import annotations

import re

import pytest

from arboretum.papers.kit.checks import Check
from arboretum.report.strips import EDGE, WIDTH, Scale, groups

KEYS = ("claim", "check", "kind", "value", "low", "high", "varies", "limit_low", "limit_high", "printed", "verdict")


def row(check, value, low, high, limits=("0.0", "inf"), printed="", verdict="holds", kind="conclusion"):
    return dict(zip(KEYS, ("oak-c01", check, kind, value, low, high, "5 runs", *limits, printed, verdict), strict=True))


def made(*rows, **entries):
    checks = {name: Check.read(name, entry, "claims.yaml: oak-c01") for name, entry in entries.items()}
    return groups(rows, checks)


def test_cells_of_an_entry_share_their_scale_and_limits_are_a_band():
    entry = {"kind": "conclusion", "each": "set", "above": 0, "unit": "points"}
    (group,) = made(row("gain: glass", "1.0", "0.5", "1.5"), row("gain: iris", "-1", "-2", "0.1"), gain=entry)
    assert [strip.cell for strip in group.strips] == ["glass", "iris"]
    places = [float(re.search(r'circle cx="([\d.]+)"', strip.drawing)[1]) for strip in group.strips]
    assert EDGE < places[1] < places[0] < WIDTH - EDGE
    assert all('class="band"' in strip.drawing for strip in group.strips)
    assert (group.rule, group.unit, group.held, group.alone) == ("above 0 points", "points", 2, False)


def test_the_verdict_of_an_entry_is_that_of_all_its_cells():
    entry = {"kind": "conclusion", "each": "set", "above": 0}
    cells = [row("gain: a", "1", "1", "1"), row("gain: b", "1", "-1", "3", verdict="open")]
    assert made(*cells, gain=entry)[0].verdict == "open"
    assert made(*cells, row("gain: c", "-1", "-1", "-1", verdict="fails"), gain=entry)[0].sign == "✕"


def test_words_have_two_digits_of_the_interval_and_the_printed_value_as_printed():
    entry = {"kind": "number", "printed": 12.8, "within": 1}
    (group,) = made(row("e", "12.1353", "11.739", "12.532", ("11.8", "13.8"), "12.8", kind="number"), e=entry)
    assert group.alone and group.strips[0].words == "12.14 (11.74 to 12.53), printed 12.8"
    assert "<polygon" in group.strips[0].drawing


def test_what_has_no_interval_says_so_and_a_residue_of_rounding_is_zero():
    (group,) = made(row("e", "1.5", "-inf", "inf", verdict="open"), e={"kind": "conclusion", "above": 0})
    assert group.strips[0].words == "1.500 (no interval: 5 runs)" and "interval unknown" in group.strips[0].drawing
    (group,) = made(row("e", "4e-16", "4e-16", "4e-16", ("-inf", "1e-9")), e={"kind": "conclusion", "below": 1e-9})
    assert group.strips[0].words == "0"


@pytest.mark.parametrize("value", ["0", "5", "-3"])
def test_one_number_alone_has_a_scale(value):
    scale = Scale.of([row("e", value, value, value, ("", ""))])
    assert scale.low < float(value) < scale.high
