"""The mean weight of each data set."""

from arboretum.papers.contract import by_name, table


@table(title="Table 1: weights", keys=("dataset",), sources=("weights",))
def table1(results):
    return (
        results.raw["weights"].groupby("dataset", as_index=False).agg(weight=("weight", "mean"), first=("first", "sum"))
    )


TABLES = by_name(table1)
