"""What DVC itself costs per command, beside the number of stages; ``python -m benchmarks.dvc`` writes dvc.csv.

The least of three rounds in seconds. Nothing is run: reproducing one stage is tried with ``--dry``, which looks at
all that the stage depends on, as a stage does that is up to date. For an idle machine.
"""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import time
from pathlib import Path

from arboretum.project.machine import machine
from arboretum.writing import write_text

RESULTS, ROOT = Path(__file__).with_suffix(".csv"), Path(__file__).parents[1]
STAGE = "render@quick-pert"
COMMANDS = {
    "list the stages": ("stage", "list", "--all", "--name-only"),
    "status of one stage": ("status", STAGE),
    "status": ("status",),
    "reproduce one stage, no-op": ("repro", "--dry", "--single-item", STAGE),
    "reproduce all, no-op": ("repro", "--dry"),
}


def timed(*arguments: str) -> tuple[float, str]:
    """Seconds on the clock of one command of DVC, and what it printed."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "dvc", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return time.perf_counter() - start, done.stdout


def main() -> None:
    stages = len(timed(*COMMANDS["list the stages"])[1].split())
    rows = [["command", "stages", "seconds", "processor"]]
    for name, arguments in COMMANDS.items():
        seconds = min(timed(*arguments)[0] for _ in range(3))
        rows.append([name, stages, f"{seconds:.1f}", machine()["processor"].partition(";")[0]])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    write_text(RESULTS, text.getvalue())


if __name__ == "__main__":
    main()
