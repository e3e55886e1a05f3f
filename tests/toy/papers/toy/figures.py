"""Share of heads, as bars."""

from matplotlib.figure import Figure as MatplotlibFigure

from arboretum.papers.shape import Figure


def data(raw, printed):
    return raw["coins"].groupby("coin", as_index=False)["share"].mean()


def draw(frame):
    figure = MatplotlibFigure()
    figure.subplots().bar(frame["coin"], frame["share"])
    return figure


FIGURES = {"figure1": Figure(data=data, draw=draw, title="Figure 1: share of heads", sources=("coins",))}
