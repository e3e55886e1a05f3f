"""Identities of tasks: what changes them, and what does not."""

from __future__ import annotations

from arboretum.pipeline.code import code_files, code_hash
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
    }
    assert len(others) == 6 and base not in others


def test_code_hash_sees_code_and_not_words(tmp_path):
    source = tmp_path / "module.py"

    def hashed(text):
        source.write_text(text)
        return code_hash([source])

    base = hashed('"""What."""\n\ndef f(x):\n    """Twice."""\n    return 2 * x\n')
    assert hashed('"""Why."""\n# a comment\ndef f(x):\n    """Double."""\n    return (2 * x)\n') == base
    assert hashed("def f(x):\n    return 3 * x\n") != base
    assert hashed('"""What."""\n\ndef f(x):\n    """Twice."""\n    return 2 * x\n\ny = 1\n') != base


def test_code_of_a_paper_is_what_its_experiments_import():
    names = {f"{path.parent.name}/{path.name}" for path in code_files("vrtrees")}
    assert {"vrtrees/experiments.py", "papers/inventory.py", "datasets/prepare.py", "arboretum/seeds.py"} <= names
    assert not {"vrtrees/tables.py", "dynint/experiments.py", "pipeline/render.py", "measures/kernels.py"} & names
    assert "measures/kernels.py" in {f"{path.parent.name}/{path.name}" for path in code_files("infinity")}
