"""Theory of voting ensembles: sections 2.3, 3.2, 4.4 and 5.2."""

from __future__ import annotations

from arboretum.papers.diversity.claims.shared import broken, chosen, largest_gap, value_of, within, without
from arboretum.papers.results import Results
from arboretum.papers.verdicts import NOT_REPRODUCED, REPRODUCED, Stated, Verdict, claim

COUNTED = "{violations} violations in {problems} problems"


@claim("diversity-c07")
def variance_of_the_margin(results: Results, stated: Stated) -> Verdict:
    """Theorem 2.3.5, and the step of its proof that is false."""
    gap = largest_gap(results, stated.id)
    step = chosen(results, stated.id, "value", "Var(mr) less mean Var(rmg)")["mean"].iloc[0]
    return Verdict(
        within(gap, stated.limit("gap")),
        {"gap": gap, "step": float(step)},
        "largest gap {gap:below 1e-9}",
        "The theorem holds; the step Var(mr) = E Var(rmg) of its proof does not: the sides differ by {step:+.2f} on "
        "average.",
    )


@claim("diversity-c08")
def chebyshev_bounds_the_error(results: Results, stated: Stated) -> Verdict:
    """Section 2.3."""
    return no_violation(results, stated)


def no_violation(results: Results, stated: Stated, statement: str = "", note: str = "") -> Verdict:
    """The verdict of a claim that is one inequality."""
    violations, problems = broken(results, stated.id, statement)
    values = {"violations": violations, "problems": problems}
    return Verdict(without(violations, stated.limit("violations")), values, COUNTED, note)


@claim("diversity-c20")
def error_is_at_most_twice_the_member_error(results: Results, stated: Stated) -> Verdict:
    """Section 4.4, the simple bound."""
    return no_violation(results, stated)


@claim("diversity-c21")
def binary_ambiguity_is_disagreement(results: Results, stated: Stated) -> Verdict:
    """Lemma 4.4.2 and Corollary 4.4.3."""
    gap = largest_gap(results, stated.id)
    outside, _ = broken(results, stated.id, "ambiguity-effect lies")
    return Verdict(
        within(gap, stated.limit("gap")),
        {"gap": gap, "outside": outside},
        "largest gap {gap:below 1e-9}",
        "The range is printed as -1, 0 or 1; a mean over members lies in [-1/2, 1/2] ({outside} violations).",
    )


@claim("diversity-c22")
def good_and_bad_diversity(results: Results, stated: Stated) -> Verdict:
    """Lemma 4.4.4 for two classes, and what is left of it for more."""
    gap = max(
        largest_gap(results, stated.id, statement, "2 classes")
        for statement in ("disagreement on X+", "disagreement on X-", "effect = good - bad")
    )
    more = chosen(results, stated.id, "value", "disagreement on X-")["extreme"].max()
    correct = largest_gap(results, stated.id, "effect = good - bad")
    return Verdict(
        within(gap, stated.limit("gap")),
        {"gap": gap, "more": float(more), "correct": correct},
        "two classes: largest gap {gap:below 1e-9}",
        "With more classes the second line fails for disagreement (gaps up to {more:.2f}) and holds for correctness "
        "({correct:below 1e-9}). The sum over k of the text marks a member that is right.",
    )


@claim("diversity-c23")
def weak_learners_are_competent(results: Results, stated: Stated) -> Verdict:
    """Definition 4.4.4 case by case, and as an average over cases, which is how it is printed."""
    everywhere, problems = broken(results, stated.id, "weak on every case")
    average, average_problems = broken(results, stated.id, "weak on average only")
    counter = value_of(results, stated.id, "counter-example: effect")
    return Verdict(
        {
            "weak on every case": without(everywhere, stated.limit("violations")),
            "weak on average, as printed": without(average, stated.limit("violations")),
        },
        {
            "everywhere": everywhere,
            "problems": problems,
            "average": average,
            "average_problems": average_problems,
            "counter": counter,
        },
        "weak on every case: {everywhere} violations in {problems} problems; weak on average only: {average} in "
        "{average_problems}",
        "The text is wrong as it stands: an average over cases is not enough. With W = 0 and W = 0.51 and mean error "
        "0.4 the effect is {counter:.3f}. The printed inequality has the wrong sign too.",
    )


@claim("diversity-c24")
def two_competence_and_the_effect(results: Results, stated: Stated) -> Verdict:
    """Equation 4.1 and Corollary 4.4.7: one direction holds, the equivalence does not."""
    violations, problems = broken(results, stated.id, "2-competent: effect >= 0")
    gap = largest_gap(results, stated.id, "area under the gap")
    rows = chosen(results, stated.id, "value", "not competent, and effect >= 0")
    effect = value_of(results, stated.id, "counter-example: effect")
    return Verdict(
        {
            "competent: effect >= 0": without(violations, stated.limit("violations")),
            "effect >= 0: competent": NOT_REPRODUCED if rows["mean"].iloc[0] > 0 else REPRODUCED,
        },
        {
            "violations": violations,
            "problems": problems,
            "converse": float(100 * rows["mean"].iloc[0]),
            "others": int(rows["problems"].iloc[0]),
            "effect": effect,
            "gap": gap,
        },
        "competent: {violations} violations in {problems} problems; of {others} ensembles that are not competent "
        "{converse:.0f}% have a non-negative effect",
        "The text is wrong on the converse: W = 0.2 with mass 0.7 and W = 0.6 with mass 0.3 has the effect "
        "{effect:+.2f} and is not competent. The effect is the area under the gap of competence ({gap:below 1e-9}).",
    )


@claim("diversity-c25")
def k_competence_and_the_effect(results: Results, stated: Stated) -> Verdict:
    """Definition 4.4.6, Lemma 4.4.10, Theorems 4.4.8 and 4.4.9."""
    violations, problems = broken(results, stated.id, "k-competent: effect >= 0")
    reduces = largest_gap(results, stated.id, "two classes: 2-competence", "corrected")
    rows = chosen(results, stated.id, "value", "not competent, and effect >= 0")
    others, kept = rows["problems"].sum(), (rows["mean"] * rows["problems"]).sum()
    perfect = value_of(results, stated.id, "a perfect ensemble is competent", "as printed") - 1
    below, _ = broken(results, stated.id, "kappa >= 1/2")
    return Verdict(
        {
            "corrected, competent: effect >= 0": without(violations, stated.limit("violations")),
            "corrected, two classes: 2-competence": within(reduces, stated.limit("gap")),
            "effect >= 0: competent": NOT_REPRODUCED if kept > 0 else REPRODUCED,
        },
        {
            "violations": violations,
            "problems": problems,
            "others": int(others),
            "converse": float(100 * kept / others),
            "gap_of_a_perfect_ensemble_as_printed": perfect,
            "below": below,
            "reduces": reduces,
        },
        "corrected and competent: {violations} violations in {problems} problems; of {others} that are not competent "
        "{converse:.0f}% have a non-negative effect",
        "The text is wrong on the converse, and its definition needs kappa in place of 1 - kappa: as printed a perfect "
        "ensemble is not competent. kappa >= 1/2 in the proof fails in {below} ensembles.",
    )


@claim("diversity-c26")
def effect_is_at_most_the_disagreement(results: Results, stated: Stated) -> Verdict:
    """Theorem 4.4.11."""
    return no_violation(results, stated, note="Two members are drawn with replacement.")


@claim("diversity-c27")
def competence_bounds_the_effect_from_below(results: Results, stated: Stated) -> Verdict:
    """Theorem 4.4.12 and Lemma 4.4.13."""
    parts = {"lower bound": "lower bound <= effect (competent)", "error <= 2 E W^2": "error <= 2 E W^2 (competent)"}
    counts = {name: broken(results, stated.id, statement) for name, statement in parts.items()}
    other, others = broken(results, stated.id, "lower bound <= effect (not competent)")
    return Verdict(
        {name: without(found, stated.limit("violations")) for name, (found, _) in counts.items()},
        {
            "violations": {name: found for name, (found, _) in counts.items()},
            "problems": counts["lower bound"][1],
            "other": other,
            "others": others,
        },
        "competent ensembles: violations {violations} in {problems} problems",
        "Without competence the lower bound fails in {other} of {others} ensembles. The proof writes = where the lemma "
        "it quotes has <= for more than two classes.",
    )


@claim("diversity-c28")
def improvement_rate_and_disagreement(results: Results, stated: Stated) -> Verdict:
    """Section 5.2, two classes."""
    parts = {
        "DER >= EIR": "DER >= EIR",
        "EIR >= DER - 1": "EIR >= DER - 1 (competent)",
        "DER >= 1: ensembling cannot hurt": "DER >= 1",
    }
    counts = {name: broken(results, stated.id, statement) for name, statement in parts.items()}
    return Verdict(
        {name: without(found, stated.limit("violations")) for name, (found, _) in counts.items()},
        {
            "violations": {name: found for name, (found, _) in counts.items()},
            "problems": {name: problems for name, (_, problems) in counts.items()},
        },
        "violations: {violations}; problems: {problems}",
        "The second and third part for competent ensembles.",
    )


@claim("diversity-c46")
def error_is_a_sum_over_cells(results: Results, stated: Stated) -> Verdict:
    """Propositions 3.2.1 and 5.2.1 on small forests."""
    gap = largest_gap(results, stated.id)
    return Verdict(
        within(gap, stated.limit("gap")),
        {"gap": gap},
        "largest gap {gap:below 1e-9}",
        "Cells divide X, not (X, Y), and the mass of a cell is that of the cases in it.",
    )
