"""Where files come from: one module a kind of source, each giving verified bytes or a :class:`SourceError`."""

from __future__ import annotations

from urllib.parse import urlsplit


def label(source: dict) -> str:
    """How a source is called in tables, records and messages."""
    kind = source["kind"]
    if kind == "pypi":
        return f"pypi:{source['package']} {source['version']}"
    if kind == "generator":
        return f"generator:{source['function']}"
    if kind == "openml":
        return f"openml:{source['id']}"
    if kind == "url":
        address = urlsplit(source["url"])
        return f"url:{address.hostname}/{address.path.rsplit('/', 1)[-1]}"
    return f"{kind}:{source['members'][0]['path']}"
