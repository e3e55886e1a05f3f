"""The chosen changes that tests must notice: each can still be made, and the tests named beside it are there."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.mutants import MUTANTS

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{Path(mutant.file).name}: {mutant.old[:30]!r}")
def test_a_chosen_change_can_be_made_and_its_tests_are_there(mutant):
    assert mutant.old in (ROOT / mutant.file).read_text("utf-8"), f"{mutant.file} moved on: choose the change anew"
    assert mutant.new != mutant.old
    files, _, _ = mutant.tests.partition(" -k ")
    for file in files.split():
        assert (ROOT / file.partition("::")[0]).is_file(), f"{mutant.file}: {file} is gone"
