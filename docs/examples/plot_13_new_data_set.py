"""
Adding a data set
=================

A data set of the pipeline is one file ``conf/dataset/<name>.yaml``: where its bytes come from, their hash, and how they
are read. This example does the same by hand in a temporary folder: describe, fetch, prepare, load. In a checkout
``arboretum fetch --sets oak`` does all of it.
"""

import hashlib
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from arboretum.datasets import FetchSettings, fetch, load, prepare
from arboretum.ensembles import VRForest

# %%
# A small csv file in a folder of ours. ``?`` means missing.

place = Path(tempfile.mkdtemp())
rng = np.random.default_rng(0)
lines = ["girth,bark,kind"]
for _ in range(120):
    oak = rng.random() < 0.5
    girth = "?" if rng.random() < 0.1 else f"{rng.normal(3 if oak else 1.5, 0.6):.2f}"
    lines.append(f"{girth},{'rough' if rng.random() < (0.9 if oak else 0.3) else 'smooth'},{'oak' if oak else 'birch'}")
(place / "mirror").mkdir()
(place / "mirror" / "oak.csv").write_text("\n".join(lines) + "\n")

# %%
# The description, as the yaml file would have it. A source without the right hash is refused.

file = place / "mirror" / "oak.csv"
oak = {
    "name": "oak",
    "sources": [
        {
            "kind": "mirror",
            "members": [{"path": "oak.csv", "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}],
        }
    ],
    "parse": {
        "format": "csv",
        "target": "kind",
        "classes": ["oak", "birch"],
        "missing": ["?"],
        "nominal": [{"columns": ["bark"], "levels": ["smooth", "rough"]}],
    },
    "rows": 120,
    "attributes": 2,
}
print(fetch({"oak": oak}, place / "raw", FetchSettings(store=place / "store", mirror=place / "mirror"), progress=False))

# %%
# Prepared data are typed and carry a fingerprint of their content.

print(prepare({"oak": oak}, place / "raw", place / "prepared")["oak"])
data = load(place / "prepared" / "oak.parquet")
print(data.X.dtypes, data.fingerprint[:12], sep="\n")

# %%
# From here on it is a data frame like any other.

forest = VRForest("bagging", n_estimators=50, random_state=1).fit(data.X, data.y)
girth = np.linspace(0, 5, 101)
figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
for bark in data.X["bark"].cat.categories:
    asked = pd.DataFrame({"girth": girth, "bark": bark}).astype({"bark": data.X["bark"].dtype})
    axes.plot(girth, forest.predict_proba(asked)[:, 0], label=f"{bark} bark")
axes.set(xlabel="girth", ylabel="share for oak")
axes.legend(frameon=False)
plt.show()
