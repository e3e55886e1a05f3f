"""Agreement with peers, each as a table: random forest error beside R's, AdaBoost beside scikit-learn's."""

from __future__ import annotations

import math

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from arboretum.ensembles import BoostedTrees, RandomForest
from arboretum.errors import ArboretumError
from arboretum.seeds import random_state

from . import sets
from .peers import PeerMissing, r

FOLDS = 5
REPETITIONS = 3
BOOST_SETS = ("glass", "sonar", "vehicle", "pima", "segment")


def folds(cases, name):
    """The same (repetition, train, test) for every learner."""
    for repetition in range(REPETITIONS):
        seed = random_state(bench="parity", set=name, repetition=repetition)
        split = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
        for train, test in split.split(cases.y, cases.y):
            yield repetition, cases.take(train), cases.take(test)


def forests(name, trees=200):
    """Error of our random forest and of R's on the same folds.

    ``noise`` is the standard error of the difference over folds, each fold run with seeds of its own, so it
    holds the luck of both forests; ``z`` is the difference in such units.
    """
    row = {"set": name, "trees": trees}
    try:
        cases = sets.cases(name)
        ours, theirs = [], []
        for k, (_, train, test) in enumerate(folds(cases, name)):
            model = RandomForest(flavour="r", n_estimators=trees, random_state=k, n_jobs=1)
            ours.append(np.mean(model.fit(train.frame(), train.y).predict(test.frame()) != test.y))
            theirs.append(_r_error(train, test, trees, seed=k + 1))
    except (ArboretumError, PeerMissing) as missing:
        return {**row, "status": str(missing)}
    return {**row, **_difference(ours, theirs), "status": "ok"}


def _r_error(train, test, trees, seed):
    mtry = math.isqrt(len(train.kinds))
    return r.forest("randomForest", train, test, mtry=mtry, trees=trees, repeats=1, seed=seed)[0].error


def _difference(ours, theirs):
    difference = np.array(ours) - np.array(theirs)
    noise = difference.std(ddof=1) / math.sqrt(len(difference))
    z = difference.mean() / noise if noise > 0 else 0.0
    return {"ours": np.mean(ours), "peer": np.mean(theirs), "difference": difference.mean(), "noise": noise, "z": z}


def boosting(name, trees=50, depth=2):
    """Error of our AdaBoost of small CART trees and of scikit-learn's on the same folds, and equal answers."""
    row = {"set": name, "trees": trees, "depth": depth}
    try:
        cases = sets.cases(name)
    except ArboretumError as missing:
        return {**row, "status": str(missing)}
    ours, theirs, equal = [], [], []
    for k, (_, train, test) in enumerate(folds(cases, name)):
        model = BoostedTrees("cart", trees, algorithm="SAMME", max_depth=depth, random_state=k)
        base = DecisionTreeClassifier(max_depth=depth, random_state=k)
        peer = AdaBoostClassifier(base, n_estimators=trees, random_state=k)
        answers = [m.fit(train.matrix(), train.y).predict(test.matrix()) for m in (model, peer)]
        ours.append(np.mean(answers[0] != test.y))
        theirs.append(np.mean(answers[1] != test.y))
        equal.append(np.mean(answers[0] == answers[1]))
    return {**row, **_difference(ours, theirs), "equal answers": np.mean(equal), "status": "ok"}
