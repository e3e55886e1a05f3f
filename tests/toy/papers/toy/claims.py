"""Coins are fair."""

from arboretum.papers.contract import by_name
from arboretum.papers.verdicts import Verdict, claim, judge


@claim("toy-c01")
def fair(results, stated):
    """The mean share of heads is near one half."""
    share = results.tables["table1"]["share"].mean()
    half = stated.limit("half_width")
    verdict = judge(share - half, share + half, stated.limit("share"))
    return Verdict(verdict, {"share": share}, "{share:.2f}")


CLAIMS = by_name(fair)
