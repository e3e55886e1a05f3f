"""The checker of CART trees accepts scikit-learn's trees and rejects wrong ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from random_tables import tables
from sklearn.tree import DecisionTreeClassifier

from reference import cart
from reference.table import nodes, table


def nested(tree, y_classes, n_classes, node=0):
    """A scikit-learn tree as nested dicts."""
    counts = np.zeros(n_classes)
    counts[y_classes] = tree.value[node, 0] * tree.weighted_n_node_samples[node]
    out = {"counts": counts.tolist()}
    if tree.children_left[node] >= 0:
        children = [tree.children_left[node], tree.children_right[node]]
        out |= {"feature": int(tree.feature[node]), "kind": "numeric", "cut": float(tree.threshold[node])}
        out["children"] = [nested(tree, y_classes, n_classes, child) for child in children]
    return out


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@settings(max_examples=40, deadline=None, derandomize=True)
@given(cases=tables(kinds=("numeric",), missing=False))
def test_trees_of_scikit_learn_pass(criterion, cases):
    model = DecisionTreeClassifier(criterion=criterion, random_state=0)
    model.fit(np.column_stack(cases.columns), cases.y, sample_weight=cases.weights)
    cart.check(nested(model.tree_, model.classes_, cases.n_classes), cases, criterion, min_split=0)


LETTERS = table([[0, 0, 1, 1, 2, 2, 3, 3]], ["nominal"], [4], [0, 0, 1, 1, 0, 0, 1, 1])


def leaf(*counts):
    return {"counts": list(map(float, counts))}


def grouped(left, first, second):
    return {
        "counts": [4.0, 4.0],
        "feature": 0,
        "kind": "subset",
        "left_levels": left,
        "children": [first, second],
    }


def test_best_grouping_passes_and_others_fail():
    cart.check(grouped([0, 2], leaf(4, 0), leaf(0, 4)), LETTERS)
    for wrong in (
        leaf(4, 4),
        grouped([0, 2], leaf(4, 0), leaf(1, 3)),
        grouped([0], leaf(2, 0), leaf(2, 4)),
        grouped([0, 1, 2, 3], leaf(4, 4), leaf(0, 0)),
    ):
        with pytest.raises(AssertionError):
            cart.check(wrong, LETTERS)


def test_a_moved_cut_fails():
    cases = table([[0, 1, 2, 3]], ["numeric"], [0], [0, 0, 1, 1])
    tree = {
        "counts": [2.0, 2.0],
        "feature": 0,
        "kind": "numeric",
        "cut": 1.5,
        "children": [leaf(2, 0), leaf(0, 2)],
    }
    cart.check(tree, cases)
    with pytest.raises(AssertionError, match="midpoint"):
        cart.check({**tree, "cut": 1.25}, cases)
    assert sum(1 for _ in nodes(tree)) == 3
