"""A pinned file at a web address."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from arboretum.datasets.sources.downloads import Downloads


def from_url(source: dict, store: Downloads) -> dict[str, bytes]:
    """The file at ``source["url"]``, checked against its SHA-256 and kept in the store."""
    filename = unquote(urlsplit(source["url"]).path).rsplit("/", 1)[-1]
    path = store.get(filename, source["sha256"], lambda: (source["url"], {}), source.get("size"))
    return {filename: path.read_bytes()}
