"""Odd surroundings: closed outputs, long names, links that lead nowhere, locales, masks, no network, impatience."""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.faults.garden import Garden, finished, wait_until

from arboretum.writing import write_text

LONG = "a" * 300


@pytest.fixture(scope="module")
def garden(tmp_path_factory):
    return Garden(tmp_path_factory.mktemp("surroundings") / "garden", repetitions=1, seconds=0)


# ------------------------------------------------------------------ outputs


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["data", "status"], ["run", "garden"], ["data", "status", "--csv"]])
def test_an_output_that_nobody_reads_ends_the_command_without_a_word(garden, arguments, unbuffered):
    process = garden.start(*arguments, PYTHONUNBUFFERED=unbuffered)
    process.stdout.close()  # before the command has anything to say
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 141
    assert said == ""


def test_no_output_at_all_is_no_error(garden):
    line = 'exec "$0" -m arboretum data status >&- 2>&-'
    done = subprocess.run(["sh", "-c", line, sys.executable], cwd=garden.root, env=garden.environment())
    assert done.returncode == 0


def test_an_output_that_is_full_is_said(garden):
    line = 'exec "$0" -m arboretum data status >/dev/full'
    done = subprocess.run(
        ["sh", "-c", line, sys.executable], cwd=garden.root, env=garden.environment(), capture_output=True, text=True
    )
    assert done.returncode == 5
    assert "the disk is full" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("kilobytes", [300_000, 400_000, 600_000])
@pytest.mark.parametrize("arguments", [["data", "status"], ["run", "garden"]])
def test_too_little_address_space_is_said_at_once(garden, arguments, kilobytes):
    line = f'ulimit -v {kilobytes}; exec "$0" -m arboretum {" ".join(arguments)}'
    done = subprocess.run(
        ["sh", "-c", line, sys.executable],
        cwd=garden.root,
        env=garden.environment(),
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 5
    assert done.stderr.count("\n") == 1 and "ulimit -v unlimited" in done.stderr


# ------------------------------------------------------------------ names and paths


@pytest.mark.parametrize(
    ("arguments", "variables"),
    [
        (["init", "paper", LONG], {}),
        (["data", "status"], {"ARBORETUM_ROOT": f"/tmp/{LONG}"}),
        (["run", "garden"], {"ARBORETUM_TASKS": f"/tmp/{LONG}"}),
    ],
    ids=["key", "checkout", "tasks"],
)
def test_a_name_that_is_too_long_is_one_message(garden, arguments, variables):
    code, said = garden.run(*arguments, **variables)
    assert code == 1
    assert "the name is too long" in said and "Traceback" not in said
    assert len(said) < 400


@pytest.mark.parametrize("place", ["garden", "garden/weights"])
def test_a_link_of_the_task_store_that_leads_nowhere_is_one_message(garden, tmp_path, place):
    link = tmp_path / "tasks" / place
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "nowhere")
    code, said = garden.run("run", "garden", ARBORETUM_TASKS=str(tmp_path / "tasks"))
    assert code == 1
    assert "Traceback" not in said
    assert f"{link}: a link that leads nowhere" in said and "Remove it" in said


def test_a_record_that_is_a_link_to_itself_is_one_message(garden, tmp_path):
    store = {"ARBORETUM_TASKS": str(tmp_path / "tasks")}
    garden.did("run", "garden", **store)
    record = next((tmp_path / "tasks").rglob("*.records"))
    record.unlink()
    record.symlink_to(record.name)
    code, said = garden.run("run", "garden", **store)
    assert code == 1
    assert f"{record}: a link that leads to itself" in said and "Traceback" not in said
    record.unlink()
    garden.did("run", "garden", **store)


ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("arguments", [["data", "status"], ["fetch"], ["run", "garden"]])
def test_a_path_that_the_locale_cannot_spell_is_not_taken_for_damage(tmp_path, arguments):
    garden = Garden(tmp_path / "gärten", repetitions=1, seconds=0)
    garden.did(*arguments, LC_ALL="C.UTF-8")
    code, said = garden.run(*arguments, **ASCII)
    assert code == 1
    assert "damaged" not in said and "Traceback" not in said
    assert "PYTHONUTF8=1" in said
    garden.did(*arguments, **{**ASCII, "PYTHONUTF8": "1"})


def test_a_prepared_file_that_the_locale_cannot_spell_is_not_taken_for_damage(garden, tmp_path):
    folder = tmp_path / "gärten"
    folder.mkdir()
    (folder / "beds.parquet").write_bytes((garden.root / "data" / "prepared" / "quick" / "beds.parquet").read_bytes())
    code = "import os, sys; from arboretum.datasets import load; load(os.fsdecode(sys.stdin.buffer.read()))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=os.fsencode(folder / "beds.parquet"),
        env=garden.environment(**ASCII),
        capture_output=True,
    )
    assert done.returncode == 1
    assert b"PYTHONUTF8=1" in done.stderr and b"damaged" not in done.stderr


@pytest.mark.parametrize("key", ["class", "import", "yes", "null", "seed", "kit", "settings", "garden"])
def test_a_key_that_python_or_the_project_has_taken_is_refused(garden, key):
    before = sorted(garden.root.rglob("*"))
    code, said = garden.run("init", "paper", key)
    assert code == 1 and f"{key!r}" in said and "Traceback" not in said
    assert sorted(garden.root.rglob("*")) == before


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664), (0o027, 0o640)])
def test_files_have_the_mode_that_the_mask_allows(tmp_path, mask, mode):
    (tmp_path / "dvc.yaml").touch()
    before = os.umask(mask)
    try:
        write_text(tmp_path / "results" / "a.csv", "a\n")
        assert os.umask(mask) == mask  # writing leaves it as it is
    finally:
        os.umask(before)
    assert (tmp_path / "results" / "a.csv").stat().st_mode & 0o777 == mode


# ------------------------------------------------------------------ interrupts


@pytest.fixture
def heard():
    """Processes started here hear an interrupt, even where the tests run in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(garden: Garden, count: int, task_store: Path) -> tuple[int, str]:
    """Interrupt a run ``count`` times, the second time while it is ending; its exit code and what it said."""
    garden.change(repetitions=40, seconds=0.2)
    process = garden.start("run", "garden", "run.workers=2", ARBORETUM_TASKS=str(task_store))
    assert wait_until(lambda: finished(task_store))
    for _ in range(count):
        process.send_signal(signal.SIGINT)
    said = "".join(process.communicate(timeout=60))
    return process.returncode, said


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_interrupts_end_with_130_and_without_a_traceback(garden, tmp_path, count):
    code, said = interrupted(garden, count, tmp_path / "tasks")
    assert code == 130, said
    assert "Traceback" not in said
    assert "stopped. Stored results are untouched" in said


@pytest.mark.usefixtures("heard")
def test_a_second_interrupt_while_the_first_is_handled_ends_at_once(tmp_path):
    """The command is held in its clean-up, so that the second interrupt surely comes in it."""
    script = """
import sys, time
from arboretum import __main__ as cli
def held(options):
    try:
        print("ready", flush=True)
        time.sleep(60)
    finally:
        print("ending", flush=True)
        time.sleep(60)
cli.data_status = held
sys.exit(cli.main(["data", "status"]))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    for line in ("ready\n", "ending\n"):
        assert process.stdout.readline() == line
        process.send_signal(signal.SIGINT)
    said = "".join(process.communicate(timeout=30))
    assert process.returncode == 130
    assert "stopped. Stored results are untouched" in said and "Traceback" not in said


# ------------------------------------------------------------------ network

AWAY = """
name: away
title: A set of another machine
rows: 3
attributes: 1
sources:
  - {{kind: url, url: "{address}/away.csv", sha256: {sha256}}}
parse: {{format: csv, columns: [size, kind], target: kind, classes: [a, b]}}
licence: made up
"""


@pytest.mark.parametrize("arguments", [["fetch", "--sets", "away"], ["fetch"]])
def test_no_network_is_said_first(tmp_path, arguments):
    garden = Garden(tmp_path / "garden", repetitions=1, seconds=0)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    content = b"1,a\n2,b\n3,a\n"
    text = AWAY.format(address=address, sha256=hashlib.sha256(content).hexdigest())
    (garden.root / "conf" / "dataset" / "away.yaml").write_text(text)
    paper = garden.root / "conf" / "paper" / "garden" / "full.yaml"
    paper.write_text(paper.read_text().replace("[beds, rings]", "[beds, rings, away]"))
    garden.did("params")
    process = garden.start(*arguments, PIP_CONFIG_FILE=os.devnull)
    out, error = process.communicate(timeout=120)
    assert process.returncode == (3 if "--sets" in arguments else 0)
    assert error.startswith("arboretum: nothing could be reached"), error
    assert "127.0.0.1 cannot be reached" in out
