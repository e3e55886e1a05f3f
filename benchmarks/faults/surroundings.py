"""Odd surroundings: an output that nobody reads to its end."""

from __future__ import annotations

import random

from benchmarks.faults.flips import CLEAR, SILENT, TRACEBACK
from benchmarks.faults.garden import Garden

COMMANDS = (("data", "status"), ("data", "status", "--csv"), ("run", "garden"), ("render", "garden"))
NOBODY_READS = 141  # exit code, as of a process that a broken pipe ended


class Surroundings:
    """A garden with stored results, which stay as they are."""

    def __init__(self, garden: Garden):
        self.garden = garden
        garden.did("run", "garden")
        garden.did("render", "garden")
        self.expected = garden.rows()

    def closed_output(self, random: random.Random) -> str:
        """The reader goes away before the command says anything, or after its first characters."""
        process = self.garden.start(*random.choice(COMMANDS), PYTHONUNBUFFERED=random.choice(["", "1"]))
        if random.random() < 0.5:
            process.stdout.read(random.randrange(1, 40))
        process.stdout.close()
        said = process.stderr.read()
        process.stderr.close()
        if "Traceback" in said:
            return TRACEBACK
        ended = process.wait(timeout=60)
        if ended not in (0, NOBODY_READS) or not self.garden.rows().equals(self.expected):
            return SILENT
        return CLEAR
