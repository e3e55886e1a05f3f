"""A picture of a tree."""

from __future__ import annotations

from arboretum.ensembles.text import Names, nested_tree

#: Colours of classes that people with any colour vision can tell apart (Okabe and Ito 2008), then lighter ones.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
BAR, WIDE = 0.1, 0.78  # height and width of the bar of class shares
INK, LINE = "#222222", "#9AA0A6"


def plot_tree(
    estimator,
    tree: int = 0,
    *,
    max_depth: int | None = 4,
    feature_names=None,
    class_names=None,
    decimals: int = 2,
    fontsize: float = 9,
    ax=None,
):
    """Draw one tree of a fitted estimator; returns the matplotlib Axes.

    The bar below a node has the shares of the classes in it. A branch is as thick as its share of the cases. An inner
    node with a dashed frame drew its test at random, one with a solid frame chose it. Branches without training cases
    are left out, and what lies below ``max_depth`` (None: draw all) is drawn as dots.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from arboretum.ensembles import VRTree, plot_tree
    >>> data = load_iris(as_frame=True)
    >>> ax = plot_tree(VRTree().fit(data.data, data.target), class_names=data.target_names)
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plot_tree needs matplotlib: pip install matplotlib") from None
    names = Names(estimator, feature_names, class_names, decimals)
    root = _placed(nested_tree(estimator, tree), names, max_depth)
    leaves, depth = root["leaves"], _deepest(root)
    if ax is None:
        _, ax = plt.subplots(figsize=(max(5.0, 1.25 * leaves + 0.5), 1.25 * depth + 1.0), layout="constrained")
    _draw(ax, root, names, sum(root["counts"]), fontsize)
    ax.set(xlim=(-0.6, leaves - 0.4), ylim=(-depth - 0.4, 0.4))
    ax.axis("off")
    return ax


def _placed(node: dict, names: Names, max_depth: int | None, depth: int = 0, left: float = 0.0) -> dict:
    """The nodes to draw: where each lies, and what the branch to it asks. Leaves are one apart."""
    placed = {"counts": node["counts"], "y": -depth, "leaves": 1, "x": left, "children": [], "cut_off": False}
    if "children" not in node:
        return placed
    placed |= {"feature": node["feature"], "chosen": node["deterministic"]}
    if max_depth is not None and depth >= max_depth:
        return placed | {"cut_off": True}
    placed["leaves"] = 0
    for asked, child in zip(names.branches(node), node["children"], strict=True):
        if any(child["counts"]):
            below = _placed(child, names, max_depth, depth + 1, left + placed["leaves"])
            placed["children"].append((asked, below))
            placed["leaves"] += below["leaves"]
    first, last = placed["children"][0][1], placed["children"][-1][1]
    return placed | {"x": (first["x"] + last["x"]) / 2}


def _deepest(node: dict) -> int:
    return max([-node["y"], *(_deepest(child) for _, child in node["children"])])


def _draw(ax, node: dict, names: Names, whole: float, fontsize: float) -> None:
    x, y, total = node["x"], node["y"], sum(node["counts"])
    for asked, child in node["children"]:
        share = sum(child["counts"]) / whole
        top, end = y - BAR - 0.17, child["y"] + 0.3
        ax.plot([x, child["x"]], [top, end], color=LINE, lw=0.8 + 7 * share, zorder=1, alpha=0.55)
        middle = (x + child["x"]) / 2, (top + end) / 2
        label = asked.replace("<=", "≤").removeprefix("= ").removeprefix("in ")
        box = {"facecolor": "white", "edgecolor": "none", "pad": 1.2, "alpha": 0.9}
        ax.text(*middle, _short(label), ha="center", va="center", fontsize=fontsize - 1, color=INK, bbox=box, zorder=3)
        _draw(ax, child, names, whole, fontsize)
    _draw_bar(ax, x, y, node["counts"], total)
    if node["children"]:
        frame = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": INK, "lw": 0.9}
        frame["linestyle"] = "-" if node["chosen"] else "--"
        title = _short(names.features[node["feature"]], 18)
        ax.text(x, y + 0.15, title, ha="center", va="center", fontsize=fontsize, color=INK, bbox=frame, zorder=4)
    else:
        title = _short(names.answer(node["counts"]), 14)
        ax.text(x, y + 0.05, title, ha="center", va="bottom", fontsize=fontsize, weight="bold", color=INK, zorder=4)
    note = f"n = {total:.4g}" + (" …" if node["cut_off"] else "")
    ax.text(x, y - BAR - 0.04, note, ha="center", va="top", fontsize=fontsize - 2, color="#5F6368", zorder=4)


def _draw_bar(ax, x: float, y: float, counts, total: float) -> None:
    left = x - WIDE / 2
    for k, count in enumerate(counts):
        width = WIDE * count / total
        ax.bar(left, BAR, width, y - BAR, align="edge", color=COLOURS[k % len(COLOURS)], lw=0, zorder=2)
        left += width


def _short(text: str, most: int = 16) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
