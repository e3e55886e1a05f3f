"""The drawing of changes that tests should notice: what is changed, what mirrors a file, and that it goes on."""

from __future__ import annotations

import ast
import csv
import shutil
from pathlib import Path

import pytest
from benchmarks import drawn
from benchmarks.drawn import RENDERED, changes, mirrors

ROOT = Path(__file__).parents[1]
SOURCE = b'''"""A text with 3 and 4 in it."""

LIMIT: int = 3  # \xc3\xa4\xc3\xb6


def f(a, b):
    if a < b and not b:
        return (a + b) * 0.5
    return f"{a + 1}" + "9"
'''


def test_constants_comparisons_signs_and_terms_are_changed_alone():
    lines = SOURCE.splitlines()
    found = {
        change.applied(SOURCE).splitlines()[change.line - 1].strip().decode() for change in changes("f.py", SOURCE)
    }
    assert found == {
        "LIMIT: int = 4  # äö",
        "if a <= b and not b:",
        "if a < b or not b:",
        "if a < b and b:",
        "return (a - b) * 0.5",
        "return (a) * 0.5",
        "return (a + b) / 0.5",
        "return (a + b) * 0.55",
    }
    for change in changes("f.py", SOURCE):
        changed = change.applied(SOURCE).splitlines()
        assert len(changed) == len(lines) and sum(a != b for a, b in zip(lines, changed, strict=True)) == 1
        assert change.said(SOURCE).startswith(" ".join(lines[change.line - 1].decode().split()))


def test_every_drawn_change_is_python_and_another_program():
    sample = drawn.drawn(60, 3)
    assert sample == drawn.drawn(80, 3)[:60] != drawn.drawn(60, 4)
    for change in sample:
        before = (ROOT / change.file).read_bytes()
        assert ast.dump(ast.parse(change.applied(before))) != ast.dump(ast.parse(before)), change


@pytest.mark.parametrize(
    ("file", "test"),
    [
        ("measures/ties.py", "tests/measures/test_ties.py"),
        ("papers/pert/tables/errors.py", "tests/papers/test_pert.py"),
        ("papers/pert/tables/errors.py", RENDERED.format("pert")),
        ("papers/kit/wording.py", "tests/papers/kit/test_wording.py"),
        ("trees/table.py", "tests/trees/test_table.py"),
        ("errors.py", "tests/datasets/test_checked.py"),
        ("trees/histogram.py", "tests/trees/test_best_split.py"),
    ],
)
def test_the_tests_that_mirror_a_file(file, test):
    assert test in mirrors(f"src/arboretum/{file}").split()


def test_experiments_are_not_asked_to_move_stored_tables():
    assert "test_stored_results" not in mirrors("src/arboretum/papers/pert/experiments/accuracy.py")


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A project of one function and one test, which does not look closely."""
    source, test = tmp_path / "src" / "arboretum" / "toy.py", tmp_path / "tests" / "test_toy.py"
    for path, text in ((source, "def f(a):\n    return a + 7\n"), (test, "import runpy\n\n\ndef test_f():\n"
                       "    assert runpy.run_path('src/arboretum/toy.py')['f'](1) > 6\n")):  # fmt: skip
        path.parent.mkdir(parents=True)
        path.write_text(text)
    found = changes("src/arboretum/toy.py", source.read_bytes())
    monkeypatch.setattr(drawn, "ROOT", tmp_path)
    monkeypatch.setattr(drawn, "TABLE", tmp_path / "drawn.csv")
    monkeypatch.setattr(drawn, "COPIES", tmp_path / "copies")
    monkeypatch.setattr(drawn, "drawn", lambda count, seed: found[:count])
    monkeypatch.setattr(drawn, "mirrors", lambda file: "tests/test_toy.py")

    def copy(place: Path) -> None:
        for name in ("src", "tests"):
            shutil.copytree(tmp_path / name, place / name, dirs_exist_ok=True)

    monkeypatch.setattr(drawn, "copy_to", copy)
    return tmp_path


def tried(checkout: Path) -> dict[str, str]:
    with (checkout / "drawn.csv").open() as file:
        return {row["change"].partition(" -> ")[2]: row["outcome"] for row in csv.DictReader(file)}


def test_it_is_run_in_pieces_and_tries_nothing_twice(checkout, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["drawn", "--most", "2"])
    assert drawn.main() == 1
    assert tried(checkout) == {"return a": "noticed", "return a - 7": "noticed"}
    monkeypatch.setattr("sys.argv", ["drawn"])
    assert drawn.main() == 1
    assert tried(checkout) == {"return a": "noticed", "return a - 7": "noticed", "return a + 8": "survived"}
    assert capsys.readouterr().out.splitlines()[-1] == "2 noticed, 3 tried, 3 in the sample"
    assert len((checkout / "drawn.csv").read_text().splitlines()) == 4
    monkeypatch.setattr("sys.argv", ["drawn", "--again"])
    test = checkout / "tests" / "test_toy.py"
    test.write_text(test.read_text().replace("> 6", "== 8"))
    assert drawn.main() == 0
    assert set(tried(checkout).values()) == {"noticed"}


def test_a_test_that_fails_without_the_change_notices_nothing(checkout, monkeypatch, capsys):
    (checkout / "tests" / "test_toy.py").write_text("def test_f():\n    raise RuntimeError\n")
    monkeypatch.setattr("sys.argv", ["drawn", "--most", "1"])
    assert drawn.main() == 1
    assert set(tried(checkout).values()) == {"no test mirrors it"}
    assert "fails without any change: tests/test_toy.py::test_f" in capsys.readouterr().out


@pytest.mark.parametrize("endless", ["time.sleep(60)", "while True: pass"])
def test_a_test_that_gives_no_answer_is_not_one_that_notices(checkout, monkeypatch, endless):
    (checkout / "tests" / "test_toy.py").write_text(f"import time\n\n\ndef test_f():\n    {endless}\n")
    monkeypatch.setattr("sys.argv", ["drawn", "--most", "1", "--seconds", "1"])
    assert drawn.main() == 1
    assert set(tried(checkout).values()) == {"no answer in time"}


def test_restored_files_keep_their_time_by_which_kernels_are_known(checkout):
    place, path = checkout, checkout / "src" / "arboretum" / "toy.py"
    before = path.read_bytes(), path.stat().st_mtime_ns
    change = changes("src/arboretum/toy.py", before[0])[0]
    assert drawn.noticed(change, "tests/test_toy.py", place) == drawn.NOTICED
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
