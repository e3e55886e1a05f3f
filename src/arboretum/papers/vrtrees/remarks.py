"""Remarks on cells that differ from print by more than noise: remarks.yaml, its numbers filled from results."""

from __future__ import annotations

from arboretum.papers.kit.remarks import remarks_of
from arboretum.papers.kit.wording import say
from arboretum.papers.results import Results, once
from arboretum.papers.vrtrees.rates import PAPER, available_sets, errors_by_repetition, printed_errors, spectrum_rates

UNEXPLAINED = "unexplained"


@once
def on_table3(results: Results) -> dict[tuple[str, str], str]:
    """The remark on each cell of Table 3 of which something is known, by set and learner."""
    names, text = available_sets(results), printed_errors(results)
    errors = errors_by_repetition(results).assign(single_tree=spectrum_rates(results)["aggregating"][1.0])
    found = {}
    for name, remarks in remarks_of(PAPER)["table3"].items():
        if name in names:
            runs, printed = errors.loc[name], text.iloc[names.index(name)].to_dict()
            values = {"ours": runs.mean(), "least": runs.min(), "greatest": runs.max(), "printed": printed}
            for learner in text:
                remark = remarks.get(learner, remarks.get("any", UNEXPLAINED))
                found[name, learner] = say(remark, **values)
    return found


def on_cell(results: Results, dataset: str, learner: str) -> str:
    """What is known of a cell of Table 3 that is far from print."""
    return on_table3(results).get((dataset, learner), UNEXPLAINED)


def on_row(results: Results, row: str) -> str:
    """What is known of a row of Table 4 whose cells are far from print; empty where none is."""
    printed = results.printed["table4_concepts"].set_index("printed_row").to_dict("index")
    return say(remarks_of(PAPER)["table4"].get(row, ""), printed=printed)
