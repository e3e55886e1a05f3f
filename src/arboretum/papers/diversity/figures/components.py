"""Components against the number of trees: Figures 4.2, 5.1, 5.4, 5.5, 5.7, 5.8 and A.1 to A.3, over the print."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arboretum.papers.contract import ResultFigure, figure
from arboretum.papers.diversity.figures.names import LEARNER_NAMES, LIGHT, TERM_COLOURS, TERM_NAMES, set_name
from arboretum.papers.diversity.tables.components import (
    AS_TEXT,
    BINARY,
    PLOTTED,
    SETS,
    TERMS,
    chosen_set,
    curves,
    sets_present,
)
from arboretum.papers.diversity.tables.guided import digitised
from arboretum.papers.drawing import panels, styled
from arboretum.papers.kit.curves import band
from arboretum.papers.results import Results

CAPTION = (
    "Lines: mean over splits, bands: 95% intervals. Dots: read off the printed figures, one split. bias + variance "
    "- diversity = error. Three trials make bias and variance an artefact: their central model is a vote of three. "
    "Crosses: both from as many trials as were run (30 in full) on few splits; diversity and error do not depend on it."
)
AS_RUN = " Learners as run stand beside those of the text; the dots are the same print under both."
DRF = ("rf", "w_drf", "w_xuchen", "w_drf_fit", "w_drf_fit_as_run")
SIGMOID = ("rf", "w_drf", "w_sigm", "w_sigm_as_run", "w_lerp")
DYNAMIC = ("rf", "w_lerp", "w_dyn", "w_dyn_as_run")
FIGURES = {  # title, sets, learners, what the caption begins with
    "figure4_2": (
        "Figures 4.2 and 5.1: components of a standard forest",
        ("mnist-subset",),
        ("rf",),
        "The print shows one picture twice, mnist-subset under both captions. ",
    ),
    "figure5_4": ("Figure 5.4: standard forest and DRF", ("spambase",), ("rf", "w_drf"), "spambase. "),
    "figure5_5": (
        "Figure 5.5: DRF and XuChen",
        ("bioresponse",),
        DRF,
        "The high-dimensional binary set is bioresponse. ",
    ),
    "figure5_7": ("Figure 5.7: DRF, sigmoid and lerp", ("pima", "spambase"), SIGMOID, "diabetes and spambase. "),
    "figure5_8": ("Figure 5.8: lerp and dyn", ("digits",), DYNAMIC, "digits, a set of ten classes. "),
    "figure_a_1": ("Figure A.1: DRF and XuChen, all binary sets", BINARY, DRF, ""),
    "figure_a_2": ("Figure A.2: DRF, sigmoid and lerp, all binary sets", BINARY, SIGMOID, ""),
    "figure_a_3": ("Figure A.3: lerp and dyn, all sets", SETS, DYNAMIC, ""),
}


def component_curves(results: Results, datasets: Sequence[str], learners: Sequence[str]) -> pd.DataFrame:
    """Mean and interval of each component for every number of trees plotted, and the printed value."""
    keys = ["dataset", "learner", "members"]
    wide = curves(results).reset_index()
    wide = wide[(wide["members"] <= PLOTTED) & wide["dataset"].isin(datasets) & wide["learner"].isin(learners)]
    parts = []
    for term in TERMS:
        names = {term: "value", f"{term}_low": "value_low", f"{term}_high": "value_high"}
        parts.append(wide[[*keys, *names]].rename(columns=names).assign(term=term))
    ours = pd.concat(parts)
    ours["printed_as"] = ours["learner"].map(lambda name: AS_TEXT.get(name, name))
    printed = digitised(results).rename(columns={"value": "value_printed", "learner": "printed_as"})
    joined = ours.merge(printed, on=["dataset", "printed_as", "members", "term"], how="left").drop(columns="printed_as")
    place = {name: number for number, name in enumerate([*datasets, *learners, *TERMS])}
    return joined.sort_values(
        ["dataset", "learner", "term", "members"],
        key=lambda column: column if column.name == "members" else column.map(place),
        kind="stable",
    )[["dataset", "learner", "members", "term", "value", "value_low", "value_high", "value_printed"]]


def many_trials(results: Results) -> pd.DataFrame:
    """Bias and variance from the most trials that were run."""
    frame = results.tables["more_trials"]
    frame = frame[frame["trials"] == frame["trials"].max()]
    return frame.melt(["dataset", "learner", "members"], ["bias", "variance"], "term", "more_trials")


def draw_panel(ax: Axes, data: pd.DataFrame) -> None:
    for term, rows in data.groupby("term", sort=False):
        band(ax, rows, "members", "value", TERM_COLOURS[term])
        ax.plot(rows["members"], rows["more_trials"], "x", color=TERM_COLOURS[term], ms=5, mew=1.2)
    ax.grid(axis="y", color=LIGHT, lw=0.5)
    ax.set_axisbelow(True)


@styled
def draw_components(data: pd.DataFrame) -> Figure:
    """One row of panels per set, one column per learner."""
    datasets, learners = (list(dict.fromkeys(data[name])) for name in ("dataset", "learner"))
    width, height = (2.3, 2.2) if len(learners) > 3 else (3.2, 3.0)
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
    for column, mark, label in (("value_printed", "o", "printed"), ("more_trials", "x", "more trials")):
        if data[column].notna().any():
            axes[0, 0].plot([], [], mark, color="#666666", ms=4, label=label)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    columns = {1: 2, 2: 3}.get(len(learners), len(labels))
    drawing.legend(handles, labels, frameon=False, ncols=columns, loc="outside lower center")
    return drawing


def component_figure(name: str) -> ResultFigure:
    """One of :data:`FIGURES`; a profile without the only set of a figure shows one like it."""
    title, datasets, learners, begin = FIGURES[name]
    caption = begin + CAPTION + AS_RUN * bool(set(learners) & set(AS_TEXT))

    def build(results: Results) -> pd.DataFrame:
        shown = sets_present(results, datasets) or [chosen_set(results, datasets[0])]
        keys = ["dataset", "learner", "members", "term"]
        return component_curves(results, shown, learners).merge(many_trials(results), on=keys, how="left")

    options = {"name": name, "title": title, "sources": ("guided", "trials"), "caption": caption}
    return figure(draw=draw_components, **options)(build)
