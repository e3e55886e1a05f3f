"""Combine trees: scikit-learn estimators, one file per method."""

from arboretum.ensembles.arced import ArcedTrees
from arboretum.ensembles.boosted import BoostedTrees
from arboretum.ensembles.coalescence import Coalescence
from arboretum.ensembles.dynamic_integration import DynamicIntegration
from arboretum.ensembles.exact_pert import ExactPERT
from arboretum.ensembles.extra_trees import ExtraTrees
from arboretum.ensembles.guided_forest import GuidedForest
from arboretum.ensembles.ncl import NCLEnsemble
from arboretum.ensembles.pert import PERT
from arboretum.ensembles.picture import plot_tree
from arboretum.ensembles.purely_random import PurelyRandomForest
from arboretum.ensembles.random_forest import RandomForest
from arboretum.ensembles.searched_alpha import SearchedAlpha
from arboretum.ensembles.text import export_text
from arboretum.ensembles.treelite_export import to_treelite
from arboretum.ensembles.vr_forest import VRForest
from arboretum.ensembles.vr_tree import VRTree

__all__ = [
    "PERT",
    "ArcedTrees",
    "BoostedTrees",
    "Coalescence",
    "DynamicIntegration",
    "ExactPERT",
    "ExtraTrees",
    "GuidedForest",
    "NCLEnsemble",
    "PurelyRandomForest",
    "RandomForest",
    "SearchedAlpha",
    "VRForest",
    "VRTree",
    "export_text",
    "plot_tree",
    "to_treelite",
]
