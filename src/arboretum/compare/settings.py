"""What a comparison is asked: ``dataset=mine.csv target=class learners=[coalescence,random_forest] folds=10 ...``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import yaml

from arboretum.datasets.formats import is_own
from arboretum.datasets.inferred import Settings as SetSettings
from arboretum.errors import ArboretumError, nearest
from arboretum.pipeline.own_sets import check_folder_name, listed, named, take_settings
from arboretum.project.schema import check_learner, read_mapping

DEFAULT = ("coalescence", "random_forest", "sklearn.ensemble.HistGradientBoostingClassifier")
NUMBERS = {"folds": 2, "repetitions": 1, "seed": 0, "workers": 1}  # each with its least value
KEYS = ("dataset", "learners", *NUMBERS, "control", "rope", "name")


@dataclass(frozen=True)
class Comparison:
    """What to compare, on what, and how."""

    sets: Mapping[str, str]  # name -> name or file
    learners: Mapping[str, dict[str, Any]]  # label -> kind or _target_, and parameters
    of_sets: SetSettings = field(default_factory=SetSettings)
    folds: int = 10
    repetitions: int = 5
    seed: int = 1
    workers: int = 1
    control: str | None = None
    rope: float = 1.0  # per cent: differences of error within it do not matter
    name: str = ""

    @property
    def title(self) -> str:
        """The folder of the results: the name given, or one made of all that decides them."""
        if self.name:
            return self.name
        chosen = {key: value for key, value in asdict(self).items() if key not in ("name", "workers")}
        return hashlib.sha256(json.dumps(chosen, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def test_over_train(self) -> float:
        return 1 / (self.folds - 1)


def read_words(conf: Path, words: Sequence[str]) -> Comparison:
    """The comparison that the words of a command describe; an unknown word suggests the nearest."""
    of_sets, rest = take_settings(words)
    given: dict[str, str] = {}
    changes: list[tuple[str, str]] = []
    for word in rest:
        key, equals, value = word.partition("=")
        if equals and key.startswith("learners."):
            changes.append((key.removeprefix("learners."), value))
        elif equals and key in KEYS:
            given[key] = value
        else:
            known = [*KEYS, "target", "kinds.COLUMN", "missing", "drop", "columns"]
            raise ArboretumError(f"unknown setting {word!r}. {nearest(key, known)} Write it as KEY=VALUE.")
    if "dataset" not in given:
        raise ArboretumError("compare on what? Say dataset=mine.csv target=class, or dataset=glass,sonar.")
    known_sets = [path.stem for path in (conf / "dataset").glob("*.yaml")]
    sets = named(listed(given["dataset"]), known_sets)
    for name, reference in sets.items():
        if not is_own(reference) and name not in known_sets:
            raise ArboretumError(f"unknown data set {name!r}. {nearest(name, known_sets)} A file has its ending.")
    if of_sets != SetSettings() and not any(map(is_own, sets.values())):
        raise ArboretumError("target, kinds, missing, drop and columns are of a file: dataset=mine.csv target=class")
    learners = read_learners(conf, listed(given["learners"]) if "learners" in given else DEFAULT, changes)
    numbers = {key: _whole(key, given[key], least) for key, least in NUMBERS.items() if key in given}
    control = given.get("control")
    if control is not None and control not in learners:
        raise ArboretumError(f"control={control}: no such learner here. {nearest(control, learners)}")
    name = given.get("name", "")
    if "name" in given:
        check_folder_name("name=", name)
    return Comparison(sets, learners, of_sets, control=control, rope=_rope(given), name=name, **numbers)


def read_learners(conf: Path, wanted: Sequence[str], changes: Sequence[tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """Learners by label: a name of conf/learner or the path of a class, ``label:`` before it where one is given."""
    found: dict[str, dict[str, Any]] = {}
    known = [path.stem for path in (conf / "learner").glob("*.yaml")]
    for text in wanted:
        label, colon, learner = text.partition(":")
        learner = learner if colon else text
        label = label if colon else learner.rpartition(".")[2]
        if label in found:
            raise ArboretumError(f"two learners are called {label!r}. Give one a label: other:{learner}.")
        if "." in learner:
            found[label] = {"_target_": learner}
        elif learner in known:
            found[label] = read_mapping(conf / "learner" / f"{learner}.yaml", "Mend it.")
        else:
            hint = "A class of another package is named by its path: sklearn.ensemble.ExtraTreesClassifier."
            raise ArboretumError(f"unknown learner {learner!r}. {nearest(learner, known)} {hint}")
    for key, value in changes:
        label, _, parameter = key.partition(".")
        if label not in found or not parameter:
            raise ArboretumError(f"learners.{key}: no learner {label!r} here. {nearest(label, found)}")
        found[label][parameter] = yaml.safe_load(value)
    for label, spec in found.items():
        check_learner(lambda place, label=label: ".".join(("learners", label, *map(str, place))), spec)
    if len(found) < 2:
        raise ArboretumError("a comparison needs two learners: learners=[coalescence,random_forest]")
    return found


def _whole(key: str, text: str, least: int) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 18 or int(text) < least:
        raise ArboretumError(f"{key}={text}: must be a whole number from {least} on.")
    return int(text)


def _rope(given: Mapping[str, str]) -> float:
    text = given.get("rope", "1")
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise ArboretumError(f"rope={text}: must be per cent of error from 0 to 100 that do not matter in practice.")
    return value
