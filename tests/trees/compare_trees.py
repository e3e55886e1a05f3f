"""Compare two nested trees node by node; the message names the first node that differs."""

from __future__ import annotations

import math


def assert_same(ours, reference, path="root") -> None:
    """Every node has the same test, the same cut (1e-9) and the same class weights (1e-6)."""
    assert len(ours["counts"]) == len(reference["counts"]), f"{path}: number of classes"
    for k, (a, b) in enumerate(zip(ours["counts"], reference["counts"], strict=True)):
        assert math.isclose(a, b, abs_tol=1e-6), f"{path}: weight {a} of class {k}, expected {b}"
    assert ("children" in ours) == ("children" in reference), (
        f"{path}: {'split' if 'children' in ours else 'leaf'}, expected the other; {describe(reference)}"
    )
    if "children" not in ours:
        return
    for key in ("feature", "kind"):
        assert ours[key] == reference[key], f"{path}: {describe(ours)}, expected {describe(reference)}"
    if ours["kind"] == "numeric":
        assert math.isclose(ours["cut"], reference["cut"], abs_tol=1e-9), (
            f"{path}: cut {ours['cut']}, expected {reference['cut']}"
        )
    assert len(ours["children"]) == len(reference["children"]), f"{path}: number of branches"
    for k, (mine, theirs) in enumerate(zip(ours["children"], reference["children"], strict=True)):
        assert_same(mine, theirs, f"{path}/{k}")


def describe(node) -> str:
    if "children" not in node:
        return f"a leaf {node['counts']}"
    return f"a {node['kind']} test of feature {node['feature']} at {node.get('cut')}, {node['counts']}"
