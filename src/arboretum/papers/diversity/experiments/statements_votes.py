"""Statements on voting ensembles (sections 2.3, 3.2, 4.4 and 5.2), by claim; see ``statements_losses`` for the form."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from arboretum.ensembles import RandomForest
from arboretum.measures import competence
from arboretum.measures.decomposition import decompose
from arboretum.measures.forest_cells import cell_terms, forest_cells, is_constant_in_cells
from arboretum.measures.losses import ZeroOne
from arboretum.measures.margins import margins, strongest_rival, vote_counts
from arboretum.measures.ties import at_most

Found = Iterator[tuple[str, str, str, float]]
MEMBERS = 25  # odd, so that two classes never tie


def ensemble(rng, n_classes: int, lean: float = 3.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts of votes, true classes (always the first) and masses of a few cases; from hopeless to nearly perfect."""
    cases = int(rng.integers(1, 8))
    chances = rng.dirichlet(np.ones(n_classes), size=cases) + rng.uniform(0, lean) * np.eye(n_classes)[0]
    counts = np.array([rng.multinomial(MEMBERS, row / row.sum()) for row in chances])
    return counts, np.zeros(cases, dtype=int), rng.dirichlet(np.ones(cases))


def of_classes(rng) -> Iterator[tuple[str, tuple]]:
    for n_classes in (2, 3, 4, 5):
        yield f"{n_classes} classes", ensemble(rng, n_classes)


def two_classes(wrong: list[int], members: int) -> tuple[np.ndarray, np.ndarray]:
    return np.array([[members - w, w] for w in wrong]), np.zeros(len(wrong), dtype=int)


# ------------------------------------------------------------------ margins (section 2.3)


def random_votes(rng) -> tuple[np.ndarray, np.ndarray, int]:
    n_classes, members, cases = (int(rng.integers(*span)) for span in ((2, 5), (2, 12), (2, 12)))
    truth = rng.integers(n_classes, size=cases)
    right = rng.random((members, cases)) < rng.uniform(0.3, 0.95)
    return np.where(right, truth, rng.integers(n_classes, size=(members, cases))), truth, n_classes


def margin_variance(rng) -> Found:
    """Theorem 2.3.5; pairs are drawn with replacement."""
    votes, truth, n_classes = random_votes(rng)
    counts = vote_counts(votes, n_classes)
    raw = (votes == truth).astype(float) - (votes == strongest_rival(counts, truth))
    covariance = np.cov(raw, bias=True).reshape(len(votes), len(votes))
    variance = np.var(margins(counts, truth))
    yield "identity", "Var(mr) = mean Cov(rmg, rmg')", "", variance - covariance.mean()
    yield "value", "Var(mr) less mean Var(rmg), the step of the proof", "", variance - np.diag(covariance).mean()


def chebyshev(rng) -> Found:
    """Section 2.3: P(mr < 0) <= Var(mr) / s^2 where the strength s is positive."""
    votes, truth, n_classes = random_votes(rng)
    margin = margins(vote_counts(votes, n_classes), truth)
    if margin.mean() > 1e-9:
        yield "inequality", "error <= Var(mr) / s^2", "", margin.var() / margin.mean() ** 2 - np.mean(margin < 0)


# ------------------------------------------------------------------ section 4.4


def simple_bound(rng) -> Found:
    for variant, (counts, truth, mass) in of_classes(rng):
        error = float(mass @ competence.is_wrong(counts, truth))
        yield "inequality", "error <= 2 E W", variant, competence.bounds(counts, truth, mass).error_upper - error
        upper = float(mass @ (2 * competence.wrong_share(counts, truth) >= 1))
        yield "inequality", "P(W >= kappa) <= P(W >= 1/2)", variant, upper - error


def binary_ambiguity(rng) -> Found:
    """Lemma 4.4.2 and Corollary 4.4.3."""
    counts, truth, mass = ensemble(rng, 2)
    share, wrong = competence.wrong_share(counts, truth), competence.is_wrong(counts, truth)
    sign, apart = np.where(wrong, -1, 1), counts.min(axis=1) / MEMBERS
    yield "identity", "ambiguity-effect = y qbar x disagreement", "", np.abs(share - wrong - sign * apart).max()
    yield "inequality", "ambiguity-effect lies in [-1/2, 1/2]", "", 0.5 - np.abs(share - wrong).max()
    parts = competence.good_bad_disagreement(counts, truth, mass)
    gap = float(mass @ share) - parts.good + parts.bad - float(mass @ wrong)
    yield "identity", "error = member error - good + bad", "", gap


def good_and_bad(rng) -> Found:
    """Lemma 4.4.4: by correctness for any number of classes, by disagreement for two only."""
    for variant, (counts, truth, mass) in of_classes(rng):
        by_vote = competence.good_bad_disagreement(counts, truth, mass)
        by_truth = competence.good_bad_diversity(counts, truth, mass, "first")
        yield "identity", "disagreement on X+ = E[W; X+]", variant, by_vote.good - by_truth.good
        kind = "identity" if counts.shape[1] == 2 else "value"
        yield kind, "disagreement on X- = E[1-W; X-]", variant, by_vote.bad - by_truth.bad
        effect = competence.diversity_effect(counts, truth, mass, "first")
        yield "identity", "effect = good - bad, by correctness", variant, by_truth.good - by_truth.bad - effect


def weak_learners(rng) -> Found:
    """Definition 4.4.4 on every case (Theorem 4.4.5, Proposition 4.4.6), and as an average over cases."""
    for variant, (counts, truth, mass) in of_classes(rng):
        effect = competence.diversity_effect(counts, truth, mass)
        if competence.is_weak_everywhere(counts, truth):
            gap = competence.two_competence_gap(counts, truth, mass).min()
            yield "inequality", "weak on every case: effect >= 0", variant, effect
            yield "inequality", "weak on every case: 2-competent", variant, gap
        elif at_most(mass @ competence.wrong_share(counts, truth), 0.5):
            yield "inequality", "weak on average only: effect >= 0", variant, effect
    counts, truth = two_classes([0, 51], 100)
    mass = np.array([1 - 0.4 / 0.51, 0.4 / 0.51])
    yield "value", "counter-example: mean error", "", float(mass @ competence.wrong_share(counts, truth))
    yield "value", "counter-example: effect", "", competence.diversity_effect(counts, truth, mass)


def binary_competence(rng) -> Found:
    """Equation 4.1 and Corollary 4.4.7: one direction holds."""
    counts, truth, mass = ensemble(rng, 2)
    effect, gap = competence.diversity_effect(counts, truth, mass), competence.two_competence_gap(counts, truth, mass)
    yield "identity", "area under the gap = effect", "", gap[1:].sum() / MEMBERS - effect
    if competence.is_competent(gap):
        yield "inequality", "2-competent: effect >= 0", "", effect
    else:
        yield "value", "not competent, and effect >= 0 (share)", "", float(at_most(0, effect))
    counts, truth = two_classes([1, 3], 5)
    mass = np.array([0.7, 0.3])
    yield "value", "counter-example: effect", "", competence.diversity_effect(counts, truth, mass)
    yield "value", "counter-example: gap", "", competence.two_competence_gap(counts, truth, mass).min()


def k_competence(rng) -> Found:
    """Definition 4.4.6, Lemma 4.4.10 and Theorems 4.4.8 and 4.4.9, corrected and as printed."""
    for variant, (counts, truth, mass) in of_classes(rng):
        effect = competence.diversity_effect(counts, truth, mass)
        gap = competence.k_competence_gap(counts, truth, mass)
        yield "identity", "area under the gap = effect", variant, gap[1:].sum() / MEMBERS - effect
        competent = competence.is_competent(gap)
        yield "value", "competent (share)", variant, float(competent)
        if competent:
            yield "inequality", "k-competent: effect >= 0", variant, effect
        else:
            yield "value", "not competent, and effect >= 0 (share)", variant, float(at_most(0, effect))
        printed = competence.is_competent(competence.k_competence_gap(counts, truth, mass, printed=True))
        yield "value", "competent as printed (share)", variant, float(printed)
        yield "inequality", "kappa >= 1/2", variant, competence.kappa(counts, truth).min() - 0.5
        if counts.shape[1] == 2:
            two = competence.two_competence_gap(counts, truth, mass)
            yield "identity", "two classes: 2-competence", "corrected", np.abs(gap - two).max()
            yield "value", "two classes: 2-competence", "as printed", float(printed != competent)
    perfect = two_classes([0, 0], 10)
    yield "value", "a perfect ensemble is competent", "corrected", competence.k_competence_gap(*perfect).min() + 1
    found = competence.k_competence_gap(*perfect, printed=True).min() + 1
    yield "value", "a perfect ensemble is competent", "as printed", found


def upper_bound(rng) -> Found:
    """Theorem 4.4.11, any ensemble."""
    for variant, (counts, truth, mass) in of_classes(rng):
        slack = competence.expected_disagreement(counts, mass) - competence.diversity_effect(counts, truth, mass)
        yield "inequality", "effect <= E D", variant, slack


def lower_bound(rng) -> Found:
    """Theorem 4.4.12 and Lemma 4.4.13, competent ensembles and others."""
    for variant, (counts, truth, mass) in of_classes(rng):
        limits, effect = competence.bounds(counts, truth, mass), competence.diversity_effect(counts, truth, mass)
        error = float(mass @ competence.is_wrong(counts, truth))
        competent = competence.is_competent(competence.k_competence_gap(counts, truth, mass))
        who = "competent" if competent else "not competent"
        yield "inequality", f"lower bound <= effect ({who})", variant, effect - limits.lower
        yield "inequality", f"error <= 2 E W^2 ({who})", variant, limits.error_upper_squared - error
        if competence.is_competent(competence.k_competence_gap(counts, truth, mass, printed=True)):
            yield "inequality", "lower bound <= effect (competent as printed)", variant, effect - limits.lower


def rates(rng) -> Found:
    """Section 5.2, two classes."""
    counts, truth, mass = ensemble(rng, 2)
    if competence.wrong_share(counts, truth).any():
        eir = competence.improvement_rate(counts, truth, mass)
        der = competence.disagreement_error_ratio(counts, truth, mass)
        competent = competence.is_competent(competence.two_competence_gap(counts, truth, mass))
        who = "competent" if competent else "not competent"
        yield "inequality", "DER >= EIR", "", der - eir
        yield "inequality", f"EIR >= DER - 1 ({who})", "", eir - der + 1
        if at_most(1, der):
            yield "inequality", "DER >= 1 cannot hurt any ensemble", "", eir
            if competent:
                yield "inequality", "DER >= 1 cannot hurt competent ensembles", "", eir
    worst = *two_classes([1, 6], 10), np.array([0.7, 0.3])
    yield "value", "counter-example: DER", "", competence.disagreement_error_ratio(*worst)
    yield "value", "counter-example: EIR", "", competence.improvement_rate(*worst)


# ------------------------------------------------------------------ forest cells (sections 3.2.2 and 5.2)


def cells(rng) -> Found:
    """Propositions 3.2.1 and 5.2.1 on a small forest."""
    X = rng.integers(5, size=(60, 3)).astype(float)
    y = ((X.sum(axis=1) > 6) ^ (rng.random(60) < 0.2)).astype(int)
    y[:2] = 0, 1
    forest = RandomForest(n_estimators=4, max_depth=3, random_state=int(rng.integers(2**31))).fit(X[:30], y[:30])
    votes, places, truth = forest.tree_votes(X), forest_cells(forest.apply(X)), y
    vote = ZeroOne(2).centre(votes)
    terms, parts = cell_terms(places, votes != truth, vote != truth), decompose(truth, votes[None], ZeroOne(2))
    yield "identity", "error is a sum over cells", "", terms.error - parts.expected_ensemble_loss
    diversity = float(np.sum(terms.mass * terms.diversity))
    yield "identity", "diversity-effect is a sum over cells", "", diversity - parts.diversity
    yield "identity", "predictions are constant in cells", "", float(not is_constant_in_cells(places, votes))


VOTE_STATEMENTS: dict[str, Callable[[np.random.Generator], Found]] = {
    "diversity-c07": margin_variance,
    "diversity-c08": chebyshev,
    "diversity-c20": simple_bound,
    "diversity-c21": binary_ambiguity,
    "diversity-c22": good_and_bad,
    "diversity-c23": weak_learners,
    "diversity-c24": binary_competence,
    "diversity-c25": k_competence,
    "diversity-c26": upper_bound,
    "diversity-c27": lower_bound,
    "diversity-c28": rates,
    "diversity-c46": cells,
}
