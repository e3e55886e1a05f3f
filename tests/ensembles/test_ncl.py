"""Negative correlation learning: gradients by differences, the ends of lambda, and its combiners."""

import numpy as np
import pytest

from arboretum.ensembles import NCLEnsemble
from arboretum.ensembles.ncl import on_simplex
from arboretum.measures.decomposition import decompose, diversity_without_labels
from arboretum.measures.losses import KL, Mahalanobis


def cases(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, np.digitize(X[:, 0] + 0.3 * rng.normal(size=n), [-0.5, 0.5])


def untrained(loss, lam, members=3):
    X, y = cases()
    model = NCLEnsemble(loss, lam, n_estimators=members, hidden=2, n_steps=1, random_state=1).fit(X, y)
    return model, (X - model.centre_) / model.scale_, np.eye(3)[y]


@pytest.mark.parametrize("lam", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("loss", ["squared", "kl"])
def test_gradients_by_differences(loss, lam):
    model, inputs, targets = untrained(loss, lam)
    _, gradients = model._objective(inputs, targets)
    rng, step = np.random.default_rng(2), 1e-6
    for weights, gradient in zip(model.weights_, gradients, strict=True):
        for _ in range(6):
            place = tuple(rng.integers(size) for size in weights.shape)
            values = []
            for sign in (1, -1):
                weights[place] += sign * step
                values.append(model._objective(inputs, targets)[0])
                weights[place] -= sign * step
            assert (values[0] - values[1]) / (2 * step) == pytest.approx(gradient[place], abs=1e-8)


@pytest.mark.parametrize("loss", ["squared", "kl"])
def test_the_objective_is_member_loss_less_diversity(loss):
    """Proposition 5.4.1 with Theorem 4.2.1: both forms agree on average over the members."""
    measure, half = (KL(), 1.0) if loss == "kl" else (Mahalanobis(np.eye(3)), 0.5)
    model, inputs, targets = untrained(loss, 0.7)
    outputs = model._forward(inputs)[1]
    answers = model._link(outputs)[None]
    parts = decompose(targets, answers, measure)
    value, _ = model._objective(inputs, targets)
    assert value == pytest.approx(half * (parts.expected_member_loss - 0.7 * parts.diversity), abs=1e-12)
    assert parts.diversity == pytest.approx(diversity_without_labels(answers, measure), abs=1e-12)


def test_without_diversity_every_network_is_trained_for_itself():
    X, y = cases()
    three = NCLEnsemble(lam=0, n_estimators=3, n_steps=20, random_state=3).fit(X, y)
    model = NCLEnsemble(lam=0, n_estimators=1, n_steps=20, random_state=3)
    first = three._first_weights(4, 3)
    model.fit(X, y)
    model.weights_ = [weights[1:2].copy() for weights in first]
    model._train((X - model.centre_) / model.scale_, np.eye(3)[y])
    # the objective of one of three is a third as large, which Adam ignores but for its 1e-8
    np.testing.assert_allclose(model.member_answers(X)[0], three.member_answers(X)[1], atol=1e-3)


def test_diversity_grows_with_lambda():
    X, y = cases(200)
    found = []
    for lam in (0.0, 0.5, 0.95):
        model = NCLEnsemble(lam=lam, n_estimators=5, n_steps=200, random_state=0).fit(X, y)
        found.append(diversity_without_labels(model.member_answers(X)[None], Mahalanobis(np.eye(3))))
    assert found[0] < found[1] < found[2]


@pytest.mark.parametrize("loss", ["squared", "kl"])
def test_it_learns(loss):
    X, y = cases(300)
    model = NCLEnsemble(loss, random_state=0).fit(X[:200], y[:200])
    assert model.score(X[200:], y[200:]) > 0.75
    answers, combined = model.member_answers(X), model.combined_answer(X)
    expected = KL().centre(answers) if loss == "kl" else answers.mean(axis=0)
    np.testing.assert_allclose(combined, expected, atol=1e-12)


def test_projection_onto_the_simplex():
    points = np.array([[0.2, 0.3, 0.5], [1.4, 0.1, -0.2], [-1.0, -2.0, -1.5], [0.9, 0.9, 0.0]])
    found = on_simplex(points)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    np.testing.assert_allclose(found, [[0.2, 0.3, 0.5], [1, 0, 0], [0.75, 0, 0.25], [0.5, 0.5, 0]], atol=1e-12)


@pytest.mark.parametrize("loss", ["squared", "kl"])
def test_training_does_not_magnify_rounding(loss):
    """Machines differ in the last bit; stored results are compared at 1e-9."""
    X, y = cases(200)
    nudged = X * (1 + 1e-15 * np.random.default_rng(1).normal(size=X.shape))
    found = [NCLEnsemble(loss, 0.9, random_state=0).fit(each, y).member_answers(X) for each in (X, nudged)]
    np.testing.assert_allclose(found[0], found[1], atol=1e-10)


def test_training_is_adam_step_by_step():
    """Kingma and Ba's algorithm 1, written out: decay 0.9 and 0.999, both corrected for their start at zero."""
    model, inputs, targets = untrained("kl", 0.6)
    X, y = cases()
    start = NCLEnsemble("kl", 0.6, n_estimators=3, hidden=2, n_steps=4, learning_rate=0.05, random_state=1).fit(X, y)
    model.weights_ = model._first_weights(4, 3)
    first, second = ([np.zeros_like(w) for w in model.weights_] for _ in range(2))
    for step in (1, 2, 3, 4):
        gradients = model._objective(inputs, targets)[1]
        for k, gradient in enumerate(gradients):
            first[k] = 0.9 * first[k] + (1 - 0.9) * gradient
            second[k] = 0.999 * second[k] + (1 - 0.999) * gradient**2
            mean, square = first[k] / (1 - 0.9**step), second[k] / (1 - 0.999**step)
            model.weights_[k] = model.weights_[k] - 0.05 * mean / (np.sqrt(square) + 1e-8)
    for weights, expected in zip(start.weights_, model.weights_, strict=True):
        np.testing.assert_allclose(weights, expected, rtol=1e-9, atol=1e-12)
