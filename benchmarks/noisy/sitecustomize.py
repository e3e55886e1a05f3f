"""Python runs this at its start where the folder is in PYTHONPATH: random last places in every process of a command."""

import os

from benchmarks.noise import noisy

_noise = noisy(int(os.environ["ARBORETUM_NOISE"]))
_noise.__enter__()
