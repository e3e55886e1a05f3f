"""Losses: Bregman forms, and centres that no other point beats."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from arboretum.measures.losses import (
    KL,
    Absolute,
    GeneralisedI,
    ItakuraSaito,
    Logistic,
    Mahalanobis,
    Poisson,
    Squared,
    ZeroOne,
)

MATRIX = np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 0.5]])
BREGMAN = [Squared(), Mahalanobis(MATRIX), Logistic(), KL(), Poisson(), GeneralisedI(), ItakuraSaito()]
SCALAR = [loss for loss in BREGMAN if not loss.vector]


def points(loss, shape, seed=0):
    """Random points inside the domain of a loss; vectors of three components."""
    rng = np.random.default_rng([seed, len(loss.name)])
    if loss.name == "KL":
        return rng.dirichlet(np.ones(3), size=shape)
    size = (*shape, 3) if loss.vector else shape
    if loss.name == "logistic":
        return rng.uniform(0.05, 0.95, size)
    return (
        rng.normal(size=size) if loss.domain.startswith("R") and ">" not in loss.domain else rng.uniform(0.2, 4, size)
    )


@pytest.mark.parametrize("loss", BREGMAN, ids=lambda loss: loss.name)
def test_a_divergence_is_made_of_its_generator(loss):
    p, q = points(loss, (50,)), points(loss, (50,), 1)
    inner = loss.gradient(q) * (p - q)
    expected = loss.generator(p) - loss.generator(q) - (inner.sum(axis=-1) if loss.vector else inner)
    np.testing.assert_allclose(loss.loss(p, q), expected, atol=1e-12)
    np.testing.assert_allclose(loss.loss(p, p), 0, atol=1e-15)
    assert (loss.loss(p, q) > 0).all()


@pytest.mark.parametrize("loss", BREGMAN, ids=lambda loss: loss.name)
def test_the_inverse_undoes_the_gradient(loss):
    x = points(loss, (20,))
    np.testing.assert_allclose(loss.inverse(loss.gradient(x)), x, rtol=1e-12)


@pytest.mark.parametrize("loss", SCALAR, ids=lambda loss: loss.name)
def test_centres_of_numbers_are_least(loss):
    q = points(loss, (7,))
    ends = (q.min(), q.max())
    left = minimize_scalar(lambda z: loss.loss(z, q).mean(), bounds=ends, method="bounded", options={"xatol": 1e-10})
    right = minimize_scalar(lambda z: loss.loss(q, z).mean(), bounds=ends, method="bounded", options={"xatol": 1e-10})
    assert loss.centre(q) == pytest.approx(left.x, abs=1e-6)
    assert loss.label_centre(q) == pytest.approx(right.x, abs=1e-6)


@pytest.mark.parametrize("loss", BREGMAN, ids=lambda loss: loss.name)
def test_no_point_near_the_centre_beats_it(loss):
    q = points(loss, (6,))
    centre, right = loss.centre(q), loss.label_centre(q)
    for other in points(loss, (200,), 2):
        for share in (1e-3, 0.3, 1.0):
            near = (1 - share) * centre + share * other
            assert loss.loss(near, q).mean() >= loss.loss(centre, q).mean() - 1e-12
            near = (1 - share) * right + share * other
            assert loss.loss(q, near).mean() >= loss.loss(q, right).mean() - 1e-12


def test_the_combiners_of_figure_4_3():
    q = np.random.default_rng(1).uniform(0.1, 3, (5, 4))
    np.testing.assert_allclose(Squared().centre(q), q.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(Poisson().centre(q), np.prod(q, axis=0) ** (1 / 5), rtol=1e-12)
    np.testing.assert_allclose(ItakuraSaito().centre(q), 5 / np.sum(1 / q, axis=0), rtol=1e-12)
    shares = np.random.default_rng(2).dirichlet(np.ones(4), size=5)
    product = np.prod(shares, axis=0) ** (1 / 5)
    np.testing.assert_allclose(KL().centre(shares), product / product.sum(), rtol=1e-12)


def test_the_border_of_the_domain():
    assert Poisson().loss(0.0, 2.5) == 2.5
    assert Logistic().loss(1.0, 1.0) == 0 and Logistic().loss(1.0, 0.0) == np.inf
    assert Logistic().centre([1.0, 0.3]) == 1.0
    np.testing.assert_allclose(KL().centre(np.array([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])).sum(), 1)
    assert KL().centre(np.array([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]]))[2] == 0
    assert np.isnan(Logistic().centre([1.0, 0.0]))


def test_votes_and_medians():
    votes = np.array([[0, 2, 1], [1, 2, 1], [0, 1, 2], [1, 0, 2]])
    assert ZeroOne(3).centre(votes).tolist() == [0, 2, 1]  # the first class on ties
    assert Absolute().centre([1.0, 5.0, 2.0]) == 2
