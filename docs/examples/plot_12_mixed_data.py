"""
Nominal columns and missing values
==================================

Trees read a data frame as it is. A categorical column is nominal, a missing value is missing. VR-Trees send a case with
a missing value down every branch in fractions, as C4.5 does; nothing has to be encoded or filled in beforehand.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.model_selection import cross_val_score

from arboretum.ensembles import Coalescence

rng = np.random.default_rng(0)
n = 400
X = pd.DataFrame(
    {
        "height": rng.normal(10, 3, n),
        "soil": pd.Categorical(rng.choice(["clay", "loam", "sand"], n), categories=["clay", "loam", "sand"]),
        "age": rng.integers(1, 80, n).astype(float),
    }
)
tall = X["height"] > np.where(X["soil"] == "sand", 8, 11)
y = pd.Series(np.where(tall & (X["age"] > 20), "oak", "birch"), name="tree")

# %%
# Cells are emptied at random. The error grows, as it must; no case is lost, and nothing is made up.

shares, errors = (0, 0.1, 0.2, 0.3, 0.4), []
for share in shares:
    holes = X.mask(rng.random(X.shape) < share)
    errors.append(100 * (1 - cross_val_score(Coalescence(50, random_state=1), holes, y, cv=5).mean()))
print(holes.head())

figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
axes.plot(np.multiply(shares, 100), errors, "o-", color="C2")
axes.set(xlabel="missing cells, per cent", ylabel="error, per cent", ylim=(0, None))
plt.show()
