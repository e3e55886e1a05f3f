"""Measurements that need a process of their own; each prints its numbers as JSON.

python -m benchmarks.alone first                     first fit and predict of this process, in seconds
python -m benchmarks.alone memory <rows> <decimals>  memory a fit adds, waveform of so many rows and 40 columns
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

COLUMNS = 40


def first() -> dict:
    """CPU seconds of the first fit and predict, iris at alpha=1; machine code is compiled or loaded here."""
    from sklearn.datasets import load_iris

    from arboretum.ensembles import VRForest

    X, y = load_iris(return_X_y=True)
    start = time.process_time()
    VRForest(alpha=1.0, n_estimators=10, random_state=0).fit(X, y).predict(X)
    return {"seconds": time.process_time() - start}


def memory(rows, decimals) -> dict:
    """Bytes that fitting one tree at alpha=1 adds to the process at its greatest, and the seconds it takes."""
    from arboretum.ensembles import VRForest

    from .sets import waves

    model = VRForest(alpha=1.0, n_estimators=1, random_state=0, n_jobs=1)
    small = waves(min(rows, 70_000))  # enough distinct values for the same machine code as the full size
    model.fit(small.matrix().round(decimals), small.y)
    del small
    cases = waves(rows)
    X, y = cases.matrix().round(decimals), cases.y
    del cases
    before = forget_peak()
    start = time.process_time()
    model.fit(X, y)
    seconds = time.process_time() - start
    return {"seconds": seconds, "bytes": status("VmHWM") - before}


def forget_peak() -> int:
    """Bytes in use now, from which the greatest use is counted anew (Linux)."""
    Path("/proc/self/clear_refs").write_text("5")
    return status("VmRSS")


def status(field) -> int:
    """A number of bytes that the kernel keeps of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def call(*arguments, **environment) -> dict:
    """Run this module in a new process and read its answer."""
    command = [sys.executable, "-m", "benchmarks.alone", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[1:])} failed: {done.stderr.strip()[-500:]}")
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    answer = first() if sys.argv[1] == "first" else memory(*map(int, sys.argv[2:]))
    print(json.dumps(answer))
