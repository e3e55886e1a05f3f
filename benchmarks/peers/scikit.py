"""scikit-learn's forests, in this process; nominal codes are numbers to them, missing values filled in."""

from __future__ import annotations

from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from . import Cases, Timing, timed


def _timing(forest, train, test, repeats, settings) -> Timing:
    settings = {"n_estimators": 100, "random_state": 0, "n_jobs": 1, **settings}
    pairs = [(cases.filled(train).matrix(), cases.y) for cases in (train, test)]
    return timed(lambda: forest(**settings), *pairs, repeats)


def random_forest(train: Cases, test: Cases, repeats=5, **settings) -> Timing:
    """RandomForestClassifier with the given settings."""
    return _timing(RandomForestClassifier, train, test, repeats, settings)


def all_features(train: Cases, test: Cases, repeats=5, **settings) -> Timing:
    """Entropy, all features, no bootstrap, min_samples_split=4: the nearest it has to VR-Trees at alpha=1."""
    search = {"criterion": "entropy", "max_features": None, "bootstrap": False, "min_samples_split": 4}
    return random_forest(train, test, repeats, **search, **settings)


def extra_trees(train: Cases, test: Cases, repeats=5, **settings) -> Timing:
    """ExtraTreesClassifier that looks at one feature a node."""
    return _timing(ExtraTreesClassifier, train, test, repeats, {"max_features": 1, **settings})
