"""Artificial data: concepts A and B (Table 4), the Gaussian mixture (Figure 8), the stability of appendix B."""

from __future__ import annotations

from itertools import combinations, count

import pandas as pd

from arboretum.measures import ties
from arboretum.papers.contract import table
from arboretum.papers.kit.beside import with_ends
from arboretum.papers.kit.estimate import mean_of
from arboretum.papers.results import Results, once
from arboretum.papers.vrtrees.rates import grouped_exactly
from arboretum.papers.vrtrees.remarks import on_row

CONCEPT_LEARNERS = ("max_diverse", "coalescence", "agg_alpha05", "random_forest")


@once
def errors_on_concepts(results: Results) -> dict[str, pd.DataFrame]:
    """Errors in per cent of the runs on concepts A and B, one column per learner: by row of Table 4 as printed."""
    frame = results.raw["concepts"]
    keys = [frame[name] for name in ("concept", "condition", "run", "learner")]
    rates = (100 * frame["errors"] / frame["cases"]).groupby(keys).first().unstack()
    text = results.printed["table4_concepts"]
    return {row.printed_row: rates.loc[row.concept, row.condition] for row in text.itertuples()}


@table(
    title="Table 4: concepts A and B",
    keys=("concept", "condition"),
    sources=("concepts",),
    caption=(
        "Per cent of 10,000 lattice points, mean of the runs with its standard error. less: difference of two learners "
        "in the same runs, with its standard error; middle: the mean of alpha 0 and 0.5. remark: on "
        "cells that are far from print."
    ),
    prose=("remark",),
)
def table4(results: Results) -> pd.DataFrame:
    """Table 4: mean error over runs on concepts A and B, with standard errors."""
    rows = []
    for text in results.printed["table4_concepts"].itertuples():
        runs = errors_on_concepts(results)[text.printed_row]
        row = {"concept": text.concept, "condition": text.condition, "printed_row": text.printed_row, "runs": len(runs)}
        for learner in CONCEPT_LEARNERS:
            value, ours = getattr(text, learner), runs[learner].mean()
            row |= {f"{learner}_printed": value, learner: ours, f"{learner}_standard_error": runs[learner].sem()}
            row |= {f"{learner}_difference": ours - value}
        for one, other in combinations(CONCEPT_LEARNERS, 2):
            gap = runs[one] - runs[other]
            row |= {f"{one}_less_{other}": gap.mean(), f"{one}_less_{other}_standard_error": gap.sem()}
        above = runs["coalescence"] - (runs["max_diverse"] + runs["agg_alpha05"]) / 2
        row |= {"coalescence_less_middle": above.mean(), "coalescence_less_middle_standard_error": above.sem()}
        row["remark"] = on_row(results, text.printed_row)
        rows.append(row)
    return pd.DataFrame(rows)


@table(
    title="Figure 8 in numbers: the Gaussian mixture",
    keys=("learner",),
    sources=("boundary",),
    caption="Per cent of test cases, mean over samples of the mixture with its standard error.",
)
def boundary(results: Results) -> pd.DataFrame:
    """Test error on samples of the Gaussian mixture, and how often each learner departs from the Bayes rule."""
    frame = results.raw["boundary"]
    frame = frame[frame["kind"] == "score"]
    rows = []
    for learner, scores in frame.groupby("learner", sort=False):
        row = {"learner": learner, "samples": len(scores)}
        for name, column in (
            ("error", "errors"),
            ("departs_from_bayes", "unlike_bayes"),
            ("bayes_error", "bayes_errors"),
        ):
            rate = 100 * scores[column] / scores["cases"]
            row |= {name: rate.mean(), f"{name}_standard_error": rate.sem()}
        rows.append(row)
    wide = (frame["unlike_bayes"] / frame["cases"]).groupby([frame["sample"], frame["learner"]]).first().unstack()
    gain = 100 * (wide["tree"] - wide["ensemble"])
    return pd.DataFrame(rows).assign(
        tree_less_ensemble=gain.mean(),
        tree_less_ensemble_standard_error=gain.sem(),
        samples_better=int(ties.less(0, gain).sum()),
    )


@table(
    title="The spectrum on a plane: one sample of the Gaussian mixture at each alpha",
    keys=("alpha",),
    sources=("plane",),
    caption=(
        "Beyond print: the training cases of Figure 8. Errors in per cent of the test cases; leaves, depth and the "
        "share of deterministic tests are those of the first tree."
    ),
)
def plane(results: Results) -> pd.DataFrame:
    """Errors of the forest and of its first tree at each alpha, and the size of that tree."""
    rows = []
    for alpha, part in grouped_exactly(results.raw["plane"], "alpha").groupby("alpha"):
        score, nodes = part[part["kind"] == "score"].iloc[0], tree_layout(part[part["kind"] == "node"])
        inner = nodes["deterministic"].notna()
        row = {"alpha": alpha} | {f"{name}_error": 100 * score[name] / score["cases"] for name in ("forest", "tree")}
        row |= {"leaves": int((~inner).sum()), "depth": int(nodes["depth"].max())}
        rows.append(row | {"deterministic_share": nodes["deterministic"].mean()})
    return pd.DataFrame(rows)


def tree_layout(nodes: pd.DataFrame) -> pd.DataFrame:
    """Nodes of one tree with their ``depth`` and ``across``: leaves numbered from the left, a parent in between."""
    nodes = nodes.sort_values("index").reset_index(drop=True)
    nodes["parent"] = nodes["parent"].round().astype(int)
    children = nodes.groupby("parent")["index"].apply(list).to_dict()
    depth, across, leaves = {}, {}, count()

    def place(node: int, level: int) -> float:
        depth[node] = level
        below = [place(child, level + 1) for child in children.get(node, [])]
        across[node] = sum(below) / len(below) if below else next(leaves)
        return across[node]

    place(0, 0)
    return nodes.assign(depth=nodes["index"].map(depth), across=nodes["index"].map(across).astype(float))


@table(
    title="Appendix B, measured: leave-one-out instability and its bound",
    keys=("study", "value"),
    sources=("stability",),
    caption=(
        "bound: class transitions of the relevant attribute over cases; bound all attributes: the mean over "
        "attributes. exact: infinitely many trees. above bound: samples whose leave-one-out losses exceed mu_S."
    ),
)
def stability(results: Results) -> pd.DataFrame:
    """Leave-one-out instability beside the bound mu_S / k of appendix B, over samples of each condition."""
    frame = grouped_exactly(results.raw["stability"], "value")
    exact, transitions = frame["left_out_loss_exact"], frame["transitions"]
    rate = pd.DataFrame(
        {
            "study": frame["study"],
            "value": frame["value"],
            "size": frame["size"],
            "bound": transitions / frame["size"],
            "bound_all_attributes": frame["mean_transitions"] / frame["size"],
            "instability": frame["left_out_loss"] / frame["size"],
            "training_error": frame["training_loss"] / frame["size"],
            "test_error": frame["test_loss"] / frame["test_cases"],
            "instability_exact": exact / frame["size"],
            "above_bound": ties.less(transitions, frame["left_out_loss"]),
            "above_bound_exact": ties.less(transitions, exact),  # False where there is no exact loss
            "above_twice_the_bound": ties.less(2 * transitions, frame["left_out_loss"]),
        }
    )
    grouped = rate.groupby(["study", "value"], sort=False)
    counts = ["above_bound", "above_bound_exact", "above_twice_the_bound"]
    means = grouped.mean().drop(columns=counts)
    ends = [with_ends("instability", mean_of(runs.to_numpy())) for _, runs in grouped["instability"]]
    means[["instability_low", "instability_high"]] = pd.DataFrame(ends, means.index).drop(columns="instability")
    means["samples"] = grouped.size()
    for name in counts:
        means[f"samples_{name}"] = grouped[name].sum().astype(int)
    return means.reset_index()
