"""Artificial data: each function returns ``(X, y)`` and draws only from the generator it is given.

The names are those used in ``conf/dataset/*.yaml``; experiments that need fresh samples call them directly.
"""

from __future__ import annotations

from collections.abc import Callable

from arboretum.datasets.generators.boolean import monk, parity, three_of_nine
from arboretum.datasets.generators.games import balance_scale, tic_tac_toe
from arboretum.datasets.generators.led import led
from arboretum.datasets.generators.norms import ringnorm, threenorm, twonorm
from arboretum.datasets.generators.plane import breiman_plane, concept, concept_lattice, gaussian_mixture
from arboretum.datasets.generators.waveform import waveform
from arboretum.errors import ArboretumError, nearest

GENERATORS: dict[str, Callable] = {
    function.__name__: function
    for function in (
        balance_scale,
        breiman_plane,
        concept,
        gaussian_mixture,
        led,
        monk,
        parity,
        ringnorm,
        three_of_nine,
        threenorm,
        tic_tac_toe,
        twonorm,
        waveform,
    )
}


def by_name(name: str) -> Callable:
    """The generator of that name."""
    if name not in GENERATORS:
        raise ArboretumError(f"Unknown generator {name!r}. {nearest(name, GENERATORS)}")
    return GENERATORS[name]


__all__ = [*GENERATORS, "GENERATORS", "by_name", "concept_lattice"]
