"""Dynamic integration by plain loops, one number at a time: the oracle of the kernels (dynint, equations 1 to 6)."""

from __future__ import annotations

import math

import numpy as np


def heom(a, b, train_cells, levels):
    """Distance of two cases, equations 1 and 2."""
    total = 0.0
    for f, names in enumerate(levels):
        if math.isnan(a[f]) or math.isnan(b[f]):
            total += 1.0
        elif names is not None:
            total += float(a[f] != b[f])
        else:
            known = [value for value in train_cells[:, f] if not math.isnan(value)]
            width = max(known) - min(known)
            if width > 0:
                total += (abs(a[f] - b[f]) / width) ** 2
    return math.sqrt(total)


def shared(a_leaves, b_leaves, trees):
    """Share of the trees (numbers) in which both cases lie in one leaf; 0 of no tree."""
    return sum(a_leaves[t] == b_leaves[t] for t in trees) / len(trees) if len(trees) else 0.0


class Naive:
    """What the trees of ``model`` (a fitted DynamicIntegration) do, worked out again from its forest."""

    def __init__(self, model, table, classes):
        forest = model.ensemble_
        self.model, self.table, self.classes, self.forest = model, table, classes, forest
        self.order = model.order_.tolist()
        self.trees = list(range(len(forest.forest_)))
        self.train_leaves, self.train_votes = forest.apply(table), forest.tree_votes(table).T
        self.out = forest.oob_mask_.T  # (cases, trees)

    def neighbours(self, case, leaves):
        """Training cases by nearness, equally near ones in shuffled order: [(nearness, row)]."""
        model, found = self.model, []
        for rank, row in enumerate(self.order):
            if model.similarity == "heom":
                near = heom(case, self.table.cells[row], self.table.cells[self.order], self.table.levels)
                key = round(near, 9)
            else:
                trees = self.trees
                if model.similarity == "forest_oob":
                    trees = [t for t in trees if self.out[row, t]]
                near = shared(leaves, self.train_leaves[row], trees)
                key = -near
            found.append((key, rank, near, row))
        found.sort()
        return [(near, row) for _, _, near, row in found[: model.n_neighbors]]

    def sigma(self, near):
        model = self.model
        if model.weighting == "none":
            return 1.0
        return 1 / (near + 1e-6) if model.similarity == "heom" else near**model.power

    def margin(self, row, tree):
        """Equation 4."""
        return 1.0 if self.train_votes[row, tree] == self.classes[row] else -1.0

    def counts(self, row, tree):
        return bool(self.out[row, tree]) or self.model.estimate == "all"

    def own(self, tree):
        told = [self.margin(row, tree) for row in self.order if self.counts(row, tree)]
        return sum(told) / len(told) if told else 0.0

    def local_margin(self, near, tree):
        """Equation 3."""
        if self.model.similarity != "heom" and near[0][0] == 0:
            return self.own(tree)
        told = [(self.sigma(value), self.margin(row, tree)) for value, row in near if self.counts(row, tree)]
        mass = sum(sigma for sigma, _ in told)
        return sum(sigma * margin for sigma, margin in told) / mass if mass > 0 else self.own(tree)

    def local_margins(self, table):
        leaves = self.forest.apply(table)
        found = []
        for i, case in enumerate(table.cells):
            near = self.neighbours(case, leaves[i])
            found.append([self.local_margin(near, tree) for tree in self.trees])
        return np.array(found)

    def weights(self, margins):
        """Section 3.1, from the local margins of one case."""
        strategy, best = self.model.strategy, max(margins)
        tied = [abs(w - best) < 1e-9 for w in margins]
        if strategy == "sv":
            raw = [1.0 for _ in margins]
        elif strategy == "ds":
            raw = [float(tree == tied.index(True)) for tree in range(len(margins))]
        elif strategy == "ds_vote":
            raw = [float(one) for one in tied]
        else:
            errors = [(1 - w) / 2 for w in margins]
            middle = (min(errors) + max(errors)) / 2 if self.model.selection == "midpoint" else 0.5
            kept = [strategy == "dv" or error <= middle + 1e-9 for error in errors]
            if not any(kept):
                kept = [True for _ in errors]
            floor = {"accuracy": -1.0, "positive": 0.0, "range": min(margins)}[self.model.scale]
            raw = [max(w - floor, 0.0) * keep for w, keep in zip(margins, kept, strict=True)]
            if best - floor < 1e-9:
                raw = [1.0 for _ in raw]
        return [weight / sum(raw) for weight in raw]

    def shares(self, table):
        votes = self.forest.tree_votes(table).T
        found = np.zeros((len(table), len(self.model.classes_)))
        for i, margins in enumerate(self.local_margins(table)):
            for tree, weight in enumerate(self.weights(margins.tolist())):
                found[i, votes[i, tree]] += weight
        return found
