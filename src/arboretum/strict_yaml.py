"""YAML in which no key may stand twice: YAML forbids it, and PyYAML takes the last one without a word."""

from __future__ import annotations

from typing import Any

import yaml


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """A YAML reader that refuses a key that stands twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value!r} stands twice", key.start_mark
                )
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


def load_yaml(text: str) -> Any:
    """What a YAML text holds."""
    return yaml.load(text, Loader=_Loader)
