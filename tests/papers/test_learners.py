"""Learners of sweeps and of papers: all can be made, and both know the same kinds."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import yaml
from omegaconf import OmegaConf

from arboretum import ensembles
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.pipeline.sweep import learner_from

CONF = Path(__file__).parents[2] / "conf"
LEARNERS = sorted((CONF / "learner").glob("*.yaml"))
PAPERS = sorted((CONF / "paper").rglob("*.yaml"))
KINDS = vocabulary(*filter(inspect.isclass, map(ensembles.__dict__.get, ensembles.__all__)))
THERE_FOR = {  # what a file of conf/learner says otherwise than the class of its kind, because it is there for that
    "boosted_cart": {"base"},
    "searched_alpha": {"alphas"},  # the same ones, in full
}


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


def learners_in(settings: object) -> Iterator[dict]:
    """Every description of a learner in nested settings."""
    below = settings.values() if isinstance(settings, dict) else settings if isinstance(settings, list) else ()
    if isinstance(settings, dict) and isinstance(settings.get("kind"), str):
        yield settings
    for inner in below:
        yield from learners_in(inner)


@pytest.mark.parametrize(
    "path", sorted((CONF / "paper").rglob("*.yaml")), ids=lambda path: path.parent.name + path.stem
)
def test_every_kind_of_a_paper_is_one_that_sweeps_know(path):
    assert {learner["kind"] for learner in learners_in(yaml.safe_load(path.read_text("utf-8")))} <= set(KINDS)


@pytest.mark.parametrize("path", LEARNERS, ids=lambda path: path.stem)
def test_a_learner_of_sweeps_has_the_defaults_of_its_class(path):
    """Papers rely on these where they say nothing."""
    said = yaml.safe_load(path.read_text("utf-8"))
    if "kind" in said:
        made = KINDS[said.pop("kind")]
        own = {name: one.default for name, one in inspect.signature(made.func).parameters.items()} | made.keywords
        assert set(said) <= set(own)
        assert {name for name in said if said[name] != own[name]} == THERE_FOR.get(path.stem, set())
