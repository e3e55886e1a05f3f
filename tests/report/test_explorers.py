from __future__ import annotations

from arboretum.report.explorers import explorer, for_pick
from arboretum.report.frames import Frame

WIDE = Frame(
    {
        "dataset": ["glass", "glass", "iris"],
        "method": ["oak", "elm", "oak"],
        "alpha_0": ["20.123456", "21", "5"],
        "alpha_0.5": ["19", "", "4"],
        "best_alpha": ["0.5", "0", "0.5"],
    }
)
LONG = Frame(
    {
        "method": ["oak", "oak"],
        "alpha": ["0.5", "1.0"],
        "error": ["12.5", "14"],
        "printed": ["", "13.9"],
        "strength": ["0.4", "0.3"],
        "correlation": ["0.2", "1"],
    }
)
STATED = {
    "title": "Move alpha",
    "x": "alpha",
    "y": "error",
    "pick": "data set",
    "sources": [
        {"table": "means", "x": "alpha", "y": "error", "line": "method", "pick": "=all", "printed": "printed"},
        {"table": "by_set", "wide": "alpha_", "line": "method", "pick": "dataset"},
    ],
    "path": {
        "x": "strength",
        "y": "correlation",
        "sources": [
            {"table": "means", "at": "alpha", "x": "strength", "y": "correlation", "line": "method", "pick": "=all"}
        ],
    },
}


def test_tables_become_lines_over_one_variable() -> None:
    made = explorer(STATED, {"means": LONG, "by_set": WIDE})
    assert made["x"] == [0.0, 0.5, 1.0] and made["lines"] == ["oak", "elm"]
    assert made["picks"] == [{"label": "data set", "values": ["all", "glass", "iris"]}]
    assert made["ours"]["glass"] == {"oak": [20.123, 19.0, None], "elm": [21.0, None, None]}
    assert made["ours"]["all"] == {"oak": [None, 12.5, 14.0]}
    assert made["printed"] == {"all": {"oak": [None, None, 13.9]}}
    assert made["path"]["ours"] == {"all": {"oak": [(None, None), (0.4, 0.2), (0.3, 1.0)]}}


def test_a_table_that_is_not_stored_is_left_out() -> None:
    assert explorer(STATED, {"by_set": WIDE})["picks"][0]["values"] == ["glass", "iris"]
    assert explorer(STATED, {}) is None


def test_several_lists_to_pick_from() -> None:
    source = {"table": "by_set", "wide": "alpha_", "line": "method", "pick": ["=error", "dataset"]}
    made = explorer({**STATED, "pick": ["part", "data set"], "sources": [source]}, {"by_set": WIDE})
    assert [picked["values"] for picked in made["picks"]] == [["error"], ["glass", "iris"]]
    assert set(made["ours"]) == {"error|glass", "error|iris"} and for_pick(made, "glass") is None


def test_one_thing_for_a_page_of_its_own() -> None:
    made = for_pick(explorer(STATED, {"means": LONG, "by_set": WIDE}), "glass")
    assert set(made["ours"]) == {"glass"} and made["printed"] == {} and made["path"]["ours"] == {}
    assert for_pick(made, "iris") is None


def test_a_map_and_a_tree_at_each_place() -> None:
    plane = Frame(
        {
            "kind": ["case", "map", "map", "map", "map"],
            "x1": ["0.25", "0", "0", "1", "1"],
            "x2": ["0.75", "0", "1", "0", "1"],
            "label": ["1.0", "", "", "", ""],
            "oak_0.5": ["", "0", "0.25", "0.5", "1"],
            "oak_1": ["", "1", "1", "0", "0"],
        }
    )
    trees = Frame(
        {
            "alpha": ["0.5", "0.5", "0.5", "1.0"],
            "parent": ["-1", "0", "0", "-1"],
            "depth": ["0", "1", "1", "0"],
            "across": ["0.5", "0", "1", "0"],
            "share": ["0.5", "0", "1", "0.5"],
            "deterministic": ["1.0", "", "", ""],
        }
    )
    source = {"table": "means", "x": "alpha", "y": "error", "line": "=oak", "pick": "=all"}
    drawn = {"map": {"table": "plane", "models": {"oak": "oak_"}}, "tree": {"table": "trees"}}
    made = explorer({**STATED, "sources": [source], **drawn}, {"means": LONG, "plane": plane, "trees": trees})
    assert made["lines"] == ["oak"] and made["x"] == [0.5, 1.0]
    assert made["map"]["cases"] == [[0.25, 0.75, 1]]
    assert made["map"]["x1"] == made["map"]["x2"] == [0.0, 1.0]
    assert made["map"]["shares"] == {"oak": [[0, 25, 50, 100], [100, 100, 0, 0]]}
    assert made["tree"] == [[[0.5, 0, -1, 0.5, 1], [0, 1, 0, 0, None], [1, 1, 0, 1, None]], [[0, 0, -1, 0.5, None]]]
