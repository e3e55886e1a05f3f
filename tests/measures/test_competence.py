"""Competence: identities, implications that hold, and the counter-examples to those that do not."""

import numpy as np
import pytest

from arboretum.measures.competence import (
    bounds,
    disagreement_error_ratio,
    diversity_effect,
    dominance,
    expected_disagreement,
    good_bad_disagreement,
    good_bad_diversity,
    improvement_rate,
    is_competent,
    is_weak_everywhere,
    is_wrong,
    k_competence_gap,
    kappa,
    two_competence_gap,
    wrong_share,
)

EXACT = 1e-12


def ensembles(classes=(2, 3, 4, 5), per_class=500, members=25):
    """Random ensembles: between perfect and hopeless, alike and unlike between cases."""
    for k in classes:
        rng = np.random.default_rng(k)
        for _ in range(per_class):
            cases = rng.integers(1, 8)
            lean = rng.uniform(0, 3)
            chances = rng.dirichlet(np.ones(k), size=cases) + lean * np.eye(k)[0]
            counts = np.array([rng.multinomial(members, row / row.sum()) for row in chances])
            yield counts, np.zeros(cases, dtype=int), rng.dirichlet(np.ones(cases))


def two_classes(wrong, members):
    counts = np.array([[members - w, w] for w in wrong])
    return counts, np.zeros(len(wrong), dtype=int)


def test_by_hand():
    counts, truth = np.array([[3, 1, 1], [2, 2, 1], [0, 4, 1], [1, 2, 2]]), np.array([0, 0, 0, 1])
    np.testing.assert_allclose(wrong_share(counts, truth), [0.4, 0.6, 1.0, 0.6])
    np.testing.assert_allclose(kappa(counts, truth), [0.8, 0.6, 0.2, 0.6])
    assert is_wrong(counts, truth).tolist() == [False, True, True, True]
    assert is_wrong(counts, truth, "first").tolist() == [False, False, True, False]
    assert diversity_effect(counts, truth) == pytest.approx(0.65 - 0.75)
    with pytest.raises(ValueError, match="ties='last'"):
        is_wrong(counts, truth, "last")


def test_the_area_under_the_gap_is_the_effect():
    for counts, truth, mass in ensembles(per_class=50):
        gap = k_competence_gap(counts, truth, mass)
        assert gap[1:].sum() / 25 == pytest.approx(diversity_effect(counts, truth, mass), abs=EXACT)
        sides = dominance(counts, truth, mass)
        assert sides.left - sides.right == pytest.approx(diversity_effect(counts, truth, mass), abs=EXACT)


def test_two_classes_make_both_competences_one():
    for counts, truth, mass in ensembles(classes=(2,), per_class=200):
        np.testing.assert_allclose(
            k_competence_gap(counts, truth, mass), two_competence_gap(counts, truth, mass), atol=EXACT
        )


def test_the_gap_is_what_the_definition_says():
    for counts, truth, mass in ensembles(per_class=20):
        share, threshold = wrong_share(counts, truth), kappa(counts, truth)
        for place, t in enumerate(np.arange(26) / 25):
            above = (share >= t - EXACT) & (share < threshold - EXACT)
            below = (share >= threshold - EXACT) & (share <= 1 - t + EXACT)
            gap = mass[above].sum() - mass[below].sum()
            assert k_competence_gap(counts, truth, mass)[place] == pytest.approx(gap, abs=EXACT)


def test_what_competence_implies_and_what_not():
    """Theorems 4.4.8 (one direction), 4.4.11, 4.4.12, Lemma 4.4.13 and the simple bound on 2000 random ensembles."""
    seen = {"competent": 0, "converse fails": 0, "lower bound fails": 0}
    for counts, truth, mass in ensembles():
        effect, limits = diversity_effect(counts, truth, mass), bounds(counts, truth, mass)
        error = float(mass @ is_wrong(counts, truth))
        assert effect <= limits.upper + EXACT
        assert error <= limits.error_upper + EXACT
        if is_competent(k_competence_gap(counts, truth, mass)):
            seen["competent"] += 1
            assert effect >= -EXACT
            assert effect >= limits.lower - EXACT
            assert error <= limits.error_upper_squared + EXACT
        else:
            seen["converse fails"] += effect >= 0
            seen["lower bound fails"] += effect < limits.lower - EXACT
        if is_weak_everywhere(counts, truth) and not np.any(2 * counts[:, 0] == counts.sum(axis=1)):
            assert effect >= -EXACT and is_competent(two_competence_gap(counts, truth, mass))
    assert all(count > 20 for count in seen.values()), seen


def test_non_negative_effect_does_not_make_an_ensemble_competent():
    """Corollary 4.4.7: W = .2 on mass .7, W = .6 on mass .3."""
    counts, truth = two_classes([1, 3], 5)
    mass = np.array([0.7, 0.3])
    assert diversity_effect(counts, truth, mass) == pytest.approx(0.02)
    gap = two_competence_gap(counts, truth, mass)
    assert not is_competent(gap) and gap[2] == pytest.approx(-0.3)  # t = .4
    assert not is_competent(k_competence_gap(counts, truth, mass, printed=True))
    assert dominance(counts, truth, mass, printed=True) == pytest.approx((0.14, 0.68))
    assert dominance(counts, truth, mass) == pytest.approx((0.14, 0.12))


def test_weak_on_average_is_not_enough():
    """Definition 4.4.4 as an average over x: mean error .4 and an effect of -.384."""
    counts, truth = two_classes([0, 51], 100)
    mass = np.array([1 - 0.4 / 0.51, 0.4 / 0.51])
    assert float(mass @ wrong_share(counts, truth)) == pytest.approx(0.4)
    assert diversity_effect(counts, truth, mass) == pytest.approx(-0.384, abs=5e-4)


def test_a_perfect_ensemble_is_competent_and_not_as_printed():
    counts, truth = two_classes([0, 0], 10)
    assert is_competent(k_competence_gap(counts, truth))
    assert not is_competent(k_competence_gap(counts, truth, printed=True))
    assert dominance(counts, truth, printed=True) == (0, 1)


def test_kappa_may_be_nought():
    assert kappa(np.array([[0, 7, 0]]), np.array([0])).tolist() == [0]


def test_good_and_bad_diversity():
    for counts, truth, mass in ensembles(per_class=50):
        for ties in ("against", "first"):
            parts = good_bad_diversity(counts, truth, mass, ties)
            assert parts.good - parts.bad == pytest.approx(diversity_effect(counts, truth, mass, ties), abs=EXACT)
        by_vote, by_truth = good_bad_disagreement(counts, truth, mass), good_bad_diversity(counts, truth, mass, "first")
        assert by_vote.good == pytest.approx(by_truth.good, abs=EXACT)
        if counts.shape[1] == 2:
            assert by_vote.bad == pytest.approx(by_truth.bad, abs=EXACT)
        assert by_vote.bad >= by_truth.bad - EXACT


def test_rates():
    """Two classes: DER >= EIR, and EIR >= DER - 1 for competent ensembles (section 5.2)."""
    for counts, truth, mass in ensembles(classes=(2,), per_class=300):
        if wrong_share(counts, truth).any():
            eir, der = improvement_rate(counts, truth, mass), disagreement_error_ratio(counts, truth, mass)
            assert der >= eir - EXACT
            if is_competent(two_competence_gap(counts, truth, mass)):
                assert eir >= der - 1 - EXACT
    perfect = two_classes([0], 3)
    assert np.isnan(improvement_rate(*perfect)) and np.isnan(disagreement_error_ratio(*perfect))


def test_disagreement_is_over_pairs_drawn_with_replacement():
    votes = np.array([0, 0, 1, 2])
    pairs = np.mean(votes[:, None] != votes[None, :])
    assert expected_disagreement(np.bincount(votes)[None, :]) == pytest.approx(pairs, abs=EXACT)
