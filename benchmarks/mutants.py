"""Tests that notice: wrong constants, comparisons, probabilities, tolerances, seeds, axes and messages.

``make mutants`` applies each change of ``mutants.yaml`` alone to a copy of the checkout and runs the tests named beside
it, which must fail. A change that no test notices is a missing test. ``python -m benchmarks.mutants --only led`` tries
some of them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

import yaml

ROOT = Path(__file__).parents[1]
COPIES = ROOT / ".arboretum" / "mutants"  # always the same place: numba's cache goes by the path of a source
SECONDS = 600  # of one run of tests


class Mutant(NamedTuple):
    """One change of a file, and the tests that must notice it."""

    file: str
    old: str
    new: str
    tests: str


MUTANTS = [Mutant(**entry) for entry in yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))]


def copy_to(place: Path) -> None:
    """The tracked files of the checkout as they are now, with their times, by which numba knows what it compiled."""
    shutil.rmtree(place, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, place / name)


@contextmanager
def applied(mutant: Mutant, place: Path) -> Iterator[None]:
    """The copy at ``place`` with one change."""
    path = place / mutant.file
    before = path.read_text("utf-8")
    if mutant.old not in before:
        raise SystemExit(f"{mutant.file} no longer holds {mutant.old!r}. Choose the change anew.")
    path.write_text(before.replace(mutant.old, mutant.new, 1), "utf-8")
    try:
        yield
    finally:
        path.write_text(before, "utf-8")


def passes(tests: str, place: Path) -> bool:
    """Whether tests pass in a copy; without bytecode, which is as old as the file it was made from."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("ARBORETUM_ROOT", "ARBORETUM_TASKS")
    }
    environment |= {"PYTHONPATH": str(place / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    files, _, chosen = tests.partition(" -k ")
    arguments = [*files.split(), *(["-k", chosen] if chosen else [])]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments]
    try:
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:  # no answer is not "noticed"
        raise SystemExit(f"pytest {tests} gave no answer in {SECONDS} s: the machine is too busy") from None
    if done.returncode not in (0, 1):
        raise SystemExit(f"pytest {tests} did not run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 0


def passes_unchanged(tests: str, copies: SimpleQueue) -> bool:
    place = copies.get()
    try:
        return passes(tests, place)
    finally:
        copies.put(place)


def tried(mutant: Mutant, copies: SimpleQueue) -> bool:
    """Whether the tests notice the change; one line says so."""
    place, start = copies.get(), time.monotonic()
    try:
        with applied(mutant, place):
            survived = passes(mutant.tests, place)
    finally:
        copies.put(place)
    change = f"{mutant.file}: {' '.join(mutant.old.split())} -> {' '.join(mutant.new.split())}"
    print(f"{'SURVIVED' if survived else 'noticed '} {time.monotonic() - start:4.0f} s  {change}", flush=True)
    return not survived


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="mutants whose file or change holds this text")
    parser.add_argument("--jobs", type=int, default=2, help="copies at work at a time (default: 2)")
    options = parser.parse_args()
    chosen = [mutant for mutant in MUTANTS if options.only in "".join(mutant)]
    start = time.monotonic()
    copies: SimpleQueue = SimpleQueue()
    for number in range(options.jobs):
        copy_to(COPIES / str(number))
        copies.put(COPIES / str(number))
    with ThreadPoolExecutor(options.jobs) as pool:
        tests = sorted({mutant.tests for mutant in chosen})
        passed = pool.map(lambda each: passes_unchanged(each, copies), tests)
        if broken := [each for each, well in zip(tests, passed, strict=True) if not well]:
            print(f"these fail without any change, so they notice nothing: {', '.join(broken)}")
            return 1
        noticed = sum(pool.map(lambda mutant: tried(mutant, copies), chosen))
    print(f"{noticed} of {len(chosen)} changes noticed in {(time.monotonic() - start) / 60:.0f} min")
    return 0 if noticed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
