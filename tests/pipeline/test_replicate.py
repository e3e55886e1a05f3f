"""Other seeds: fresh randomness everywhere, stored results untouched, verdicts by seed."""

from __future__ import annotations

import pandas as pd


def test_a_run_on_another_seed_draws_anew_and_touches_nothing_stored(checkout):
    checkout.did("run", "toy/coins")
    stored = checkout.results() / "raw" / "coins.parquet"
    before = stored.read_bytes()
    said = checkout.did("run", "toy/coins", "seed=2")
    assert "stored results are untouched" in said
    assert stored.read_bytes() == before
    place = checkout.root / ".arboretum" / "seeds" / "2" / "results" / "quick" / "toy"
    first, second = pd.read_parquet(stored), pd.read_parquet(place / "raw" / "coins.parquet")
    assert list(first["coin"]) == list(second["coin"]) and list(first["heads"]) != list(second["heads"])
    checkout.did("render", "toy", "--seed", "2")
    assert (place / "tables" / "table1.csv").is_file()
    assert "must be a whole number" in checkout.failed("run", "toy/coins", "seed=two")


def test_the_seed_stands_in_the_parameters(checkout):
    checkout.did("run", "toy/coins")
    first = pd.read_parquet(checkout.results() / "raw" / "coins.parquet")
    params = checkout.root / "params.yaml"
    params.write_text(params.read_text().replace("  seed: 1\n", "  seed: 2\n", 1))
    checkout.did("run", "toy/coins")
    assert list(pd.read_parquet(checkout.results() / "raw" / "coins.parquet")["heads"]) != list(first["heads"])


def test_verdicts_by_seed_are_stored_and_shown(checkout):
    for command in (["run", "toy/coins"], ["render", "toy"]):
        checkout.did(*command, "--profile", "full")
    said = checkout.did("seeds", "toy", "--seeds", "2,3")
    assert "toy-c01" in said and "seed 2" in said and "% of the cost of the full profile" in said
    rows = pd.read_csv(checkout.root / "results" / "seeds" / "toy.csv")
    assert list(rows["seed"]) == [1, 2, 3]  # the first is the control
    assert set(rows["conclusion"]) <= {"reproduced", "not reproduced", "inconclusive"}
