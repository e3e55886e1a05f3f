"""Table 1: the size of the trees, and what growing them takes.

Seconds belong to a machine and a program. The steps of growing follow from the trees alone; counted is how often the
value of a feature is looked at:

- PERT looks at two values to draw a cut, and divides a node by one look at each of its cases.
- CART that sorts in every node sorts each feature there, scans it for the best cut, and divides the node.
- CART that sorts once sorts each feature at the root, scans it in every node, and divides all sorted lists.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.kit.beside import beside
from arboretum.papers.kit.estimate import Estimate, ratio_of, with_error
from arboretum.papers.pert.tables.keys import SYNTHETIC
from arboretum.papers.results import Results, once

TREES = {
    "pert": "PERT",
    "cart": "CART",
    "cart_log2_features": "CART, int(log2 M + 1) features per node",
    "cart_1_feature": "CART, one feature per node",
    "extra_1_feature": "Extra-Tree, one feature per node",
    "c45": "C4.5 (VR-Tree, alpha 1)",
    "vr_0": "complete-random (VR-Tree, alpha 0)",
    "scikit_cart": "scikit-learn DecisionTree",
    "scikit_extra_1_feature": "scikit-learn ExtraTree, one feature per node",
}
SORTING = ("sorted_once", "sorted_in_every_node")
TIMES = ("microseconds_to_grow", "growing_time_over_pert", "answering_time_over_pert")


@once
def means_per_tree(results: Results) -> pd.DataFrame:
    """Means over samples, nodes with their standard error, and seconds per tree; index dataset, cases, tree."""
    frame = results.raw["size_time"].set_index(["dataset", "cases", "tree"])
    samples, cases = frame["samples"], frame.index.get_level_values("cases")
    mean = frame["nodes"] / samples
    variance = (frame["squared_nodes"] / samples - mean**2) * samples / (samples - 1)
    scanned = frame["searched"] * frame["divided_cases"]
    sorted_anew = frame["searched"] * frame["sort_comparisons"] + scanned + frame["divided_cases"]
    sorted_before = frame["searched"] * frame["root_comparisons"] + 2 * scanned + frame["divided_cases"]
    return pd.DataFrame(
        {
            "nodes": mean,
            "nodes_se": np.sqrt(variance / samples),
            "samples": samples,
            "leaves": frame["leaves"] / samples,
            "training_errors": frame["training_errors"],
            "mean_depth": frame["divided_cases"] / (samples * cases),
            "looks_of_pert": (frame["divided_cases"] + 2 * (frame["nodes"] - frame["leaves"])) / samples,
            "looks_of_scans": scanned / samples,
            "looks_sorted_once": sorted_before / samples,
            "looks_sorted_in_every_node": sorted_anew / samples,
            "seconds": frame["seconds"] / frame["timed_trees"],
            "evaluation_seconds": frame["evaluation_seconds"] / frame["timed_trees"],
        }
    )


def of_tree(frame: pd.DataFrame, tree: str) -> pd.DataFrame:
    return frame.xs(tree, level="tree")


def nodes_of(results: Results, tree: str) -> dict[tuple[str, int], Estimate]:
    """Mean nodes of one kind of tree by set and number of cases."""
    frame = of_tree(means_per_tree(results), tree)
    return {
        cell: with_error(row.nodes, row.nodes_se, row.samples, f"{row.samples:g} samples")
        for cell, row in frame.iterrows()
    }


@table(
    title="Table 1: size of the trees, and effort to grow them",
    keys=("dataset", "cases"),
    sources=("size_time",),
    timing=("time_ratio", "scikit_time_ratio", "answer_time_ratio"),
    caption=(
        "Mean over samples. Print calls the nodes terminal, but a tree cannot have more leaves than cases: all "
        "nodes are counted, and the leaves stand beside them. looks: how often growing looks at the value of a "
        "feature, of CART when it sorts each feature once for the tree and when it sorts them in every node; look "
        "ratio: CART over PERT; scans alone: as if sorting were free. time ratio: CPU time to grow a CART tree over "
        "that of a PERT tree, both of this engine, columns ranked beforehand; scikit time ratio: scikit-learn's CART "
        "over our PERT; answer time ratio: PERT over CART."
    ),
)
def table1(results: Results) -> pd.DataFrame:
    """Nodes of CART and PERT trees, and how much more CART takes to grow, in looks and in seconds."""
    frame = means_per_tree(results)
    text = results.printed["table1_size_time"].set_index(["dataset", "n_train"]).rename_axis(["dataset", "cases"])
    cart, pert = of_tree(frame, "cart"), of_tree(frame, "pert")
    order = [(name, cases) for name in SYNTHETIC for cases in sorted(set(cart.index.get_level_values("cases")))]
    shown = pd.DataFrame(index=pd.MultiIndex.from_tuples(order, names=["dataset", "cases"]))
    for name, tree in (("cart", cart), ("pert", pert)):
        printed = text[f"{name}_nodes_printed"]
        shown = shown.assign(**beside(f"{name}_nodes", printed, tree["nodes"], standard_error=tree["nodes_se"]))
    ratio = pert["nodes"] / cart["nodes"]
    sizes = nodes_of(results, "pert"), nodes_of(results, "cart")
    ends = [ratio_of(sizes[0][cell], sizes[1][cell]).interval for cell in shown.index]
    shown["size_ratio_printed"], shown["size_ratio"] = text["size_ratio"], ratio
    shown["size_ratio_low"], shown["size_ratio_high"] = np.transpose(ends)
    shown["cart_leaves"], shown["pert_leaves"] = cart["leaves"], pert["leaves"]
    shown["pert_looks"] = pert["looks_of_pert"]
    for sorting in SORTING:
        shown[f"cart_looks_{sorting}"] = cart[f"looks_{sorting}"]
        shown[f"look_ratio_{sorting}"] = cart[f"looks_{sorting}"] / pert["looks_of_pert"]
    shown["look_ratio_of_scans_alone"] = cart["looks_of_scans"] / pert["looks_of_pert"]
    shown["time_ratio_printed"], shown["time_ratio"] = text["time_ratio"], cart["seconds"] / pert["seconds"]
    shown["scikit_time_ratio"] = of_tree(frame, "scikit_cart")["seconds"] / pert["seconds"]
    shown["answer_time_ratio"] = pert["evaluation_seconds"] / cart["evaluation_seconds"]
    return shown.reset_index()


@table(
    title="Other trees: size, fit and time",
    keys=("dataset", "cases", "tree"),
    sources=("size_time",),
    timing=TIMES,
    caption=(
        "All grown to purity on all cases. training errors: of one tree on each sample, summed. mean depth: of the "
        "leaf that a training case reaches."
    ),
)
def tree_times(results: Results) -> pd.DataFrame:
    """Every kind of tree of the engine and two of scikit-learn's: size, fit and time relative to PERT."""
    frame = means_per_tree(results).reset_index()
    pert = of_tree(means_per_tree(results), "pert").loc[pd.MultiIndex.from_frame(frame[["dataset", "cases"]])]
    frame["nodes_over_pert"] = frame["nodes"].to_numpy() / pert["nodes"].to_numpy()
    frame["microseconds_to_grow"] = 1e6 * frame["seconds"]
    frame["growing_time_over_pert"] = frame["seconds"].to_numpy() / pert["seconds"].to_numpy()
    frame["answering_time_over_pert"] = frame["evaluation_seconds"].to_numpy() / pert["evaluation_seconds"].to_numpy()
    place = {name: number for number, name in enumerate([*SYNTHETIC, *TREES])}
    frame = frame.sort_values(
        ["dataset", "tree", "cases"], key=lambda column: column if column.name == "cases" else column.map(place)
    )
    shown = ["dataset", "cases", "tree", "nodes", "leaves", "training_errors", "nodes_over_pert", "mean_depth", *TIMES]
    return frame.assign(tree=frame["tree"].map(TREES))[shown]
