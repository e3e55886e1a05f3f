"""Combine trees: scikit-learn estimators, one file a method."""

from arboretum.ensembles.boosted import BoostedTrees
from arboretum.ensembles.coalescence import Coalescence
from arboretum.ensembles.extra_trees import ExtraTrees
from arboretum.ensembles.pert import PERT
from arboretum.ensembles.purely_random import PurelyRandomForest
from arboretum.ensembles.random_forest import RandomForest
from arboretum.ensembles.searched_alpha import SearchedAlpha
from arboretum.ensembles.vr_forest import VRForest
from arboretum.ensembles.vr_tree import VRTree

__all__ = [
    "PERT",
    "BoostedTrees",
    "Coalescence",
    "ExtraTrees",
    "PurelyRandomForest",
    "RandomForest",
    "SearchedAlpha",
    "VRForest",
    "VRTree",
]
