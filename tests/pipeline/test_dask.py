"""Tasks on a Dask cluster given by its address give the same rows as on this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
import time

import pandas as pd
import pytest


@pytest.fixture
def scheduler(checkout):
    """A scheduler and one worker on this machine; gives the scheduler's address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    commands = [
        ["scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show"],
        ["worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", str(checkout.root)],
    ]
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "dask", *command],
            cwd=checkout.root,
            env=checkout.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for command in commands
    ]
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield address
    for process in reversed(processes):
        process.terminate()
        process.wait(timeout=30)


def test_dask_gives_the_same_rows(checkout, scheduler):
    checkout.did("run", "toy/coins", "run.engine=serial")
    path = checkout.results() / "raw" / "coins.parquet"
    expected = pd.read_parquet(path).drop(columns="seconds")
    other = str(checkout.root / "other")
    checkout.did("run", "toy/coins", "run.engine=dask", f"run.address={scheduler}", ARBORETUM_TASKS=other)
    assert len(checkout.ran()) == 24
    pd.testing.assert_frame_equal(pd.read_parquet(path).drop(columns="seconds"), expected, check_exact=True)
