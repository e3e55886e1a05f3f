"""A small tree of results of two made-up papers, for the report to show."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import matplotlib
import pandas as pd
import yaml

from arboretum.papers.contract import Experiment, Paper, ResultFigure, ResultTable
from arboretum.papers.kit.claims import Claim
from arboretum.project.raw_results import write_raw

SETS = ["glass", "iris", "led24", "nursery", "sonar", "vote", "wine", "zoo"]
CLAIMS = {  # conclusion, value, interval, remark
    "oak-c01": ("reproduced", "3.93", ("3.76", "4.1"), ""),
    "oak-c02": ("not reproduced", "-1.9", ("-2.4", "-1.5"), "Ours is worse <on> two sets & better on none."),
    "oak-c03": ("inconclusive", "0.12", ("-0.01", "0.25"), ""),
    "oak-c04": ("not assessed", "", (), ""),
}
OUTCOMES = {"reproduced": "holds", "not reproduced": "fails", "inconclusive": "open"}


def nothing(*_: object) -> None:
    raise AssertionError("the report computes nothing")


def paper(key: str, tables: dict[str, ResultTable], figures: dict[str, ResultFigure], claims: tuple[str, ...]) -> Paper:
    experiments = {name: Experiment(nothing, nothing, ("dataset",)) for name in ("accuracy", "later")}
    return Paper(key, experiments, tables, figures, {name: Claim(name, nothing, ("table1",)) for name in claims})


def table(title: str, *keys: str, source: str = "accuracy", caption: str = "") -> ResultTable:
    return ResultTable(
        name="", build=nothing, title=title, keys=keys, sources=(source,), timing=("seconds",), caption=caption
    )


PAPERS = {
    "oak": paper(
        "oak",
        {
            "table1": table("Table 1: error in percent", "dataset", caption="Ten folds; intervals from repetitions."),
            "table2": table("Table 2: the data sets", "dataset"),
            "table9": table("Table 9: of an experiment that this profile does not run", "dataset", source="later"),
        },
        {
            name: ResultFigure(
                name=name,
                build=nothing,
                draw=nothing,
                title=f"Figure {name[-1]}: error <b>",
                caption="Lower is better.",
                sources=("accuracy",),
            )
            for name in ("figure1", "figure2")
        },
        tuple(CLAIMS),
    ),
    "elm": paper("elm", {"table1": table("Table 1: the data sets", "dataset")}, {}, ()),
    "ash": paper("ash", {"table1": table("Table 1", "dataset")}, {}, ()),  # has no results
}


def plant(root: Path, sets: list[str] = SETS, methods: tuple[str, ...] = ("forest", "bagging")) -> Path:
    """Write the tree under ``root``."""
    section = {"sets": sets, "accuracy": {"sets": sets, "trees": 100, "learners": list(methods)}}
    few = {**section, "sets": sets[:2], "accuracy": {**section["accuracy"], "sets": sets[:2], "trees": 10}}
    params = {"full": dict.fromkeys(PAPERS, section), "quick": {"oak": few}}
    write(root / "params.yaml", yaml.safe_dump(params))
    for name in sets:
        write(root / "conf" / "dataset" / f"{name}.yaml", yaml.safe_dump(spec(name)))
    said = {name: {"name": name, "printed": {"rows": 100, "classes": 3}, "difference": "made up"} for name in sets}
    write(root / "data" / "published" / "oak" / "sets.yaml", yaml.safe_dump(said))
    for profile, key, sets_of_it in (("full", "oak", sets), ("full", "elm", sets), ("quick", "oak", sets[:2])):
        results = root / "results" / profile / key
        manifest = {name: facts(name) for name in sets_of_it}
        write(root / "data" / "manifest" / profile / f"{key}.json", json.dumps(manifest))
        write(results / "metrics.json", json.dumps({"tables": 2}))
        write_raw(pd.DataFrame({"dataset": sets, "errors": range(len(sets))}), results / "raw" / "accuracy.parquet")
    plant_oak(root, "full", sets, methods)
    plant_oak(root, "quick", sets[:2], methods)
    write_rows(root / "results" / "full" / "elm" / "tables" / "table1.csv", inventory(sets))
    deviation = {
        "paper": "oak",
        "where": "sec 4",
        "printed_protocol": "C5",
        "ours": "C4.5",
        "reason": "C5 was <closed>",
        "reading": "none",
        "gives": "none",
    }
    write_rows(root / "docs" / "deviations.csv", [deviation, {**deviation, "paper": "ash"}])
    return root


def plant_oak(root: Path, profile: str, sets: list[str], methods: tuple[str, ...]) -> None:
    tables, published = root / "results" / profile / "oak" / "tables", root / "data" / "published" / "oak"
    write_rows(tables / "table1.csv", errors(sets, methods))
    write_rows(tables / "table2.csv", inventory(sets))
    for name in ("figure1", "figure2"):
        write_rows(tables / f"{name}.csv", [{"alpha": step / 10, "error": 15 + step / 7} for step in range(11)])
        draw(root / "figures" / profile / "oak" / f"{name}.svg", name)
    check = {"kind": "conclusion", "above": 0, "unit": "points"}
    stated = [
        {"id": f"oak-c0{n}", "where": f"sec {n}", "statement": f"Claim {n} holds.", "checks": {"drop": check}}
        for n in range(1, 6)
    ]
    stated[0]["checks"] = {"drop": check, "error": {**check, "each": "set"}}
    if profile == "full":
        write_rows(tables / "claims.csv", [claim_row(key, *of) for key, of in CLAIMS.items()])
        rows = [check_row(key, "drop", *of[:3]) for key, of in CLAIMS.items() if of[1]]
        rows += [check_row("oak-c01", f"error: {name}", "reproduced", "15.4", ("15.1", "15.8")) for name in sets[:2]]
        write_rows(tables / "checks.csv", rows)
    write(published / "claims.yaml", yaml.safe_dump({"claims": stated}))
    write(
        published / "figures.yaml",
        yaml.safe_dump({"figures": [{"figure": "1", "plotted": "x alpha", "reader_should_see": "a dip"}]}),
    )
    write(
        published / "NOTES.md",
        "# oak: misprints\n\n| where | printed | why |\n|---|---|---|\n| sec 5 | >= | <= |\nAll else agrees.\n",
    )


def claim_row(key: str, conclusion: str, value: str, ends: tuple[str, ...], remark: str) -> dict[str, object]:
    row = {"id": key, "where": "Table 1; sec 1", "statement": f"Statement of {key}.", "conclusion": conclusion}
    row |= {"numbers": "1 of 2 agree" if key == "oak-c02" else "", "observed": f"{value} {ends}", "remark": remark}
    return row | {"informed_by_print": key == "oak-c02"}


def check_row(key: str, check: str, conclusion: str, value: str, ends: tuple[str, ...]) -> dict[str, object]:
    row = {"claim": key, "check": check, "kind": "conclusion", "value": value, "low": ends[0], "high": ends[1]}
    row |= {"varies": "5 runs", "limit_low": "0.0", "limit_high": "inf", "printed": "", "unit": "points"}
    return row | {"verdict": OUTCOMES[conclusion], "precision": ""}


def errors(sets: list[str], methods: tuple[str, ...]) -> list[dict[str, object]]:
    """Printed, ours, interval and difference for each method; one set cannot be had, the last row is a mean."""
    draw_from = random.Random(1)
    rows = []
    for name in sets:
        row: dict[str, object] = {"dataset": name}
        for method in methods:
            printed = round(draw_from.uniform(1, 45), 1)
            ours = printed + draw_from.gauss(0, 0.6)
            row[f"{method}_printed"] = printed
            found = name != "nursery"
            row[method] = ours if found else ""
            row[f"{method}_low"] = ours - 0.7 if found else ""
            row[f"{method}_high"] = ours + 0.7 if found else ""
            row[f"{method}_difference"] = ours - printed if found else ""
        rows.append(
            row
            | {"seconds": draw_from.uniform(0.1, 2), "status": "available" if name != "nursery" else "no source has it"}
        )
    means = {
        column: mean([row[column] for row in rows if row["status"] == "available"])
        for column in rows[0]
        if column not in ("dataset", "status")
    }
    return rows + [{"dataset": "mean", **means, "status": "available"}]


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def inventory(sets: list[str]) -> list[dict[str, object]]:
    return [
        {"dataset": name, "size_printed": 100 + 50 * place**3, "size": 100 + 50 * place**3 + (name == "sonar")}
        | {
            "attributes_printed": "9c",
            "attributes": "10c" if name == "iris" else "9c",
            "agrees": name not in ("iris", "sonar"),
        }
        | {"remark": "the paper counts the identifier as an attribute" if name == "iris" else ""}
        for place, name in enumerate(sets)
    ]


def spec(name: str) -> dict[str, object]:
    return {
        "name": name,
        "title": f"The {name} set",
        "licence": "CC BY 4.0",
        "quirks": ["two identical rows <kept>"],
        "sources": [
            {
                "kind": "pypi",
                "package": "sets",
                "version": "1.0",
                "filename": "sets-1.0.tar.gz",
                "sha256": "0" * 64,
                "size": 1,
                "members": [{"path": "a.csv", "sha256": "0" * 64}],
            }
        ],
    }


def facts(name: str) -> dict[str, object]:
    if name == "nursery":
        return {"status": "unavailable", "reason": "no source has it", "printed_as": name, "explained": ""}
    counts = {"rows": 150, "attributes": 9, "numeric": 9, "nominal": 0, "binary": 0, "classes": 3, "missing": 0}
    return {
        "status": "available",
        "fingerprint": name.encode().hex().ljust(64, "0"),
        **counts,
        "class_counts": {"a": 100, "b": 50},
        "printed_as": name,
    }


def draw(path: Path, name: str) -> None:
    """A drawing as the pipeline saves it: with clip paths, definitions and a style of its own."""
    from matplotlib.figure import Figure as Drawing

    figure = Drawing(figsize=(6, 4))
    axes = figure.add_subplot(title=name, xlabel="alpha", ylabel="error")
    axes.plot(range(11), [15 + step / 7 for step in range(11)], "o-", label="forest")
    axes.plot([0], [16], "D", gid="printed-means")
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context({"svg.hashsalt": "arboretum", "svg.fonttype": "none"}):
        figure.savefig(path, format="svg", metadata={"Date": None})


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_rows(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
