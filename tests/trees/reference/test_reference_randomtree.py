"""The checker of Weka's random trees accepts a tree that Weka printed and rejects wrong ones."""

import copy
import re

import pytest
import weka_fixtures as fixtures

from reference import randomtree
from reference.c45 import divide
from reference.table import nodes

LINE = re.compile(r"((?:\|   )*)x(\d+) (<|>=|=) (\S+)( : .*)?$")
PRINTED = ["randomtree-complete", "randomtree-missing"]


def read(lines, depth=0):
    """Read the subtree that begins at ``lines[0]`` and remove its lines. :func:`count` adds the counts."""
    node = {"children": []}
    while lines and lines[0][0] == depth:
        _, feature, sign, value, is_leaf = lines.pop(0)
        node["feature"] = feature
        node["kind"] = "nominal" if sign == "=" else "numeric"
        if sign == "<":
            node["cut"] = float(value)
        node["children"].append({} if is_leaf else read(lines, depth + 1))
    return node


def printed_tree(name):
    text = (fixtures.FOLDER / f"{name}.txt").read_text().splitlines()
    found = [match.groups() for match in map(LINE.match, text) if match]
    lines = [(len(bars) // 4, int(f), sign, value, leaf is not None) for bars, f, sign, value, leaf in found]
    tree = read(lines)
    assert not lines
    return tree


def count(node, table):
    """Class weights of every node, from the cases."""
    node["counts"] = table.counts()
    if "children" in node:
        values, known = table.columns[node["feature"]], table.known(node["feature"])
        if node["kind"] == "numeric":
            branches = [[r for r in known if (values[r] > node["cut"]) == side] for side in (False, True)]
        else:
            branches = [[r for r in known if values[r] == k] for k in range(len(node["children"]))]
        for child, rows in zip(node["children"], branches, strict=True):
            count(child, divide(table, node["feature"], branches, rows))
    return node


@pytest.mark.parametrize("name", PRINTED)
def test_a_tree_that_weka_grew_passes(name):
    tree = count(printed_tree(name), fixtures.whole(name))
    assert sum("children" in node for node in nodes(tree)) > 15
    randomtree.check(tree, fixtures.whole(name))


@pytest.mark.parametrize("name", PRINTED)
def test_wrong_trees_fail(name):
    tree = count(printed_tree(name), fixtures.whole(name))
    shorter = copy.deepcopy(tree)
    shorter["children"][0] = {"counts": shorter["children"][0]["counts"]}
    moved = copy.deepcopy(tree)
    moved["cut"] += 1.0
    for wrong in (shorter, moved):
        with pytest.raises(AssertionError):
            randomtree.check(wrong, fixtures.whole(name))
