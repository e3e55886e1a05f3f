"""What a build was made with. Only this differs between two builds of the same results."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import arboretum


def machine() -> dict[str, str]:
    """The machine and the moment of a build."""
    return {
        "built": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
        "arboretum": arboretum.__version__,
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(terse=True),
        "processor": f"{platform.machine()}, {os.cpu_count()} cores",
    }


def commit(root: Path) -> str:
    """The git commit of a checkout, and whether it has changes; empty outside git."""
    if not (root / ".git").exists():
        return ""
    found = _git(root, "rev-parse", "HEAD")
    changes = _git(root, "status", "--porcelain", "--untracked-files=no")
    return f"{found} with uncommitted changes" if found and changes else found


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def packages() -> dict[str, str]:
    """The versions of the libraries that Arboretum depends on, sorted by name."""
    try:
        required = metadata.requires("arboretum") or []
    except metadata.PackageNotFoundError:
        return {}
    names = {re.match(r"[A-Za-z0-9_.-]+", line)[0] for line in required if "extra ==" not in line}
    return {name: version for name in sorted(names, key=str.lower) for version in _version(name)}


def _version(name: str) -> Iterator[str]:
    try:
        yield metadata.version(name)
    except metadata.PackageNotFoundError:
        return


def code_fingerprint() -> str:
    """SHA-256 of the sources of the package, in the order of their names."""
    folder = Path(arboretum.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def sha256_of(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
