"""``{command} run`` shows what ``arboretum run --help`` says."""

from __future__ import annotations

import argparse
import os

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.errors import ExtensionError

from arboretum.__main__ import build_parser


def subcommands() -> dict[str, tuple[argparse.ArgumentParser, str]]:
    """Each command with its parser and its line of help."""
    action = next(one for one in build_parser()._actions if isinstance(one, argparse._SubParsersAction))
    texts = {choice.dest: choice.help for choice in action._choices_actions}
    return {name: (parser, texts[name]) for name, parser in action.choices.items()}


class CommandHelp(Directive):
    """The help of one command."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        known = subcommands()
        if self.arguments[0] not in known:
            raise ExtensionError(f"no command {self.arguments[0]!r}; there are {', '.join(known)}")
        os.environ["COLUMNS"] = "80"
        return [nodes.literal_block(text=known[self.arguments[0]][0].format_help(), language="text")]


def setup(app):
    app.add_directive("command", CommandHelp)
    return {"parallel_read_safe": True}
