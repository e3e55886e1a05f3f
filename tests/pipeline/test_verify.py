"""Rendering and verification: identical bytes, and a tampered cell is found and named."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pandas as pd
import pytest

from arboretum.pipeline.agreement import compare_frames
from arboretum.pipeline.executors import RunSettings
from arboretum.pipeline.reproduce import free_place, place_of
from arboretum.project.raw_results import write_raw
from arboretum.project.workspace import Workspace


def stored(checkout):
    checkout.did("run", "toy/coins")
    checkout.did("render", "toy")


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_render_gives_identical_bytes(checkout):
    stored(checkout)
    first = files(checkout.root / "results") | files(checkout.root / "figures")
    assert "quick/toy/tables/table1.csv" in first and "quick/toy/figure1.svg" in first
    checkout.did("render", "toy")
    assert files(checkout.root / "results") | files(checkout.root / "figures") == first


def test_a_rendering_that_fails_at_its_metrics_leaves_every_file_as_it_was(checkout, tmp_path):
    """Also those that it would have replaced or removed: nothing is touched before everything is made."""
    stored(checkout)
    papers = shutil.copytree(checkout.papers, tmp_path / "papers")
    for name, old, new in (
        ("tables", 'mean_by("coin", "share")', 'mean_by("coin", "shame")'),
        ("tables", "(heads_difference=", "(other_difference="),
        ("figures", "def figure1(results)", "def figure2(results)"),
        ("figures", "by_name(figure1)", "by_name(figure2)"),
    ):
        path = papers / "toy" / f"{name}.py"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))
    before = files(checkout.root / "results") | files(checkout.root / "figures")
    checkout.papers = papers
    assert "shame" in checkout.failed("render", "toy")
    assert files(checkout.root / "results") | files(checkout.root / "figures") == before
    path = papers / "toy" / "tables.py"
    path.write_text(path.read_text().replace("shame", "share"))
    checkout.did("render", "toy")
    assert {path.name for path in (checkout.root / "figures").rglob("*.svg")} == {"figure2.svg"}


def test_claims_are_judged_at_paper_and_not_at_quick(checkout):
    stored(checkout)
    assert not (checkout.results() / "tables" / "claims.csv").exists()
    checkout.did("run", "toy/coins", "--profile", "full")
    checkout.did("render", "toy", "--profile", "full")
    claims = pd.read_csv(checkout.results("full") / "tables" / "claims.csv")
    assert claims.loc[0, "conclusion"] == "reproduced"
    checks = pd.read_csv(checkout.results("full") / "tables" / "checks.csv")
    assert list(checks["check"]) == ["share of heads"] and checks.loc[0, "printed"] == 0.5
    metrics = json.loads((checkout.results("full") / "metrics.json").read_text())
    assert metrics["claims"]["reproduced"] == 1
    table = pd.read_csv(checkout.results("full") / "tables" / "table1.csv").set_index("coin")
    assert metrics["table1"] == table["share"].round(6).to_dict()


def test_verify_recomputes_and_finds_nothing(checkout):
    stored(checkout)
    said = checkout.did("verify")
    assert re.search(r"1 tables   1 figures +\d+ cells  0 differences", said)
    assert len(checkout.ran()) == 24
    assert not list((checkout.root / ".arboretum" / "reproduce").iterdir())


def test_several_at_once_have_places_of_their_own_and_all_succeed(checkout):
    stored(checkout)
    running = [
        subprocess.Popen(
            checkout.command("reproduce"),
            cwd=checkout.root,
            env=checkout.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(3)
    ]
    for process in running:
        said = process.communicate(timeout=300)[0]
        assert process.returncode == 0, said
        assert "Traceback" not in said and "0 differences" in said
    assert not list((checkout.root / ".arboretum" / "reproduce").iterdir())
    assert (checkout.root / "report" / "index.html").is_file()
    assert not list(checkout.root.glob(".report.*"))


def test_a_place_that_is_in_use_is_left_to_whoever_uses_it(checkout):
    workspace = Workspace.at(checkout.root)
    first = place_of(workspace, "quick", RunSettings("serial"))
    with free_place(workspace, first) as one, free_place(workspace, first) as two:
        assert (one, two) == (first, first.with_name(f"{first.name}-2"))
    with pytest.raises(KeyboardInterrupt), free_place(workspace, first):
        raise KeyboardInterrupt
    with free_place(workspace, first) as again:  # what was begun there goes on
        assert again == first


def test_reproduce_draws_the_figures_that_a_fresh_clone_lacks(checkout):
    stored(checkout)
    figures = checkout.root / "figures" / "quick" / "toy"
    drawn = {path.name: path.read_bytes() for path in figures.iterdir()}
    shutil.rmtree(figures)
    assert "report: " in checkout.did("reproduce")
    assert {path.name: path.read_bytes() for path in figures.iterdir()} == drawn


def test_a_tampered_table_is_found_and_its_cell_named(checkout):
    stored(checkout)
    table = checkout.results() / "tables" / "table1.csv"
    frame = pd.read_csv(table)
    frame.loc[frame["coin"] == "dime", "heads"] += 1
    frame.to_csv(table, index=False)
    message = checkout.failed("verify")
    assert "1 differences" in message and "1 other cells, rows or files" in message
    assert "results/quick/toy/tables/table1.csv: row dime, heads: stored" in message
    assert pd.read_csv(table).equals(frame)  # verification never writes over stored results


def test_tampered_raw_rows_and_figure_data_are_found(checkout):
    stored(checkout)
    raw = checkout.results() / "raw" / "coins.parquet"
    frame = pd.read_parquet(raw)
    frame.loc[0, "heads"] += 1
    write_raw(frame, raw)
    data = checkout.results() / "tables" / "figure1.csv"
    data.write_text(data.read_text().replace("cent", "centime"))
    message = checkout.failed("verify")
    assert "raw/coins.parquet: row cent/0, heads" in message
    assert "figure1.csv" in message


def test_a_missing_or_unreadable_stored_table_is_named(checkout):
    stored(checkout)
    table = checkout.results() / "tables" / "table1.csv"
    table.unlink()
    assert "table1.csv: file: stored absent, found present" in checkout.failed("verify")
    (checkout.results() / "raw" / "coins.parquet").write_bytes(b"no parquet")
    assert "restore it: git checkout" in checkout.failed("verify")


def test_compare_frames_keeps_counts_exact_and_floats_within_tolerance():
    stored = pd.DataFrame({"set": ["a", "b"], "errors": [1, 2], "rate": [0.1, 0.2], "seconds": [1.0, 2.0]})
    new = stored.assign(rate=stored["rate"] + 1e-12, seconds=[9.0, 9.0])

    def compared(found, keys=("set",)):
        return compare_frames("t", stored, found, keys, ignored=["seconds"])

    assert compared(new).cells == 6 and not compared(new).differences
    found = compared(new.assign(errors=[1, 3])).differences
    assert [str(difference) for difference in found] == ["t: row b, errors: stored 2, found 3"]
    found = compared(new.assign(rate=[0.1, 0.2001])).differences
    assert [str(difference) for difference in found] == ["t: row b, rate: stored 0.2, found 0.2001 (tolerance 1e-09)"]
    assert "rows" in str(compared(new.iloc[:1]).differences[0])
    assert "in another order" in str(compared(new.iloc[::-1]).differences[0])
    assert "columns" in str(compared(new.drop(columns="rate")).differences[0])
    text = stored.assign(set=["a", None])
    assert not compare_frames("t", text, text.copy(), []).differences


def test_a_fixed_sample_of_tasks_is_recomputed_and_compared(checkout):
    stored(checkout)
    said = checkout.did("verify", "--sample", "0.3")
    assert "toy/coins (quick): 4 of 12 tasks recomputed, 16 cells, 0 differences" in said
    assert len(checkout.ran()) == 16
    again = checkout.did("verify", "--sample", "0.3")
    assert again == said and checkout.ran()[12:16] == checkout.ran()[16:20]  # the same tasks each time
    raw = checkout.results() / "raw" / "coins.parquet"
    frame = pd.read_parquet(raw)
    frame["heads"] += 1
    write_raw(frame, raw)
    message = checkout.failed("verify", "--sample", "0.3")
    assert "4 differences" in message and ", heads: stored" in message
    assert "--sample must be above 0" in checkout.failed("verify", "--sample", "2")
