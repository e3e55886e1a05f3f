"""A tree as text, and the names that text and picture share."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted


class Names:
    """Names of features, levels and classes of a fitted estimator, for people to read."""

    def __init__(self, estimator, feature_names=None, class_names=None, decimals: int = 2):
        check_is_fitted(estimator, "forest_")
        if feature_names is None:
            feature_names = getattr(estimator, "feature_names_in_", None)
        if feature_names is None:
            feature_names = [f"feature_{f}" for f in range(estimator.n_features_in_)]
        if class_names is None:
            class_names = estimator.classes_
        for what, names, n in (
            ("feature_names", feature_names, estimator.n_features_in_),
            ("class_names", class_names, len(estimator.classes_)),
        ):
            if len(names) != n:
                raise ValueError(f"{what} has {len(names)} names, and {n} are needed")
        self.features, self.classes = [str(name) for name in feature_names], [str(name) for name in class_names]
        self.levels, self.decimals = estimator.forest_.levels, decimals
        self.own_branch = ["is missing"] if estimator.forest_.missing == "branch" else []

    def number(self, value: float) -> str:
        """A number with as many decimals as wanted, and not fewer than two digits that tell."""
        return f"{value:.{self.decimals}f}" if abs(value) >= 10**-self.decimals or value == 0 else f"{value:.2g}"

    def branches(self, node: dict) -> list[str]:
        """What each branch of an inner node asks: ``<= 2.45``, ``= red``, ``in {red, blue}`` or ``is missing``."""
        if node["kind"] == "numeric":
            cut = self.number(node["cut"])
            return [f"<= {cut}", f"> {cut}"]
        levels = [str(level) for level in self.levels[node["feature"]]]
        if node["kind"] == "nominal":
            return [*(f"= {level}" for level in levels), *self.own_branch]
        left = [levels[code] for code in node["left_levels"]]
        return [_one_of(left), _one_of([level for level in levels if level not in left])]

    def answer(self, counts) -> str:
        """The class that a node of these class weights votes for."""
        return self.classes[int(np.argmax(counts))]


def _one_of(levels: list[str]) -> str:
    return f"= {levels[0]}" if len(levels) == 1 else "in {" + ", ".join(levels) + "}"


def nested_tree(estimator, tree: int) -> dict:
    """One tree of a fitted estimator as nested dicts."""
    check_is_fitted(estimator, "forest_")
    n = len(estimator.forest_)
    if not 0 <= tree < n:
        raise ValueError(f"tree={tree}: the estimator has the trees 0 to {n - 1}")
    return estimator.forest_.nested(tree)


def export_text(
    estimator,
    tree: int = 0,
    *,
    feature_names=None,
    class_names=None,
    max_depth: int = 10,
    spacing: int = 3,
    decimals: int = 2,
    show_weights: bool = False,
) -> str:
    """One tree of a fitted estimator as indented text; parameters are those of :func:`sklearn.tree.export_text`.

    Branches without training cases are left out: they answer with their nearest ancestor that has some.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from arboretum.ensembles import VRTree, export_text
    >>> data = load_iris(as_frame=True)
    >>> print(export_text(VRTree(max_depth=1).fit(data.data, data.target)))
    |--- petal width (cm) <= 0.60
    |   |--- class: 0
    |--- petal width (cm) > 0.60
    |   |--- class: 1
    <BLANKLINE>
    """
    names, lines = Names(estimator, feature_names, class_names, decimals), []

    def write(node: dict, depth: int) -> None:
        indent = ("|" + " " * spacing) * depth + "|" + "-" * spacing + " "
        if "children" not in node:
            weights = ", ".join(names.number(count) for count in node["counts"])
            shown = f"weights: [{weights}] " if show_weights else ""
            lines.append(f"{indent}{shown}class: {names.answer(node['counts'])}")
        elif depth > max_depth:
            lines.append(f"{indent}truncated branch of depth {_depth(node)}")
        else:
            for asked, child in zip(names.branches(node), node["children"], strict=True):
                if any(child["counts"]):
                    lines.append(f"{indent}{names.features[node['feature']]} {asked}")
                    write(child, depth + 1)

    write(nested_tree(estimator, tree), 0)
    return "\n".join(lines) + "\n"


def _depth(node: dict) -> int:
    return 1 + max(map(_depth, node["children"])) if "children" in node else 0
