"""Heads of each coin, printed beside ours."""

from arboretum.papers.contract import by_name, mean_by, table


@table(title="Table 1: heads", keys=("coin",), sources=("coins",), metrics=mean_by("coin", "share"))
def table1(results):
    ours = results.raw["coins"].groupby("coin", as_index=False).agg(heads=("heads", "sum"), share=("share", "mean"))
    frame = ours.merge(results.printed["table1"], on="coin", how="left")
    return frame.assign(heads_difference=frame["heads"] - frame["heads_printed"])


TABLES = by_name(table1)
