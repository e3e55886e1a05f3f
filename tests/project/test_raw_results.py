"""Raw results carry the hash of their content."""

from __future__ import annotations

import pandas as pd
import pytest

from arboretum.errors import ArboretumError
from arboretum.project.raw_results import read_raw, write_raw

FRAME = pd.DataFrame(
    {
        "dataset": ["glass", "wine", None] * 10,
        "errors": range(30),
        "share": [0.1, float("nan"), 2.0] * 10,
        "pruned": [True, False, True] * 10,
    }
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "results" / "quick" / "toy" / "raw" / "coins.parquet"
    write_raw(FRAME, path)
    return path


def test_what_is_written_is_read_and_the_same_rows_give_the_same_bytes(path):
    pd.testing.assert_frame_equal(read_raw(path), FRAME, check_exact=True)
    before = path.read_bytes()
    write_raw(read_raw(path), path)
    assert path.read_bytes() == before


def test_no_flipped_bit_changes_what_is_read(path):
    content, whole = path.read_bytes(), read_raw(path)
    refused = 0
    for bit in range(0, 8 * len(content), 29):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        try:
            assert read_raw(path).equals(whole)
        except ArboretumError as problem:
            assert "coins.parquet" in str(problem) and "arboretum run toy/coins --profile quick" in str(problem)
            refused += 1
    assert refused > 200


def test_a_file_without_a_hash_is_refused(path):
    read_raw(path).to_parquet(path)
    with pytest.raises(ArboretumError, match="damaged"):
        read_raw(path)
