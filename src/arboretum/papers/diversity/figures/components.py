"""Components against the number of trees: Figures 4.2, 5.1, 5.4, 5.5, 5.7, 5.8 and A.1 to A.3, over the print."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arboretum.papers.contract import figure
from arboretum.papers.diversity.figures.shared import LEARNER_NAMES, LIGHT, TERM_COLOURS, TERM_NAMES, set_name
from arboretum.papers.diversity.tables.guided import digitised
from arboretum.papers.diversity.tables.shared import (
    AS_TEXT,
    BINARY,
    PLOTTED,
    TERMS,
    chosen_set,
    components,
    sets_present,
)
from arboretum.papers.drawing import panels, styled
from arboretum.papers.results import Results

OVER_PRINT = (
    "Lines: mean over splits, bands: two standard errors. Dots: read off print, one split. bias + variance - diversity "
    "= error."
)
AS_RUN_PRINT = " Learners as run stand beside those of the text; the dots are the same print under both."


def component_curves(results: Results, datasets: Sequence[str], learners: Sequence[str]) -> pd.DataFrame:
    """Mean and error of each component for every number of trees plotted, and the printed value where there is one."""
    frame = components(results)
    frame = frame[(frame["members"] <= PLOTTED) & frame["dataset"].isin(datasets) & frame["learner"].isin(learners)]
    keys = ["dataset", "learner", "members"]
    grouped = frame.groupby(keys)[list(TERMS)]
    mean, error = (part.rename_axis(columns="term").stack() for part in (grouped.mean(), grouped.sem().fillna(0.0)))
    ours = pd.DataFrame({"value": mean, "standard_error": error}).reset_index()
    printed = digitised(results).rename(columns={"value": "printed", "learner": "printed_as"})
    ours["printed_as"] = ours["learner"].map(lambda name: AS_TEXT.get(name, name))
    joined = ours.merge(printed, on=["dataset", "printed_as", "members", "term"], how="left").drop(columns="printed_as")
    place = {name: number for number, name in enumerate([*datasets, *learners, *TERMS])}
    return joined.sort_values(
        ["dataset", "learner", "term", "members"],
        key=lambda column: column if column.name == "members" else column.map(place),
        kind="stable",
    ).reset_index(drop=True)


def draw_panel(ax: Axes, data: pd.DataFrame) -> None:
    for term, rows in data.groupby("term", sort=False):
        colour, half = TERM_COLOURS[term], 2 * rows["standard_error"]
        ax.fill_between(rows["members"], rows["value"] - half, rows["value"] + half, color=colour, alpha=0.18, lw=0)
        ax.plot(rows["members"], rows["value"], color=colour, lw=1.4)
        ax.plot(rows["members"], rows["printed"], "o", color=colour, ms=1.8, alpha=0.65)
    ax.grid(axis="y", color=LIGHT, lw=0.5)
    ax.set_axisbelow(True)


@styled
def draw_components(data: pd.DataFrame) -> Figure:
    """One row of panels per set, one column per learner."""
    datasets, learners = (list(dict.fromkeys(data[name])) for name in ("dataset", "learner"))
    width, height = (2.3, 2.2) if len(data) > 1000 else (3.2, 3.0)
    drawing, axes = panels(len(datasets), len(learners), width, height, sharex=True, sharey="row")
    for row, dataset in zip(axes, datasets, strict=True):
        for ax, learner in zip(row, learners, strict=True):
            draw_panel(ax, data[(data["dataset"] == dataset) & (data["learner"] == learner)])
            ax.set_title(LEARNER_NAMES[learner])
        row[0].set_ylabel(f"{set_name(dataset)}\n0/1 loss")
        row[0].set_ylim(bottom=min(0, *row[0].get_ylim()))
    for ax in axes[-1]:
        ax.set_xlabel("trees")
    for term, colour in TERM_COLOURS.items():
        axes[0, 0].plot([], [], color=colour, label=TERM_NAMES[term])
    if data["printed"].notna().any():
        axes[0, 0].plot([], [], "o", color="#666666", ms=2.5, label="print")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    columns = {1: 2, 2: 3}.get(len(learners), len(labels))
    drawing.legend(handles, labels, frameon=False, ncols=columns, loc="outside lower center")
    return drawing


@figure(
    title="Figures 4.2 and 5.1: components of a standard forest",
    draw=draw_components,
    sources=("guided",),
    caption="The print shows one picture twice, mnist-subset under both captions. " + OVER_PRINT,
)
def figure4_2(results: Results) -> pd.DataFrame:
    """mnist-subset, the standard forest."""
    return component_curves(results, [chosen_set(results, "mnist-subset")], ["rf"])


@figure(
    title="Figure 5.4: standard forest and DRF",
    draw=draw_components,
    sources=("guided",),
    caption="spambase. " + OVER_PRINT,
)
def figure5_4(results: Results) -> pd.DataFrame:
    return component_curves(results, [chosen_set(results, "spambase")], ["rf", "w_drf"])


@figure(
    title="Figure 5.5: DRF and XuChen",
    draw=draw_components,
    sources=("guided",),
    caption="The high-dimensional binary set is bioresponse. " + OVER_PRINT,
)
def figure5_5(results: Results) -> pd.DataFrame:
    return component_curves(results, [chosen_set(results, "bioresponse")], ["w_drf", "w_xuchen"])


@figure(
    title="Figure 5.7: DRF, sigmoid and lerp",
    draw=draw_components,
    sources=("guided",),
    caption="diabetes. " + OVER_PRINT + AS_RUN_PRINT,
)
def figure5_7(results: Results) -> pd.DataFrame:
    return component_curves(results, [chosen_set(results, "pima")], ["w_drf", "w_sigm", "w_sigm_as_run", "w_lerp"])


@figure(
    title="Figure 5.8: lerp and dyn",
    draw=draw_components,
    sources=("guided",),
    caption="mnist-subset, a set of ten classes. " + OVER_PRINT + AS_RUN_PRINT,
)
def figure5_8(results: Results) -> pd.DataFrame:
    return component_curves(results, [chosen_set(results, "mnist-subset")], ["w_lerp", "w_dyn", "w_dyn_as_run"])


@figure(
    title="Figure A.1: DRF and XuChen, all binary sets",
    draw=draw_components,
    sources=("guided",),
    caption=OVER_PRINT + AS_RUN_PRINT,
)
def figure_a_1(results: Results) -> pd.DataFrame:
    learners = ["rf", "w_drf", "w_xuchen", "w_drf_fit", "w_drf_fit_as_run"]
    return component_curves(results, sets_present(results, BINARY), learners)


@figure(
    title="Figure A.2: DRF, sigmoid and lerp, all binary sets",
    draw=draw_components,
    sources=("guided",),
    caption=OVER_PRINT + AS_RUN_PRINT,
)
def figure_a_2(results: Results) -> pd.DataFrame:
    learners = ["rf", "w_drf", "w_sigm", "w_sigm_as_run", "w_lerp"]
    return component_curves(results, sets_present(results, BINARY), learners)


@figure(
    title="Figure A.3: lerp and dyn, all sets",
    draw=draw_components,
    sources=("guided",),
    caption=OVER_PRINT + AS_RUN_PRINT,
)
def figure_a_3(results: Results) -> pd.DataFrame:
    return component_curves(results, sets_present(results), ["rf", "w_lerp", "w_dyn", "w_dyn_as_run"])
