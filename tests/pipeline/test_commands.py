"""What the command line says to wrong input: the file, the key and the fix, never a traceback."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["rum"], "Did you mean 'run'?"),
        (["run", "toi/coins"], "Did you mean 'toy'?"),
        (["run", "toy/coin"], "Did you mean 'coins'?"),
        (["run", "toy/coins", "run.worker=2"], "Did you mean 'run.workers'?"),
        (["run", "toy/coins", "run.engine=dusk"], "Did you mean 'dask'?"),
        (["run", "toy/coins", "--profile", "quack"], "Did you mean 'quick'?"),
        (["run", "toy/coins", "--wrong"], "unknown argument '--wrong'"),
        (["render", "toi"], "Did you mean 'toy'?"),
        (["render", "toy"], "coins.parquet is missing. Run `arboretum run toy --profile quick`"),
        (["explain", "toy", "table2", "--row", "cent"], "Did you mean 'table1'?"),
        (["explain", "toy", "table1", "--row", "cent"], "Run `arboretum render toy --profile quick`."),
        (["fetch", "--sets", "glass"], "unknown data set 'glass'"),
        (["fetch", "--sets", ","], "argument --sets: must be names separated by commas"),
        (["run", "toy/coins", "--sets", ""], "argument --sets: must be names separated by commas"),
        (["verify", "--papers", "toy,"], "argument --papers: must be names separated by commas"),
        (["verify", "--papers", "toi", "--sample", "0.5"], "Did you mean 'toy'?"),
        (["seeds", "toy", "--seeds", "x"], "argument --seeds: must be whole numbers from 0 on, as in 2,3,4, not 'x'"),
        (["seeds", "toy", "--seeds", "2,2"], "a name stands twice in '2,2'"),
        (["seeds", "toy", "--seeds", "-2"], "argument --seeds"),
        (["run", "toy/coins", "seed=two"], "seed must be a whole number from 0 on"),
        (["run", "toy/coins", "--profile", "full", "run.worker=2"], "Did you mean 'run.workers'?"),
        (["run", "toy/coins", "--dry-run", "more"], "unknown argument 'more'"),
        (["params", "run.workers=2"], "unknown argument 'run.workers=2' for `arboretum params`"),
    ],
)
def test_wrong_input_is_answered_with_the_fix(checkout, arguments, expected):
    message = checkout.failed(*arguments)
    assert expected in message
    assert "Traceback" not in message


def test_settings_may_stand_after_options(checkout):
    said = checkout.did("run", "toy/coins", "--profile", "quick", "seed=2", "--keep-going", "run.engine=serial")
    assert "seed 2: results go to" in said
    assert not (checkout.results() / "raw").exists()


def test_outside_a_checkout(checkout, tmp_path):
    checkout.root = tmp_path
    assert "no Arboretum checkout" in checkout.failed("params")


def test_stale_or_missing_params_are_an_error(checkout):
    checkout.did("params", "--check")
    params = checkout.root / "params.yaml"
    params.write_text(params.read_text().replace("throws: 10", "throws: 12"))
    assert "Run `make params`" in checkout.failed("params", "--check")
    params.unlink()
    assert "Run `make params`" in checkout.failed("run", "toy/coins")
    params.write_text("a: [")
    assert "not valid YAML" in checkout.failed("run", "toy/coins")


def test_explain_leads_back_to_tasks(checkout):
    checkout.did("run", "toy/coins")
    checkout.did("render", "toy")
    said = checkout.did("explain", "toy", "table1", "--row", "penny")
    assert "from toy/coins: 4 raw rows in results/quick/toy/raw/coins.parquet" in said
    assert "made by 4 tasks" in said
    assert '"coin":"penny","repetition":3' in said
    assert "Did you mean 'penny'?" in checkout.failed("explain", "toy", "table1", "--row", "pennny")
