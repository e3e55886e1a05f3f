"""Public pictures: what they plot is what was given, and without matplotlib the error names the extra."""

from __future__ import annotations

import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest

from arboretum import plots
from arboretum.measures.intervals import wilson_interval
from arboretum.plots.forests import calibration_bins


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def lines(ax):
    return {line.get_label(): line.get_xydata() for line in ax.get_lines()}


def test_spectrum_draws_the_mean_of_runs_in_per_cent():
    ax = plots.spectrum([0, 0.5, 1], {"bagging": [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]], "one": [0, 0, 0.05]})
    found = lines(ax)
    np.testing.assert_allclose(found["bagging"][:, 1], [20, 20, 20])
    np.testing.assert_allclose(found["one"], [[0, 0], [0.5, 0], [1, 5]])
    (band,) = ax.collections
    assert band.get_paths()[0].get_extents().ymax == pytest.approx(30)
    with pytest.raises(ValueError, match="2 errors for 3 alphas"):
        plots.spectrum([0, 0.5, 1], {"bagging": [0.1, 0.2]})


def test_strength_and_correlation_as_points_and_curves():
    ax = plots.strength_correlation({"curve": [[0.2, 0.1], [0.4, 0.3]], "point": (0.5, 0.2)}, {"curve": ["a", "b"]})
    np.testing.assert_allclose(lines(ax)["curve"], [[0.2, 0.1], [0.4, 0.3]])
    np.testing.assert_allclose(lines(ax)["point"], [[0.5, 0.2]])
    assert [text.get_text() for text in ax.texts] == ["a", "b"]


def test_margins_by_hand():
    votes = np.array([[0, 1, 1], [0, 1, 0], [1, 1, 0]])  # margins of class 0, 1, 1: 1/3, 1, -1/3
    ax = plots.margins({"forest": votes}, np.array([0, 1, 1]))
    found = lines(ax)["forest"]
    np.testing.assert_allclose(found[1:-1, 0], [-1 / 3, 1 / 3, 1])
    np.testing.assert_allclose(found[1:-1, 1], [1 / 3, 2 / 3, 1])


def test_kernel_curves_and_measured_shares():
    ax = plots.kernel([0, 1], {"exact": [1, 0.5]}, {"trees": [1, 0.4]})
    np.testing.assert_allclose(lines(ax)["exact"], [[0, 1], [1, 0.5]])
    np.testing.assert_allclose(lines(ax)["trees"], [[0, 1], [1, 0.4]])


def test_calibration_by_hand():
    shares = np.array([[0.9, 0.1], [0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    means, right, low, high = calibration_bins(shares, np.array([0, 1, 1, 0]), 2)
    np.testing.assert_allclose(means, [0.4 / 3, 3.6 / 5])  # 0.1, 0.1, 0.2 below a half; 0.9, 0.9, 0.8, 0.5, 0.5 above
    np.testing.assert_allclose(right, [1 / 3, 3 / 5])
    np.testing.assert_allclose((low[1], high[1]), wilson_interval(3, 5))
    ax = plots.calibration({"forest": shares}, np.array([0, 1, 1, 0]), bins=2)
    assert ax.get_legend_handles_labels()[1] == ["forest"]


def test_a_share_of_one_is_in_the_last_bin():
    means, right, *_ = calibration_bins(np.array([[1.0, 0.0]]), np.array([0]), 10)
    np.testing.assert_allclose([means, right], [[0, 1], [0, 1]])


def test_errors_have_their_intervals_and_practical_chances_add_up():
    ax = plots.errors({"glass": {"oak": (20, 15, 25), "elm": (30, -np.inf, np.inf)}, "iris": {"oak": (5, 2, 9)}})
    assert [text.get_text() for text in ax.get_yticklabels()] == ["glass", "iris"]
    assert sum(len(line.get_xdata()) == 2 for line in ax.get_lines()) == 2, "no line where there is no interval"
    ax = plots.practical({"oak or elm": (0.7, 0.2, 0.1)}, ("oak", "same", "elm"))
    widths = [bar.get_width() for bar in ax.patches][:3]
    np.testing.assert_allclose(widths, [0.7, 0.2, 0.1])


def test_without_matplotlib_the_error_names_the_extra():
    code = "import sys; sys.modules['matplotlib'] = None\nimport arboretum.plots"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode and "pip install 'arboretum[pipeline]'" in done.stderr
