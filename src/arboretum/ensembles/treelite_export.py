"""Trees for treelite, which compiles, serves and stores forests, and writes them as JSON."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from arboretum.trees.rules import LEAF, NUMERIC, SUBSET


def to_treelite(estimator):
    """A ``treelite.Model`` whose answers are those of ``predict_proba``; needs ``pip install treelite``.

    Columns are numbers; a nominal value is the position of its level in ``levels_``. Complete cases get the same
    answers. A missing value is filled in or takes its branch as in the estimator; where the estimator follows all
    branches (C4.5 and Weka's trees), treelite takes the heaviest one.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from arboretum.ensembles import Coalescence, to_treelite
    >>> X, y = load_iris(return_X_y=True)
    >>> model = to_treelite(Coalescence(10, random_state=0).fit(X, y))  # doctest: +SKIP
    >>> shares = treelite.gtil.predict(model, X)[:, 0]  # doctest: +SKIP
    """
    try:
        from treelite.model_builder import Metadata, ModelBuilder, PostProcessorFunc, TreeAnnotation
    except ImportError:
        raise ImportError("to_treelite needs treelite: pip install treelite") from None
    check_is_fitted(estimator, "forest_")
    forest, shares = estimator.forest_, estimator._leaf_shares()
    trees, classes = len(forest), len(estimator.classes_)
    builder = ModelBuilder(
        threshold_type="float64",
        leaf_output_type="float64",
        metadata=Metadata(
            num_feature=estimator.n_features_in_,
            task_type="kMultiClf",
            average_tree_output=True,
            num_target=1,
            num_class=[classes],
            leaf_vector_shape=(1, classes),
        ),
        tree_annotation=TreeAnnotation(num_tree=trees, target_id=[0] * trees, class_id=[-1] * trees),
        postprocessor=PostProcessorFunc(name="identity_multiclass"),
        base_scores=[0.0] * classes,
    )
    for tree in range(trees):
        builder.start_tree()
        _Tree(forest, shares, getattr(estimator, "fill_values_", None), builder).add(tree)
        builder.end_tree()
    return builder.commit()


class _Tree:
    """Writes the nodes of one tree; a nominal test of many branches becomes a chain of tests of one level each."""

    def __init__(self, forest, shares, fill, builder):
        self.forest, self.shares, self.fill, self.builder = forest, shares, fill, builder

    def add(self, tree: int) -> None:
        forest = self.forest
        first, end = int(forest.starts[tree]), int(forest.starts[tree + 1])
        self.next_key = end - first  # keys from here on are those of chains
        self.first = first
        for place in range(first, end):
            self._add_node(place, forest.nodes[place])

    def _add_node(self, place: int, node) -> None:
        kind, f, key = int(node["kind"]), int(node["feature"]), place - self.first
        if kind == LEAF:
            self.builder.start_node(key)
            self.builder.leaf([float(share) for share in self.shares[place]])
            self.builder.end_node()
            return
        child = int(node["child"]) - self.first
        if kind == NUMERIC:
            left = self._goes_left(place, f, lambda value: value <= node["cut"])
            self.builder.start_node(key)
            self.builder.numerical_test(
                feature_id=f,
                threshold=float(node["cut"]),
                default_left=left,
                opname="<=",
                left_child_key=child,
                right_child_key=child + 1,
            )
            self.builder.end_node()
        elif kind == SUBSET:
            at, levels = int(node["cut"]), int(self.forest.n_values[f])
            sides = self.forest.sides[at : at + levels]
            left = self._goes_left(place, f, lambda value: sides[int(value)] == 0)
            self._categorical(key, f, np.flatnonzero(sides == 0), left, child, child + 1)
        else:
            self._add_chain(key, f, place, child)

    def _add_chain(self, key: int, f: int, place: int, child: int) -> None:
        levels = int(self.forest.n_values[f])
        weights = self.forest.nodes["weight"][child + self.first : child + self.first + levels]
        missing = int(np.argmax(weights)) if self.fill is None else int(self.fill[f])
        if self.forest.missing == "branch":
            missing = levels - 1
        for level in range(levels - 1):
            last = level == levels - 2
            other = child + level + 1 if last else self.next_key
            self._categorical(key, f, [level], level == missing, child + level, other)
            if not last:
                key, self.next_key = self.next_key, self.next_key + 1

    def _categorical(self, key: int, f: int, levels, default_left: bool, left: int, right: int) -> None:
        self.builder.start_node(key)
        self.builder.categorical_test(
            feature_id=f,
            default_left=bool(default_left),
            category_list=[int(level) for level in levels],
            category_list_right_child=False,
            left_child_key=left,
            right_child_key=right,
        )
        self.builder.end_node()

    def _goes_left(self, place: int, f: int, test) -> bool:
        """Where a missing value goes: as the value filled in, to the lower or otherwise to the heavier branch."""
        if self.forest.missing == "branch":
            return True
        if self.fill is not None:
            return bool(test(self.fill[f]))
        child = int(self.forest.nodes["child"][place])
        return bool(self.forest.nodes["weight"][child] >= self.forest.nodes["weight"][child + 1])
