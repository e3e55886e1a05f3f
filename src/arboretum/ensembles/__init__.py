"""Combine trees: scikit-learn estimators, one file a method."""

from arboretum.ensembles.coalescence import Coalescence
from arboretum.ensembles.searched_alpha import SearchedAlpha
from arboretum.ensembles.vr_forest import VRForest
from arboretum.ensembles.vr_tree import VRTree

__all__ = ["Coalescence", "SearchedAlpha", "VRForest", "VRTree"]
