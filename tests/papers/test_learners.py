"""Every learner of ``conf/learner`` can be made, fitted and asked, whatever its settings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from omegaconf import OmegaConf

from arboretum.pipeline.sweep import learner_from

LEARNERS = sorted((Path(__file__).parents[2] / "conf" / "learner").glob("*.yaml"))


@pytest.mark.parametrize("path", LEARNERS, ids=lambda path: path.stem)
def test_learner(path):
    rng = np.random.default_rng(1)
    X = rng.random((60, 4))
    y = np.where(X[:, 0] > 0.5, "a", "b")
    config = OmegaConf.load(path)
    if "n_estimators" in config:
        config.n_estimators = 10
    learner = learner_from(config).set_params(random_state=1).fit(X, y)
    assert np.mean(learner.predict(X) == y) > 0.8
