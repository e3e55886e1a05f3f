"""The store of verified downloads: a file is in it only after its SHA-256 was checked.

It lies outside the repository (DVC deletes the outputs of a stage before it runs it). Each file has a folder
named by its hash. A download goes to a temporary file and takes its place only when the hash agrees, so that a
killed or corrupt download neither replaces nor deletes anything.
"""

from __future__ import annotations

import hashlib
import logging
import re
import shutil
import threading
import urllib.parse
from collections.abc import Callable
from pathlib import Path

from arboretum.datasets.sources.errors import HashMismatch, SourceError, Unreachable
from arboretum.writing import atomic_path

log = logging.getLogger(__name__)
TIMEOUT = 30  # seconds without a byte
ATTEMPTS = 3


def sha256_of(path: Path) -> str:
    """SHA-256 of a file as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Downloads:
    """Verified downloads, each fetched at most once even when several sets ask at the same time."""

    def __init__(self, folder: Path, offline: bool = False, progress: bool = False) -> None:
        self.folder = folder
        self.offline = offline
        self.progress = progress
        self._locks: dict[str, threading.Lock] = {}
        self._failures: dict[str, SourceError] = {}
        self._guard = threading.Lock()

    def get(self, filename: str, sha256: str, find: Callable[[], tuple[str, dict]], size: int | None = None) -> Path:
        """The verified file; ``find`` gives its address and downloader options, and is asked only if needed.

        ``size`` is its number of bytes, where the caller knows it: a file of another size is refused.
        """
        with self._guard:
            lock = self._locks.setdefault(sha256, threading.Lock())
        with lock:
            path = self.folder / sha256[:16] / filename
            if path.is_file() and sha256_of(path) == sha256:
                return _of_size(path, size)
            if sha256 in self._failures:
                raise self._failures[sha256]
            try:
                if self.offline:
                    raise SourceError(f"no verified {filename} in the store {self.folder}, and offline is set")
                address, options = find()
                self._download(address, options, path, sha256, size or 1)
            except SourceError as error:
                self._failures[sha256] = error  # many sets may ask for the same package
                raise
            return _of_size(path, size)

    def _download(self, address: str, options: dict, path: Path, sha256: str, size: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if address.startswith("file:"):
            _copy_verified(Path(urllib.parse.unquote(urllib.parse.urlparse(address).path)), path, sha256)
            return
        import pooch
        import requests
        from tqdm.auto import tqdm

        pooch.get_logger().setLevel(logging.WARNING)  # the progress bar says it
        log.info("downloading %s (%.1f MB)", path.name, size / 1e6)
        hide = None if self.progress else True  # None: shown on a terminal only
        with tqdm(desc=path.name, total=size, unit="B", unit_scale=True, disable=hide) as bar:
            downloader = pooch.HTTPDownloader(progressbar=bar, timeout=TIMEOUT, **options)
            try:
                with atomic_path(path) as temporary:  # pooch gives nobody else the right to read what it fetched
                    keeper = pooch.create(
                        path=temporary.parent,
                        base_url="",
                        registry={temporary.name: f"sha256:{sha256}"},
                        urls={temporary.name: address},
                        retry_if_failed=ATTEMPTS - 1,
                    )
                    keeper.fetch(temporary.name, downloader=downloader)
            except ValueError as error:
                raise _mismatch(path.name, sha256, str(error)) from None
            except requests.ConnectionError:
                host = urllib.parse.urlsplit(address).hostname
                raise Unreachable(f"download of {path.name} failed: {host} cannot be reached") from None
            except Exception as error:  # HTTP, ssl and the file system: all mean "not from here"
                raise SourceError(f"download of {path.name} failed: {_first_line(error)}") from None


def _of_size(path: Path, size: int | None) -> Path:
    """The file, unless its pinned size is that of another one: its hash is right, so the size is a slip."""
    found = path.stat().st_size
    if size is not None and size != found:
        raise SourceError(f"{path.name} has {found} bytes, and its dataset configuration says {size}. Mend size there")
    return path


def _copy_verified(origin: Path, path: Path, sha256: str) -> None:
    try:
        with atomic_path(path) as temporary:
            shutil.copyfile(origin, temporary)
            check_hash(path.name, temporary, sha256)
    except OSError as error:
        raise SourceError(f"copy of {path.name} failed: {_first_line(error)}") from None


def check_hash(what: str, path: Path, sha256: str) -> None:
    """Refuse a file whose content is not the pinned one."""
    found = sha256_of(path)
    if found != sha256:
        raise HashMismatch(what, sha256, found)


def check_bytes(what: str, content: bytes, sha256: str) -> bytes:
    """Refuse bytes that are not the pinned ones."""
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise HashMismatch(what, sha256, found)
    return content


def _mismatch(filename: str, expected: str, message: str) -> HashMismatch:
    """The downloader says what it got only in its message."""
    hashes = [digits for digits in re.findall(r"\b[0-9a-f]{64}\b", message) if digits != expected]
    return HashMismatch(filename, expected, hashes[0] if hashes else "another content")


def _first_line(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0] if text else ''}"
