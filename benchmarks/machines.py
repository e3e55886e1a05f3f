"""Do stored results verify on other processors? ``make machines``; writes benchmarks/machines.csv.

Libraries choose instructions by processor, and round last digits accordingly. Each setting below makes them choose
as another processor would. Under each, the quick profile is recomputed and compared, the stored paper and extended
profiles are rendered from their raw results and compared, and a fixed 2% of the tasks of the paper profile are
recomputed and compared. Every setting has a place, a task store and a kernel cache of its own.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.switches import SETTINGS, Setting, runs_here

RESULTS = Path(__file__).with_name("machines.csv")
ROOT = Path(__file__).parents[1]
SHARE = 0.02
CHECKS = {
    "quick, recomputed": ["verify", "--profile", "quick"],
    "paper, rendered": ["verify", "--profile", "paper", "--stored"],
    "extended, rendered": ["verify", "--profile", "extended", "--stored"],
    f"paper, {SHARE:.0%} of tasks recomputed": ["verify", "--profile", "paper", "--sample", str(SHARE)],
}


class Checked(NamedTuple):
    """What one check found under one setting."""

    setting: str
    check: str
    cells: int
    differences: int
    seconds: int


def checked(setting: Setting, check: str, cache: Path) -> Checked:
    """Run one check under one setting in processes of its own."""
    settings = [f"run.workers={setting.workers}"] if setting.workers else []
    caches = {"ARBORETUM_CACHE_DIR": str(cache), "NUMBA_CACHE_DIR": str(cache)}
    environment = {**os.environ, **setting.environment, **caches, "PYTHONWARNINGS": "ignore"}
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "arboretum", *CHECKS[check], *settings],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    cells = sum(map(int, re.findall(r"(\d+) cells", done.stdout)))
    differences = sum(map(int, re.findall(r"(\d+) differences", done.stdout)))
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr)
        if not differences:
            raise SystemExit(f"{setting.name}: {check} failed with exit status {done.returncode}")
    return Checked(setting.name, check, cells, differences, round(time.monotonic() - start))


def all_checks(names: list[str], checks: list[str]) -> Iterator[Checked]:
    for setting in SETTINGS:
        if names and setting.name not in names:
            continue
        if not runs_here(setting):
            print(f"{setting.name}: this processor cannot run it", flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="arboretum-kernels-") as cache:
            for check in checks:
                found = checked(setting, check, Path(cache))
                print(f"{found.setting}: {found.check}: {found.cells} cells, {found.differences} differences, "
                      f"{found.seconds} s", flush=True)  # fmt: skip
                yield found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.machines", description=__doc__)
    parser.add_argument("--only", action="append", default=[], choices=[s.name for s in SETTINGS], metavar="SETTING")
    parser.add_argument("--checks", type=int, default=len(CHECKS), help="only the first so many checks")
    parser.add_argument("--store", action="store_true", help=f"write {RESULTS.name}")
    options = parser.parse_args()
    found = list(all_checks(options.only, list(CHECKS)[: options.checks]))
    if options.store:
        with RESULTS.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([Checked._fields, *found])
    differences = sum(check.differences for check in found)
    print(f"{sum(check.cells for check in found)} cells compared, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
