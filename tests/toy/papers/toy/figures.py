"""Share of heads, as bars."""

from matplotlib.figure import Figure

from arboretum.papers.contract import by_name, figure


def draw_shares(frame):
    drawing = Figure()
    drawing.subplots().bar(frame["coin"], frame["share"])
    return drawing


@figure(title="Figure 1: share of heads", draw=draw_shares, sources=("coins",))
def figure1(results):
    return results.raw["coins"].groupby("coin", as_index=False)["share"].mean()


FIGURES = by_name(figure1)
