"""Theory of losses, centres and decompositions: chapters 1 to 3, 4.1 to 4.3, 4.5, and section 5.4."""

from __future__ import annotations

from arboretum.papers.diversity.claims.shared import broken, chosen, largest_gap, value_of, within, without
from arboretum.papers.results import Results
from arboretum.papers.verdicts import Stated, Verdict, around, claim, judge

EXACT = "largest gap on random finite problems {gap:below 1e-9}"


@claim("diversity-c01")
def risk_is_noise_bias_and_variance(results: Results, stated: Stated) -> Verdict:
    """Theorem 1.5.1 for nine losses."""
    gap = largest_gap(results, stated.id)
    printed = chosen(results, stated.id, "value", "gap with the printed order", "squared")["mean"].iloc[0]
    return Verdict(
        within(gap, stated.limit("gap")),
        {"gap": gap, "printed_order": float(printed)},
        EXACT,
        "The theorem prints the arguments of both loss-effects in the wrong order, against Definition 1.5.1: so read, "
        "the sum differs from the risk by {printed_order:+.2f} on average under squared loss. The order was corrected.",
    )


@claim("diversity-c02")
def centroids_of_bregman_divergences(results: Results, stated: Stated) -> Verdict:
    """Lemma 1.6.1: closed forms against a search, left and right."""
    gap = largest_gap(results, stated.id)
    beaten, problems = broken(results, stated.id)
    return Verdict(
        {
            "closed form = numeric minimum": within(gap, stated.limit("gap")),
            "the search never beats it": without(beaten, stated.limit("violations")),
        },
        {"gap": gap, "beaten": beaten, "problems": problems},
        "largest gap {gap:below 1e-5}; the search beats the closed form in {beaten} of {problems} cases",
        "Gaps are rounded to five digits, since a search ends elsewhere on another machine. In Table 1.1 the generator "
        "of Mahalanobis must be x^T A x and the divergence of Poisson x log(x/y) - (x - y).",
    )


@claim("diversity-c03")
def implied_combiners(results: Results, stated: Stated) -> Verdict:
    """Figure 4.3."""
    gap = largest_gap(results, stated.id)
    return Verdict(within(gap, stated.limit("gap")), {"gap": gap}, EXACT)


@claim("diversity-c04")
def alike_members_share_their_centre(results: Results, stated: Stated) -> Verdict:
    """Lemma 2.2.1: true for Bregman losses; section 2.3 promises it for any loss."""
    gap = largest_gap(results, stated.id)
    zero_one = value_of(results, stated.id, "gap of the biases", "0/1")
    counter = {
        "members": 100 * value_of(results, stated.id, "counter-example: members", "0/1"),
        "votes": 100 * value_of(results, stated.id, "counter-example: votes", "0/1"),
    }
    return Verdict(
        {
            "Bregman losses": within(gap, stated.limit("gap")),
            "0/1 loss, as section 2.3 promises": within(zero_one, stated.limit("gap")),
        },
        {"gap": gap, "zero_one": zero_one, "counter": counter},
        "Bregman losses: {gap:below 1e-9}; 0/1 loss: gaps of the biases up to {zero_one:.2f}",
        "The text is wrong for 0/1 loss: where 11 of 20 training samples make 7 of 10 members say A and the others "
        "none, the share in per cent that says A is {counter:.1f}, so members and vote have different modes.",
    )


@claim("diversity-c05")
def averaging_never_hurts_convex_losses(results: Results, stated: Stated) -> Verdict:
    """Corollary 2.3.1; Itakura-Saito is not convex in its second argument and shows what then happens."""
    violations, problems = broken(results, stated.id, "loss of the arithmetic mean <= mean loss (convex)")
    hurt, points = broken(results, stated.id, "loss of the arithmetic mean <= mean loss (not convex)")
    own, _ = broken(results, stated.id, "loss of its own centre")
    return Verdict(
        without(violations, stated.limit("violations")),
        {"violations": violations, "problems": problems, "hurt": 100 * hurt / points, "own": own},
        "{violations} violations in {problems} problems with convex losses",
        "Itakura-Saito is not convex in the prediction: there the arithmetic mean is worse than the mean member in "
        "{hurt:.0f}% of random points; its own centre, the harmonic mean, is so in {own} points.",
    )


@claim("diversity-c06")
def variance_of_a_mean(results: Results, stated: Stated) -> Verdict:
    """Section 2.3."""
    gap = largest_gap(results, stated.id)
    return Verdict(
        within(gap, stated.limit("gap")),
        {"gap": gap},
        EXACT,
        "Negative correlation would lower the variance further; rho >= 0 holds for members drawn alike given the data.",
    )


@claim("diversity-c09")
def impurities_are_leaf_losses(results: Results, stated: Stated) -> Verdict:
    """Proposition 3.1.1."""
    gaps = {name: largest_gap(results, stated.id, name) for name in ("variance", "error rate", "entropy", "Gini")}
    beaten, _ = broken(results, stated.id, "no distribution beats p")
    vertex = value_of(results, stated.id, "Gini: how much a vertex beats p", "linear loss")
    parts = {name: within(gap, stated.limit("gap")) for name, gap in gaps.items() if name != "Gini"}
    parts["Gini with 1 - z_y, as printed"] = within(vertex, stated.limit("gap"))
    return Verdict(
        parts,
        {"gaps": gaps, "vertex": vertex, "beaten": beaten},
        "gaps: {gaps:below 1e-9} (Gini with the Brier loss); under the linear loss that print names a vertex beats the "
        "class shares by up to {vertex:.2f}",
        "The text is wrong for Gini: the centre of 1 - z_y is a vertex. Gini is the leaf loss of the Brier score, "
        "whose centre is p ({beaten} violations). Entropy is printed without its minus sign.",
    )


@claim("diversity-c10")
def no_division_raises_the_loss(results: Results, stated: Stated) -> Verdict:
    """Lemma B.0.3."""
    violations, problems = broken(results, stated.id)
    return Verdict(
        without(violations, stated.limit("violations")),
        {"violations": violations, "problems": problems},
        "{violations} violations in {problems} problems",
    )


@claim("diversity-c11")
def forms_of_gini(results: Results, stated: Stated) -> Verdict:
    """Propositions B.0.4 and B.0.5."""
    gap = largest_gap(results, stated.id)
    return Verdict(within(gap, stated.limit("gap")), {"gap": gap}, EXACT)


@claim("diversity-c12")
def kohavi_and_wolpert(results: Results, stated: Stated) -> Verdict:
    """Section 4.1.3."""
    gap = largest_gap(results, stated.id)
    printed = value_of(results, stated.id, "error = ", "as printed", "mean")
    return Verdict(
        within(gap, stated.limit("gap")),
        {"gap": gap, "printed": printed},
        EXACT,
        "The noise is printed as 1 - sum P; with that the sum differs from the error by {printed:+.2f} on average. It "
        "needs the square.",
    )


@claim("diversity-c13")
def bias_variance_covariance(results: Results, stated: Stated) -> Verdict:
    """Theorem 4.1.1."""
    gap = largest_gap(results, stated.id)
    printed = value_of(results, stated.id, "ensemble error", "bias without its square", "mean")
    return Verdict(
        within(gap, stated.limit("gap")),
        {"gap": gap, "printed": printed},
        EXACT,
        "The bias is squared case by case and then averaged; section 4.1.6 drops the square, and then the sum differs "
        "from the error by {printed:+.2f} on average.",
    )


@claim("diversity-c14")
def omega_links_ambiguity_and_covariance(results: Results, stated: Stated) -> Verdict:
    """Section 4.1.6."""
    gap = largest_gap(results, stated.id)
    return Verdict(within(gap, stated.limit("gap")), {"gap": gap}, EXACT, "Printed without the square of the bias.")


@claim("diversity-c15")
def ambiguity_effect(results: Results, stated: Stated) -> Verdict:
    """Theorem 4.2.1, case by case."""
    gap = largest_gap(results, stated.id)
    return Verdict(within(gap, stated.limit("gap")), {"gap": gap}, EXACT)


@claim("diversity-c16")
def diversity_effect(results: Results, stated: Stated) -> Verdict:
    """Theorem 4.2.2."""
    gap = largest_gap(results, stated.id)
    without_noise = value_of(results, stated.id, "gap without the noise", "squared", "mean")
    return Verdict(
        within(gap, stated.limit("gap")),
        {"gap": gap, "without_noise": without_noise},
        EXACT,
        "With the noise, which print leaves out: without it {without_noise:.2f} of the risk is missing on average "
        "under squared loss. LE(q_i*, y*) is printed in the reverse order.",
    )


@claim("diversity-c17")
def bregman_terms_need_no_label(results: Results, stated: Stated) -> Verdict:
    """Theorem 4.3.3, Lemmas 4.3.1 and 4.3.2, seven divergences."""
    names = ("risk = ", "bias-effect", "variance-effect", "diversity-effect")
    gaps = {name.removesuffix(" = "): largest_gap(results, stated.id, name) for name in names}
    return Verdict(
        {name: within(gap, stated.limit("gap")) for name, gap in gaps.items()},
        {"gaps": gaps},
        "largest gaps: {gaps:below 1e-8}",
        "The left side must be the loss of the combiner, where print has a member.",
    )


@claim("diversity-c18")
def diversity_is_a_part_of_the_variance(results: Results, stated: Stated) -> Verdict:
    """Corollary 4.2.3: with Bregman losses; print has any loss."""
    gap = largest_gap(results, stated.id)
    rows = chosen(results, stated.id, "inequality", "diversity <= average variance")
    bregman, zero_one = rows[rows["variant"] != "0/1"], rows[rows["variant"] == "0/1"]
    counts = {"bregman": int(bregman["violations"].sum()), "zero_one": int(zero_one["violations"].sum())}
    return Verdict(
        {
            "ensemble variance = average variance - diversity": within(gap, stated.limit("gap")),
            "diversity <= average variance, Bregman losses": without(counts["bregman"], stated.limit("violations")),
            "diversity <= average variance, 0/1 loss": without(counts["zero_one"], stated.limit("violations")),
        },
        {"gap": gap, "problems": int(zero_one["problems"].sum()), **counts},
        "identity: {gap:below 1e-9}; the bound fails in {bregman} problems with Bregman losses and in {zero_one} of "
        "{problems} with 0/1 loss",
        "The text has the bound for any loss. Variance-effects of 0/1 loss can be negative, so it is not available "
        "there.",
    )


@claim("diversity-c19")
def ensembling_never_hurts_bregman_losses(results: Results, stated: Stated) -> Verdict:
    """Corollary 4.3.4 and section 5.1."""
    gap = largest_gap(results, stated.id)
    violations, problems = broken(results, stated.id)
    return Verdict(
        {
            "member loss - ambiguity = ensemble loss": within(gap, stated.limit("gap")),
            "0 <= ambiguity <= member loss": without(violations, stated.limit("violations")),
        },
        {"gap": gap, "violations": violations, "problems": problems},
        "identity: {gap:below 1e-9}; {violations} violations in {problems} problems",
    )


@claim("diversity-c29")
def metric_losses_bound_the_effect(results: Results, stated: Stated) -> Verdict:
    """Lemma 4.5.1."""
    violations, problems = broken(results, stated.id)
    return Verdict(
        without(violations, stated.limit("violations")),
        {"violations": violations, "problems": problems},
        "{violations} violations in {problems} problems with 0/1 and absolute loss",
    )


@claim("diversity-c43")
def share_of_a_bootstrap_sample(results: Results, stated: Stated) -> Verdict:
    """Section 3.2.1."""
    share = value_of(results, stated.id, "chance to be in a bootstrap sample", "n = 100000")
    return Verdict(
        judge(share, share, around(stated.printed("value"), stated.limit("gap"))),
        {"share": share},
        "{share:.4f} with 100000 cases",
    )


@claim("diversity-c44")
def gradient_of_negative_correlation(results: Results, stated: Stated) -> Verdict:
    """Definition 5.4.1: of the averaged objective."""
    averaged = value_of(results, stated.id, "printed gradient", "averaged objective")
    alone = value_of(results, stated.id, "printed gradient", "one member's objective")
    ends = largest_gap(results, stated.id, "ends of lambda")
    return Verdict(
        {
            "gradient of the averaged objective": within(averaged, stated.limit("gap")),
            "ends of lambda": within(ends, stated.limit("gap")),
        },
        {"averaged": averaged, "alone": alone, "ends": ends},
        "printed less numeric gradient: {averaged:below 1e-7}; ends of lambda: {ends:below 1e-9}",
        "Gaps of gradients are rounded to seven digits. The printed form is the gradient of the mean of all e_i; that "
        "of one e_i alone differs by up to {alone:.2f}: it has lambda (1 - 1/M) and no 1/M in front.",
    )


@claim("diversity-c45")
def general_objective_of_negative_correlation(results: Results, stated: Stated) -> Verdict:
    """Proposition 5.4.1."""
    gaps = {
        "mean objective": largest_gap(results, stated.id, "mean objective"),
        "both forms on average": largest_gap(results, stated.id, "both forms agree on average"),
    }
    rows = chosen(results, stated.id, "value", "both forms, member by member")
    return Verdict(
        {name: within(gap, stated.limit("gap")) for name, gap in gaps.items()},
        {"gaps": gaps, "apart": float(rows["extreme"].max())},
        "largest gaps: {gaps:below 1e-9}",
        "Member by member the two forms differ, by up to {apart:.2f}; only their means agree.",
    )
