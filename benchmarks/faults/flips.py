"""Damage: one bit of a stored file flipped, for each kind of file that is read back. Run in this process."""

from __future__ import annotations

import contextlib
import io
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd

from arboretum.datasets import FetchSettings, fetch
from arboretum.errors import ArboretumError
from arboretum.pipeline.calls import _loaded
from arboretum.pipeline.data import prepare_sets
from arboretum.pipeline.executors import RunSettings
from arboretum.pipeline.experiment import Plan, run_and_store
from arboretum.pipeline.render import Rendering
from arboretum.pipeline.verify import compare_stored
from arboretum.project import params as parameters
from arboretum.project.workspace import Workspace
from benchmarks.faults.garden import Garden

CLEAR, RECOVERED, SILENT, TRACEBACK = "clear errors", "recovered", "silent losses", "tracebacks"


@contextlib.contextmanager
def flipped(path: Path, bit: int) -> Iterator[None]:
    """One bit of a file is wrong; afterwards the file is as it was."""
    content = path.read_bytes()
    damaged = bytearray(content)
    damaged[bit // 8] ^= 1 << bit % 8
    path.write_bytes(damaged)
    try:
        yield
    finally:
        if path.is_dir():
            shutil.rmtree(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def outcome(read: Callable[[], object], same: Callable[[object], bool]) -> str:
    """What came of reading a damaged file: an error in words, the right content after all, or worse."""
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            found = read()
    except ArboretumError:
        return CLEAR
    except Exception:
        return TRACEBACK
    return RECOVERED if same(found) else SILENT


class Flips:
    """One garden, planted, all of whose files are whole; each method flips bits of one kind of file."""

    def __init__(self, garden: Garden):
        self.workspace = Workspace.at(garden.root)
        self.params = parameters.read(self.workspace)
        self.garden = garden
        self.expected = self._computed()
        self.table = self._rendered()
        garden.did("render", "garden")
        self.kinds: dict[str, tuple[Callable[[], list[Path]], Callable[[], object], Callable[[object], bool]]] = {
            "task record": (self._records, self._computed, self._same_rows),
            "prepared data": (self._prepared, self._computed_anew, self._same_rows),
            "raw results": (lambda: [garden.raw()], self._rendered, lambda found: found.equals(self.table)),
            "stored table": (self._tables, self._differences, lambda found: found == 0),
            "manifest": (self._manifests, self._computed_anew, self._same_rows),
            "source.json": (self._source_records, self._prepared_anew, lambda found: found == self._facts),
            "raw data": (lambda: [self.workspace.raw_data("quick") / "beds" / "beds.csv"], self._fetched_anew, bool),
        }
        self._facts = self._prepared_anew()

    def tried(self, kind: str, tries: int, random: random.Random) -> Counter[str]:
        """Flip ``tries`` random bits of files of a kind, one at a time; what became of each."""
        files, read, same = self.kinds[kind]
        found: Counter[str] = Counter()
        for _ in range(tries):
            path = random.choice(files())
            with flipped(path, random.randrange(8 * path.stat().st_size)):
                found[outcome(read, same)] += 1
        return found

    def _same_rows(self, found: object) -> bool:
        return isinstance(found, pd.DataFrame) and found.equals(self.expected)

    def _records(self) -> list[Path]:
        return sorted(self.workspace.tasks.glob("*/*/*.records"))

    def _prepared(self) -> list[Path]:
        return sorted(self.workspace.prepared("quick").glob("*.parquet"))

    def _tables(self) -> list[Path]:
        return sorted(self.workspace.tables("quick", "garden").glob("*.csv"))

    def _manifests(self) -> list[Path]:
        return [self.workspace.manifest("quick", "garden")]

    def _source_records(self) -> list[Path]:
        return sorted(self.workspace.raw_data("quick").glob("*/source.json"))

    def _computed(self) -> pd.DataFrame:
        """The raw results, made from the task records."""
        _loaded.cache_clear()
        self.garden.raw().unlink(missing_ok=True)
        run_and_store(Plan.make(self.workspace, "quick", "garden", "weights"), RunSettings("serial"))
        return self.garden.rows()

    def _computed_anew(self) -> pd.DataFrame:
        """The raw results, computed in another place, where there is no task record."""
        _loaded.cache_clear()
        place = self.garden.root / ".arboretum" / "anew"
        shutil.rmtree(place, ignore_errors=True)
        elsewhere = self.workspace.elsewhere(place)
        run_and_store(Plan.make(elsewhere, "quick", "garden", "weights"), RunSettings("serial"))
        return pd.read_parquet(elsewhere.raw("quick", "garden") / "weights.parquet")

    def _rendered(self) -> pd.DataFrame:
        return Rendering(self.workspace, "quick", "garden").results.tables["table1"]

    def _differences(self) -> int:
        """Differences that a verification finds; one that finds some is an error in words."""
        found = len(compare_stored(self.workspace, "quick", "garden").differences)
        if found:
            raise ArboretumError(f"{found} differences")
        return found

    def _prepared_anew(self) -> object:
        return prepare_sets(self.workspace, self.params, "quick", ["beds", "rings"])

    def _fetched_anew(self) -> bool:
        """Whether fetching and preparing again gives the set as it was."""
        settings = FetchSettings(root=self.garden.root, store=self.garden.root / ".arboretum" / "store")
        specs = {"beds": parameters.spec_of(self.params, "beds")}
        fetch(specs, self.workspace.raw_data("quick"), settings, progress=False)
        return self._prepared_anew() == self._facts
