"""The reference C4.5 grower equals Weka's J48 and the examples in Quinlan's book."""

import numpy as np
import pytest
import weka_fixtures as fixtures
from benchmarks.peers import Cases, weka

from reference import c45
from reference.predict import predict, probabilities
from reference.table import size

LEARNERS = {"unpruned": {"collapse": True}, "pruned": {"collapse": True, "prune": 0.25}}
J48_MERGE = 1e-5


def as_cases(table):
    return Cases(table.columns, table.kinds, table.levels, table.y, table.n_classes)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("name", fixtures.SETS)
def test_equals_stored_answers_of_weka(name, learner):
    rows = list(zip(*fixtures.whole(name).columns, strict=True))
    for part in fixtures.PARTS if len(rows) < 500 else fixtures.PARTS[:1]:
        tree = c45.grow(fixtures.training(name, part), merge=J48_MERGE, **LEARNERS[learner])
        assert size(tree) == fixtures.sizes()[name, learner, part]
        answers = fixtures.expected(name)[f"{learner}-{part}"]
        assert [predict(tree, row) for row in rows] == answers.tolist()


@pytest.mark.skipif(not weka.installed(), reason="Weka or a Java development kit is not installed")
@pytest.mark.parametrize("name", ["labor", "mixed"])
def test_equals_weka_itself(name):
    """Class probabilities are equal too, on sets with missing values."""
    cases = fixtures.whole(name)
    train = fixtures.training(name, 0)
    nodes, expected = weka.tree(as_cases(train), as_cases(cases))
    tree = c45.grow(train, collapse=True, merge=J48_MERGE)
    assert size(tree) == nodes
    ours = [probabilities(tree, row) for row in zip(*cases.columns, strict=True)]
    np.testing.assert_allclose(ours, expected, atol=1e-9)


def test_hand_computed_gain_ratio():
    """Quinlan's golf example (1993, chapter 2): the gain of outlook is 0.246 bits, its gain ratio 0.156."""
    branches = [[2, 3], [4, 0], [3, 2]]
    gain = c45.information_gain(14, branches)
    assert gain == pytest.approx(0.2467, abs=1e-4)
    assert c45.gain_ratio(14, branches, gain) == pytest.approx(0.1564, abs=1e-4)


def test_hand_computed_gain_with_a_missing_value():
    """Quinlan (1993, chapter 3): one of 14 outlooks unknown gives gain 0.199, split information 1.809."""
    branches = [[2, 3], [3, 0], [3, 2]]
    gain = c45.information_gain(14, branches)
    assert gain == pytest.approx(0.199, abs=1e-3)
    assert gain / c45.gain_ratio(14, branches, gain) == pytest.approx(1.809, abs=1e-3)


def test_added_errors_of_the_book():
    """Quinlan (1993, section 4.2): U25%(0,6)=0.206, U25%(0,9)=0.143, U25%(0,1)=0.750, U25%(1,16)=0.157."""
    for errors, total, limit in [(0, 6, 0.206), (0, 9, 0.143), (0, 1, 0.750), (1, 16, 0.157)]:
        upper = (errors + c45.added_errors(total, errors, 0.25)) / total
        assert upper == pytest.approx(limit, abs=0.012 if errors else 1e-3)
