"""Heads of each coin, printed beside ours."""

from arboretum.papers.shape import Table


def table1(raw, printed):
    ours = raw["coins"].groupby("coin", as_index=False).agg(heads=("heads", "sum"), share=("share", "mean"))
    frame = ours.merge(printed["table1"], on="coin", how="left")
    return frame.assign(heads_difference=frame["heads"] - frame["heads_printed"])


TABLES = {"table1": Table(build=table1, title="Table 1: heads", keys=("coin",), sources=("coins",))}
