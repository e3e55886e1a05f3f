"""What can be read from grown trees: leaves, paths, proximities, single trees, shape and importance."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from arboretum.trees.read import node_votes


class GrownTrees:
    """Methods of estimators that have their trees in ``forest_``."""

    _per_tree = ("_seeds_", "estimator_weights_", "alphas_")  # attributes with one value per tree
    _of_all_trees = ("oob_score_", "oob_decision_function_")  # attributes that do not hold for some of the trees

    def _with_trees(self, part: slice):
        """A fitted copy with some of the trees; nothing is grown again."""
        check_is_fitted(self, "forest_")
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        first, end, _ = part.indices(len(self.forest_))
        copy.forest_ = self.forest_.head(end) if first == 0 else self.forest_.tree(first)
        for name in self._of_all_trees:
            copy.__dict__.pop(name, None)
        for name in self._per_tree:
            if name in self.__dict__:
                setattr(copy, name, getattr(self, name)[part])
        if "n_estimators" in self.get_params():
            copy.n_estimators = len(copy.forest_)
        return copy

    def __len__(self) -> int:
        """How many trees there are."""
        return len(self._fitted())

    def __bool__(self) -> bool:
        return True  # fitted or not: ``forest or default`` must not ask for trees

    def __getitem__(self, tree: int):
        """One tree, as in ``estimators_``."""
        return self.estimators_[tree]

    def __iter__(self):
        return iter(self.estimators_)

    def _fitted(self):
        check_is_fitted(self, "forest_")
        return self.forest_

    @property
    def n_classes_(self) -> int:
        """How many classes there are."""
        check_is_fitted(self, "forest_")
        return len(self.classes_)

    def head(self, k: int):
        """A fitted copy with the first k trees; nothing is grown again."""
        check_is_fitted(self, "forest_")
        if not 1 <= k <= len(self.forest_):
            raise ValueError(f"head({k}): the forest has {len(self.forest_)} trees")
        return self._with_trees(slice(0, k))

    @property
    def estimators_(self) -> list:
        """Each tree as a fitted estimator of one tree. Unlike scikit-learn's, it predicts labels, not their codes."""
        check_is_fitted(self, "forest_")
        return [self._with_trees(slice(tree, tree + 1)) for tree in range(len(self.forest_))]

    def apply(self, X) -> np.ndarray:
        """Leaf that each case reaches in each tree: (cases, trees).

        A missing value takes the heaviest branch, or that which ``missing="branch"`` gives it.
        """
        table = self._read(X)
        return self.forest_.apply(table)

    def decision_path(self, X):
        """Nodes that each case passes: a sparse indicator (cases, nodes of all trees), and where each tree begins."""
        table = self._read(X)
        forest, parent = self.forest_, self.forest_.parent
        place = forest.apply(table) + forest.starts[:-1]
        cases, nodes = [], []
        row = np.broadcast_to(np.arange(len(place))[:, None], place.shape)
        while place.size:
            cases.append(row)
            nodes.append(place)
            above = parent[place]
            row, place = row[above >= 0], above[above >= 0]
        cases, nodes = (np.concatenate([part.ravel() for part in parts]) for parts in (cases, nodes))
        shape = (int(cases.max()) + 1, int(forest.starts[-1]))
        path = sparse.csr_matrix((np.ones(len(cases), np.int64), (cases, nodes)), shape=shape)
        return path, forest.starts.copy()

    def proximities(self, X, Y=None, *, oob: bool = False) -> np.ndarray:
        """Share of the trees in which a case of X and one of Y (default: X) reach the same leaf: (cases, cases).

        With ``oob`` X must be the training data, and a pair counts only in trees that saw neither case; it is NaN if
        there is none.
        """
        one = self._leaf_indicator(X)
        if not oob:
            other = one if Y is None else self._leaf_indicator(Y)
            return (one @ other.T).toarray() / len(self.forest_)
        if Y is not None:
            raise ValueError("proximities: oob=True compares training cases with each other; leave Y out")
        out = self.oob_mask_.T
        if len(out) != one.shape[0]:
            raise ValueError(f"proximities: oob=True needs the {len(out)} training cases, X has {one.shape[0]}")
        unseen = one.multiply(np.repeat(out, self.n_nodes_, axis=1)).tocsr()
        trees = out.astype(np.float64) @ out.T
        together = (unseen @ unseen.T).toarray()
        return np.divide(together, trees, out=np.full(trees.shape, np.nan), where=trees > 0)

    def _leaf_indicator(self, X):
        """1 where a case reaches a leaf: a sparse matrix (cases, nodes of all trees)."""
        forest = self.forest_
        leaves = forest.apply(self._read(X)) + forest.starts[:-1]
        starts = np.arange(len(leaves) + 1) * leaves.shape[1]
        return sparse.csr_matrix((np.ones(leaves.size), leaves.ravel(), starts), (len(leaves), forest.starts[-1]))

    def _leaf_shares(self) -> np.ndarray:
        """What each node answers as a leaf: (nodes, classes). ``predict_proba`` is the mean over trees."""
        forest, answer = self.forest_, self.forest_.answers(self._curtail)
        if self._combine == "votes":
            return np.eye(forest.n_classes)[node_votes(forest.nodes, forest.counts, answer)]
        weights = forest.class_weights[answer]
        return weights / weights.sum(axis=1, keepdims=True)

    @property
    def n_leaves_(self) -> np.ndarray:
        """Leaves of each tree."""
        return self._fitted().n_leaves

    @property
    def n_nodes_(self) -> np.ndarray:
        """Nodes of each tree, leaves included."""
        return self._fitted().n_nodes

    @property
    def depths_(self) -> np.ndarray:
        """Greatest depth of each tree."""
        return self._fitted().depths

    @property
    def deterministic_share_(self) -> np.ndarray:
        """Share of deterministic nodes among the inner nodes of each tree."""
        return self._fitted().deterministic_share

    @property
    def feature_use_(self) -> np.ndarray:
        """Inner nodes that test each feature: (trees, features)."""
        return self._fitted().feature_use

    @property
    def feature_importances_(self) -> np.ndarray:
        """Mean decrease of Gini impurity by feature, scaled to sum 1."""
        return self._fitted().importances()
