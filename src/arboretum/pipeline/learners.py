"""A learner from its description: one of our kinds, or any estimator that ``_target_`` names."""

from __future__ import annotations

from typing import Any

from hydra.utils import instantiate
from omegaconf import DictConfig, OmegaConf

from arboretum import ensembles
from arboretum.ensembles.vocabulary import make_learner, vocabulary

LEARNERS = vocabulary(*(getattr(ensembles, name) for name in ensembles.__all__))


def learner_from(config: DictConfig) -> Any:
    """The learner of a file of conf/learner: one of our kinds, or any estimator that ``_target_`` names."""
    return (
        instantiate(config)
        if "_target_" in config
        else make_learner(LEARNERS, OmegaConf.to_container(config, resolve=True))
    )
