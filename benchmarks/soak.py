"""Break everything that can break, many times: ``make soak``; writes benchmarks/soak.csv.

One row per fault: how often it was tried, how often it ended in a clear error, how often in the right result, and how
often a wrong or missing result passed without a word (never) or as a traceback (never). ``--share 0.05`` tries a
twentieth; ``--minutes`` bounds the time: what is left then is not tried, and the table says how much was.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from arboretum.writing import atomic_path
from benchmarks.faults import bad_input, cluster, starvation, strange_files
from benchmarks.faults.changed_data import ChangedData
from benchmarks.faults.flips import CLEAR, RECOVERED, SILENT, TRACEBACK, Flips
from benchmarks.faults.garden import Garden, planted
from benchmarks.faults.kills import Kills, killed_garden
from benchmarks.faults.surroundings import Surroundings

COLUMNS = (CLEAR, RECOVERED, SILENT, TRACEBACK)
FLIPS = 1000  # over all kinds of file
BAD_INPUTS = 1000  # settings and command lines
KILLS = {"runner": 40, "worker": 40, "dvc": 20}
STARVED, CLUSTERS = 5, 3  # of each kind
OTHER_DATA, STRANGE_FILES, CLOSED_OUTPUTS = 100, 500, 20
TWICE = {kind.replace("_", " ") for kind in (*starvation.KINDS, "full_disk")}  # a clear error, then recovered from


class Soak:
    """The faults of one soak, family by family, until the time is up."""

    def __init__(self, folder: Path, share: float, minutes: float, seed: int):
        self.folder, self.share = folder, share
        self.random = random.Random(seed)
        self.deadline = time.monotonic() + 60 * minutes

    def count(self, tries: int) -> int:
        return max(1, round(tries * self.share))

    def until_time_is_up(self, tries: int, one: Callable[[], str]) -> Counter[str]:
        found: Counter[str] = Counter()
        for _ in range(self.count(tries)):
            if time.monotonic() > self.deadline:
                break
            found[one()] += 1
        return found

    def rows(self) -> Iterator[tuple[str, Counter[str]]]:
        """Each fault with what became of its tries."""
        yield from self.flips()
        yield from self.bad_inputs()
        yield from self.strange_data()
        yield from self.starvation()
        yield from self.clusters()
        yield from self.kills()

    def flips(self) -> Iterator[tuple[str, Counter[str]]]:
        with planted():
            flips = Flips(Garden(self.folder / "flips", repetitions=3, seconds=0))
            for kind in flips.kinds:
                one = lambda kind=kind: next(iter(flips.tried(kind, 1, self.random)))  # noqa: E731
                yield f"flipped bit: {kind}", self.until_time_is_up(FLIPS // len(flips.kinds) + 1, one)

    def bad_inputs(self) -> Iterator[tuple[str, Counter[str]]]:
        if time.monotonic() > self.deadline:
            return
        garden = Garden(self.folder / "lines", repetitions=1, seconds=0)
        yield "bad command line", bad_input.command_lines(garden, self.count(BAD_INPUTS // 2))
        yield "bad parameters", bad_input.parameter_files(self.folder / "params", self.count(BAD_INPUTS // 2))

    def strange_data(self) -> Iterator[tuple[str, Counter[str]]]:
        with planted():
            changed = ChangedData(Garden(self.folder / "changed", repetitions=1, seconds=0))
            yield "other data", self.until_time_is_up(OTHER_DATA, lambda: changed.one(self.random))
        strange = lambda: strange_files.one(self.random.choice([*strange_files.STRANGE]), self.random)  # noqa: E731
        yield "strange files", self.until_time_is_up(STRANGE_FILES, strange)
        odd = Surroundings(Garden(self.folder / "odd", repetitions=1, seconds=0))
        yield "closed output", self.until_time_is_up(CLOSED_OUTPUTS, lambda: odd.closed_output(self.random))

    def starvation(self) -> Iterator[tuple[str, Counter[str]]]:
        starved = starvation.Starvation(Garden(self.folder / "starved", repetitions=4, seconds=0.1))
        for kind in [*starvation.KINDS, *(["full_disk"] if starvation.can_mount() else [])]:
            found = self.until_time_is_up(STARVED, getattr(starved, kind))
            yield kind.replace("_", " "), found + Counter({RECOVERED: found[CLEAR]})  # and the same command resumed

    def clusters(self) -> Iterator[tuple[str, Counter[str]]]:
        faults = cluster.ClusterFaults(Garden(self.folder / "cluster", repetitions=8, seconds=0.2))
        for kind in cluster.KINDS:
            yield f"Dask: {kind.replace('_', ' ')}", self.until_time_is_up(CLUSTERS, getattr(faults, kind))

    def kills(self) -> Iterator[tuple[str, Counter[str]]]:
        kills = Kills(killed_garden(self.folder / "kills"))
        for what, tries in KILLS.items():
            one = lambda what=what: getattr(kills, what)(self.random)  # noqa: E731
            name = "dvc repro" if what == "dvc" else what
            yield f"killed: {name}", self.until_time_is_up(tries, one)


def tries(found: Counter[str], fault: str) -> int:
    """How often a fault was tried; a starved run counts once, as a clear error that was recovered from."""
    both = min(found[CLEAR], found[RECOVERED]) if fault in TWICE else 0
    return sum(found.values()) - both


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--share", type=float, default=1.0, help="share of the tries, at least one of each fault")
    parser.add_argument("--minutes", type=float, default=30.0, help="no try begins after this time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", action="store_true", help="write benchmarks/soak.csv")
    options = parser.parse_args()
    table = []
    with tempfile.TemporaryDirectory(prefix="arboretum-soak-", ignore_cleanup_errors=True) as folder:
        for fault, found in Soak(Path(folder), options.share, options.minutes, options.seed).rows():
            table.append([fault, tries(found, fault), *(found[column] for column in COLUMNS)])
            print(f"{fault}: " + ", ".join(f"{count} {name}" for name, count in found.items()), flush=True)
    if options.store:
        with atomic_path(Path(__file__).with_name("soak.csv")) as path, path.open("w", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["fault", "tries", *COLUMNS])
            rows.writerows(table)
    wrong = [row[0] for row in table if row[-1] or row[-2]]
    if wrong:
        print(f"silent losses or tracebacks: {', '.join(wrong)}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
