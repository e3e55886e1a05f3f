"""Single trees (Figures 1.3, 1.4, 4.1), forests of several sizes (5.2), margins (5.10, 5.11), and beyond print."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from arboretum.measures import competence
from arboretum.papers.contract import figure
from arboretum.papers.diversity.figures.names import (
    LEARNER_COLOURS,
    LEARNER_NAMES,
    LIGHT,
    MUTED,
    set_name,
)
from arboretum.papers.diversity.tables.components import (
    AS_TEXT,
    PLOTTED,
    components,
    curves,
    in_order,
    last_plotted,
    sets_present,
)
from arboretum.papers.diversity.tables.forests import FORESTS_OF_5_2, measured_forests, sides_of_splits
from arboretum.papers.drawing import BLUE, GREEN, ORANGE, VERMILION, panels, styled
from arboretum.papers.kit.curves import band, means
from arboretum.papers.results import Results


def of_figure(results: Results, number: str) -> pd.DataFrame:
    frame = results.raw["single_tree"]
    return frame[frame["figure"] == number].drop(columns="figure").reset_index(drop=True)


@styled
def draw_depths(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 2, 3.6, 3.0)
    for ax, (reading, rows) in zip(axes[0], data.groupby("reading", sort=False), strict=True):
        for (quantity, line), colour in zip(rows.groupby("quantity"), (BLUE, VERMILION), strict=True):
            ax.plot(line["at"], line["value"], "-o", color=colour, ms=3, label=quantity)
        ax.set(title=reading, xlabel="maximum depth", ylim=(0, None))
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.legend(frameon=False, fontsize=8)
    axes[0, 0].set_ylabel("squared error")
    return drawing


@figure(
    title="Figure 1.3: bias and variance against depth, as drawn and as defined",
    draw=draw_depths,
    sources=("single_tree",),
    caption=(
        "As drawn: training error of one tree and variance of its fitted values, on the author's sample; neither is a "
        "bias or a variance over training samples. As defined: over training samples, at fixed points without noise."
    ),
)
def figure1_3(results: Results) -> pd.DataFrame:
    """Both readings."""
    frame = of_figure(results, "1.3")
    return frame.sort_values(["reading", "quantity", "at"], ascending=[False, True, True]).reset_index(drop=True)


@styled
def draw_spread(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 1, 5.6, 2.6)
    ax, value = axes[0, 0], data.set_index("quantity")["value"]
    for place, (name, colour) in enumerate((("tree", VERMILION), ("forest", BLUE))):
        errors = data.loc[data["quantity"] == f"test error of a {name}", "value"]
        ax.plot(errors, np.full(len(errors), place), "o", color=colour, alpha=0.5, ms=5, mec="none")
        ax.plot([errors.mean()] * 2, [place - 0.22, place + 0.22], color=colour)
        spread, variance = errors.std(ddof=1), value[f"variance of a {name}"]
        words = f"standard deviation of the errors {spread:.0f}; variance of the predictions {variance:.0f}"
        ax.text(0.02, place + 0.3, words, fontsize=7.5, color=colour, transform=ax.get_yaxis_transform())
    ax.set_yticks([0, 1], ["single trees", "forests"])
    ax.set(xlabel="test error (mean squared)", ylim=(-0.5, 1.6))
    return drawing


@figure(
    title="Figure 1.4: test errors of trees and forests over training subsets",
    draw=draw_spread,
    sources=("single_tree",),
    caption=(
        "Each dot is one model on a subset of 80%. The caption calls the spread of the errors exactly the variance; "
        "the variance is that of the predictions, and the two are written beside each other."
    ),
)
def figure1_4(results: Results) -> pd.DataFrame:
    frame = of_figure(results, "1.4").drop(columns="reading")
    return frame.sort_values(["quantity", "at"]).reset_index(drop=True)


@styled
def draw_members(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 1, 5.6, 2.6)
    ax = axes[0, 0]
    members = data[data["quantity"] == "test error of a member"]
    value = data.set_index("quantity")["value"]
    ax.plot(members["at"], members["value"], "o", color=ORANGE, ms=4, mec="none", label="one tree")
    lines = {"mean test error of the members": ("--", ORANGE), "test error of the forest": ("-", BLUE)}
    for name, (style, colour) in lines.items():
        ax.axhline(value[name], ls=style, color=colour, label=f"{name}: {value[name]:.1f}")
    ax.set(xlabel="tree", ylabel="squared error", ylim=(0, None))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    drawing.legend(*ax.get_legend_handles_labels(), frameon=False, ncols=2, loc="outside lower center", fontsize=8)
    return drawing


@figure(
    title="Figure 4.1: trees of one forest, their mean, and the forest",
    draw=draw_members,
    sources=("single_tree",),
    caption="The author's sample and seed. The gap between the lines is the ambiguity.",
)
def figure4_1(results: Results) -> pd.DataFrame:
    frame = of_figure(results, "4.1").drop(columns="reading")
    return frame.sort_values(["quantity", "at"]).reset_index(drop=True)


# ------------------------------------------------------------------ Figure 5.2


KINDS = {"prefix": "first trees of one forest, as drawn", "apart": "forests that share no tree, as the caption says"}


@styled
def draw_trade_off(data: pd.DataFrame) -> Figure:
    datasets = list(dict.fromkeys(data["dataset"]))
    drawing, axes = panels(len(datasets), 2, 3.7, 2.7, sharex="row", sharey="row")
    scale = LogNorm(1, data["members"].max())
    ticks = [size for size in (1, 3, 10, 39, 149) if size <= data["members"].max()]
    for row, dataset in zip(axes, datasets, strict=True):
        for ax, (kind, title) in zip(row, KINDS.items(), strict=True):
            here = data[(data["dataset"] == dataset) & (data["kind"] == kind)]
            points = ax.scatter(
                here["diversity"], here["member_error"], c=here["members"], cmap="viridis", s=14, norm=scale, lw=0
            )
            ax.set_title(title)
            ax.grid(color=LIGHT, lw=0.5)
            ax.set_axisbelow(True)
        bar = drawing.colorbar(points, ax=row.tolist(), label="trees", shrink=0.85)
        bar.set_ticks(ticks, labels=[str(size) for size in ticks])
        bar.minorticks_off()
        row[0].set_ylabel(f"{set_name(dataset)}\naverage member error")
    for ax in axes[-1]:
        ax.set_xlabel("diversity")
    return drawing


@figure(
    title="Figure 5.2: member error against diversity",
    draw=draw_trade_off,
    sources=("growth", "guided"),
    caption=(
        "Left: prefixes of one forest, one split, three trials averaged. Right: forests of several sizes that share no "
        "tree, one mark per split and trial. The caption of print swaps the axes."
    ),
)
def figure5_2(results: Results) -> pd.DataFrame:
    """Both readings, on the sets of print or on those that a profile has."""
    apart = measured_forests(results).query("kind == 'apart' and members >= 3")
    here = [name for name in sets_present(results) if name in set(apart["dataset"])]
    names = [name for name in here if name in FORESTS_OF_5_2] or here[:2]
    frame = components(results).query("learner == 'rf' and split == 0")
    prefix = frame[frame["members"] <= PLOTTED].assign(kind="prefix", trial=-1)
    columns = ["dataset", "kind", "split", "trial", "members", "member_error", "diversity"]
    both = pd.concat([prefix[columns], apart[columns]])
    return in_order(both[both["dataset"].isin(names)], "kind", "split", "trial", "members")


# ------------------------------------------------------------------ Figures 5.10 and 5.11


@styled
def draw_histograms(data: pd.DataFrame) -> Figure:
    learners = list(dict.fromkeys(data["learner"]))
    drawing, axes = panels(1, len(learners), 3.0, 2.8, sharey=True)
    for ax, learner in zip(axes[0], learners, strict=True):
        rows = data[data["learner"] == learner]
        right = rows["from"] < 0.5 - 1e-9
        colours = np.where(right, GREEN, VERMILION)
        ax.bar(rows["from"], rows["share"], width=rows["width"], align="edge", color=colours)
        ax.axvline(0.5, color="black", lw=0.8)
        ax.set(title=LEARNER_NAMES[learner], xlabel="share W of wrong members", xlim=(0, 1))
    axes[0, 0].set_ylabel("share of test cases")
    axes[0, 0].bar([0], [0], color=GREEN, label="the vote is right")
    axes[0, 0].bar([0], [0], color=VERMILION, label="the vote errs")
    drawing.legend(*axes[0, 0].get_legend_handles_labels(), frameon=False, ncols=2, loc="outside lower center")
    drawing.suptitle(set_name(data["dataset"].iloc[0]), fontsize=10, x=0.02, ha="left")
    return drawing


@figure(
    title="Figure 5.10: distribution of the share of wrong members, all trees",
    draw=draw_histograms,
    sources=("margins",),
    caption="bioresponse, W averaged over three trials, mean over splits; the fullest bin may leave the others low.",
)
def figure5_10(results: Results) -> pd.DataFrame:
    frame = results.raw["margins"].query("part == 'histogram'")
    frame = frame[frame["dataset"] == ("bioresponse" if "bioresponse" in set(frame["dataset"]) else "pima")]
    bins = 100
    total = frame.groupby(["dataset", "learner"])["cases"].transform("sum")
    frame = frame.assign(share=frame["cases"] / total)
    summed = frame.groupby(["dataset", "learner", "place"], as_index=False)["share"].sum()
    summed = in_order(summed, "place")
    return summed.assign(**{"from": summed["place"] / bins, "width": 1 / bins}).drop(columns="place")


@styled
def draw_sides(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 2, 3.8, 3.0)
    for ax, (side, title) in zip(axes[0], (("right", "the vote is right"), ("wrong", "the vote errs")), strict=True):
        for learner, rows in data[data["side"] == side].groupby("learner", sort=False):
            band(ax, rows, "members", "share", LEARNER_COLOURS[learner], label=LEARNER_NAMES[learner])
        ax.set(title=title, xlabel="trees")
        ax.grid(axis="y", color=LIGHT, lw=0.5)
    axes[0, 0].set_ylabel(f"{set_name(data['dataset'].iloc[0])}\nmean share W of wrong members")
    drawing.legend(*axes[0, 0].get_legend_handles_labels(), frameon=False, ncols=3, loc="outside lower center")
    return drawing


@figure(
    title="Figure 5.11: mean share of wrong members on both sides of one half",
    draw=draw_sides,
    sources=("margins",),
    caption="spambase; mean over splits, bands: 95% intervals. Print calls it a margin, which is 1 - 2W.",
)
def figure5_11(results: Results) -> pd.DataFrame:
    frame = sides_of_splits(results)
    frame = frame[frame["dataset"] == ("spambase" if "spambase" in set(frame["dataset"]) else "pima")]
    long = frame.melt(["dataset", "learner", "split", "members"], ["right", "wrong"], "side", "share")
    found = means(long, ["dataset", "learner", "side", "members"], ["share"])
    return in_order(found.drop(columns="runs"), "side", "members")


# ------------------------------------------------------------------ Figure 4.6, and how bias settles


MEMBERS = 24  # of the ensembles of Figure 4.6
EXAMPLES = {  # how many cases have so many wrong members
    "2-competent": {2: 3, 4: 3, 6: 4, 8: 4, 10: 4, 14: 3, 16: 2, 20: 1},
    "not 2-competent": {0: 5, 1: 5, 4: 4, 5: 4, 6: 3, 14: 2, 15: 2},
}


@styled
def draw_competence(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(2, 1, 6.0, 2.0, sharex=True, sharey=True)
    for ax, (name, rows) in zip(axes[:, 0], data.groupby("ensemble", sort=False), strict=True):
        right = rows["share"] < 0.5
        ax.scatter(rows["share"], rows["height"], marker="s", s=34, color=np.where(right, GREEN, VERMILION))
        worst = rows["least_gap_at"].iloc[0]
        for low, high, colour in ((worst, 0.5, GREEN), (0.5, 1 - worst, VERMILION)):
            ax.axvspan(low, high, color=colour, alpha=0.10, lw=0)
        ax.axvline(0.5, color="black", lw=0.8)
        gap, effect = rows["least_gap"].iloc[0], rows["effect"].iloc[0]
        ax.set_title(f"{name}: least gap {gap:+.2f}, effect of voting {effect:+.2f}")
        ax.set(yticks=[], xlim=(-0.03, 1.03), ylim=(0, 7))
    axes[-1, 0].set_xlabel("share W of wrong members")
    return drawing


@figure(
    title="Figure 4.6: what competence asks",
    draw=draw_competence,
    caption=(
        "Two ensembles of 24 members in two classes; squares are cases of equal mass. Competent: however wide the two "
        "shaded parts beside one half, the left one holds no fewer cases; shown are those with the least gap. Below "
        "many cases are voted right by nearly all members and the ensemble is still not competent; it gains by voting "
        "all the same: competence is sufficient, not necessary."
    ),
)
def figure4_6(results: Results) -> pd.DataFrame:
    """Cases of both ensembles, piled up at their share of wrong members."""
    rows = []
    for name, cases in EXAMPLES.items():
        wrong = np.repeat(list(cases), list(cases.values()))
        counts, truth = np.column_stack([MEMBERS - wrong, wrong]), np.zeros(len(wrong), dtype=int)
        gap = competence.two_competence_gap(counts, truth)
        widest = int(np.argmin(gap[1 : MEMBERS // 2 - 1])) + 1  # both parts hold more than the threshold itself
        about = {"least_gap": gap.min(), "least_gap_at": widest / MEMBERS}
        about["effect"] = competence.diversity_effect(counts, truth)
        piled = [{"share": place / MEMBERS, "height": 1 + level} for place in cases for level in range(cases[place])]
        rows += [{"ensemble": name, **one, **about} for one in piled]
    return pd.DataFrame(rows)


@styled
def draw_settling(data: pd.DataFrame) -> Figure:
    datasets = list(dict.fromkeys(data["dataset"]))
    columns = min(3, len(datasets))
    drawing, axes = panels(-(-len(datasets) // columns), columns, 2.9, 2.5)
    for ax in axes.flat[len(datasets) :]:
        ax.set_axis_off()
    for ax, dataset in zip(axes.flat, datasets, strict=False):
        here = data[data["dataset"] == dataset]
        for term, colour in (("average_bias", BLUE), ("average_variance", GREEN)):
            rows, settled = (here[here["combiner"] == name] for name in ("vote", "vote, members pooled"))
            band(ax, rows, "trials", term, colour, "-o", label=term.replace("_", " "))
            ax.axhline(settled[term].iloc[0], color=colour, ls="--", lw=1)
        ax.set(xscale="log", title=set_name(dataset), xlabel="trials", ylim=(0, None))
        ax.set_xticks(rows["trials"], [str(number) for number in rows["trials"]])
        ax.minorticks_off()
        ax.grid(axis="y", color=LIGHT, lw=0.5)
    axes[0, 0].set_ylabel("0/1 loss")
    axes.flat[0].plot([], [], "--", color=MUTED, label="where they settle")
    drawing.legend(
        *axes.flat[0].get_legend_handles_labels(),
        frameon=False,
        ncols=3 if columns > 1 else 1,
        loc="outside lower center",
    )
    return drawing


@figure(
    title="Bias and variance of a standard forest by the number of trials",
    draw=draw_settling,
    sources=("losses",),
    tolerance=1e-8,
    caption=(
        "Three trials, as the thesis has them, make bias and variance of 0/1 loss an artefact: the central model is "
        "their vote. Dashed: the vote of all trees of all trials, which are draws of one distribution: where both "
        "settle. 39 trees, mean over splits, bands: 95% intervals."
    ),
)
def bias_by_trials(results: Results) -> pd.DataFrame:
    """Standard forests under 0/1 loss."""
    frame = results.tables["other_losses"].query("learner == 'rf' and loss == '0/1'")
    terms = [f"{name}{end}" for name in ("average_bias", "average_variance") for end in ("", "_low", "_high")]
    return frame[["dataset", "combiner", "trials", *terms]]


# ------------------------------------------------------------------ beyond print


@styled
def draw_map(data: pd.DataFrame) -> Figure:
    datasets = list(dict.fromkeys(data["dataset"]))
    columns = min(4, len(datasets))
    drawing, axes = panels(-(-len(datasets) // columns), columns, 3.0, 2.9)
    for ax in axes.flat[len(datasets) :]:
        ax.set_axis_off()
    for ax, dataset in zip(axes.flat, datasets, strict=False):
        here = data[data["dataset"] == dataset]
        low, high = here["diversity"].min(), here["diversity"].max()
        for error in np.linspace(here["error"].min(), here["error"].max(), 4):  # lines of equal ensemble error
            ax.plot([low, high], [low + error, high + error], color=LIGHT, lw=0.8, zorder=0)
        for learner, rows in here.groupby("learner", sort=False):
            ax.plot(rows["diversity"], rows["member_error"], "-", color=LEARNER_COLOURS[learner], lw=0.8, alpha=0.6)
            mark = "s" if learner in AS_TEXT else "o"
            end = rows.iloc[-1]
            ax.plot(end["diversity"], end["member_error"], mark, color=LEARNER_COLOURS[learner], ms=6)
        ax.set(title=set_name(dataset), xlabel="diversity", ylabel="average member error")
    for learner in dict.fromkeys(data["learner"]):
        mark = "s" if learner in AS_TEXT else "o"
        axes.flat[0].plot([], [], mark, color=LEARNER_COLOURS[learner], ls="", label=LEARNER_NAMES[learner])
    axes.flat[0].plot([], [], color=MUTED, lw=0.8, label="equal ensemble error")
    drawing.legend(*axes.flat[0].get_legend_handles_labels(), frameon=False, ncols=4, loc="outside lower center")
    return drawing


@figure(
    title="Every learner on one map: member error against diversity",
    draw=draw_map,
    sources=("guided",),
    caption=(
        "Marks: all trees; lines: from the last plotted number of trees to there. Along a grey line the ensemble error "
        "is the same: a strategy gains only where it lies below the line of the standard forest."
    ),
)
def learner_map(results: Results) -> pd.DataFrame:
    """Means over splits from 39 trees on; what was run stands beside the text where it is no standard forest."""
    frame = curves(results).reset_index()
    frame = frame[(frame["members"] >= last_plotted(results)) & (frame["learner"] != "w_dyn_as_run")]
    return in_order(frame[["dataset", "learner", "members", "member_error", "diversity", "error"]], "members")


@styled
def draw_networks(data: pd.DataFrame) -> Figure:
    losses = list(dict.fromkeys(data["loss"]))
    drawing, axes = panels(len(losses), 2, 3.7, 2.6, sharex=True)
    colours = dict(zip(dict.fromkeys(data["dataset"]), (BLUE, VERMILION, GREEN), strict=False))
    for row, loss in zip(axes, losses, strict=True):
        for ax, (column, label) in zip(row, (("error", "0/1 error"), ("diversity", "diversity")), strict=True):
            for dataset, rows in data[data["loss"] == loss].groupby("dataset", sort=False):
                ax.plot(rows["lambda"], rows[column], "-o", color=colours[dataset], label=set_name(dataset))
                if column == "error":
                    ax.plot(rows["lambda"], rows["member_error"], ":", color=colours[dataset])
            ax.set(ylabel=label, title="KL divergence" if loss == "kl" else f"{loss} loss", ylim=(0, None))
            ax.grid(axis="y", color=LIGHT, lw=0.5)
    for ax in axes[-1]:
        ax.set_xlabel("lambda")
    axes[0, 0].plot([], [], ":", color=MUTED, label="mean network")
    drawing.legend(*axes[0, 0].get_legend_handles_labels(), frameon=False, ncols=4, loc="outside lower center")
    return drawing


@figure(
    title="Section 5.4: what lambda does to networks trained together",
    draw=draw_networks,
    sources=("ncl",),
    tolerance=1e-6,
    caption="Mean over splits. lambda 0 trains each network for itself, 1 the ensemble as one.",
)
def lambda_of_networks(results: Results) -> pd.DataFrame:
    return results.tables["negative_correlation"][["dataset", "loss", "lambda", "error", "member_error", "diversity"]]
