"""Tasks on a Dask cluster: the same rows as on this machine, whatever happens to its workers and scheduler."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time

import psutil
import pytest
from benchmarks.faults.cluster import KINDS, ClusterFaults, cluster
from benchmarks.faults.flips import RECOVERED
from benchmarks.faults.garden import GARDEN, ROOT, Garden, finished, wait_until

from arboretum.pipeline.calls import Call
from arboretum.pipeline.cluster import AHEAD, BATCH_TASKS, _Run, unprotected


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    return ClusterFaults(Garden(tmp_path_factory.mktemp("dask") / "garden", repetitions=8, seconds=0.2))


def test_without_an_address_a_local_cluster_gives_the_same_rows(faults, tmp_path):
    garden = faults.garden
    garden.raw().unlink()
    garden.did("run", "garden", "run.engine=dask", "run.workers=2", ARBORETUM_TASKS=str(tmp_path / "local"))
    assert garden.rows().equals(faults.expected)


@pytest.mark.parametrize(
    "address", ["tcp://10.0.0.7:8786", "tcp://cluster:8786", "ws://[2001:db8::1]:80", "tcp://0.0.0.0:1"]
)
def test_an_address_that_is_open_to_others_is_warned_of(address):
    assert f"{address} is not encrypted" in unprotected(address)


@pytest.mark.parametrize(
    "address",
    ["tls://10.0.0.7:8786", "tcp://127.0.0.1:8786", "tcp://127.8.0.1:1", "tcp://[::1]:8786", "tcp://localhost:1"],
)
def test_an_encrypted_address_and_one_of_this_machine_are_not(address):
    assert unprotected(address) is None


def listening(process: subprocess.Popen) -> set[str]:
    """The addresses at which a process and its children wait for callers."""
    found = set()
    with contextlib.suppress(psutil.Error):  # it may end meanwhile
        parent = psutil.Process(process.pid)
        for one in (parent, *parent.children(recursive=True)):
            found |= {each.laddr.ip for each in one.net_connections("inet") if each.status == psutil.CONN_LISTEN}
    return found


def test_what_is_started_here_listens_on_this_machine_alone(faults, tmp_path):
    with cluster(faults.garden, 1) as started:
        assert wait_until(lambda: all(listening(process) for process in started.processes), 60)
        time.sleep(1)  # the ports of a worker are opened one after the other
        assert set.union(*map(listening, started.processes)) == {"127.0.0.1"}
    run = faults.garden.start("run", "garden", "run.engine=dask", "run.workers=1", ARBORETUM_TASKS=str(tmp_path))
    seen = set()
    wait_until(lambda: seen.update(listening(run)) or run.poll() is not None, 120)
    run.communicate(timeout=60)
    assert seen == {"127.0.0.1"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_broken_cluster_loses_nothing(faults, kind):
    assert getattr(faults, kind)() == RECOVERED


def test_a_worker_with_other_code_is_refused(faults, tmp_path):
    garden = faults.garden
    papers = tmp_path / "papers"
    shutil.copytree(GARDEN / "papers", papers)
    code = papers / "garden" / "experiments.py"
    code.write_text(code.read_text().replace("axis=1", "axis=0"))
    store = tmp_path / "other"
    with cluster(garden, 0) as mixed:
        mixed.add_worker(PYTHONPATH=os.pathsep.join([str(papers), str(ROOT / "src")]))
        address = f"run.address={mixed.address}"
        status, said = garden.run("run", "garden", "run.engine=dask", address, ARBORETUM_TASKS=str(store))
    assert status == 1 and "Traceback" not in said
    assert "a worker has other code of garden/weights" in said
    assert not finished(store)


def test_an_address_where_nobody_answers_is_named(faults, tmp_path):
    status, said = faults.garden.run(
        "run", "garden", "run.engine=dask", "run.address=tcp://127.0.0.1:1", ARBORETUM_TASKS=str(tmp_path)
    )
    assert status == 6 and "Traceback" not in said
    assert "no Dask scheduler answers at run.address=tcp://127.0.0.1:1" in said


def test_an_address_without_dask_is_refused(faults):
    status, said = faults.garden.run("run", "garden", "run.address=tcp://127.0.0.1:1")
    assert status == 1 and "needs run.engine=dask" in said


class Recorder:
    """Stands for a client: notes what is submitted and gives nothing back."""

    def nthreads(self):
        return {"a": 2, "b": 1}

    def submit(self, function, *arguments, **options):
        return function.__name__


def test_few_of_many_tasks_are_under_way():
    calls = [(str(number), Call("vrtrees", "spectrum", {}, None)) for number in range(100_000)]
    run = _Run(Recorder(), calls)
    handed_out = run._handed_out(run._room())
    assert len(handed_out) == AHEAD * 3
    assert len(run.waiting) == 100_000 - AHEAD * 3  # one task each as long as nobody knows how short they are
    run.batch = BATCH_TASKS
    assert run._handed_out(2) == ["carry_out_batch"] * 2
    assert len(run.waiting) == 100_000 - AHEAD * 3 - 2 * BATCH_TASKS


def test_a_local_cluster_ends_with_its_client(faults, tmp_path):
    """After kill -9 of the client nobody holds its output any more."""
    store = tmp_path / "killed"
    process = faults.garden.start("run", "garden", "run.engine=dask", ARBORETUM_TASKS=str(store))
    assert wait_until(lambda: finished(store), 120)
    process.kill()
    process.communicate(timeout=60)


def test_distributed_is_imported_only_by_runs_on_a_cluster():
    command = "import arboretum.pipeline.experiment, sys; sys.exit('distributed' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", command]).returncode == 0
