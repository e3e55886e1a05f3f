"""Section 4, Table 3: more trees, and why ringnorm stays far above the forests."""

from __future__ import annotations

import numpy as np

from arboretum.measures.ties import at_most, less
from arboretum.papers.pert.claims.shared import by_set, farthest, near
from arboretum.papers.results import Results
from arboretum.papers.verdicts import POSITIVE, REPRODUCED, Stated, Verdict, all_parts, around, claim, decide

PAPER_DIMENSION = 20  # of twonorm, threenorm and ringnorm


@claim("pert-c07")
def more_trees_lower_the_error(results: Results, stated: Stated) -> Verdict:
    """The falls from size to size, paired, and the levels of Table 3."""
    curve = results.tables["tree_curve"]
    printed = curve.dropna(subset="error_printed")
    allowed = {True: stated.limit("level_of_ringnorm"), False: stated.limit("level")}
    falls = [
        near(row.fall, row.fall_standard_error, POSITIVE)
        for row in curve[curve["trees"] > printed["trees"].min()].itertuples()
    ]
    levels = [
        near(row.error, row.error_standard_error, around(row.error_printed, allowed[row.dataset == "ringnorm"]))
        for row in printed.itertuples()
    ]
    differences = printed.set_index(["dataset", "trees"])
    (name, trees), difference = farthest(differences["error"] - differences["error_printed"])
    errors = curve["error_standard_error"].groupby(curve["dataset"] == "ringnorm").max()
    return Verdict(
        {"error falls at every step": all_parts(*falls), "levels of Table 3": all_parts(*levels)},
        {
            "errors": by_set(printed, "error"),
            "sure_falls": falls.count(REPRODUCED),
            "steps": len(falls),
            "largest_difference": difference,
            "on": name,
            "trees": int(trees),
            "standard_error": float(errors[False]),
            "standard_error_on_ringnorm": float(errors[True]),
        },
        "{errors:.1f}; falls at {sure_falls} of {steps} steps; largest difference from print "
        "{largest_difference:+.2f} ({on}, {trees} trees)",
        "All sizes come from one forest, so the falls are paired; the standard error of a level is "
        "{standard_error:.2f} at most, on ringnorm {standard_error_on_ringnorm:.2f}, as its samples differ most.",
    )


@claim("pert-c08")
def ringnorm_fails_in_the_tails(results: Results, stated: Stated) -> Verdict:
    """The error with most trees, the share of class 1 in it, and where those cases lie."""
    curve = results.tables["tree_curve"].query("dataset == 'ringnorm'")
    last = curve.loc[curve["trees"].idxmax()]
    lowest = stated.printed("forest") + stated.limit("above_forest")
    rings = results.tables["ringnorm_rings"]
    rings = rings[(rings["dimension"] == PAPER_DIMENSION) & (rings["class"] == 1)]
    outer = rings[at_most(stated.limit("outer"), rings["from"])]
    inside, outside = (frame.groupby("learner")[["errors", "cases"]].sum() for frame in (rings, outer))
    rate = 100 * outside["errors"] / outside["cases"]
    above = results.tables["ringnorm"].set_index(["learner", "dimension"])["above_bayes"]
    return Verdict(
        {
            "far above the forests": near(last["error"], last["error_standard_error"], (lowest, np.inf)),
            "mistakes are cases of class 1": decide(
                bool(less(stated.limit("share_of_class_1"), last["share_of_errors_on_class_1"]))
            ),
        },
        {
            "error": float(last["error"]),
            "trees": int(last["trees"]),
            "share": float(100 * last["share_of_errors_on_class_1"]),
            "outer": stated.limit("outer"),
            "outer_share": float(100 * outside.loc["pert", "errors"] / inside.loc["pert", "errors"]),
            "outer_error": {"PERT": float(rate["pert"]), "Forest-RI": float(rate["forest_single"])},
            "dimensions": [int(size) for size in above["pert"].index],
            "above_bayes": {"PERT": above["pert"].tolist(), "Forest-RI": above["forest_single"].tolist()},
        },
        "error {error:.1f} with {trees} trees; {share:.0f}% of the errors are class-1 cases; of those "
        "{outer_share:.0f}% lie beyond {outer} in |x| / sqrt(20), where class 2 hardly reaches; error in per cent on "
        "class 1 there: {outer_error:.1f}",
        "Points above the Bayes error in {dimensions} dimensions: {above_bayes:.1f}.",
    )
