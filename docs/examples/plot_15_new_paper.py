"""
Adding a paper
==============

``arboretum init paper oak`` writes a paper that runs from the first minute: one experiment, one table, one figure, one
claim. This example writes the skeleton into a temporary folder, lists it, and shows what an experiment is. In a
checkout the same files are yours to change; :doc:`/adding` goes through them.
"""

import tempfile
from pathlib import Path

from arboretum.pipeline.init_paper import init_paper
from arboretum.project.workspace import Workspace

place = Path(tempfile.mkdtemp())
files = init_paper(Workspace.at(place), "oak")
for file in files:
    print(file.relative_to(place))

# %%
# An experiment is a plan of tasks and a function that turns one task into rows. Everything else (workers, resuming,
# checking, comparing with what is stored) is the pipeline's.

print((place / "src/arboretum/papers/oak/experiments/accuracy.py").read_text())

# %%
# A claim is stated, with its limits, before anything is computed; a small function then gives the values that decide.

print((place / "data/published/oak/claims.yaml").read_text())
print((place / "src/arboretum/papers/oak/claims.py").read_text())

# sphinx_gallery_thumbnail_path = "_static/paper.svg"
