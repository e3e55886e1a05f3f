"""Settings under which libraries round as on another processor."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np


class Setting(NamedTuple):
    """Switches of the environment, a number of workers (0: one per core), and whether kernels are compiled anew."""

    name: str
    environment: Mapping[str, str] = {}
    workers: int = 0
    own_kernels: bool = True


def numpy_groups() -> str:
    """NumPy's optional groups of vector instructions that this processor has."""
    umath = np._core._multiarray_umath
    return " ".join(name for name in umath.__cpu_dispatch__ if umath.__cpu_features__.get(name))


# NumPy's switch does not reach the compiler, so this setting uses the kernels that are there.
NUMPY_BASELINE = Setting(
    "NumPy without its wide paths", {"NPY_DISABLE_CPU_FEATURES": numpy_groups()}, own_kernels=False
)

# Stronger than another processor: every function of NumPy and SciPy has a random last place (noise.py).
ROOT = Path(__file__).parents[1]
NOISE = Setting(
    "random last places",
    {
        "PYTHONPATH": os.pathsep.join([str(ROOT / "benchmarks" / "noisy"), str(ROOT), str(ROOT / "src")]),
        "ARBORETUM_NOISE": "1",
    },
    own_kernels=False,
)
AS_IT_IS = Setting("this machine as it is")

SETTINGS = (
    AS_IT_IS,
    NUMPY_BASELINE,
    NOISE,
    Setting("OpenBLAS for Nehalem", {"OPENBLAS_CORETYPE": "Nehalem"}),
    Setting("OpenBLAS for Haswell", {"OPENBLAS_CORETYPE": "Haswell"}),
    Setting("OpenBLAS for SkylakeX", {"OPENBLAS_CORETYPE": "SkylakeX"}),
    Setting("numba for a generic processor", {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}),
    Setting("glibc without AVX2 and FMA", {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F,-AVX2_Usable"}),
    Setting("one worker", workers=1),
    Setting("two workers", workers=2),
    Setting("four workers", workers=4),
)

TRIAL = """
import numpy, numba
a = numpy.random.default_rng(1).random((64, 64))
numpy.linalg.eigvalsh(a @ a.T)
numba.njit(lambda x: x.sum())(numpy.exp(a))
"""


def runs_here(setting: Setting) -> bool:
    """Whether this processor can run a setting: a small calculation ends without a crash."""
    environment = {**os.environ, **setting.environment, "PYTHONWARNINGS": "ignore"}
    return subprocess.run([sys.executable, "-c", TRIAL], env=environment, capture_output=True).returncode == 0
