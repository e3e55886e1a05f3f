"""The experiments of dynint."""

from __future__ import annotations

from arboretum.papers.inventory import DATASETS

EXPERIMENTS = {"datasets": DATASETS}
