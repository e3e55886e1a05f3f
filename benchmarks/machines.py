"""Do stored results verify on other processors? ``make machines``; writes benchmarks/machines.csv.

Libraries choose instructions by processor, and round last digits accordingly. Each setting below makes them choose
as another processor would. Under each, the quick profile is recomputed and compared, the stored profiles full and
extended are rendered from their raw results and compared, and a fixed 2% of the tasks of full are recomputed and
compared. Two settings, this machine as it is and NumPy without its wide paths, also recompute all of full for dynint,
infinity and pert, and a tenth of its tasks for the others with every learner on every set. Random last places also
recompute those experiments that compute with floats before they store: all of infinity, and those of FLOATS. One more
check has no paper: every estimator under random last places (last_places.py). Every setting has a place and a task
store of its own, and a kernel cache of its own unless it cannot reach the compiler.
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

import yaml

from arboretum.project.params import papers_at
from arboretum.writing import atomic_path
from benchmarks.last_places import SEEDS, SETS, differing
from benchmarks.switches import AS_IT_IS, NOISE, NUMPY_BASELINE, SETTINGS, Setting, runs_here

RESULTS = Path(__file__).with_name("machines.csv")
ROOT = Path(__file__).parents[1]
SHARE = 0.02
ESTIMATORS = "every estimator fitted"
SAMPLE = f"full, {SHARE:.0%} of tasks recomputed"
WHOLE, TENTH = "full, recomputed whole", "full, 10% of tasks recomputed, every learner on every set"
CHECKS = {
    "quick, recomputed": ["verify", "--profile", "quick"],
    "full, rendered": ["verify", "--profile", "full", "--stored"],
    "extended, rendered": ["verify", "--profile", "extended", "--stored"],
    SAMPLE: ["verify", "--profile", "full", "--sample", str(SHARE)],
    WHOLE: ["verify", "--profile", "full"],
    TENTH: ["verify", "--profile", "full", "--sample", "0.1", "--every-learner"],
}
#: Experiments that compute with floats before they store, by paper, and all of infinity. The others count.
FLOATS = {"pert": ["posterior"], "diversity": ["theory", "ncl", "losses", "single_tree"]}
OF_FLOATS = {f"full, {paper}: {', '.join(names)}": (paper, names) for paper, names in FLOATS.items()}
CHECKS |= {
    check: ["verify", "--profile", "full", "--sample", "1", "--experiments", ",".join(names)]
    for check, (_, names) in OF_FLOATS.items()
}
#: Checks that take long: for which papers, by setting. Others are for all papers under every setting.
ROUNDED_OTHERWISE = (AS_IT_IS.name, NUMPY_BASELINE.name)
LONG = {
    WHOLE: dict.fromkeys(ROUNDED_OTHERWISE, ("dynint", "infinity", "pert")) | {NOISE.name: ("infinity",)},
    TENTH: dict.fromkeys(ROUNDED_OTHERWISE, ("vrtrees", "diversity")),
    **{check: {NOISE.name: (paper,)} for check, (paper, _) in OF_FLOATS.items()},
}


class Checked(NamedTuple):
    """What one check of one paper found under one setting."""

    setting: str
    check: str
    paper: str
    cells: int
    differences: int


def run_check(
    setting: Setting, check: str, papers: list[str], cache: Path, timeout: float | None = None
) -> list[Checked]:
    """Run one check under one setting in processes of its own: one result per paper."""
    arguments = [*CHECKS[check], "--papers", ",".join(papers)]
    arguments += [f"run.workers={setting.workers}"] if setting.workers else []
    caches = {"ARBORETUM_CACHE_DIR": str(cache), "NUMBA_CACHE_DIR": str(cache)} if setting.own_kernels else {}
    environment = {**os.environ, **setting.environment, **caches, "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", "arboretum", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=timeout)
    totals = {paper: [0, 0] for paper in papers}
    for paper, *counts in re.findall(r"^(\w+)\b.*?(\d+) cells\D+(\d+) differences", done.stdout, re.MULTILINE):
        totals[paper] = [total + int(count) for total, count in zip(totals[paper], counts, strict=True)]
    found = [Checked(setting.name, check, paper, *total) for paper, total in totals.items()]
    if done.returncode != 0:
        print(done.stdout + done.stderr, file=sys.stderr)
        if not any(checked.differences for checked in found):
            raise SystemExit(f"{setting.name}: {check} failed with exit status {done.returncode}")
    return found


def of_setting(setting: Setting, check: str, papers: list[str]) -> list[str]:
    """The papers that a check has under a setting."""
    return papers if check not in LONG else [paper for paper in LONG[check].get(setting.name, ()) if paper in papers]


def all_checks(names: list[str], checks: list[str], wanted: list[str]) -> Iterator[list[Checked]]:
    params = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    for setting in SETTINGS:
        if names and setting.name not in names:
            continue
        if not runs_here(setting):
            print(f"{setting.name}: this processor cannot run it", flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="arboretum-kernels-") as cache:
            for check in checks:
                at_profile = papers_at(params, CHECKS[check][CHECKS[check].index("--profile") + 1])
                papers = [paper for paper in of_setting(setting, check, at_profile) if paper in (wanted or [paper])]
                if not papers:
                    continue
                start = time.monotonic()
                found = run_check(setting, check, papers, Path(cache))
                cells, differences = sum(one.cells for one in found), sum(one.differences for one in found)
                print(f"{setting.name}: {check}: {cells} cells, {differences} differences, "
                      f"{time.monotonic() - start:.0f} s", flush=True)  # fmt: skip
                yield found


def check_estimators() -> list[Checked]:
    """Every estimator on ten sets with 50 seeds under random last places; a cell is a fit."""
    found = []
    for name, different in differing(SETS, SEEDS):
        found.append(different)
        if different:
            print(f"{name}: {different} of {SETS * SEEDS} fits differ under random last places", file=sys.stderr)
    return [Checked(NOISE.name, ESTIMATORS, "", len(found) * SETS * SEEDS, sum(found))]


def store(found: list[Checked]) -> None:
    """Put results into the table, in place of earlier ones of the same setting, check and paper."""
    rows = {}
    if RESULTS.is_file():
        with RESULTS.open(newline="") as file:
            rows = {(row["setting"], row["check"], row["paper"]): row for row in csv.DictReader(file)}
    rows |= {checked[:3]: checked._asdict() for checked in found}
    place = {name: number for number, name in enumerate([*(s.name for s in SETTINGS), *CHECKS, ESTIMATORS])}
    with atomic_path(RESULTS) as temporary, temporary.open("w", newline="") as file:
        writer = csv.DictWriter(file, Checked._fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[key] for key in sorted(rows, key=lambda key: (place[key[0]], place[key[1]], key[2])))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.machines", description=__doc__)
    parser.add_argument("--only", action="append", default=[], choices=[s.name for s in SETTINGS], metavar="SETTING")
    parser.add_argument("--papers", default=[], type=lambda text: text.split(","), metavar="A,B", help="default: all")
    parser.add_argument("--checks", type=int, default=len(CHECKS), help="only the first so many checks")
    parser.add_argument("--store", action="store_true", help=f"write {RESULTS.name}, each check when it is done")
    options = parser.parse_args()
    cells = differences = 0
    for found in all_checks(options.only, list(CHECKS)[: options.checks], options.papers):
        cells += sum(checked.cells for checked in found)
        differences += sum(checked.differences for checked in found)
        if options.store:
            store(found)
    if not options.papers and (not options.only or NOISE.name in options.only):
        (estimators,) = check_estimators()
        differences += estimators.differences
        if options.store:
            store([estimators])
    print(f"{cells} cells compared, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
