"""Every constructor covers: on data of its own model, and on two harsher ones, skewed and discrete."""

from __future__ import annotations

import numpy as np

from arboretum.papers.kit.estimate import extreme, mean_of, share_of_sets


def test_the_share_of_sets_leaves_out_no_set_whose_noise_is_unknown():
    runs = {"a": [[1.0], [1.1], [0.9]], "b": [[0.1], [-0.2], [0.2]], "c": [[1.0]], "d": [[-1.0], [-1.1], [-1.2]]}
    found = share_of_sets({name: np.array(one) for name, one in runs.items()}, lambda mean: mean[0] > 0)
    assert (found.value, found.low, found.high) == (0.75, 0.25, 0.75)
    assert "1 or 3 splits on each of 4 sets" in found.varies


def test_the_best_of_several_allows_for_the_choice():
    rng = np.random.default_rng(1)
    ones = {str(number): mean_of(rng.normal(0, 1, 10)) for number in range(20)} | {"single": mean_of(np.array([-9.0]))}
    found = extreme(ones)
    assert found.low < 0 < found.high and found.value == min(
        one.value for name, one in ones.items() if name != "single"
    )
    assert min(one.high for name, one in ones.items() if name != "single") < found.high
    assert extreme(ones, max).value == -extreme({name: mean_of([-one.value] * 3) for name, one in ones.items()}).value
    assert not np.isfinite(extreme({"single": ones["single"]}).interval).any()
