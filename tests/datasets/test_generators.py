"""Generated data follow their definitions: exact enumeration where possible, else moments within five sigma."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kstest, multivariate_normal, norm

from arboretum.datasets import generators
from arboretum.datasets.dataset import fingerprint
from arboretum.datasets.generators.led import SEGMENTS
from arboretum.datasets.generators.norms import ringnorm_evidence
from arboretum.errors import ArboretumError
from arboretum.seeds import generator


def rng(name: str) -> np.random.Generator:
    return generator(test=name)


def within(observed: np.ndarray, expected: np.ndarray, sd: np.ndarray, n: int) -> None:
    """Means of ``n`` draws of standard deviation ``sd`` lie within five standard errors."""
    np.testing.assert_array_less(np.abs(observed - expected), 5 * np.asarray(sd) / np.sqrt(n) + 1e-12)


def test_led_with_ten_per_cent_noise_has_the_known_bayes_error_of_26_per_cent():
    vectors = np.array(list(product((0, 1), repeat=7)))
    distance = (vectors[:, None, :] != SEGMENTS[None]).sum(axis=2)
    likelihood = 0.1**distance * 0.9 ** (7 - distance) / 10
    assert 1 - likelihood.max(axis=1).sum() == pytest.approx(0.26, abs=0.0005)


def test_led_draws_digits_uniformly_and_inverts_each_segment_with_the_noise_probability():
    n = 20000
    X, y = generators.led(n, rng("led"), irrelevant=17)  # ten per cent unless told otherwise
    codes = np.column_stack([X[column].cat.codes for column in X])
    assert X.shape == (n, 24)
    flipped = codes[:, :7] != SEGMENTS[y.cat.codes]
    within(flipped.mean(axis=0), 0.1, 0.3, n)
    within(np.bincount(y.cat.codes, minlength=10) / n, 0.1, 0.3, n)
    within(codes[:, 7:].mean(axis=0), 0.5, 0.5, n)
    within(np.corrcoef(codes[:, 7:].T)[np.triu_indices(17, 1)], 0, 1, n)


def test_led_without_noise_is_the_display():
    X, y = generators.led(100, rng("led"), noise=0)
    assert (np.column_stack([X[column].cat.codes for column in X]) == SEGMENTS[y.cat.codes]).all()


def test_waveform_means_and_variances_of_each_class():
    n = 30000
    X, y = generators.waveform(n, rng("waveform"), noise=19)
    assert X.shape == (n, 40)
    wave = {top: np.maximum(6 - np.abs(np.arange(1, 22) - top), 0) for top in (7, 11, 15)}
    for label, (a, b) in {"0": (7, 15), "1": (7, 11), "2": (15, 11)}.items():
        part = X[(y == label).to_numpy()].to_numpy()
        mean = np.concatenate([(wave[a] + wave[b]) / 2, np.zeros(19)])
        variance = np.concatenate([1 + (wave[a] - wave[b]) ** 2 / 12, np.ones(19)])
        within(part.mean(axis=0), mean, np.sqrt(variance), len(part))
        within(part.var(axis=0), variance, 2 * variance, len(part))


def test_twonorm_has_the_bayes_error_phi_of_minus_two():
    n = 200000
    X, y = generators.twonorm(n, rng("twonorm"))
    wrong = (X.to_numpy().sum(axis=1) > 0) != (y == "1").to_numpy()
    within(wrong.mean(), norm.cdf(-2), np.sqrt(norm.cdf(-2)), n)


def test_threenorm_mixes_two_normals_in_its_first_class():
    n = 20000
    X, y = generators.threenorm(n, rng("threenorm"))
    first, a = (y == "1").to_numpy(), 2 / np.sqrt(20)
    values = X.to_numpy()
    within(values[~first].mean(axis=0), a * (-1.0) ** np.arange(20), 1, (~first).sum())
    assert np.cov(values[~first].T) == pytest.approx(np.eye(20), abs=0.08)
    assert np.cov(values[first].T) == pytest.approx(np.eye(20) + a**2, abs=0.08)
    # Along the diagonal the first class is half N(2, 1), half N(-2, 1).
    along = values[first].sum(axis=1) / np.sqrt(20)
    assert kstest(along, lambda t: (norm.cdf(t, 2) + norm.cdf(t, -2)) / 2).pvalue > 1e-4


def test_ringnorm_has_a_wide_class_around_a_narrow_one_shifted_by_one_over_root_d():
    n = 20000
    X, y = generators.ringnorm(n, rng("ringnorm"))
    first, values = (y == "1").to_numpy(), X.to_numpy()
    within(values[first].mean(axis=0), 0, 2, first.sum())
    within(values[~first].mean(axis=0), 1 / np.sqrt(20), 1, (~first).sum())
    within(values[~first].mean(), 1 / np.sqrt(20), 1, values[~first].size)  # all at once: a tenth more would be seen
    assert values[first].var() == pytest.approx(4, rel=0.02)
    assert values[~first].var() == pytest.approx(1, rel=0.02)


@pytest.mark.parametrize("dimension", [2, 20])
def test_the_bayes_rule_of_ringnorm_is_the_one_of_the_densities(dimension: int):
    values = rng("ringnorm").normal(scale=1.5, size=(200, dimension))
    wide = multivariate_normal(np.zeros(dimension), 4 * np.eye(dimension)).logpdf(values)
    narrow = multivariate_normal(np.full(dimension, dimension**-0.5), np.eye(dimension)).logpdf(values)
    np.testing.assert_allclose(ringnorm_evidence(values), narrow - wide, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("relevant", [2, 3])
def test_parity_is_the_parity_of_its_first_attributes_and_of_no_other(relevant: int):
    X, y = generators.parity(5000, rng("parity"), relevant=relevant)
    bits = np.column_stack([X[column].cat.codes for column in X]).astype(int)
    assert X.shape == (5000, relevant + 10)
    assert (np.bitwise_xor.reduce(bits[:, :relevant], axis=1) == y.cat.codes).all()
    within(np.corrcoef(bits.T, y.cat.codes)[-1, :-1], 0, 1, 5000)
    within(bits.mean(axis=0), 0.5, 0.5, 5000)


def test_three_of_nine_asks_for_three_adjacent_bits():
    X, y = generators.three_of_nine()
    words = X.astype(str).agg("".join, axis=1)
    assert words.nunique() == 512
    assert ((y == "1") == words.str.contains("111")).all()
    assert y.value_counts().to_dict() == {"0": 274, "1": 238}  # 274 is a tribonacci number


def test_monks_count_of_each_concept_and_some_robots():
    for problem, positive in {1: 216, 2: 142, 3: 228}.items():
        X, y = generators.monk(problem)
        assert len(X.drop_duplicates()) == len(X) == 432
        assert (y == "1").sum() == positive
    _, y = generators.monk(2)
    grid = [tuple(map(int, row)) for row in X.to_numpy()]
    assert y[grid.index((1, 1, 2, 2, 2, 2))] == "1"  # exactly two attributes have their first value
    assert y[grid.index((1, 1, 1, 2, 2, 2))] == "0"
    assert y[grid.index((1, 2, 2, 2, 2, 2))] == "0"


def test_balance_scale_is_complete_and_obeys_the_lever():
    X, y = generators.balance_scale()
    assert len(X.drop_duplicates()) == 625
    assert y.value_counts().to_dict() == {"L": 288, "R": 288, "B": 49}
    row = (X == [5, 2, 3, 3]).all(axis=1)  # 10 against 9
    assert y[row].tolist() == ["L"]


def test_tic_tac_toe_ends_are_legal_distinct_and_as_many_as_known():
    X, y = generators.tic_tac_toe()
    assert len(X.drop_duplicates()) == len(X) == 958
    assert y.value_counts().to_dict() == {"positive": 626, "negative": 332}
    marks = X.astype(str)
    surplus = (marks == "x").sum(axis=1) - (marks == "o").sum(axis=1)
    assert set(surplus) == {0, 1}
    # When x wins, x moved last; draws (16) fill the board; the other negatives are won by o.
    assert (surplus[y == "positive"] == 1).all()
    draws = (y == "negative") & ~(marks == "b").any(axis=1)
    assert draws.sum() == 16
    assert (surplus[(y == "negative") & ~draws] == 0).all()


@pytest.mark.parametrize("kind", ["A", "B"])
def test_concepts_are_uniform_and_noise_inverts_exactly_its_share(kind: str):
    n = 4000
    X, y = generators.concept(kind, n, rng("concept"), irrelevant=8, class_noise=0.4)
    true = X["va"] > (X["vb"] if kind == "A" else 0)
    assert ((y == "+1") != true).sum() == 1600
    assert X.shape == (n, 10)
    for column in X:
        assert kstest(X[column], "uniform", args=(-1, 2)).pvalue > 1e-4
    with pytest.raises(ValueError, match="'A' or 'B'"):
        generators.concept("C", n, rng("concept"))


def test_concept_lattice_holds_the_centres_of_equal_cells():
    X, y = generators.concept_lattice("A", side=4)
    assert sorted(set(X["va"])) == [-0.75, -0.25, 0.25, 0.75]
    assert len(X.drop_duplicates()) == 16
    assert ((y == "+1") == (X["va"] > X["vb"])).all()
    assert (y == "+1").sum() == 6
    X, _ = generators.concept_lattice("B", irrelevant=8, rng=rng("lattice"))
    assert X.shape == (10000, 10)
    assert X.iloc[:, 2:].abs().max().max() <= 1


def test_gaussian_mixture_has_centres_around_the_class_means_and_a_fifth_of_their_variance_around_them():
    n = 40000
    X, y = generators.gaussian_mixture(n, rng("mixture"), centres=n)
    for label, mean in {"blue": [1, 0], "orange": [0, 1]}.items():
        part = X[(y == label).to_numpy()].to_numpy()
        within(part.mean(axis=0), mean, np.sqrt(1.2 * np.exp(1)), n)  # a centre may be drawn more than once
        assert part.var(axis=0) == pytest.approx([1.2, 1.2], rel=0.05)
    X, y = generators.gaussian_mixture(n, rng("mixture"), centres=1)
    assert X[(y == "blue").to_numpy()].var().to_numpy() == pytest.approx([0.2, 0.2], rel=0.05)


def test_breiman_plane_examples_have_their_masses_and_boundaries():
    n = 40000
    X, y = generators.breiman_plane("linear", n, rng("plane"))
    assert ((y == "1") == (X.sum(axis=1) <= 1)).all()
    within((y == "1").mean(), 0.5, 0.5, n)
    X, y = generators.breiman_plane("circle", n, rng("plane"))
    assert ((y == "1") == ((X**2).sum(axis=1) <= 0.49)).all()
    within((y == "1").mean(), np.pi * 0.49 / 4, 0.5, n)
    X, y = generators.breiman_plane("gaussians", n, rng("plane"))
    within((y == "1").mean(), 0.5, 0.5, n)
    for label, sd in {"1": 0.71, "-1": 1.36}.items():
        part = X[(y == label).to_numpy()]
        mass = norm.cdf(1 / sd) - 0.5
        for column in X:
            assert kstest(part[column], lambda t, s=sd, m=mass: (norm.cdf(t / s) - 0.5) / m).pvalue > 1e-4
    with pytest.raises(ValueError, match="gaussians"):
        generators.breiman_plane("square", n, rng("plane"))


@pytest.mark.parametrize("name", ["led", "waveform", "twonorm", "threenorm", "ringnorm", "parity"])
def test_a_stream_gives_one_sample_and_another_stream_another(name: str):
    make = generators.by_name(name)
    first = fingerprint(*make(n=50, rng=rng("one")))
    assert fingerprint(*make(n=50, rng=rng("one"))) == first
    assert fingerprint(*make(n=50, rng=rng("two"))) != first


def test_an_unknown_generator_gets_the_nearest_name():
    with pytest.raises(ArboretumError, match=r"Unknown generator 'wavform'. Did you mean 'waveform'"):
        generators.by_name("wavform")


def test_columns_are_plain_numbers_and_declared_levels():
    X, y = generators.led(20, rng("led"))
    assert all(list(X[column].cat.categories) == ["0", "1"] for column in X)
    assert list(y.cat.categories) == [str(digit) for digit in range(10)]
    X, _ = generators.waveform(20, rng("waveform"))
    assert (X.dtypes == np.float64).all()
    assert isinstance(X, pd.DataFrame)
