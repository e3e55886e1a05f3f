"""The colours of the gallery: a cycle that people with any colour vision can tell apart (Okabe and Ito 2008)."""

import matplotlib as mpl

CYCLE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")


def reset(gallery_conf, name):
    """What sphinx-gallery calls before each example."""
    mpl.rcParams["axes.prop_cycle"] = mpl.cycler(color=CYCLE)
