"""
A critical-difference diagram
=============================

Six ensembles on 44 data sets: which differ? Demsar's recipe ranks the methods on each set, tests the ranks by
Friedman's test, and joins methods whose mean ranks differ by less than Nemenyi's critical difference. The errors are
those that are stored for Table 3 of vrtrees.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from arboretum.measures.significance import friedman, nemenyi

names = {
    "coalescence": "Coalescence",
    "max_diverse": "Max-Diverse",
    "bagging": "Bagging",
    "random_subspace": "Random Subspace",
    "c50": "C5.0",
    "random_forest": "Random Forest",
}
root = next(folder for folder in Path.cwd().resolve().parents if (folder / "params.yaml").is_file())
table = pd.read_csv(root / "results" / "full" / "vrtrees" / "tables" / "table3.csv")
is_set = ~table["dataset"].str.startswith("mean")  # the last rows are means
errors = table.loc[is_set & (table["status"] == "available"), list(names)].to_numpy()

test = friedman(errors, lower_is_better=True)
distance = nemenyi(*errors.shape)
print(f"{len(errors)} sets, Iman and Davenport's p = {test.f_p:.2g}, critical difference {distance:.2f}")

# %%
# Methods under one bar do not differ at the 5% level.

order = np.argsort(test.ranks)
ranks = test.ranks[order]
labels = np.array(list(names.values()))[order]
figure, axes = plt.subplots(figsize=(8, 2.6), layout="constrained")
axes.plot(ranks, np.zeros(6), "o", color="black")
for place, (rank, label) in enumerate(zip(ranks, labels, strict=True)):
    depth = -0.9 - 0.55 * min(place, 5 - place)
    side = "right" if place < 3 else "left"
    axes.plot([rank, rank], [0, depth], color="grey", lw=1)
    axes.text(rank, depth, f" {label} {rank:.2f} ", ha=side, va="center")

bars = {(i, int(np.searchsorted(ranks, ranks[i] + distance)) - 1) for i in range(6)}
bars = [(i, j) for i, j in sorted(bars) if j > i and not any(a < i and j <= b for a, b in bars)]
for height, (i, j) in enumerate(bars, start=1):
    axes.plot([ranks[i] - 0.03, ranks[j] + 0.03], [0.35 * height] * 2, color="C2", lw=4)
axes.set(xlim=(1.5, 5.5), ylim=(-2.3, 0.35 * len(bars) + 0.4), yticks=[], xlabel="mean rank, 1 is best")
axes.spines[["left", "right", "top"]].set_visible(False)
plt.show()

# %%
# These are ranks of errors averaged over five repetitions. Ranked within each repetition and then averaged, C5.0 stands
# before Coalescence (:doc:`/results`): the two are that close.
