"""The page of a comparison: one html file with its tables and figures in it, and nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import matplotlib
import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined

from arboretum import __version__
from arboretum.compare.settings import Comparison
from arboretum.compare.verdicts import Verdicts, sentences
from arboretum.pipeline.svg import svg_text

#: Where SVG names its parts: in one page, parts of two figures must not have one name.
IDENTIFIERS = re.compile(r"(\bid=\"|url\(#|href=\"#)")
AT_MOST = 40  # sets of which errors are drawn


def page(comparison: Comparison, found: Verdicts, notes: Mapping[str, str], command: str) -> str:
    """The page as text."""
    environment = Environment(
        loader=PackageLoader("arboretum.compare", "."), undefined=StrictUndefined, autoescape=True, trim_blocks=True
    )
    return environment.get_template("page.html.j2").render(
        comparison=comparison,
        command=command,
        sentences=sentences(comparison, found),
        notes=notes,
        tables=list(tables(found)),
        figures=list(figures(comparison, found)),
        tests=found.tests,
        version=__version__,
        made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )


def tables(found: Verdicts) -> Iterator[dict[str, Any]]:
    """Tables with their titles; cells as text."""
    if not found.overall.empty:
        yield _table("Over the data sets", _errors_as_text(found.overall, ["learner"]))
    if not found.pairs_overall.empty:
        yield _table("Pairs, over the data sets", _pairs_as_text(found.pairs_overall, []))
    yield _table("On each data set", _errors_as_text(found.errors, ["dataset", "learner"]))
    yield _table("Pairs, on each data set", _pairs_as_text(found.pairs, ["dataset"]))


def _table(title: str, rows: pd.DataFrame) -> dict[str, Any]:
    return {"title": title, "columns": list(rows.columns), "rows": rows.to_numpy().tolist()}


def interval(low: float, high: float, digits: int = 2) -> str:
    """The ends of an interval; a dash where runs or sets are too few for one."""
    return "–" if not -1e300 < low <= high < 1e300 else f"{low:.{digits}f} to {high:.{digits}f}"


def _errors_as_text(table: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    shown = table[list(keys)].copy()
    shown["error %"] = table["error"].map("{:.2f}".format)
    shown["95% interval"] = [interval(low, high) for low, high in zip(table["low"], table["high"], strict=True)]
    shown["rank"] = table["rank"].map("{:.2f}".format)
    shown["fit s"] = table["fit_seconds"].map("{:.3g}".format)
    shown["predict s"] = table["predict_seconds"].map("{:.2g}".format)
    if "p_against_control" in table:
        shown["p (Holm, against control)"] = table["p_against_control"].map("{:.2g}".format)
    return shown


def _pairs_as_text(table: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    shown = table[[*keys, "first", "second"]].copy()
    shown["difference %"] = table["difference"].map("{:+.2f}".format)
    shown["95% interval"] = [interval(low, high) for low, high in zip(table["low"], table["high"], strict=True)]
    shown["p"] = table["p"].map("{:.2g}".format)
    shown["p (Holm)"] = table["p_holm"].map("{:.2g}".format)
    for name in ("first_better", "same", "second_better"):
        shown[name.replace("_", " ")] = table[name].map("{:.2f}".format)
    return shown


def figures(comparison: Comparison, found: Verdicts) -> Iterator[dict[str, str]]:
    """Figures as SVG with what they show."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    from arboretum import plots
    from arboretum.plots.look import STYLE

    def drawn(axes: Any, title: str, caption: str) -> dict[str, str]:
        svg = svg_text(axes.figure)
        plt.close(axes.figure)
        svg = IDENTIFIERS.sub(rf"\1{title.split()[0].lower()}-", svg[svg.index("<svg") :])
        return {"title": title, "caption": caption, "svg": svg}

    with plt.rc_context(STYLE):
        if found.tests and len(comparison.learners) > 2:
            ranks = found.overall.set_index("learner")["rank"].to_dict()
            axes = plots.critical_difference(ranks, found.tests["nemenyi_critical_difference"])
            yield drawn(axes, "Mean ranks", "A bar joins learners that Nemenyi's test cannot tell apart at 5%.")
        shown = list(comparison.sets)[:AT_MOST]
        by_set = {
            name: {row.learner: (row.error, row.low, row.high) for row in rows.itertuples()}
            for name, rows in found.errors.groupby("dataset", sort=False)
            if name in shown
        }
        yield drawn(
            plots.errors(by_set),
            "Errors",
            "Mean over all folds; 95% intervals for new cases, from folds that share cases (Nadeau and Bengio).",
        )
        pairs = found.pairs_overall if not found.pairs_overall.empty else found.pairs
        pairs = pairs if "dataset" not in pairs else pairs[pairs["dataset"].isin(shown[:1])]
        chances = {
            f"{row.first} – {row.second}": (row.first_better, row.same, row.second_better) for row in pairs.itertuples()
        }
        where = "over the data sets (Bayesian signed-rank test)" if "dataset" not in pairs else f"on {shown[0]}"
        yield drawn(
            plots.practical(chances, ("first is better", f"within {comparison.rope:g}%", "second is better")),
            "Better in practice?",
            f"Chances {where} that errors differ by more than {comparison.rope:g}%, which is taken not to matter.",
        )
