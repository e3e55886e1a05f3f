"""Adds the paper ``garden`` to the papers of every Python process that has this folder on PYTHONPATH."""

from pathlib import Path

import arboretum.papers

arboretum.papers.__path__.append(str(Path(__file__).parent))
