"""Sealed records: whatever bit of one is flipped, it is refused or says the same."""

from __future__ import annotations

import json

import pytest

from arboretum.sealed import seal, unseal

RECORD = {"name": "glass", "rows": [{"error": 0.1, "of": 214, "gap": float("inf")}], "note": "ä"}


def test_a_sealed_record_comes_back():
    assert unseal(json.dumps(seal(RECORD), indent=1)) == RECORD


def test_every_flipped_bit_is_found():
    content = json.dumps(seal(RECORD)).encode()
    for bit in range(8 * len(content)):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        try:
            assert unseal(bytes(damaged)) == RECORD
        except ValueError:
            continue


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", "3", '{"name": 1}', '{"sha256": null, "name": 1}', "[" * 10**5]
)
def test_what_is_no_sealed_record_is_refused(text):
    with pytest.raises(ValueError):
        unseal(text)
