"""
Dynamic integration: whom to ask about this case
================================================

A forest counts the votes of all its trees. Dynamic integration first asks how well each tree did on the training cases
nearest to the case in question, and weighs the votes by that. Out-of-bag cases make the judgement fair. It pays where
trees are good in different places, as on three bits of parity hidden among noise.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

from arboretum.ensembles import DynamicIntegration, RandomForest

rng = np.random.default_rng(0)
X = rng.integers(0, 2, (600, 9)).astype(float)
y = (X[:, 0] + X[:, 1] + X[:, 2]) % 2  # six further columns are noise

# %%
# One forest, read in four ways: ``sv`` counts votes, ``ds`` takes the best tree nearby, ``dv`` weighs all trees,
# ``dvs`` weighs those that are not bad nearby. A fitted forest is used as it is, so nothing is grown twice.

strategies = ("sv", "ds", "dv", "dvs")
accuracy = {strategy: [] for strategy in strategies}
for split in range(5):
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=split)
    forest = RandomForest("weka", n_estimators=100, random_state=split).fit(X_train, y_train)
    for strategy in strategies:
        model = DynamicIntegration(forest, strategy, similarity="forest", n_neighbors=15, random_state=split)
        accuracy[strategy].append(model.fit(X_train, y_train).score(X_test, y_test))

figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for place, strategy in enumerate(strategies):
    axes.plot(np.full(5, place), 100 * np.array(accuracy[strategy]), "o", color="tab:grey", alpha=0.6)
    axes.plot([place - 0.2, place + 0.2], [100 * np.mean(accuracy[strategy])] * 2, color="C2", lw=3)
axes.set(xticks=range(4), xticklabels=strategies, ylabel="accuracy, per cent", title="five splits and their mean")
plt.show()

# %%
# Weighing helps; taking one tree alone throws the other votes away.
#
# ``weights`` shows what was decided for a case: the weight of every tree, 0 for those that were dropped.

weights = model.weights(X_test[:1])[0]
print(f"{(weights == 0).sum()} of {len(weights)} trees dropped, the greatest weight is {weights.max():.2f}")
