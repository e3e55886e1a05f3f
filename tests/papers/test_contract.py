"""What a paper must be to be read at all."""

from __future__ import annotations

import pytest

from arboretum import papers
from arboretum.errors import ArboretumError
from arboretum.papers.contract import Experiment, Paper, by_name, figure, table

EXPERIMENTS = {"spectrum": Experiment(lambda params, sets: [], lambda task, data: [], keys=("dataset",))}


def test_a_misspelt_source_of_a_table_is_named():
    made = table(title="Table 1", keys=("dataset",), name="table1", sources=("spektrum",))(lambda results: None)
    with pytest.raises(ArboretumError, match=r"papers/oak: the table 'table1' names the source 'spektrum'.*spectrum"):
        Paper("oak", EXPERIMENTS, tables=by_name(made))


def test_a_misspelt_source_of_a_figure_is_named():
    """It once removed the stored drawing in silence: a figure without its experiments is not shown."""
    made = figure(title="Figure 1", draw=print, name="figure1", sources=("spectrums",))(lambda results: None)
    with pytest.raises(ArboretumError, match=r"the figure 'figure1' names the source 'spectrums'.*spectrum"):
        Paper("oak", EXPERIMENTS, figures=by_name(made))


def test_the_kit_is_no_paper():
    assert "kit" not in papers.present() and "vrtrees" in papers.present()
