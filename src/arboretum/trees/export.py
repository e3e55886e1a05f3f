"""Export a tree as nested dicts, for people, pictures and tests."""

from __future__ import annotations

from arboretum.trees.rules import LEAF, NOMINAL, NUMERIC


def nested(forest, tree: int = 0) -> dict:
    """One tree as nested dicts.

    Every node has ``counts`` (all 0 in an empty branch). An inner node also has ``feature`` (index), ``kind``
    ("numeric", "nominal" or "subset"), ``cut`` or ``left_levels``, ``children`` and ``deterministic``. With
    ``missing="branch"`` the last child of a nominal node is that of the unknown values.
    """
    return _node(forest, forest.class_weights, int(forest.starts[tree]))


def _node(forest, counts, place) -> dict:
    node = {"counts": [float(c) for c in counts[place]]}
    record = forest.nodes[place]
    kind, f = record["kind"], int(record["feature"])
    if kind == LEAF:
        return node
    first = int(record["child"])
    branches = 2
    node |= {"feature": f, "deterministic": bool(record["deterministic"])}
    if kind == NUMERIC:
        node |= {"kind": "numeric", "cut": float(record["cut"])}
    elif kind == NOMINAL:
        node["kind"] = "nominal"
        branches = int(forest.n_values[f])
    else:
        at = int(record["cut"])
        sides = forest.sides[at : at + int(forest.n_values[f])]
        node |= {"kind": "subset", "left_levels": [level for level, side in enumerate(sides) if side == 0]}
    node["children"] = [_node(forest, counts, first + b) for b in range(branches)]
    return node
