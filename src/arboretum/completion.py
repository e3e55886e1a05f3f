"""What a shell may complete: papers, experiments and data sets of the checkout in which it stands.

``eval "$(register-python-argcomplete arboretum)"`` in a shell's start-up file turns it on.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

#: Arguments of the command line by name, and what completes them.
COMPLETED = {"papers": "papers", "paper": "papers", "target": "targets", "sets": "sets", "settings": "settings"}


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks what may follow, and end; do nothing in a run that no shell asked for."""
    if "_ARGCOMPLETE" not in os.environ:
        return
    import argcomplete

    found = {"papers": papers, "targets": targets, "sets": sets, "settings": settings}
    commands = next(action for action in parser._actions if action.dest == "command").choices
    commands["sweep"].add_argument("-m", "--multirun", action="store_true")
    commands["sweep"].add_argument("overrides", nargs="*").completer = overrides  # else these are left to Hydra
    for sub in commands.values():
        for action in sub._actions:
            if action.dest in COMPLETED:
                action.completer = found[COMPLETED[action.dest]]  # type: ignore[attr-defined]
    argcomplete.autocomplete(parser)


def listed(choices: Callable[[], list[str]], prefix: str) -> list[str]:
    """Choices for the last name of a list with commas."""
    before, comma, _ = prefix.rpartition(",")
    return [f"{before}{comma}{choice}" for choice in choices() if choice not in before.split(",")]


def _conf() -> Path:
    from arboretum.project.workspace import Workspace

    return Workspace.find().conf


def papers(prefix: str, **_: object) -> list[str]:
    return listed(lambda: sorted(path.name for path in (_conf() / "paper").iterdir() if path.is_dir()), prefix)


def targets(prefix: str, **_: object) -> list[str]:
    """Papers; after a slash, the experiments of one."""
    paper, slash, _rest = prefix.partition("/")
    if not slash:
        return papers(prefix)
    from arboretum import papers as known

    return [f"{paper}/{name}" for name in known.get(paper).experiments]


def sets(prefix: str, **_: object) -> list[str]:
    return listed(lambda: sorted(path.stem for path in (_conf() / "dataset").glob("*.yaml")), prefix)


def overrides(prefix: str, **_: object) -> list[str]:
    """What a sweep varies: data sets and learners by name; after an equals sign, the names."""
    group, equals, values = prefix.partition("=")
    if not equals:
        return ["dataset=", "learner=", "seed=", "folds="]
    names = sorted(path.stem for path in (_conf() / group).glob("*.yaml")) if group in ("dataset", "learner") else []
    return [f"{group}={value}" for value in listed(lambda: names, values)]


def settings(prefix: str, **_: object) -> list[str]:
    """Settings of the sections ``data`` and ``run``."""
    from arboretum.project.params import SETTINGS
    from arboretum.project.schema import read_mapping

    params = read_mapping(_conf().parent / "params.yaml", "Run `make params`.")
    return [f"{section}.{key}=" for section in SETTINGS for key in params[section]]
