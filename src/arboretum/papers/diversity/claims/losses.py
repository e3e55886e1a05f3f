"""Theory of losses, centres and decompositions: chapters 1 to 3, 4.1 to 4.3, 4.5, and section 5.4."""

from __future__ import annotations

from arboretum.papers.diversity.claims.statements import Theory
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import exact
from arboretum.papers.results import Results


@claim("diversity-c01", evidence=("statements",))
def risk_is_noise_bias_and_variance(results: Results):
    """Theorem 1.5.1 for nine losses, with the arguments of the loss-effects as printed and as defined."""
    found = Theory(results, "diversity-c01")
    printed = found.means("gap with the printed order")
    return {"gap with the printed order": printed, "gap with the order of Definition 1.5.1": found.gap()}


@claim("diversity-c02", evidence=("table1_1", "statements"))
def centroids_of_bregman_divergences(results: Results):
    """Lemma 1.6.1: closed forms against a search, left and right."""
    found = Theory(results, "diversity-c02")
    beaten = found.violations()
    return {"closed form less numeric minimum": found.gap(), "searches that beat the closed form": beaten}


@claim("diversity-c03", evidence=("combiners", "statements"))
def implied_combiners(results: Results):
    """Figure 4.3: the centre of each divergence less the mean of its name."""
    return {"gap": Theory(results, "diversity-c03").gap()}


@claim("diversity-c04", evidence=("statements",))
def alike_members_share_their_centre(results: Results):
    """Lemma 2.2.1: ensemble bias less average bias of alike members, for 0/1 loss and for Bregman losses."""
    found = Theory(results, "diversity-c04")
    return {
        "gap of the biases, 0/1 loss": found.value("gap of the biases"),
        "gap of the biases, Bregman losses": found.gap(),
        "counter-example": {name: found.value(f"counter-example: {name}") for name in ("members", "votes")},
    }


@claim("diversity-c05", evidence=("statements",))
def averaging_never_hurts_convex_losses(results: Results):
    """Corollary 2.3.1; Itakura-Saito is not convex in its second argument and shows what then happens."""
    found, mean = Theory(results, "diversity-c05"), "loss of the arithmetic mean <= mean loss"
    hurt = found.violations(f"{mean} (not convex)").value / found.problems(f"{mean} (not convex)").value
    return {
        "violations": found.violations(f"{mean} (convex)"),
        "share of violations, Itakura-Saito": exact(hurt),
        "violations of the harmonic mean": found.violations("loss of its own centre"),
    }


@claim("diversity-c06", evidence=("statements",))
def variance_of_a_mean(results: Results):
    """Section 2.3."""
    return {"gap": Theory(results, "diversity-c06").gap()}


@claim("diversity-c09", evidence=("statements",))
def impurities_are_leaf_losses(results: Results):
    """Proposition 3.1.1: impurity less loss at the centre; what beats the class shares under the loss for Gini."""
    found = Theory(results, "diversity-c09")
    return {
        "gap": {impurity: found.gap(impurity) for impurity in ("variance", "error rate", "entropy")},
        "how much a vertex beats the class shares": found.value("Gini: how much a vertex beats p"),
        "gap of Gini, Brier loss": found.gap("Gini"),
        "distributions that beat the class shares, Brier loss": found.violations("no distribution beats p"),
    }


@claim("diversity-c10", evidence=("statements",))
def no_division_raises_the_loss(results: Results):
    """Lemma B.0.3."""
    return {"violations": Theory(results, "diversity-c10").violations()}


@claim("diversity-c11", evidence=("statements",))
def forms_of_gini(results: Results):
    """Propositions B.0.4 and B.0.5."""
    return {"gap": Theory(results, "diversity-c11").gap()}


@claim("diversity-c12", evidence=("statements",))
def kohavi_and_wolpert(results: Results):
    """Section 4.1.3, with the noise as printed and with its square."""
    found = Theory(results, "diversity-c12")
    return {"gap with the printed noise": found.mean("error", "as printed"), "gap with the noise squared": found.gap()}


@claim("diversity-c13", evidence=("statements",))
def bias_variance_covariance(results: Results):
    """Theorem 4.1.1."""
    found = Theory(results, "diversity-c13")
    return {"gap": found.gap(), "gap without the square": found.mean("ensemble error", "bias without its square")}


@claim("diversity-c14", evidence=("statements",))
def omega_links_ambiguity_and_covariance(results: Results):
    """Section 4.1.6, with the bias as printed and squared."""
    found, printed = Theory(results, "diversity-c14"), Theory(results, "diversity-c13")
    return {
        "gap with the printed bias": printed.mean("ensemble error", "bias without its square"),
        "gap of the member error": found.gap("member error"),
        "gap of the ambiguity": found.gap("ambiguity"),
    }


@claim("diversity-c15", evidence=("statements",))
def ambiguity_effect(results: Results):
    """Theorem 4.2.1, case by case, nine losses."""
    return {"gap": Theory(results, "diversity-c15").gap()}


@claim("diversity-c16", evidence=("statements",))
def diversity_effect(results: Results):
    """Theorem 4.2.2 for nine losses, without the noise as printed and with it."""
    found = Theory(results, "diversity-c16")
    return {"gap without the noise": found.means("gap without the noise"), "gap with the noise": found.gap()}


@claim("diversity-c17", evidence=("statements",))
def bregman_terms_need_no_label(results: Results):
    """Theorem 4.3.3, Lemmas 4.3.1 and 4.3.2; with a member on its left side a gap as large as the ambiguity is left."""
    found, pointwise = Theory(results, "diversity-c17"), Theory(results, "diversity-c19")
    return {
        "gap with a member on the left": pointwise.means("ambiguity >= 0", "inequality"),
        "gap with the combiner on the left": found.gap("risk = "),
        "effect less term": {
            f"{name}-effect": found.gap(f"{name}-effect") for name in ("bias", "variance", "diversity")
        },
    }


@claim("diversity-c18", evidence=("statements",))
def diversity_is_a_part_of_the_variance(results: Results):
    """Corollary 4.2.3 for two or more alike members under 0/1 loss, and for Bregman losses; independent members too."""
    found, identity = Theory(results, "diversity-c18"), "0/1: ensemble variance"
    bound, apart = "0/1: diversity <= average variance", "0/1, independent"
    return {
        "identity broken, 0/1 loss": found.broken(identity, "0/1"),
        "bound broken, 0/1 loss": found.violations(bound, "0/1"),
        "ensembles, 0/1 loss": found.problems(bound, "0/1"),
        "identity broken, 0/1 loss, independent members": found.broken(identity, apart),
        "bound broken, 0/1 loss, independent members": found.violations(bound, apart),
        "ensembles, 0/1 loss, independent members": found.problems(bound, apart),
        "gap of the identity, Bregman losses": found.gap("ensemble variance"),
        "bound broken, Bregman losses": found.violations("diversity <= average variance"),
    }


@claim("diversity-c19", evidence=("statements",))
def ensembling_never_hurts_bregman_losses(results: Results):
    """Corollary 4.3.4 and section 5.1, case by case."""
    found = Theory(results, "diversity-c19")
    return {"gap": found.gap(), "violations": found.violations(), "problems": found.problems()}


@claim("diversity-c29", evidence=("statements",))
def metric_losses_bound_the_effect(results: Results):
    """Lemma 4.5.1 for 0/1 and absolute loss."""
    return {"violations": Theory(results, "diversity-c29").violations()}


@claim("diversity-c43", evidence=("statements",))
def share_of_a_bootstrap_sample(results: Results):
    """Section 3.2.1 with 100,000 cases."""
    return {"share": Theory(results, "diversity-c43").value("chance", "n = 100000")}


@claim("diversity-c44", evidence=("statements", "negative_correlation"))
def gradient_of_negative_correlation(results: Results):
    """Definition 5.4.1: the printed gradient less a numeric one, of one member's objective and of their mean."""
    found = Theory(results, "diversity-c44")
    return {
        "gap, objective of one member": found.value("printed gradient", "one member's objective"),
        "gap, mean of the objectives": found.value("printed gradient", "averaged objective"),
        "gap at the ends of lambda": found.gap("ends of lambda"),
    }


@claim("diversity-c45", evidence=("statements", "negative_correlation", "lambda_of_networks"))
def general_objective_of_negative_correlation(results: Results):
    """Proposition 5.4.1."""
    found = Theory(results, "diversity-c45")
    return {
        "gap of the mean objective": found.gap("mean objective"),
        "gap of both forms on average": found.gap("both forms agree on average"),
        "gap of both forms, member by member": found.value("both forms, member by member"),
    }
