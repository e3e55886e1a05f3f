"""The figures of `infinity`: those of the paper whose plots we have only in words, and those it conjectures."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from arboretum.papers.drawing import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, label_ends, panels, styled
from arboretum.papers.infinity import tables
from arboretum.papers.shape import Figure, Frames

MAP_ROUNDING = 2e-6  # maps are stored to six digits
LINE_ROUNDING = 2e-5  # contours to five


def _part(raw: Frames, part: str) -> pd.DataFrame:
    rows = raw["kernel_shape"]
    return rows[rows["part"] == part].drop(columns="part").reset_index(drop=True)


def _grid(rows: pd.DataFrame, quantity: str) -> tuple[np.ndarray, np.ndarray]:
    """The points a side and the values, first coordinate along the columns of the picture."""
    wide = rows[rows["quantity"] == quantity].pivot(index="at_2", columns="at_1", values="value")
    return wide.columns.to_numpy(), wide.to_numpy()


def _square(ax: Axes, title: str) -> None:
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="x1", ylabel="x2", title=title, aspect="equal")
    ax.set_xticks([0, 0.5, 1])
    ax.set_yticks([0, 0.5, 1])


# --- kernels ------------------------------------------------------------------------------------------------------


def surface(raw: Frames, printed: Frames) -> pd.DataFrame:
    return _part(raw, "surface")


@styled
def draw_surface(data: pd.DataFrame) -> Drawing:
    figure, axes = panels(1, 3, width=3.3, height=3.1)
    levels = np.arange(0.2, 1.0, 0.1)
    for ax, (quantity, title) in zip(
        axes[0], (("printed", "Theorem 4, as printed"), ("exact", "exact kernel")), strict=False
    ):
        side, values = _grid(data, quantity)
        lines = ax.contour(side, side, values, levels=levels, cmap="cividis")
        ax.clabel(lines, fmt="%.1f", fontsize=7)
        _square(ax, title)
    _profiles(axes[0, 2], data)
    return figure


def _profiles(ax: Axes, data: pd.DataFrame) -> None:
    ends = {}
    for quantity, colour in (("printed", VERMILION), ("exact", BLUE)):
        side, values = _grid(data, quantity)
        middle = len(side) // 2
        ax.plot(side, values[middle], color=colour)
        ax.plot(side, np.diag(values), color=colour, ls="--")
        ends[f"{quantity}, along x1"] = (side[-1], values[middle, -1], colour)
        ends[f"{quantity}, diagonal"] = (side[-1], values[-1, -1], colour)
    ax.set(xlabel="x1", ylabel="K(x, centre)", title="profiles through the peak", ylim=(0, 1))
    label_ends(ax, ends, gap=0.07)


def error_map(raw: Frames, printed: Frames) -> pd.DataFrame:
    return _part(raw, "error_map")


@styled
def draw_error_map(data: pd.DataFrame) -> Drawing:
    sizes = sorted(data["leaves"].unique())
    figure, axes = panels(1, len(sizes), width=3.2, height=3.0)
    gaps = {}
    for leaves in sizes:
        rows = data[data["leaves"] == leaves]
        (side, exact), (_, theorem) = _grid(rows, "exact"), _grid(rows, "printed")
        gaps[leaves] = side, exact - theorem
    top = max(gap.max() for _, gap in gaps.values())
    for ax, (leaves, (side, gap)) in zip(axes[0], gaps.items(), strict=True):
        half = (side[1] - side[0]) / 2
        extent = (side[0] - half, side[-1] + half, side[0] - half, side[-1] + half)
        image = ax.imshow(gap, origin="lower", extent=extent, vmin=0, vmax=top, cmap="cividis", rasterized=True)
        ax.set(xlim=(0, 1), ylim=(0, 1), title=f"T = {leaves}, largest {gap.max():.3f}")
        ax.set(xlabel="every coordinate of x", ylabel="every coordinate of z")
    figure.colorbar(image, ax=axes[0].tolist(), label="exact less printed", shrink=0.85)
    return figure


def appendix(raw: Frames, printed: Frames) -> pd.DataFrame:
    return _part(raw, "appendix")[["at_1", "at_2", "value"]].rename(columns={"at_1": "rate", "at_2": "d"})


@styled
def draw_appendix(data: pd.DataFrame) -> Drawing:
    figure, axes = panels(width=4.2, height=3.0)
    ax, ends = axes[0, 0], {}
    for (rate, curve), colour in zip(data.groupby("rate"), (GREEN, BLUE, VERMILION), strict=True):
        ax.plot(curve["d"], curve["value"], color=colour)
        ax.plot([0, 1], [0, rate], color=GREY, ls=":", lw=1.2)
        ends[f"λ = {rate:g}"] = (1.0, curve["value"].iloc[-1], colour)
    ax.set(xlabel="d", ylabel="−log U(λ, log 1/d)", xlim=(0, 1))
    label_ends(ax, {**ends})
    ax.text(0.05, 0.47, "dotted: λd", color=GREY)
    return figure


def windows(raw: Frames, printed: Frames) -> pd.DataFrame:
    return _part(raw, "skewed")


@styled
def draw_windows(data: pd.DataFrame) -> Drawing:
    figure, axes = panels(1, 2, width=3.3, height=3.2)
    here = data[data["quantity"] == "x"].iloc[0]
    angle = np.linspace(0, np.pi / 2, 100)
    for ax, cuts in zip(axes[0], ("uniform", "triangular"), strict=True):
        side, values = _grid(data, cuts)
        lines = ax.contour(side, side, values, levels=np.arange(0.3, 1.0, 0.1), cmap="cividis")
        ax.clabel(lines, fmt="%.1f", fontsize=7)
        ax.plot(0.7 * np.cos(angle), 0.7 * np.sin(angle), color=VERMILION, lw=1.2)
        ax.plot(here["at_1"], here["at_2"], "o", color=BLACK)
        ax.annotate("x", (here["at_1"], here["at_2"]), xytext=(4, 4), textcoords="offset points")
        _square(ax, f"K(x, ·), {cuts} cuts")
    axes[0, 0].annotate("circle", (0.0, 0.7), xytext=(3, -12), textcoords="offset points", color=VERMILION)
    return figure


# --- section 8 ------------------------------------------------------------------------------------------------------

LINES = {  # line -> name, colour, style, width
    "true": ("true boundary", BLACK, "-", 2.4),
    "printed": ("Theorem 4", VERMILION, "-", 1.8),
    "exact": ("exact kernel", BLUE, "--", 1.6),
    "kernel": ("kernel average", ORANGE, "-.", 1.4),
    "vote": ("vote", GREEN, "-", 1.4),
    "proportion": ("node proportion", PURPLE, "-", 1.4),
}
SHOWN = {
    "figure2": ("true", "printed", "exact", "vote"),
    "figure3": ("true", "printed", "exact"),
    "figure5": ("true", "printed", "exact", "vote", "proportion"),
    "figure7": ("true", "kernel", "vote", "proportion"),
}


def contours_of(name: str):
    """The data function of one of the boundary figures."""

    def data(raw: Frames, printed: Frames) -> pd.DataFrame:
        rows = raw["contours"]
        rows = rows[(rows["figure"] == name) & rows["line"].isin(SHOWN[name])]
        return rows.drop(columns="figure").reset_index(drop=True)

    return data


@styled
def draw_contours(data: pd.DataFrame) -> Drawing:
    names = list(dict.fromkeys(data["panel"]))
    figure, axes = panels(1, len(names), width=3.4, height=3.4)
    for ax, panel in zip(axes[0], names, strict=True):
        _draw_lines(ax, data[data["panel"] == panel])
        _square(ax, panel)
    _name_lines(figure, axes[0, 0], data)
    return figure


@styled
def draw_line_and_corner(data: pd.DataFrame) -> Drawing:
    figure, axes = panels(1, 2, width=3.4, height=3.4)
    for ax in axes[0]:
        _draw_lines(ax, data)
    _square(axes[0, 0], "x1 + x2 ≤ 1")
    axes[0, 1].set(xlim=(0.9, 1), ylim=(0, 0.1), xlabel="x1", title="its lower corner", aspect="equal")
    _name_lines(figure, axes[0, 0], data)
    return figure


def _draw_lines(ax: Axes, rows: pd.DataFrame) -> None:
    for line, (_, colour, style, width) in LINES.items():
        for _, piece in rows[rows["line"] == line].groupby("piece"):
            ax.plot(piece["x1"], piece["x2"], color=colour, ls=style, lw=width)


def _name_lines(figure: Drawing, ax: Axes, data: pd.DataFrame) -> None:
    used = [line for line in LINES if line in set(data["line"])]
    handles = [ax.plot([], [], color=c, ls=s, lw=w, label=n)[0] for n, c, s, w in map(LINES.get, used)]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(used), frameon=False, fontsize=8.5)


def sharpness(raw: Frames, printed: Frames) -> pd.DataFrame:
    rows = tables.sharpness(raw, printed)
    return rows[rows["problem"] == "circle"].drop(columns=["problem", "exponent"]).reset_index(drop=True)


RULES = {
    "printed kernel": ("Theorem 4", VERMILION),
    "exact kernel": ("exact kernel", BLUE),
    "vote": ("vote", GREEN),
    "node proportion": ("node proportion", PURPLE),
}


@styled
def draw_sharpness(data: pd.DataFrame) -> Drawing:
    masses = sorted(data["masses"].unique(), reverse=True)
    figure, axes = panels(1, len(masses), width=4.0, height=3.0)
    titles = {"natural": "uniform P, as stated", "balanced": "each class scaled to ½"}
    for ax, mass in zip(axes[0], masses, strict=True):
        ends = {}
        for rule, (name, colour) in RULES.items():
            rows = data[(data["masses"] == mass) & (data["rule"] == rule)].sort_values("leaves")
            ax.plot(rows["leaves"], rows["increase"], "o-", color=colour)
            ends[name] = (rows["leaves"].iloc[-1], rows["increase"].iloc[-1], colour)
        ax.set_xscale("log", base=2)
        ax.set_xticks(sorted(data["leaves"].unique()), [str(t) for t in sorted(data["leaves"].unique())])
        ax.set(xlabel="leaves T", ylabel="rise over Bayes (%)", title=titles[mass])
        ax.set_ylim(bottom=0)
        label_ends(ax, ends, gap=0.07)
    return figure


# --- skewness ---------------------------------------------------------------------------------------------------


def skewness(raw: Frames, printed: Frames) -> pd.DataFrame:
    keep = ["problem", "leaves", "regime", "alpha", "bayes", "strength", "correlation", "symmetry", "skewness"]
    return raw["skewness"][[*keep, "vote_error", "vote_error_se"]]


PROBLEMS = {
    "circle-natural": ("circle", BLUE),
    "circle-balanced": ("circle, balanced", GREEN),
    "gaussians": ("Gaussians", VERMILION),
}
MARKS = {"uniform": "s", "triangular": "^", "optimal": "D"}


@styled
def draw_skewness(data: pd.DataFrame) -> Drawing:
    grown_out, data = data[data["regime"] == "VR-Trees"], data[data["regime"] != "VR-Trees"]
    data = data[data["leaves"] == data["leaves"].min()]
    figure, axes = panels(1, 3, width=3.5, height=3.1)
    path = grown_out.sort_values("alpha")
    axes[0, 0].plot(path["strength"], path["skewness"], "o--", color=GREY, ms=3, label="circle, VR-Trees on samples")
    axes[0, 1].plot(path["correlation"], path["symmetry"], "o--", color=GREY, ms=3)
    axes[0, 2].plot(path["alpha"], 100 * (path["vote_error"] - path["bayes"]), "o--", color=GREY, ms=3)
    for problem, rows in data.groupby("problem"):
        name, colour = PROBLEMS[problem]
        path = rows[rows["regime"] == "variable-random"].sort_values("alpha")
        rise = 100 * (path["vote_error"] - path["bayes"])
        for ax, x, y in (
            (axes[0, 0], path["strength"], path["skewness"]),
            (axes[0, 1], path["correlation"], path["symmetry"]),
            (axes[0, 2], path["alpha"], rise),
        ):
            ax.plot(x, y, "o-", color=colour, ms=3, label=name if ax is axes[0, 0] else None)
        for regime, mark in MARKS.items():
            point = rows[rows["regime"] == regime]
            axes[0, 0].plot(point["strength"], point["skewness"], mark, mfc="none", mec=colour, ms=7)
            axes[0, 1].plot(point["correlation"], point["symmetry"], mark, mfc="none", mec=colour, ms=7)
    axes[0, 0].set(xlabel="strength (mean correct rate of a tree)", ylabel="skewness of the kernel")
    axes[0, 0].set_title("strength goes with skewness")
    axes[0, 1].set(xlabel="correlation of trees", ylabel="symmetry of the kernel")
    axes[0, 1].set_title("correlation goes against symmetry")
    axes[0, 2].set(xlabel="α, chance of an optimal cut", ylabel="rise of the vote over Bayes (%)")
    axes[0, 2].set_title("the best lies between")
    axes[0, 2].set_ylim(bottom=0)
    handles = [line for line in axes[0, 0].get_lines() if not line.get_label().startswith("_")]
    handles += [axes[0, 0].plot([], [], m, mfc="none", mec=BLACK, label=f"{r} cuts")[0] for r, m in MARKS.items()]
    handles.append(axes[0, 0].plot([], [], "o-", color=BLACK, ms=3, label="α from 0 to 1")[0])
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=8.5)
    return figure


# --- boosting ---------------------------------------------------------------------------------------------------


def population(raw: Frames, printed: Frames) -> pd.DataFrame:
    rows = raw["population_boosting"]
    keep = ["problem", "variables", "leaves", "step", "distance", "size_of_r", "error", "bayes", "excess"]
    return rows[keep]


@styled
def draw_population(data: pd.DataFrame) -> Drawing:
    problems = ["additive", "interaction", "xor", "parity"]
    problems = [problem for problem in problems if problem in set(data["problem"])]
    figure, axes = panels(2, len(problems), width=2.7, height=2.3, sharey="row")
    for column, problem in enumerate(problems):
        rows = data[data["problem"] == problem]
        enough = int(rows["variables"].iloc[0])
        for leaves, path in rows.groupby("leaves"):
            colour = BLUE if leaves > enough else VERMILION
            _draw_run(axes[:, column], path, f"T = {leaves}", colour)
        axes[0, column].set_title(f"{problem}, D = {enough}")
        axes[1, column].set_xlabel("step M (0 at the left edge)")
    axes[0, 0].set_ylabel("‖s + r‖ / ‖r‖")
    axes[1, 0].set_ylabel("error − Bayes")
    return figure


def _draw_run(axes: np.ndarray, path: pd.DataFrame, name: str, colour: str) -> None:
    """Distance and error of one run; a run that cannot start is a level line."""
    step = path["step"].clip(lower=0.5)
    distance = (path["distance"] / path["size_of_r"]).clip(lower=1e-5)
    rise = path["error"] - path["bayes"]
    if len(path) == 1:
        step, distance, rise = (np.repeat(v.to_numpy(), 2) for v in (step, distance, rise))
        step = np.array([0.5, 100.0])
    for ax, value in ((axes[0], distance), (axes[1], rise)):
        ax.plot(step, value, color=colour)
        at = -1 if ax is axes[0] else 0
        place = (np.asarray(step)[at], np.asarray(value)[at])
        if ax is axes[0]:
            ax.annotate(name, place, xytext=(2, 4), textcoords="offset points", color=colour, annotation_clip=False)
        ax.set_xscale("log")
    axes[0].set_yscale("log")
    axes[0].set_ylim(5e-6, 3)


def finite(raw: Frames, printed: Frames) -> pd.DataFrame:
    rows = raw["finite_boosting"]
    return rows[rows["part"] != "summary"].reset_index(drop=True)


SAMPLES = {
    "twonorm": "twonorm: separable",
    "circle": "noisy circle: barely separable",
    "circle-rounded": "noisy circle, rounded: not separable",
}
SHADES = (GREY, ORANGE, BLUE, BLACK)


@styled
def draw_finite(data: pd.DataFrame) -> Drawing:
    samples = [sample for sample in SAMPLES if sample in set(data["sample"])]
    figure, axes = panels(3, len(samples), width=3.3, height=2.2)
    for column, sample in enumerate(samples):
        rows = data[data["sample"] == sample].assign(at=lambda frame: frame["at"].astype(int))
        _draw_edges(axes[0, column], rows, sample)
        _draw_weights(axes[1, column], rows)
        _draw_margins(axes[2, column], rows)
    axes[0, 0].set_ylabel("moved by the weights\n(total variation)")
    axes[1, 0].set_ylabel("weight")
    axes[2, 0].set_ylabel("share of cases")
    return figure


def _draw_edges(ax: Axes, rows: pd.DataFrame, sample: str) -> None:
    for part, name, colour in (
        ("moved in one round", "in one round", BLUE),
        ("moved in a window", "in a window", ORANGE),
    ):
        path = rows[rows["part"] == part].sort_values("at")
        ax.plot(path["at"], path["value"], color=colour, label=name)
    ax.set(xscale="log", yscale="log", ylim=(1e-5, 1.5), xlabel="round", title=SAMPLES[sample])
    ax.legend(frameon=False, fontsize=8, loc="lower left")


def _draw_weights(ax: Axes, rows: pd.DataFrame) -> None:
    for rank, colour in enumerate((BLUE, ORANGE, GREEN)):
        path = rows[rows["part"] == f"weight {rank}"].sort_values("at")
        ax.plot(path["at"], path["value"], color=colour, lw=1)
    ax.set(xlabel="the last rounds: the three heaviest cases")
    ax.set_ylim(bottom=0)


def _draw_margins(ax: Axes, rows: pd.DataFrame) -> None:
    margins = rows[rows["part"] == "margin"]
    rounds = sorted(margins["at"].unique())
    for t, colour in zip(rounds, SHADES[-len(rounds) :], strict=True):
        values = margins[margins["at"] == t].sort_values("index")["value"].to_numpy()
        ax.step(values, np.arange(1, len(values) + 1) / len(values), color=colour, lw=1.3, where="post", label=f"{t:,}")
    ax.axvline(0, color=GREY, lw=0.8, ls=":")
    ax.set(xlabel="margin", xlim=(-0.6, 1), ylim=(0, 1))
    ax.legend(frameon=False, fontsize=7.5, loc="lower right", title="after round", title_fontsize=7.5)


FIGURES = {
    "figure1": Figure(
        surface,
        draw_surface,
        "The kernel for M = 2, T = 3",
        "Level lines about the centre of the square. Theorem 4 is a lower bound; the exact kernel is wider here.",
        ("kernel_shape",),
        tolerance=MAP_ROUNDING,
    ),
    "figure2": Figure(
        contours_of("figure2"),
        draw_contours,
        "Two Gaussians: true and kernel boundaries",
        "The boundaries differ, yet the error hardly rises. The paper does not say what square it uses.",
        ("contours",),
        tolerance=LINE_ROUNDING,
    ),
    "figure3": Figure(
        contours_of("figure3"),
        draw_line_and_corner,
        "A linear boundary",
        "The kernel boundary lies on the true one, save for two spots at the ends where its sign is reversed.",
        ("contours",),
        tolerance=LINE_ROUNDING,
    ),
    "figure5": Figure(
        contours_of("figure5"),
        draw_contours,
        "A circle: bias toward the outer class",
        "With uniform P the kernel boundary is far inside the circle, the bias that the text describes; with scaled "
        "classes, whose error is nearest to print, it is outside.",
        ("contours",),
        tolerance=LINE_ROUNDING,
    ),
    "figure6": Figure(
        windows,
        draw_windows,
        "How strength skews the kernel",
        "The window of a point just inside the circle (classes scaled to one half, T = 3).",
        ("kernel_shape",),
        tolerance=MAP_ROUNDING,
    ),
    "figure7": Figure(
        contours_of("figure7"),
        draw_contours,
        "Triangular cuts on the circle",
        "5000 trees on a 200 x 200 grid; which boundary is near the circle depends on how leaves are combined.",
        ("contours",),
        tolerance=LINE_ROUNDING,
    ),
    "figure_iii_1": Figure(
        appendix, draw_appendix, "Figure III-1: -log U against d", "Nearly straight, as printed.", ("kernel_shape",)
    ),
    "kernel_error_map": Figure(
        error_map,
        draw_error_map,
        "Where the printed kernel errs",
        "Pairs on the diagonal of the square: no error from a face, most inside, more with every leaf.",
        ("kernel_shape",),
        tolerance=2 * MAP_ROUNDING,
    ),
    "sharpness_curve": Figure(
        sharpness, draw_sharpness, "More leaves, less error", "The circle with uniform cuts.", ("boundaries",)
    ),
    "skewness_strength": Figure(
        skewness,
        draw_skewness,
        "Strength and skewness, correlation and symmetry",
        "From purely random to optimal cuts, T = 3, and VR-Trees grown out: the figure that section 8 conjectures.",
        ("skewness",),
    ),
    "boosting_population": Figure(
        population,
        draw_population,
        "AdaBoost in distribution space",
        "Blue: T > D, as Theorem 3 asks. Vermilion: smaller trees, enough for the additive problem only.",
        ("population_boosting",),
        tolerance=1e-7,
    ),
    "boosting_finite": Figure(
        finite,
        draw_finite,
        "AdaBoost on finite data: settle or wander?",
        "A round moves the weights by half its edge, so they settle only where the edge dies out: not where a vote of "
        "stumps separates the cases (left, middle), but where equal x have unequal y (right).",
        ("finite_boosting",),
        tolerance=1e-6,
    ),
}
