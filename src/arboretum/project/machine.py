"""What this machine computes with: processor, libraries, and the switches that change how they round."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import numpy as np

import arboretum

SWITCHES = (  # of the environment: each makes libraries take other instructions, and so round differently
    "NPY_DISABLE_CPU_FEATURES",
    "OPENBLAS_CORETYPE",
    "NUMBA_CPU_NAME",
    "NUMBA_CPU_FEATURES",
    "NUMBA_DISABLE_JIT",
    "GLIBC_TUNABLES",
    "ARBORETUM_NOISE",  # benchmarks/noisy: random last places
)


def processor() -> str:
    """The name of the processor as the system gives it."""
    path = Path("/proc/cpuinfo")
    if path.is_file():
        found = re.search(r"^model name\s*:\s*(.+)$", path.read_text("utf-8", errors="replace"), re.MULTILINE)
        if found:
            return found[1].strip()
    return platform.processor() or platform.machine()


def vector_groups() -> list[str]:
    """NumPy's optional groups of vector instructions that are in use here."""
    umath = np._core._multiarray_umath
    return [name for name in umath.__cpu_dispatch__ if umath.__cpu_features__.get(name)]


def switches() -> dict[str, str]:
    """The switches that are set."""
    return {name: os.environ[name] for name in SWITCHES if os.environ.get(name)}


def machine() -> dict[str, str]:
    """The machine and the moment, for people to read."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
        "arboretum": arboretum.__version__,
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(terse=True),
        "processor": f"{processor()}, {os.cpu_count()} cores; NumPy uses {' '.join(vector_groups()) or 'its baseline'}",
        **({"switches": ", ".join(f"{name}={value}" for name, value in switches().items())} if switches() else {}),
    }


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


def setting_id(**more: object) -> str:
    """A short name of all that may change a last digit: results of one setting never serve another."""
    setting = [processor(), vector_groups(), switches(), packages(), platform.python_version(), more]
    return hashlib.sha256(json.dumps(setting, sort_keys=True).encode()).hexdigest()[:12]
