"""The decompositions are identities: they hold to rounding on any table of predictions."""

import json
from pathlib import Path

import numpy as np
import pytest

from arboretum.measures.decomposition import (
    ambiguity,
    bias_variance_covariance,
    bias_without_draws,
    decompose,
    diversity_without_labels,
    prefix_components,
    prefix_counts,
    variance_without_labels,
)
from arboretum.measures.losses import KL, Absolute, ItakuraSaito, Logistic, Mahalanobis, Poisson, Squared, ZeroOne

REFERENCE = Path(__file__).parents[2] / "data/published/diversity/reference_decompositions.json"
BREGMAN = [Squared(), Mahalanobis([[2.0, 0.5], [0.5, 1.0]]), Logistic(), KL(), Poisson(), ItakuraSaito()]
EXACT = 1e-12


def table(loss, trials, members, cases, seed=0, draws=0):
    """Labels and predictions in the domain of a loss."""
    rng = np.random.default_rng([seed, trials, members, cases])
    shapes = [(draws, cases) if draws else (cases,), (trials, members, cases)]
    if loss.name == "0/1":
        return [rng.integers(loss.n_classes, size=shape) for shape in shapes]
    if loss.name == "KL":
        return [rng.dirichlet(np.ones(3), size=shape) for shape in shapes]
    shapes = [(*shape, 2) if loss.vector else shape for shape in shapes]
    if loss.name == "logistic":
        return [rng.integers(2, size=shapes[0]).astype(float), rng.uniform(0.02, 0.98, shapes[1])]
    if loss.name == "Poisson":
        return [rng.poisson(1.0, shapes[0]).astype(float), rng.uniform(0.2, 4, shapes[1])]
    if loss.name == "Itakura-Saito":
        return [rng.uniform(0.2, 4, shape) for shape in shapes]
    return [rng.normal(size=shape) for shape in shapes]


SIZES = [(3, 4, 20), (1, 5, 7), (4, 1, 7), (1, 1, 1), (2, 2, 1)]


@pytest.mark.parametrize("draws", [0, 1, 5])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("loss", [*BREGMAN, ZeroOne(3), Absolute()], ids=lambda loss: loss.name)
def test_the_parts_sum_up(loss, size, draws):
    labels, predictions = table(loss, *size, draws=draws)
    found = decompose(labels, predictions, loss)
    total = found.noise + found.average_bias + found.average_variance - found.diversity
    assert total == pytest.approx(found.expected_ensemble_loss, abs=EXACT)
    total = found.noise + found.ensemble_bias + found.ensemble_variance
    assert total == pytest.approx(found.expected_ensemble_loss, abs=EXACT)
    assert found.expected_member_loss - found.diversity == pytest.approx(found.expected_ensemble_loss, abs=EXACT)
    spread = found.disparity + found.average_variance - found.diversity
    assert spread == pytest.approx(found.ensemble_variance, abs=EXACT)  # section 4.2
    assert ambiguity(labels, predictions, loss).mean() == pytest.approx(found.diversity, abs=EXACT)
    if size[1] == 1:
        assert found.diversity == pytest.approx(0, abs=EXACT)
    if size[0] == 1:
        assert found.average_variance == pytest.approx(0, abs=EXACT)


@pytest.mark.parametrize("draws", [0, 5])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("loss", BREGMAN, ids=lambda loss: loss.name)
def test_effects_of_a_divergence_need_no_labels(loss, size, draws):
    labels, predictions = table(loss, *size, draws=draws)
    found = decompose(labels, predictions, loss)
    assert variance_without_labels(predictions, loss) == pytest.approx(found.average_variance, abs=EXACT)
    assert diversity_without_labels(predictions, loss) == pytest.approx(found.diversity, abs=EXACT)
    assert bias_without_draws(labels, predictions, loss) == pytest.approx(found.average_bias, abs=EXACT)
    assert found.diversity >= -EXACT and found.average_variance >= -EXACT
    assert found.diversity <= found.expected_member_loss + EXACT  # section 5.1


def test_certain_members():
    """q at the border: certain and right members, no member certain and wrong."""
    labels, predictions = np.array([1.0, 0.0]), np.array([[[1.0, 0.0], [0.3, 0.0]], [[0.6, 0.2], [1.0, 0.4]]])
    found = decompose(labels, predictions, Logistic())
    assert diversity_without_labels(predictions, Logistic()) == pytest.approx(found.diversity, abs=EXACT)
    labels = np.array([[1.0, 0.0, 0.0]])
    predictions = np.array([[[[1.0, 0.0, 0.0]], [[0.5, 0.5, 0.0]]]])
    found = decompose(labels, predictions, KL())
    assert found.expected_ensemble_loss == 0 and found.diversity == pytest.approx(np.log(2) / 2, abs=EXACT)
    assert diversity_without_labels(predictions, KL()) == pytest.approx(found.diversity, abs=EXACT)


REFERENCES = {
    "squared": (Squared(), np.asarray),
    "poisson": (Poisson(), np.asarray),
    "binary_cross_entropy": (Logistic(), np.asarray),
    "cross_entropy": (KL(), lambda labels: np.eye(3)[labels]),
    "zero_one_lowest_class_wins_ties": (ZeroOne(3), np.asarray),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_reference_decompositions(name):
    reference = json.loads(REFERENCE.read_text("utf-8"))[name]
    loss, as_labels = REFERENCES[name]
    if name == "zero_one_lowest_class_wins_ties":
        loss = ZeroOne(int(np.max([np.max(reference["pred"]), np.max(reference["labels"])])) + 1)
    found = decompose(as_labels(reference["labels"]), np.array(reference["pred"]), loss)._asdict()
    found |= {"average_variance_effect": found["average_variance"], "diversity_effect": found["diversity"]}
    terms = {key: value for key, value in reference.items() if key not in ("labels", "pred")}
    assert set(terms) <= set(found) and len(terms) >= 6
    for term, value in terms.items():
        assert found[term] == pytest.approx(value, abs=EXACT), term


def test_the_theorem_as_printed_lacks_the_noise():
    labels, predictions = table(Squared(), 3, 4, 20, draws=6)
    found = decompose(labels, predictions, Squared())
    assert found.noise > 0.1
    printed = found.average_bias + found.average_variance - found.diversity
    assert printed == pytest.approx(found.expected_ensemble_loss - found.noise, abs=EXACT)


@pytest.mark.parametrize("size", SIZES)
def test_covariance(size):
    labels, predictions = table(Squared(), *size)
    terms, found = bias_variance_covariance(labels, predictions), decompose(labels, predictions, Squared())
    assert terms.ensemble_loss == pytest.approx(found.expected_ensemble_loss, abs=EXACT)
    assert terms.member_loss == pytest.approx(found.expected_member_loss, abs=EXACT)
    assert terms.ambiguity == pytest.approx(found.diversity, abs=EXACT)
    means = predictions.mean(axis=0)
    pairs = [
        np.mean((predictions[:, i] - means[i]) * (predictions[:, j] - means[j]))
        for i in range(size[1])
        for j in range(size[1])
        if i != j
    ]
    assert terms.covariance == pytest.approx(np.mean(pairs) if pairs else 0, abs=EXACT)


# ------------------------------------------------------------------ prefixes


@pytest.mark.parametrize("size", [(3, 12, 40), (1, 6, 9), (4, 1, 5), (5, 7, 1)])
@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("chunk", [7, 1000])
def test_prefixes_equal_recomputation(size, classes, chunk):
    labels, votes = table(ZeroOne(classes), *size)
    sizes = range(1, size[1] + 1)
    found = prefix_components(prefix_counts(votes, labels, classes, sizes, chunk=chunk))
    for members, parts in zip(sizes, found, strict=True):
        expected = decompose(labels, votes[:, :members], ZeroOne(classes))
        np.testing.assert_allclose(parts, expected, atol=EXACT)


def test_some_prefixes_are_those_of_all():
    labels, votes = table(ZeroOne(3), 3, 20, 30)
    whole, some = prefix_counts(votes, labels, 3, range(1, 21)), prefix_counts(votes, labels, 3, [2, 20, 7])
    assert some.members.tolist() == [2, 7, 20]
    for name in ("ensemble_errors", "member_errors", "central_member_errors", "central_ensemble_errors"):
        assert getattr(some, name).tolist() == getattr(whole, name)[[1, 6, 19]].tolist()
    with pytest.raises(ValueError, match="between 1 and the number of members"):
        prefix_counts(votes, labels, 3, [0, 5])


def test_a_homogeneous_ensemble_may_have_another_centre_than_its_members():
    """Lemma 2.2.1 fails for 0/1 loss: members say A in 38.5% of all trials, the vote in 55%.

    Of 20 samples 11 make 7 members of 10 say A, 9 make none. Every rotation of the members is a trial: all are alike.
    """
    rows = [np.roll(np.repeat([0, 1], [7, 3]), shift) for shift in range(10)] * 11 + [np.ones(10, int)] * 90
    votes = np.array(rows)[:, :, None]
    assert np.mean(votes == 0) == pytest.approx(0.385)
    found = decompose(np.array([0]), votes, ZeroOne(2))
    assert (found.average_bias, found.ensemble_bias, found.disparity) == (1, 0, 1)
    assert found.expected_ensemble_loss == pytest.approx(0.45)
    shares = votes.astype(float)
    squared = decompose(np.array([0.0]), shares, Squared())
    assert squared.disparity == pytest.approx(0, abs=EXACT)


def test_the_parts_sum_up_under_a_combiner_that_the_loss_does_not_imply():
    """Averaged probabilities under cross-entropy: the ensemble loss is -log of the mean probability of the label."""
    rng = np.random.default_rng(5)
    answers, labels = rng.dirichlet(np.ones(3), size=(4, 5, 6)), np.eye(3)[rng.integers(3, size=6)]
    own = decompose(labels, answers, KL())
    parts = decompose(labels, answers, KL(), np.mean)
    by_hand = -np.log(np.sum(answers.mean(axis=1) * labels, axis=-1)).mean()
    assert parts.expected_ensemble_loss == pytest.approx(by_hand)
    total = parts.noise + parts.average_bias + parts.average_variance - parts.diversity
    assert total == pytest.approx(parts.expected_ensemble_loss)
    assert parts.average_bias == own.average_bias and parts.average_variance == own.average_variance
    assert parts.diversity != pytest.approx(own.diversity) and parts.ensemble_bias != pytest.approx(own.ensemble_bias)


def test_the_combiner_by_default_is_the_centre():
    answers, labels = np.random.default_rng(6).normal(size=(3, 4, 5)), np.zeros(5)
    assert decompose(labels, answers, Squared(), np.mean) == pytest.approx(decompose(labels, answers, Squared()))
    greatest = decompose(labels, answers, Squared(), np.max)
    assert greatest.expected_ensemble_loss == pytest.approx(np.mean(answers.max(axis=1) ** 2))
