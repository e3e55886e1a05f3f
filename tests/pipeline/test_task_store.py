"""Task records: damaged, foreign, empty and unreadable ones are said, set aside and not used."""

from __future__ import annotations

import pytest

from arboretum.pipeline.task_store import TaskStore

IDENTITY, OTHER = "ab" + "0" * 62, "cd" + "1" * 62
TASK, ROWS = {"dataset": "glass", "fold": 3}, [{"dataset": "glass", "errors": 7, "share": 0.25}]


@pytest.fixture
def store(tmp_path) -> TaskStore:
    store = TaskStore(tmp_path / "tasks")
    store.put(IDENTITY, TASK, ROWS, 1.5)
    return store


def test_a_record_comes_back_with_its_task(store):
    record = store.get(IDENTITY)
    assert (record["task"], record["rows"], record["seconds"]) == (TASK, ROWS, 1.5)
    assert IDENTITY in store and OTHER not in store
    assert store.records() == [record]


def test_no_flipped_bit_of_a_record_changes_what_is_read(store, capsys):
    path, record = store.path(IDENTITY), store.get(IDENTITY)
    content = path.read_bytes()
    for bit in range(8 * len(content)):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        assert store.find(IDENTITY) in (None, record)
        path.write_bytes(content)
    assert capsys.readouterr().err.count("is damaged") > 7 * len(content)


def damage_foreign(store):
    store.put(OTHER, TASK, ROWS, 1.5)
    store.path(OTHER).replace(store.path(IDENTITY))


DAMAGE = {
    "empty": lambda store: store.path(IDENTITY).write_bytes(b""),
    "another task's": damage_foreign,
    "without checksum": lambda store: store.path(IDENTITY).write_text('{"task": {}, "seconds": 1, "rows": []}'),
    "a folder": lambda store: (store.path(IDENTITY).unlink(), store.path(IDENTITY).mkdir()),
    "not UTF-8": lambda store: store.path(IDENTITY).write_bytes(b"\xff\xfe"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_record_is_said_set_aside_and_can_be_put_again(store, capsys, kind):
    DAMAGE[kind](store)
    assert IDENTITY not in store
    said = capsys.readouterr().err
    assert str(store.path(IDENTITY)) in said and "set aside" in said
    assert len(list((store.folder / "damaged").iterdir())) == 1
    assert IDENTITY not in store and capsys.readouterr().err == ""  # said once
    store.put(IDENTITY, TASK, ROWS, 1.5)
    assert store.get(IDENTITY)["rows"] == ROWS
    assert len(store.records()) == 1
