"""Task records: whole ones come back, whoever wrote them; damaged, half written and foreign ones are never used."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import signal
import subprocess
import sys

import pytest

from arboretum.pipeline import segments
from arboretum.pipeline.task_store import TaskStore
from arboretum.sealed import seal

IDENTITY, OTHER = "ab" + "0" * 62, "cd" + "1" * 62
TASK, ROWS = {"dataset": "glass", "fold": 3}, [{"dataset": "glass", "errors": 7, "share": 0.25}]
RECORD = {"task": TASK, "rows": ROWS, "seconds": 1.5}


@pytest.fixture
def folder(tmp_path):
    store = TaskStore(tmp_path / "tasks")
    store.put(IDENTITY, TASK, ROWS, 1.5)
    return store.folder


def segment(folder):
    (path,) = folder.glob("*.records")
    return path


def ended(path):
    """A segment of a process that has ended."""
    return path.rename(path.with_name(f"{segments.HOST}-{2**22 + 1}-0.records"))


def test_a_record_comes_back_with_its_task(folder):
    store = TaskStore(folder)
    assert store.get(IDENTITY) == RECORD
    assert IDENTITY in store and OTHER not in store and len(store) == 1
    assert list(store.records()) == [RECORD]


def test_records_of_one_process_are_one_file_and_each_is_read_from_its_place(tmp_path):
    store = TaskStore(tmp_path)
    for number in range(100):
        store.put(f"{number:064x}", {"number": number}, [{"text": "é" * number}], number)
    for reader in (store, TaskStore(tmp_path)):
        assert len(reader) == 100
        for number in (99, 0, 50, 51, 7):
            assert reader.get(f"{number:064x}") == {
                "task": {"number": number},
                "rows": [{"text": "é" * number}],
                "seconds": number,
            }
    assert len(list(tmp_path.iterdir())) == 1


def test_a_task_that_was_done_again_has_its_last_record(folder):
    TaskStore(folder).put(IDENTITY, TASK, [{"errors": 8}], 1)
    assert len(TaskStore(folder)) == 1
    assert TaskStore(folder).get(IDENTITY)["rows"] in (ROWS, [{"errors": 8}])  # equal identities have equal rows


def test_no_flipped_bit_changes_what_is_read(folder, capsys):
    path = ended(segment(folder))
    content = path.read_bytes()
    for bit in range(8 * len(content)):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        assert TaskStore(folder).find(IDENTITY) is None
        assert OTHER not in TaskStore(folder)
    assert capsys.readouterr().err.count("is damaged") >= 8 * len(content)


def test_a_flipped_bit_costs_no_record_but_its_own(tmp_path):
    store = TaskStore(tmp_path)
    for number in range(3):
        store.put(f"{number:064x}", TASK, ROWS, 1.5)
    path = ended(segment(tmp_path))
    content = path.read_bytes()
    size = len(content) // 3
    for byte in range(size, 2 * size - 1):  # of the second record, without the end of its line
        path.write_bytes(content[:byte] + bytes([content[byte] ^ 1]) + content[byte + 1 :])
        found = TaskStore(tmp_path)
        assert [f"{number:064x}" in found for number in range(3)] == [True, False, True]


def test_a_damaged_record_is_said_once_copied_and_can_be_put_again(folder, capsys):
    path = segment(folder)
    path.write_bytes(path.read_bytes().replace(b'"errors":7', b'"errors":8'))
    store = TaskStore(folder)
    assert IDENTITY not in store
    said = capsys.readouterr().err
    assert str(path) in said and "its checksum differs" in said
    (copy,) = (folder / "damaged").iterdir()
    assert copy.read_bytes() == path.read_bytes()
    assert IDENTITY not in TaskStore(folder) and capsys.readouterr().err == ""  # said once
    store.put(IDENTITY, TASK, ROWS, 1.5)
    assert TaskStore(folder).get(IDENTITY) == RECORD


def test_a_record_that_is_damaged_after_it_was_checked_is_not_used_either(folder, capsys):
    store = TaskStore(folder)
    assert IDENTITY in store
    path = segment(folder)
    path.write_bytes(path.read_bytes().replace(b'"errors":7', b'"errors":8'))
    assert store.find(IDENTITY) is None and IDENTITY not in store
    assert "is damaged" in capsys.readouterr().err


def test_a_record_that_another_takes_the_place_of_is_not_used(folder):
    store = TaskStore(folder)
    assert IDENTITY in store
    segment(folder).write_bytes(segments.line_of(OTHER, RECORD))
    assert store.find(IDENTITY) is None


@pytest.mark.parametrize("kind", ["empty", "garbage", "zeros", "a folder", "a link that leads nowhere"])
def test_a_segment_of_anything_else_harms_no_other(folder, kind):
    wrong = folder / f"{segments.HOST}-{2**22 + 1}-1.records"
    contents = {"empty": b"", "garbage": b"\xff\xfe\n\n{}\n" + b"0" * 200 + b"\n", "zeros": bytes(4096)}
    if kind in contents:
        wrong.write_bytes(contents[kind])
    elif kind == "a folder":
        wrong.mkdir()
    else:
        wrong.symlink_to(folder / "nowhere")
    store = TaskStore(folder)
    assert len(store) == 1 and store.get(IDENTITY) == RECORD


# ------------------------------------------------------------------ killed, starved, several at once


def test_every_way_in_which_a_write_can_be_cut_short_loses_only_that_record(folder, capsys):
    path = ended(segment(folder))
    whole = path.read_bytes()
    line = segments.line_of(OTHER, RECORD)
    for size in range(1, len(line)):
        path.write_bytes(whole + line[:size])
        store = TaskStore(folder)
        assert IDENTITY in store and OTHER not in store
        assert "half written" in capsys.readouterr().err
        store.put(OTHER, TASK, ROWS, 1.5)
        assert TaskStore(folder).get(OTHER) == RECORD  # the next writer has a file of its own
        segment_of_other = next(other for other in folder.glob("*.records") if other != path)
        segment_of_other.unlink()
        capsys.readouterr()


def test_what_a_living_process_is_writing_is_no_damage_and_is_read_when_it_is_whole(folder, capsys):
    reader, line = TaskStore(folder), segments.line_of(OTHER, RECORD)
    path = folder / f"{segments.HOST}-{os.getpid()}-1.records"
    path.write_bytes(line[:100])
    reader.refresh()
    assert OTHER not in reader and capsys.readouterr().err == ""
    path.write_bytes(line)
    reader.refresh()
    assert reader.get(OTHER) == RECORD


def test_a_killed_process_leaves_every_record_that_it_put(tmp_path):
    code = (
        "import os, signal, sys; from pathlib import Path; from arboretum.pipeline.task_store import TaskStore\n"
        "store = TaskStore(Path(sys.argv[1]))\n"
        "for number in range(1000): store.put(f'{number:064x}', {}, [{'number': number}], 0.0)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)])
    assert done.returncode == -signal.SIGKILL
    store = TaskStore(tmp_path)
    assert [store.get(f"{number:064x}")["rows"] for number in range(1000)] == [[{"number": n}] for n in range(1000)]


@pytest.mark.parametrize("written", [0, 50])
def test_a_disk_that_is_full_leaves_no_half_record(folder, monkeypatch, written):
    store, write = TaskStore(folder), os.write

    def full(file, content):
        if len(content) > written > 0:
            return write(file, content[:written])
        raise OSError(errno.ENOSPC, "No space left on device")

    store.put(OTHER, TASK, ROWS, 1.5)
    before = store._own.path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(segments.os, "write", full)
        with pytest.raises(OSError, match="No space") as raised:
            store.put("ef" * 32, TASK, ROWS, 1.5)
    assert raised.value.filename == str(store._own.path)
    assert store._own.path.read_bytes() == before and "ef" * 32 not in store
    store.put("ef" * 32, TASK, ROWS, 1.5)
    assert len(TaskStore(folder)) == 3


def _write_some(folder, first, count):
    store = TaskStore(folder)
    for number in range(first, first + count):
        store.put(f"{number:064x}", {"number": number}, [{"number": number}], 0.0)


def test_several_processes_at_once_lose_nothing(tmp_path):
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_some, args=(tmp_path, 150 * number, 200)) for number in range(4)]
    for writer in writers:
        writer.start()
    reader = TaskStore(tmp_path)
    while any(writer.is_alive() for writer in writers):
        reader.refresh()
        assert all(reader.get(key.hex())["rows"] == [{"number": int(key.hex(), 16)}] for key in list(reader._where))
    assert [writer.exitcode for writer in writers] == [0] * 4
    reader.refresh()
    assert len(reader) == len(TaskStore(tmp_path)) == 650  # neighbours share 50 tasks
    assert len(list(tmp_path.glob("*.records"))) == 4


def test_records_are_on_disk_after_a_tenth_of_a_second_of_work(tmp_path, monkeypatch):
    clock, forced = [100.0], []
    monkeypatch.setattr(segments.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(segments.os, "fsync", lambda file: forced.append(clock[0]))
    store = TaskStore(tmp_path)
    for number, later in enumerate([0, 0.05, 0.06, 0.2, 0.0]):
        clock[0] += later
        store.put(f"{number:064x}", TASK, ROWS, 1.5)
    assert forced == [pytest.approx(100.0), pytest.approx(100.11), pytest.approx(100.31)]
    store.sync()
    assert len(forced) == 4


def test_a_store_that_is_removed_while_it_is_used_is_made_again(folder):
    store = TaskStore(folder)
    store.put(OTHER, TASK, ROWS, 1.5)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    store.put("ef" * 32, TASK, ROWS, 1.5)
    store.refresh()
    assert len(store) == 1 and len(TaskStore(folder)) == 1


def test_the_mask_says_who_may_read_a_segment(tmp_path):
    before = os.umask(0o027)
    try:
        TaskStore(tmp_path).put(IDENTITY, TASK, ROWS, 1.5)
    finally:
        os.umask(before)
    assert segment(tmp_path).stat().st_mode & 0o777 == 0o640


# ------------------------------------------------------------------ one file per task, as before


def older(folder, identity, **changes):
    record = {"identity": identity, "task": TASK, "seconds": 1.5, "rows": ROWS} | changes
    path = folder / identity[:2] / f"{identity}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(seal(record), separators=(",", ":")))
    return path


def test_records_of_earlier_versions_are_packed_at_first_use(tmp_path, capsys):
    paths = [older(tmp_path, identity) for identity in (IDENTITY, OTHER)]
    (tmp_path / "unfinished").mkdir()
    store = TaskStore(tmp_path)
    assert store.get(IDENTITY) == store.get(OTHER) == RECORD
    assert "2 task records of an earlier version packed" in capsys.readouterr().err
    assert not any(path.exists() or path.parent.exists() for path in paths)
    assert list(tmp_path.iterdir()) == [segment(tmp_path)]
    assert TaskStore(tmp_path).get(IDENTITY) == RECORD and capsys.readouterr().err == ""


DAMAGE = {
    "empty": lambda path: path.write_bytes(b""),
    "another task's": lambda path: path.write_bytes(older(path.parents[1], OTHER).rename(path).read_bytes()),
    "without checksum": lambda path: path.write_text('{"task": {}, "seconds": 1, "rows": []}'),
    "a changed digit": lambda path: path.write_text(path.read_text().replace('"errors":7', '"errors":8')),
    "not UTF-8": lambda path: path.write_bytes(b"\xff\xfe"),
    "no record of a task": lambda path: path.write_text(json.dumps(seal({"kind": "url"}), separators=(",", ":"))),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_record_of_an_earlier_version_is_said_and_not_used(tmp_path, capsys, kind):
    path = older(tmp_path, IDENTITY)
    DAMAGE[kind](path)
    store = TaskStore(tmp_path)
    assert IDENTITY not in store
    said = capsys.readouterr().err
    assert str(path) in said and "runs again" in said
    assert kind == "a folder" or len(list((tmp_path / "damaged").iterdir())) == 1
    store.put(IDENTITY, TASK, ROWS, 1.5)
    assert TaskStore(tmp_path).get(IDENTITY) == RECORD


def test_packing_that_is_killed_goes_on(tmp_path, monkeypatch):
    for identity in (IDENTITY, OTHER):
        older(tmp_path, identity)
    with monkeypatch.context() as patched:
        patched.setattr(TaskStore, "sync", lambda store: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            len(TaskStore(tmp_path))
    assert len(list(tmp_path.glob("??/*.json"))) == 2  # nothing is removed before it is on disk
    store = TaskStore(tmp_path)
    assert store.get(IDENTITY) == store.get(OTHER) == RECORD
