"""The spectrum on a plane: boundaries and trees at each alpha. Beyond print."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from arboretum.papers.contract import figure
from arboretum.papers.drawing import BLACK, GREY, VERMILION, panels, styled
from arboretum.papers.results import Results
from arboretum.papers.vrtrees.figures.artificial import SHARES, draw_cases
from arboretum.papers.vrtrees.rates import grouped_exactly
from arboretum.papers.vrtrees.tables.artificial import tree_layout

MODELS = {"forest": "forest", "tree": "first tree"}
SHOWN = 6  # columns of the figure


def spread(alphas: list[float], most: int) -> list[float]:
    """At most so many of the alphas, both ends among them, evenly spread."""
    places = np.linspace(0, len(alphas) - 1, min(most, len(alphas))).round().astype(int)
    return [alphas[place] for place in dict.fromkeys(places)]


@styled
def draw_boundaries(data: pd.DataFrame) -> Figure:
    alphas = [float(name.removeprefix("forest_")) for name in data if name.startswith("forest_")]
    shown = spread(alphas, SHOWN)
    cases, plane = data[data["kind"] == "case"], data[data["kind"] == "map"]
    drawing, axes = panels(len(MODELS), len(shown), 1.9, 2.0, sharex=True, sharey=True)
    for row, (model, name) in zip(axes, MODELS.items(), strict=True):
        for ax, alpha in zip(row, shown, strict=True):
            grid = plane.pivot(index="x2", columns="x1", values=f"{model}_{alpha:g}")
            x1, x2 = grid.columns.to_numpy(), grid.index.to_numpy()
            ax.pcolormesh(x1, x2, grid, cmap=SHARES, vmin=0, vmax=1, shading="nearest", rasterized=True)
            if grid.to_numpy().min() < 0.5 < grid.to_numpy().max():
                ax.contour(x1, x2, grid, [0.5], colors=BLACK, linewidths=0.9)
            draw_cases(ax, cases, ms=2.2, mew=0.6)
            if model == "forest":
                ax.set_title(f"alpha {alpha:g}")
            else:
                ax.set_xlabel("x1")
        row[0].set_ylabel(f"{name}\nx2")
    return drawing


@figure(
    name="figure_plane",
    title="Beyond print: the boundary of Figure 8 as alpha moves",
    draw=draw_boundaries,
    sources=("plane", "boundary"),
    caption=(
        "A forest (top) and its first tree (bottom) on the 200 cases of Figure 8, shaded by the probability of the "
        "second class; the line is their boundary. One tree changes from random patches to a few deliberate cuts, the "
        "forest from a boundary of many short steps to that of the one tree: at alpha 1 all trees are the same."
    ),
)
def boundaries(results: Results) -> pd.DataFrame:
    """The training cases, and for each point of the plane the shares of forest and tree at each alpha."""
    frame = grouped_exactly(results.raw["plane"], "alpha")
    plane = frame[frame["kind"] == "map"]
    wide = {model: plane.pivot(index="index", columns="alpha", values=model) for model in MODELS}
    columns = {f"{model}_{alpha:g}": wide[model][alpha] for model in MODELS for alpha in wide[model]}
    points = plane.drop_duplicates("index").set_index("index")[["x1", "x2"]].round(4)
    drawn = results.raw["boundary"]
    cases = drawn[drawn["kind"] == "case"][["kind", "index", "x1", "x2", "label"]]
    maps = points.assign(kind="map", **columns).reset_index()
    return pd.concat([cases, maps], ignore_index=True)


@styled
def draw_trees(data: pd.DataFrame) -> Figure:
    alphas = spread(sorted(set(data["alpha"])), 3)
    drawing, axes = panels(len(alphas), 1, 8.4, 2.3, sharey=True)
    for ax, alpha in zip(axes[:, 0], alphas, strict=True):
        nodes = data[data["alpha"] == alpha].set_index("node")
        for node in nodes.itertuples():
            if node.parent >= 0:
                above = nodes.loc[node.parent]
                colour = VERMILION if above["deterministic"] else GREY
                ax.plot([above["across"], node.across], [above["depth"], node.depth], color=colour, lw=0.8, zorder=1)
        leaves = nodes[nodes["deterministic"].isna()]
        ax.scatter(
            leaves["across"], leaves["depth"], c=leaves["share"], cmap=SHARES, vmin=0, vmax=1, s=16,
            edgecolors=BLACK, linewidths=0.5, zorder=2,
        )  # fmt: skip
        ax.set_title(f"alpha {alpha:g}: {len(leaves)} leaves, depth {int(nodes['depth'].max())}")
        ax.set_ylabel("depth")
        ax.set_xticks([])
        ax.spines["bottom"].set_visible(False)
    axes[0, 0].invert_yaxis()
    axes[0, 0].yaxis.set_major_locator(MaxNLocator(integer=True))
    leaf = {0.0: "leaf of the first class", 0.5: "of both", 1.0: "of the second class"}
    handles = [
        Line2D([], [], color=GREY, label="random test"),
        Line2D([], [], color=VERMILION, label="deterministic test"),
        *(Line2D([], [], ls="", marker="o", mfc=SHARES(share), mec=BLACK, ms=5, label=leaf[share]) for share in leaf),
    ]
    drawing.legend(handles=handles, loc="outside lower center", ncols=5, frameon=False, fontsize=8)
    return drawing


@figure(
    name="figure_trees",
    title="Beyond print: one tree at alpha 0, 0.5 and 1",
    draw=draw_trees,
    sources=("plane",),
    caption=(
        "The first tree of a forest on the 200 cases of Figure 8, at three places of the spectrum. The more tests are "
        "deterministic, the fewer leaves separate the classes."
    ),
)
def trees(results: Results) -> pd.DataFrame:
    """The nodes of the first tree at each alpha, and where they are drawn."""
    frame = grouped_exactly(results.raw["plane"], "alpha")
    found = []
    for alpha, part in frame[frame["kind"] == "node"].groupby("alpha"):
        nodes = tree_layout(part)
        shares = {"share": nodes["second_class"] / nodes["node_cases"], "cases": nodes["node_cases"]}
        named = nodes.rename(columns={"index": "node"}).assign(alpha=alpha, **shares)
        found.append(named[["alpha", "node", "parent", "depth", "across", "cases", "share", "deterministic"]])
    return pd.concat(found, ignore_index=True)
