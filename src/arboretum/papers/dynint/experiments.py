"""The experiments of dynint."""

from __future__ import annotations

from arboretum.papers.contract import Experiment

EXPERIMENTS: dict[str, Experiment] = {}
