"""Printed numbers, and the numbers and hashes of data sets, are those of the committed list."""

from __future__ import annotations

import copy
import random
import re
import shutil
from pathlib import Path

import pytest
import yaml
from tools.pinned import FREE_TEXT, LIST, facts, hashes, listed

ROOT = Path(__file__).parents[1]


def test_what_is_pinned_is_as_it_was_committed():
    committed, found = listed(ROOT), hashes(ROOT)
    assert not set(committed) ^ set(found), "added or removed: look at it, then `make pinned` and commit"
    changed = [path for path in found if found[path] != committed[path]]
    assert not changed, "changed: look at it, then `make pinned` and commit"


def test_every_paper_and_every_data_set_is_in_the_list():
    committed = listed(ROOT)
    sets = {path.name for path in (ROOT / "conf" / "dataset").glob("*.yaml")}
    assert {Path(path).name for path in committed if path.startswith("conf/dataset/")} == sets
    papers = {path.name for path in (ROOT / "data" / "published").iterdir()}
    assert {path.split("/")[2] for path in committed if path.startswith("data/published/")} == papers


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for folder in ("data/published", "conf/dataset"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path


@pytest.mark.parametrize("suffix", [".csv", ".md", ".json", "figures.yaml"])
def test_a_changed_digit_of_a_printed_number_is_noticed(copied, suffix):
    before = hashes(copied)
    path = next(path for path in sorted((copied / "data" / "published").rglob("*")) if path.name.endswith(suffix))
    text = path.read_text("utf-8")
    digit = re.search(r"\d", text)
    path.write_text(text[: digit.start()] + str((int(digit[0]) + 1) % 10) + text[digit.end() :], "utf-8")
    after = hashes(copied)
    assert [name for name in before if after[name] != before[name]] == [path.relative_to(copied).as_posix()]


def test_an_added_and_a_removed_file_are_noticed(copied):
    before = hashes(copied)
    removed = next((copied / "data" / "published" / "pert").glob("*.csv"))
    removed.unlink()
    (copied / "data" / "published" / "pert" / "table9.csv").write_text("a,b\n1,2\n")
    assert {Path(path).name for path in set(before) ^ set(hashes(copied))} == {removed.name, "table9.csv"}


def numbers(value: object, path: tuple = ()) -> list[tuple]:
    """The paths of all numbers and hashes of nested facts."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    here = type(value) in (int, float) or (isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value))
    return [*([path] if here else []), *(place for key, inner in below for place in numbers(inner, (*path, key)))]


def test_edited_numbers_and_hashes_of_data_sets_are_noticed_and_words_are_not(tmp_path):
    draw, tried, file = random.Random(1), 0, tmp_path / "set.yaml"
    for path in sorted((ROOT / "conf" / "dataset").glob("*.yaml")):
        spec = yaml.safe_load(path.read_text("utf-8"))
        *above, last = draw.choice(numbers({key: spec[key] for key in spec if key not in FREE_TEXT}))
        edited = copy.deepcopy(spec)
        section = edited
        for key in above:
            section = section[key]
        section[last] = section[last] + 1 if not isinstance(section[last], str) else section[last][::-1]
        file.write_text(yaml.safe_dump(edited), "utf-8")
        assert facts(file) != facts(path), (path.name, above, last)
        words = {**spec, "title": "Another title", "quirks": ["a remark"]}
        file.write_text("# a comment\n" + yaml.safe_dump(words, allow_unicode=True), "utf-8")
        assert facts(file) == facts(path), path.name
        tried += 1
    assert tried > 70


def test_the_list_says_how_it_is_renewed():
    assert "make pinned" in (ROOT / LIST).read_text("utf-8").splitlines()[0]
