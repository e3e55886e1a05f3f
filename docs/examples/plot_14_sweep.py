"""
A sweep over data sets and settings
===================================

``arboretum sweep`` cross-validates every combination of data sets, learners and settings, by Hydra's multirun. A job
that was finished once is not run again, whichever sweep asks for it.
"""

import os
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

root = next(folder for folder in Path.cwd().resolve().parents if (folder / "params.yaml").is_file())
command = "sweep -m dataset=monk-1,three-of-9 learner=vr_aggregating learner.alpha=0,0.25,0.5,0.75,1 seed=1,2 folds=5"
print(f"$ arboretum {command}")
done = subprocess.run(
    [sys.executable, "-m", "arboretum", *command.split()],
    cwd=root,
    env=os.environ | {"TQDM_DISABLE": "1"},
    capture_output=True,
    text=True,
    check=True,
)
lines = done.stdout.splitlines()
table = next(place for place, line in enumerate(lines) if "error %" in line)
print("\n".join(lines[table:-1]))

# %%
# The last line names the file with all results, one row per job.

summary = pd.read_csv(root / lines[-1].rpartition(" ")[2])
means = summary.groupby(["dataset", "alpha"])["error_percent"].mean().unstack("dataset")
figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
means.plot(ax=axes, marker="o")
axes.set(ylabel="error, per cent", ylim=(0, None))
plt.show()

# %%
# Both sets are logical functions of nominal columns. Some deterministic nodes help; with nothing else (``alpha=1``) all
# trees of a fold are the same tree.
