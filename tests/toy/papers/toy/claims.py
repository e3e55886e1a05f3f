"""Coins are fair."""

from arboretum.papers.contract import by_name
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import mean_of


@claim("toy-c01", evidence=("table1",))
def fair(results):
    """The mean share of heads over coins."""
    return {"share of heads": mean_of(results.tables["table1"]["share"].to_numpy(), "coins")}


CLAIMS = by_name(fair)
