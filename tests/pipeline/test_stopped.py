"""Ctrl-C and SIGTERM that arrive in a compiled kernel end a command, and are no failed job."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections import Counter
from types import SimpleNamespace

import pytest
from omegaconf import OmegaConf
from sklearn.datasets import load_digits

from arboretum import __main__ as command_line
from arboretum import papers
from arboretum.ensembles import VRForest
from arboretum.failures import Terminated
from arboretum.pipeline import calls, sweep
from arboretum.pipeline.stopped import raise_stop, spare_kernels, stop_behind

STOPS = [KeyboardInterrupt, Terminated]


def kernel(stop: type[BaseException]) -> None:
    """What Python makes of a signal whose handler raised while a compiled function ran."""
    try:
        raise stop
    except BaseException as problem:
        raise SystemError("CPUDispatcher(grow_trees) returned a result with an exception set") from problem


def caught(stop: type[BaseException]) -> SystemError:
    with pytest.raises(SystemError) as found:
        kernel(stop)
    return found.value


def test_a_signal_during_a_kernel_is_raised_where_the_kernel_was_called():
    """Before, nine of ten were a SystemError, and now and then the process crashed."""
    X, y = load_digits(return_X_y=True)
    VRForest(n_estimators=2).fit(X, y)  # compiled
    places = Counter()

    def handler(number, frame):
        places[frame.f_code.co_name] += 1
        raise Terminated

    former = signal.signal(signal.SIGTERM, handler)
    try:
        spare_kernels()
        spare_kernels()  # once is enough
        for i in range(10):
            threading.Timer(0.02 + 0.01 * i, os.kill, (os.getpid(), signal.SIGTERM)).start()
            with pytest.raises(Terminated):
                while True:
                    VRForest(n_estimators=20, random_state=i).fit(X, y)
        assert sys.gettrace() is None
    finally:
        signal.signal(signal.SIGTERM, former)
    assert places.total() == 10 and places["grow"] > 2 and not places["_numba_unpickle"]


@pytest.mark.parametrize("stop", STOPS)
def test_a_stop_is_found_behind_a_failure(stop):
    problem = caught(stop)
    assert isinstance(stop_behind(problem), stop)
    try:
        raise ValueError("while handling it") from problem
    except ValueError as later:
        assert isinstance(stop_behind(later), stop)
        with pytest.raises(stop):
            raise_stop(later)


def test_other_failures_are_failures():
    problem, other = ValueError("one"), KeyError("other")
    problem.__cause__, other.__context__ = other, problem  # a circle ends too
    assert stop_behind(problem) is None
    raise_stop(problem)
    raise_stop(SystemError("a real one"))


@pytest.mark.parametrize("stop", STOPS)
def test_a_task_is_not_noted_as_failed(monkeypatch, stop):
    def run(task, data):
        kernel(stop)

    paper = SimpleNamespace(experiments={"one": SimpleNamespace(run=run)})
    monkeypatch.setattr(papers, "get", lambda name: paper)
    with pytest.raises(stop):
        calls.carry_out(calls.Call("oak", "one", {}, None))


@pytest.mark.parametrize("stop", STOPS)
def test_a_job_of_a_sweep_is_not_noted_as_failed_and_the_sweep_ends(tmp_path, monkeypatch, stop):
    place = SimpleNamespace(runtime=SimpleNamespace(output_dir=str(tmp_path)))
    monkeypatch.setattr(sweep.HydraConfig, "get", lambda: place)
    monkeypatch.setattr(sweep, "finished", lambda *_: kernel(stop))
    config = {"learner": {"kind": "pert"}, "dataset": {"name": "glass"}, "seed": 1, "root": str(sweep.__file__)}
    monkeypatch.setattr(sweep.Workspace, "find", lambda _: None)
    with pytest.raises(stop):
        sweep.job(OmegaConf.create(config))
    assert not (tmp_path / "result.json").exists()

    def fails(*_):
        raise ValueError("a failure")

    monkeypatch.setattr(sweep, "finished", fails)
    sweep.job(OmegaConf.create(config))
    assert json.loads((tmp_path / "result.json").read_text())["error"] == "ValueError: a failure"


@pytest.mark.parametrize(("stop", "code"), [(KeyboardInterrupt, 130), (Terminated, 143)])
def test_the_command_says_that_it_was_stopped(monkeypatch, capsys, stop, code):
    monkeypatch.setattr(command_line, "code_command", lambda _: kernel(stop))
    monkeypatch.setattr(command_line, "handle_signals", lambda: None)
    assert command_line.main(["code"]) == code
    assert capsys.readouterr().err.startswith("arboretum: stopped.")


def test_a_system_error_of_another_kind_is_shown(monkeypatch):
    def broken(_):
        raise SystemError("broken")

    monkeypatch.setattr(command_line, "code_command", broken)
    monkeypatch.setattr(command_line, "handle_signals", lambda: None)
    with pytest.raises(SystemError, match="broken"):
        command_line.main(["code"])
