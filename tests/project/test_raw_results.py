"""Raw results carry the hash of their content; older files are held against dvc.lock."""

from __future__ import annotations

import hashlib

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


def test_a_file_without_a_hash_of_its_own_must_have_the_one_in_dvc_lock(path, tmp_path):
    FRAME.to_parquet(path, index=False)
    with pytest.raises(ArboretumError, match="not what its checksum says"):
        read_raw(path)
    lock = f"stages: {{coins: {{outs: [{{path: results/quick/toy/raw/coins.parquet, md5: {md5(path)}}}]}}}}"
    (tmp_path / "dvc.lock").write_text(lock)
    assert read_raw(path).equals(FRAME)


def test_a_file_that_is_not_the_one_in_dvc_lock_is_refused(path, tmp_path):
    FRAME.assign(errors=1).to_parquet(path, index=False)
    lock = f"stages: {{coins: {{outs: [{{path: results/quick/toy/raw/coins.parquet, md5: {md5(path)}}}]}}}}"
    (tmp_path / "dvc.lock").write_text(lock)
    FRAME.to_parquet(path, index=False)
    with pytest.raises(ArboretumError, match="git checkout"):
        read_raw(path)


def test_a_damaged_dvc_lock_is_named(path, tmp_path):
    FRAME.to_parquet(path, index=False)
    (tmp_path / "dvc.lock").write_text("stages: [")
    with pytest.raises(ArboretumError, match=r"dvc\.lock is damaged.*git checkout"):
        read_raw(path)


def md5(path):
    return hashlib.md5(path.read_bytes()).hexdigest()
