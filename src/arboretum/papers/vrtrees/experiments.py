"""The experiments of vrtrees."""

from __future__ import annotations

from arboretum.papers.inventory import DATASETS

EXPERIMENTS = {"datasets": DATASETS}
