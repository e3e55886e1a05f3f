"""Random trees occur as often as their exact laws say: VR-Trees, PERT, Extra-Trees, draws of features and cases.

Chi-square tests with fixed seeds.
"""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from engine_trees import cart_rule, extra_rule, grow, pert_rule, vr_rule, weka_rule
from law_tests import REJECT, TREES, assert_follows, stream
from reference import laws
from reference.table import entropy, gini, table
from scipy.stats import binomtest, chisquare

from arboretum.seeds import seed_sequence

MIXED = table([[0, 1, 2, 2, 4, 5, 7], [0, 0, 1, 1, 2, 0, 1]], ["numeric", "nominal"], [0, 3], [0, 0, 0, 1, 1, 1, 0])
WEIGHTED = table([[0, 1, 2, 4], [1, 0, 0, 1]], ["numeric", "nominal"], [0, 2], [0, 1, 0, 1], weights=[1, 3, 2, 1])
REAL_WEIGHTS = table([[0, 1, 2, 4], [3, 0, 5, 1]], ["numeric"] * 2, [0, 0], [0, 1, 0, 1], weights=[1.5, 3, 2.5, 0.5])
SPLITTABLE = table([[0, 1, 2, 3, 4, 5], [1, 0, 0, 1, 0, 1]], ["numeric", "nominal"], [0, 2], [0, 0, 0, 1, 1, 1])


@pytest.mark.parametrize("alpha", [0.0, 0.5])
@pytest.mark.parametrize("name", ["MIXED", "WEIGHTED", "REAL_WEIGHTS", "SPLITTABLE"])
def test_variable_random_trees(name, alpha):
    cases = globals()[name]
    forest = grow(cases, vr_rule(alpha), seeds=stream(name, alpha), n_min=4.0)
    assert_follows(forest, cases, laws.vr_trees(cases, alpha))


@pytest.mark.parametrize("alpha", [0.25, 0.5, 0.9])
def test_the_share_of_deterministic_nodes_is_alpha(alpha):
    """At the root, where nothing has been selected yet: so many trees that a shift of 3% is certainly found."""
    trees = round((8 / 0.03) ** 2 * (1 - alpha) / alpha)  # a shift of 3% is eight standard errors
    seeds = seed_sequence(proof="share", alpha=alpha).generate_state(trees, np.uint64)
    forest = grow(SPLITTABLE, vr_rule(alpha), seeds=seeds, n_min=4.0, max_depth=1)
    deterministic = int(np.sum(forest.deterministic_share))
    assert binomtest(deterministic, trees, alpha).pvalue > REJECT
    for wrong in (0.97 * alpha, 1.03 * alpha):
        assert binomtest(deterministic, trees, wrong).pvalue < REJECT


NUMERIC = table([[0, 1, 2, 2, 4], [3, 1, 1, 0, 7]], ["numeric"] * 2, [0, 0], [0, 1, 0, 1, 1])
TIED = table([[0, 0, 1, 1], [2, 2, 2, 5], [1, 1, 1, 1]], ["numeric"] * 3, [0] * 3, [0, 1, 1, 0])
UNEVEN = table([[0, 1, 2, 4], [3, 1, 1, 7]], ["numeric"] * 2, [0, 0], [0, 1, 2, 1], weights=[1, 4, 2, 1])


@pytest.mark.parametrize("name", ["NUMERIC", "TIED", "UNEVEN", "REAL_WEIGHTS"])
def test_perfect_random_trees(name):
    """PERT. TIED has two equal cases of different classes, so ten failed tries do happen."""
    cases = globals()[name]
    forest = grow(cases, pert_rule(), seeds=stream("pert", name), n_min=0.0)
    assert_follows(forest, cases, laws.pert_trees(cases))


def test_pert_gives_up_after_the_given_number_of_tries():
    """With three tries instead of ten leaves are more frequent, in the law and in the engine."""
    forest = grow(TIED, pert_rule(3), seeds=stream("tries"), n_min=0.0)
    assert_follows(forest, TIED, laws.pert_trees(TIED, tries=3))
    with pytest.raises(AssertionError):
        assert_follows(forest, TIED, laws.pert_trees(TIED, tries=4))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("name", ["NUMERIC", "UNEVEN", "REAL_WEIGHTS"])
def test_extra_trees(name, k, criterion):
    cases = globals()[name]
    rule = extra_rule(gini=criterion == "gini", n_tried=k)
    forest = grow(cases, rule, seeds=stream("extra", name, k, criterion), n_min=0.0)
    impurity = gini if criterion == "gini" else entropy
    assert_follows(forest, cases, laws.extra_trees(cases, k, impurity, min_split=0))


def test_random_groupings_of_levels():
    """Extra-Trees on a nominal feature: the three ways to split three levels are equally likely."""
    cases = table([[0, 1, 2]], ["nominal"], [4], [0, 1, 2])
    forest = grow(cases, extra_rule(), seeds=stream("levels"), n_min=0.0)
    parts = [laws.signature(forest.nested(t), cases)[1] for t in range(TREES)]
    alone = [next(part for part in pair if len(part) == 1) for pair in parts]
    assert chisquare([alone.count((row,)) for row in range(3)]).pvalue > REJECT


def roots(cases, rule, name):
    """How often each feature is tested at the root; the last number is for no feature."""
    forest = grow(cases, rule, seeds=stream("roots", name), n_min=2.0, max_depth=1)
    found = [forest.nested(t).get("feature", cases.n_features) for t in range(TREES)]
    return np.bincount(found, minlength=cases.n_features + 1)


# The first feature separates the classes, the second does so in part, the third is constant.
THREE = table([[0, 0, 1, 1], [0, 1, 1, 1], [5, 5, 5, 5]], ["numeric"] * 3, [0] * 3, [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("name", "rule", "shares"),
    [
        ("R, one feature", cart_rule(n_tried=1), [1 / 3, 1 / 3, 0, 1 / 3]),
        ("R, two features", cart_rule(n_tried=2), [2 / 3, 1 / 3, 0, 0]),
        ("redrawn, one feature", cart_rule(n_tried=1, redraw=True), [1 / 2, 1 / 2, 0, 0]),
        ("scikit-learn, one feature", cart_rule(n_tried=1, redraw="until_one_varies"), [1 / 2, 1 / 2, 0, 0]),
        ("scikit-learn, two features", cart_rule(n_tried=2, redraw="until_one_varies"), [2 / 3, 1 / 3, 0, 0]),
        ("Weka, one feature", weka_rule(1), [1 / 2, 1 / 2, 0, 0]),
        ("Weka, two features", weka_rule(2), [2 / 3, 1 / 3, 0, 0]),
    ],
)
def test_features_are_drawn_without_replacement(name, rule, shares):
    """R counts constant features as tried and makes a leaf if it drew no other. scikit-learn counts them too, but draws
    until one varies. Weka draws until one has a gain.
    """
    seen, shares = roots(THREE, rule, name), np.array(shares)
    assert not seen[shares == 0].any()
    assert chisquare(seen[shares > 0], TREES * shares[shares > 0]).pvalue > REJECT


def test_bootstrap_samples():
    """Three cases, 27 samples: 1 in 9 has all three, 2 in 9 the cases 0, 0, 1; roots hold what was drawn."""
    cases = table([[0, 1, 2]], ["numeric"], [0], [0, 1, 2])
    forest = grow(cases, vr_rule(0.0), seeds=stream("bootstrap"), bootstrap=True)
    seen = Counter(tuple(forest.nested(t)["counts"]) for t in range(TREES))
    samples = Counter(tuple(np.bincount(draw, minlength=3) * 1.0) for draw in product(range(3), repeat=3))
    assert set(seen) == set(samples)
    expected = [TREES * samples[counts] / 27 for counts in samples]
    assert chisquare([seen[counts] for counts in samples], expected).pvalue > REJECT


def test_subspaces():
    """Two of four features for each tree: the six pairs are equally likely."""
    rng = np.random.default_rng(0)
    cases = table(
        list(rng.permuted(np.tile(np.arange(40.0), (4, 1)), axis=1)), ["numeric"] * 4, [0] * 4, rng.integers(0, 2, 40)
    )
    forest = grow(cases, vr_rule(0.0), seeds=stream("subspaces")[:3000], n_features=2)
    used = [tuple(np.flatnonzero(row)) for row in forest.feature_use]
    pairs = Counter(pair for pair in used if len(pair) == 2)
    assert set(map(len, used)) <= {1, 2}
    assert len(pairs) == 6
    assert chisquare(list(pairs.values())).pvalue > REJECT


def test_a_wrong_alpha_is_noticed():
    """The tests above can fail: trees of alpha 0.5 do not follow the law of alpha 0.45."""
    forest = grow(SPLITTABLE, vr_rule(0.5), seeds=stream("wrong"), n_min=4.0)
    with pytest.raises(AssertionError):
        assert_follows(forest, SPLITTABLE, laws.vr_trees(SPLITTABLE, 0.45))
