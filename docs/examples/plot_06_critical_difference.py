"""
A critical-difference diagram
=============================

Six ensembles on 44 data sets: which differ? Demsar's recipe ranks the methods on each set, tests the ranks by
Friedman's test, and joins methods whose mean ranks differ by less than Nemenyi's critical difference. The errors are
those that are stored for Table 3 of vrtrees.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from arboretum import plots
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

plots.critical_difference(dict(zip(names.values(), test.ranks, strict=True)), distance)
plt.show()

# %%
# These are ranks of errors averaged over five repetitions. Ranked within each repetition and then averaged, C5.0 stands
# before Coalescence (:doc:`/results`): the two are that close.
