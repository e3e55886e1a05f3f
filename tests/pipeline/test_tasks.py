"""Identities of tasks: what changes them, and what does not."""

from __future__ import annotations

from arboretum.pipeline.tasks import task_id


def test_every_part_of_a_task_is_part_of_its_identity():
    base = task_id("toy", "coins", {"a": 1, "b": [1, 2]}, "data", "code")
    assert base == task_id("toy", "coins", {"b": [1, 2], "a": 1}, "data", "code")
    others = {
        task_id("toys", "coins", {"a": 1, "b": [1, 2]}, "data", "code"),
        task_id("toy", "coin", {"a": 1, "b": [1, 2]}, "data", "code"),
        task_id("toy", "coins", {"a": 1, "b": [2, 1]}, "data", "code"),
        task_id("toy", "coins", {"a": 1.5, "b": [1, 2]}, "data", "code"),
        task_id("toy", "coins", {"a": 1, "b": [1, 2]}, None, "code"),
        task_id("toy", "coins", {"a": 1, "b": [1, 2]}, "data", "other"),
        task_id("toy", "coins", {"a": 1, "b": [1, 2]}, "data", "code", seed=2),
    }
    assert len(others) == 7 and base not in others
