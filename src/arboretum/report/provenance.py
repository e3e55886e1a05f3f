"""What a build was made with. Only this differs between two builds of the same results."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import arboretum


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


def code_fingerprint() -> str:
    """SHA-256 of the sources of the package, in the order of their names."""
    folder = Path(arboretum.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def sha256_of(text: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()
