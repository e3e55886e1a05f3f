"""
A split rule of your own
========================

A rule says how a node chooses its test. It is a named tuple of parameters and a small compiled function; the engine
does the rest: data, random streams, partitions, storage, prediction, threads. This example writes a rule that no paper
has, proves that the engine grows what the rule says, and puts it on the spectrum of the VR-Trees.

The rule: with chance ``alpha`` a node looks at every feature and cuts it **halfway** between its least and greatest
value in the node; the cut that lowers the Gini index most is used. Otherwise the test is that of a VR-Tree: a random
feature, a random cut.
"""

from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_score

from arboretum import plots
from arboretum.ensembles import VRForest
from arboretum.trees.compiled import part
from arboretum.trees.random_stream import uniform
from arboretum.trees.rules import LEAF, NUMERIC, rule
from arboretum.trees.rules.extra import division_score, value_range
from arboretum.trees.rules.vr import select_random


class Halfway(NamedTuple):
    """Parameters of the rule. It reads no column by rank, so none has to be sorted."""

    alpha: float

    scans, walks = False, False


@rule(Halfway)
@part
def select_halfway(rule, buffers, sides, rows, row_weight, case_weight, start, end, total):
    """The test of the node that holds the cases ``rows[start:end]``: kind, feature, cut, and whether it was chosen."""
    features = buffers.features
    if rule.alpha <= 0.0 or (rule.alpha < 1.0 and uniform(buffers.state) >= rule.alpha):
        return select_random(False, buffers, rows, row_weight, case_weight, start, end)
    kind, best, best_feature, best_cut = LEAF, -np.inf, np.int64(-1), 0.0
    for f in range(features.shape[0]):
        low, high = value_range(buffers.cells, f, rows, start, end)
        if features[f].available and not features[f].nominal and low < high:
            cut = low + (high - low) / 2
            score = division_score(
                buffers, f, rows, row_weight, case_weight, start, end, NUMERIC, cut, sides, True, 0.0
            )
            if score > best + 1e-9 * total:  # the first of equals, whatever the last places say
                kind, best, best_feature, best_cut = NUMERIC, score, f, cut
    return kind, best_feature, best_cut, kind != LEAF


# %%
# An estimator uses it in place of its own rule. Everything else (bootstrap samples, subspaces, votes, out-of-bag
# scores) stays as it is.


class HalfwayForest(VRForest):
    """A VRForest whose deterministic nodes cut halfway."""

    def _rule(self, alpha):
        return Halfway(float(alpha))


# %%
# Is it right?
# ------------
# At ``alpha=1`` nothing is random, so a slow tree in plain Python must be the same, node by node. This reference grower
# shares no code with the engine.


def impurity(classes):
    return len(classes) - np.sum(np.bincount(classes) ** 2) / len(classes)


def reference(X, y):
    """The tree as nested dicts, as the engine exports them."""
    node = {"counts": np.bincount(y, minlength=3).tolist()}
    low, high = X.min(axis=0), X.max(axis=0)
    if len(y) < 4 or len(set(y)) == 1 or not (low < high).any():
        return node
    cuts = low + (high - low) / 2
    scores = [
        impurity(y[X[:, f] <= cuts[f]]) + impurity(y[X[:, f] > cuts[f]]) if low[f] < high[f] else np.inf
        for f in range(X.shape[1])
    ]
    f = next(f for f, score in enumerate(scores) if score < min(scores) + 1e-9 * len(y))
    left = X[:, f] <= cuts[f]
    sides = [reference(X[side], y[side]) for side in (left, ~left)]
    return node | {"feature": f, "deterministic": True, "kind": "numeric", "cut": cuts[f], "children": sides}


for load in (load_iris, load_wine):
    X, y = load(return_X_y=True)
    forest = HalfwayForest(alpha=1, n_estimators=1).fit(X, y)
    assert forest.forest_.nested() == reference(X, y)
    print(f"{load.__name__}: {forest.n_nodes_[0]} nodes, all as in the reference")

# %%
# At ``alpha=0`` only the random test is left, so the trees must be those of a VRForest of the same seed. In between, a
# node is deterministic with chance ``alpha``: here the roots of 2,000 trees.

random = [Forest(alpha=0, n_estimators=20, random_state=1).fit(X, y) for Forest in (HalfwayForest, VRForest)]
assert all(random[0].forest_.nested(tree) == random[1].forest_.nested(tree) for tree in range(20))
mixed = HalfwayForest(alpha=0.3, n_estimators=2000, max_depth=1, random_state=1).fit(X, y)
share = np.mean(mixed.deterministic_share_)
print(f"share of deterministic roots among 2000 at alpha 0.3: {share:.3f}")
assert abs(share - 0.3) < 4 * np.sqrt(0.3 * 0.7 / 2000)

# %%
# Where on the spectrum is it best?
# ---------------------------------

folds = StratifiedKFold(10, shuffle=True, random_state=0)
alphas = np.linspace(0, 1, 11)
errors = {
    name: [
        1 - cross_val_score(Forest("aggregating", alpha, n_estimators=50, random_state=1), X, y, cv=folds).mean()
        for alpha in alphas
    ]
    for name, Forest in {"halfway": HalfwayForest, "C4.5 (VRForest)": VRForest}.items()
}
plots.spectrum(alphas, errors)
plt.show()

# %%
# At ``alpha=0`` both are the same forest. On these 178 wines, where a single case is half a point, either rule is best
# where few nodes use it. ``arboretum compare`` tells such differences from chance (:doc:`/sweeping`).
#
# A rule in a file of your own is compiled anew in each process; one in ``arboretum/trees/rules`` once per machine.
# :doc:`/adding` has the recipe.
