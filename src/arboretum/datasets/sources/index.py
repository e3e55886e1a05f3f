"""Which package indexes to ask: read from pip's (and uv's) own configuration, as a resolver reads none itself.

Precedence, highest first: ``PIP_*`` variables, ``UV_*`` variables, pip's configuration files. Where nothing names
an index, the resolver's own default is used, so that no address is written in this project.
"""

from __future__ import annotations

import configparser
import os
import ssl
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import site_config_dir, user_config_dir

if TYPE_CHECKING:  # the resolver is slow to import, and only a run that downloads needs it
    from unearth import PackageFinder
    from unearth.fetchers.sync import PyPIClient

OPTIONS = ("index-url", "extra-index-url", "find-links", "trusted-host", "no-index", "cert")
UV_NAMES = {
    "index-url": ("UV_DEFAULT_INDEX", "UV_INDEX_URL"),
    "extra-index-url": ("UV_INDEX", "UV_EXTRA_INDEX_URL"),
    "find-links": ("UV_FIND_LINKS",),
    "trusted-host": ("UV_INSECURE_HOST",),
    "no-index": ("UV_NO_INDEX",),
    "cert": ("SSL_CERT_FILE",),
}


@dataclass(frozen=True)
class IndexSettings:
    """Where packages may come from."""

    index_urls: tuple[str, ...]
    find_links: tuple[str, ...]
    trusted_hosts: tuple[str, ...]
    certificates: str | None

    def finders(self) -> Iterator[PackageFinder]:
        """One resolver a place, so that one unreachable place does not hide the others; links first, they are near."""
        from unearth import PackageFinder

        places = [{"find_links": [link]} for link in self.find_links]
        places += [{"index_urls": [url]} for url in self.index_urls]
        for place in places:
            # A data file is wanted whatever platform or Python its package was built for.
            yield PackageFinder(session=self._session(), ignore_compatibility=True, **place)

    def _session(self) -> PyPIClient:
        from unearth.auth import MultiDomainBasicAuth
        from unearth.fetchers.sync import PyPIClient

        verify = ssl.create_default_context(cafile=self.certificates) if self.certificates else True
        session = PyPIClient(trusted_hosts=self.trusted_hosts, verify=verify)
        session.auth = MultiDomainBasicAuth(index_urls=self.index_urls)
        return session


def index_settings(environment: Mapping[str, str] | None = None) -> IndexSettings:
    """The places pip would look at, from its configuration files and the environment."""
    environment = os.environ if environment is None else environment
    options = {
        **_from_files(configuration_files(environment)),
        **_from_uv(environment),
        **_from_pip(environment),
    }
    links = tuple(options.get("find-links", "").split())
    if options.get("no-index", "").lower() in {"1", "true", "yes", "on"}:
        indexes: tuple[str, ...] = ()
    else:
        main = options.get("index-url") or default_index()
        indexes = (main, *options.get("extra-index-url", "").split())
    return IndexSettings(
        index_urls=tuple(dict.fromkeys(indexes)),
        find_links=tuple(link for link in links if "://" in link or Path(link).exists()),
        trusted_hosts=tuple(options.get("trusted-host", "").split()),
        certificates=options.get("cert"),
    )


def default_index() -> str:
    """The public index, as the resolver itself knows it."""
    from unearth import PackageFinder

    return PackageFinder().sources[0]["url"]


def configuration_files(environment: Mapping[str, str]) -> list[Path]:
    """pip's configuration files, least binding first, as in pip's own documentation."""
    only = environment.get("PIP_CONFIG_FILE")
    if only == os.devnull:
        return []
    file = "pip.ini" if os.name == "nt" else "pip.conf"
    home = Path(environment.get("HOME", Path.home()))
    shared = site_config_dir("pip", appauthor=False, multipath=True).split(os.pathsep)
    folders = [*reversed([Path(folder) for folder in shared]), Path("/etc")]
    personal = environment.get("XDG_CONFIG_HOME")
    user = Path(personal) / "pip" if personal else Path(user_config_dir("pip", appauthor=False, roaming=True))
    folders += [home / ".pip", home / ".config" / "pip", user]
    environment_folder = Path(environment.get("VIRTUAL_ENV", sys.prefix))
    files = [folder / file for folder in [*folders, Path(sys.prefix), environment_folder]]
    if only:
        files.append(Path(only))
    return list(dict.fromkeys(files))


def _from_files(files: list[Path]) -> dict[str, str]:
    options: dict[str, str] = {}
    for file in files:
        parser = configparser.RawConfigParser()
        try:
            parser.read(file, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError, OSError):
            continue  # pip itself would refuse the file; a broken one names no index
        for section in ("global", "install", "download"):
            if parser.has_section(section):
                given = {key.replace("_", "-"): value for key, value in parser.items(section)}
                options.update({key: given[key] for key in OPTIONS if given.get(key)})
    return options


def _from_pip(environment: Mapping[str, str]) -> dict[str, str]:
    names = {option: "PIP_" + option.upper().replace("-", "_") for option in OPTIONS}
    return {option: environment[name] for option, name in names.items() if environment.get(name)}


def _from_uv(environment: Mapping[str, str]) -> dict[str, str]:
    options = {}
    for option, names in UV_NAMES.items():
        values = [environment[name] for name in names if environment.get(name)]
        if option == "index-url":
            values = values[:1]
        if values:
            words = " ".join(values).split() if option != "cert" else values[:1]
            options[option] = " ".join(_address(word) for word in words)
    return options


def _address(word: str) -> str:
    """uv allows ``name=address``; keep the address."""
    name, separator, address = word.partition("=")
    return address if separator and "://" not in name else word
