"""Random streams named by axes, so that no number depends on workers, order, hash seed or clock.

A stream is named by its axes (paper, experiment, set, repetition, fold, learner, tree, ...). The names and
values are hashed by SHA-256 into the entropy of a :class:`numpy.random.SeedSequence`: adding a data set or a
learner adds streams and moves none.

The seed of a run (``seed`` in conf/, 1 for stored results) is an axis of every stream: inside ``with rooted(2):`` all
streams are fresh, and a whole replication is independent of the stored one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

STORED = 1  # the seed of stored results; it is no part of the name of their streams
_root: ContextVar[int] = ContextVar("root seed", default=STORED)


@contextmanager
def rooted(seed: int) -> Iterator[None]:
    """Inside, every stream belongs to the run with this seed."""
    token = _root.set(seed)
    try:
        yield
    finally:
        _root.reset(token)


def seed_sequence(**axes: object) -> np.random.SeedSequence:
    """The seed sequence of the stream named by ``axes``; the order of the keywords does not matter."""
    if _root.get() != STORED:
        axes["root seed"] = _root.get()  # a name with a space: no keyword can collide with it
    name = json.dumps(axes, sort_keys=True, separators=(",", ":"), allow_nan=False)
    digest = hashlib.sha256(name.encode("utf-8")).digest()
    return np.random.SeedSequence(int.from_bytes(digest, "little"))


def generator(**axes: object) -> np.random.Generator:
    """A PCG64 generator on the stream named by ``axes``."""
    return np.random.Generator(np.random.PCG64(seed_sequence(**axes)))


def random_state(**axes: object) -> int:
    """A 32-bit ``random_state`` for scikit-learn estimators, drawn from the stream named by ``axes``."""
    return int(seed_sequence(**axes).generate_state(1)[0])
