"""Theory of voting ensembles: sections 2.3, 3.2, 4.4 and 5.2."""

from __future__ import annotations

from arboretum.measures.ties import less
from arboretum.papers.diversity.claims.statements import Theory
from arboretum.papers.diversity.tables.forests import measured_forests
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import Estimate, exact
from arboretum.papers.results import Results


@claim("diversity-c07", evidence=("statements",))
def variance_of_the_margin(results: Results):
    """Theorem 2.3.5, and the step of its proof that is false."""
    found = Theory(results, "diversity-c07")
    return {"gap": found.gap(), "gap of the step in the proof": found.mean("Var(mr) less mean Var(rmg)")}


@claim("diversity-c08", evidence=("statements",))
def chebyshev_bounds_the_error(results: Results):
    """Section 2.3."""
    return {"violations": Theory(results, "diversity-c08").violations()}


@claim("diversity-c20", evidence=("statements",))
def error_is_at_most_twice_the_member_error(results: Results):
    """Section 4.4, both steps of the simple bound."""
    return {"violations": Theory(results, "diversity-c20").violations()}


@claim("diversity-c21", evidence=("statements",))
def binary_ambiguity_is_disagreement(results: Results):
    """Lemma 4.4.2 and Corollary 4.4.3, and the range of a mean."""
    found = Theory(results, "diversity-c21")
    return {"gap": found.gap(), "effects outside [-1/2, 1/2]": found.violations("ambiguity-effect lies")}


@claim("diversity-c22", evidence=("statements", "forest_measures"))
def good_and_bad_diversity(results: Results):
    """Lemma 4.4.4 for two classes, and what is left of it for more."""
    found = Theory(results, "diversity-c22")
    lines = ("disagreement on X+", "disagreement on X-", "effect = good - bad")
    return {
        "gap, two classes": {line: found.gap(line, "2 classes") for line in lines},
        "gap of disagreement, more classes": found.value("disagreement on X-"),
        "gap of correctness, any number of classes": found.gap("effect = good - bad"),
    }


@claim("diversity-c23", evidence=("statements",))
def weak_learners_are_competent(results: Results):
    """Definition 4.4.4 as an average over cases, which is how it is printed, and case by case."""
    found = Theory(results, "diversity-c23")
    return {
        "effect below 0, weak on average only": found.violations("weak on average only"),
        "ensembles weak on average only": found.problems("weak on average only"),
        "effect of the counter-example": found.value("counter-example: effect"),
        "violations, weak on every case": found.violations("weak on every case"),
    }


def not_competent(found: Theory) -> dict[str, Estimate]:
    """Random ensembles that are not competent, and those of them whose effect is not negative all the same."""
    rows = found.rows("value", "not competent, and effect >= 0")
    gain = (rows["mean"] * rows["problems"]).sum().round()
    return {"gain without competence": exact(gain), "without competence": exact(rows["problems"].sum())}


@claim("diversity-c24", evidence=("statements",))
def two_competence_and_the_effect(results: Results):
    """Equation 4.1 and Corollary 4.4.7, each direction, and the identity that holds in their place."""
    found = Theory(results, "diversity-c24")
    return not_competent(found) | {
        "competent, and effect below 0": found.violations("2-competent: effect >= 0"),
        "effect of the counter-example": found.value("counter-example: effect"),
        "area under the gap of competence less effect": found.gap("area under the gap"),
    }


@claim("diversity-c25", evidence=("statements", "forest_measures"))
def k_competence_and_the_effect(results: Results):
    """Definition 4.4.6, Lemma 4.4.10, Theorems 4.4.8 and 4.4.9, as printed and corrected; and on real forests."""
    found = Theory(results, "diversity-c25")
    perfect = found.value("a perfect ensemble is competent", "as printed").value - 1
    return not_competent(found) | {
        "gap of competence of a perfect ensemble, as printed": exact(perfect),
        "share unlike 2-competence, as printed": found.mean("two classes: 2-competence", "as printed"),
        "competent, and effect below 0": found.violations("k-competent: effect >= 0"),
        "competent": found.problems("k-competent: effect >= 0"),
        "gap less that of 2-competence, two classes": found.gap("two classes: 2-competence"),
        "ensembles with kappa < 1/2": found.violations("kappa >= 1/2"),
        "real forests": real_forests(results),
    }


def real_forests(results: Results) -> dict[str, Estimate]:
    """Standard forests with most trees: how many there are, are not competent, and gain without competence."""
    results.tables["forest_measures"]  # says so where no forests were grown
    frame = measured_forests(results).query("kind == 'prefix'")
    frame = frame[frame["members"] == frame["members"].max()]
    without = frame[~frame["k_competent"]]
    gain = less(0, without["diversity"]).sum()
    return {"all": exact(len(frame)), "not competent": exact(len(without)), "not competent, and gain": exact(gain)}


@claim("diversity-c26", evidence=("statements",))
def effect_is_at_most_the_disagreement(results: Results):
    """Theorem 4.4.11, any ensemble."""
    return {"violations": Theory(results, "diversity-c26").violations()}


@claim("diversity-c27", evidence=("statements",))
def competence_bounds_the_effect_from_below(results: Results):
    """Theorem 4.4.12 and Lemma 4.4.13, for ensembles competent as printed, as corrected, and not competent."""
    found, bound = Theory(results, "diversity-c27"), "lower bound <= effect"
    return {
        "lower bound broken, competent as printed": found.violations(f"{bound} (competent as printed)"),
        "competent as printed": found.problems(f"{bound} (competent as printed)"),
        "lower bound broken, competent as corrected": found.violations(f"{bound} (competent)"),
        "error above 2 E W^2, competent as corrected": found.violations("error <= 2 E W^2 (competent)"),
        "lower bound broken, not competent": found.violations(f"{bound} (not competent)"),
        "not competent": found.problems(f"{bound} (not competent)"),
    }


@claim("diversity-c28", evidence=("statements", "forest_measures"))
def improvement_rate_and_disagreement(results: Results):
    """Section 5.2, two classes: both bounds, and what DER >= 1 promises of any ensemble and of competent ones."""
    found = Theory(results, "diversity-c28")
    return {
        "DER below EIR": found.violations("DER >= EIR"),
        "EIR below DER - 1, competent": found.violations("EIR >= DER - 1 (competent)"),
        "EIR of the counter-example": found.value("counter-example: EIR"),
        "DER of the counter-example": found.value("counter-example: DER"),
        "hurt where DER >= 1": found.violations("DER >= 1 cannot hurt any"),
        "ensembles with DER >= 1": found.problems("DER >= 1 cannot hurt any"),
        "hurt where DER >= 1, competent": found.violations("DER >= 1 cannot hurt competent"),
    }


@claim("diversity-c46", evidence=("statements",))
def error_is_a_sum_over_cells(results: Results):
    """Propositions 3.2.1 and 5.2.1 on small forests."""
    return {"gap": Theory(results, "diversity-c46").gap()}
