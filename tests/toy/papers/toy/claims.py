"""Coins are fair."""

from arboretum.papers.shape import Verdict, judge


def fair(tables):
    share = tables["table1"]["share"].mean()
    return Verdict(judge(share - 0.1, share + 0.1, inside=(0.3, 0.7)), f"{share:.2f}")


CLAIMS = {"toy-c01": fair}
