"""One judge: verdicts by hand, false verdicts by simulation, a learner against itself, and messages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_ind

from arboretum.errors import ArboretumError
from arboretum.papers.kit.checks import FAILS, HOLDS, OPEN, Check
from arboretum.papers.kit.claims import (
    CONTRADICTED,
    CORRECTED,
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    judge,
)
from arboretum.papers.kit.estimate import (
    beside_print,
    chosen,
    count_of,
    difference_apart,
    difference_of,
    discordant,
    exact,
    mean_of,
    nested,
    one_run,
    one_run_of_each,
    over_sets,
    ratio_of,
    share_of,
    with_error,
)


def checks(**entries):
    return {name: Check.read(name, entry, "claims.yaml: c01") for name, entry in entries.items()}


def verdict(estimates, contradicted=False, **entries):
    return judge(checks(**entries), estimates, "claims.yaml: c01", contradicted)


ABOVE = {"kind": "conclusion", "above": 0}


# ------------------------------------------------------------------ verdicts


def test_inside_outside_and_neither():
    sure, unsure, against = (mean_of(np.array([-1.0, 0, 1]) * 0.1 + mean) for mean in (2.0, 0.1, -2.0))
    assert verdict({"a": sure}, a=ABOVE).conclusion == REPRODUCED
    assert verdict({"a": unsure}, a=ABOVE).conclusion == INCONCLUSIVE
    assert verdict({"a": against}, a=ABOVE).conclusion == NOT_REPRODUCED
    assert verdict({"a": sure, "b": unsure}, a=ABOVE, b=ABOVE).conclusion == INCONCLUSIVE
    assert verdict({"a": sure, "b": against}, a=ABOVE, b=ABOVE).conclusion == NOT_REPRODUCED


def test_limits():
    below = {"kind": "conclusion", "at_most": 1}
    inside = {"kind": "conclusion", "inside": [0, 1]}
    for value, outcomes in (
        (-0.5, (HOLDS, FAILS)),
        (0.0, (HOLDS, HOLDS)),
        (1.0, (HOLDS, HOLDS)),
        (1.5, (FAILS, FAILS)),
    ):
        found = verdict({"b": exact(value), "i": exact(value)}, b=below, i=inside)
        assert tuple(one.outcome for one in found.checked) == outcomes


@pytest.mark.parametrize(
    ("key", "outcomes"),
    [("above", (FAILS, FAILS, HOLDS)), ("at_least", (FAILS, HOLDS, HOLDS)), ("at_most", (HOLDS, HOLDS, FAILS)),
     ("below", (HOLDS, FAILS, FAILS))],
)  # fmt: skip
def test_a_limit_is_above_itself_only_where_at_least_says_so(key, outcomes):
    for value, outcome in zip((0.9, 1.0 + 1e-15, 1.1), outcomes, strict=True):
        assert verdict({"a": exact(value)}, a={"kind": "conclusion", key: 1}).checked[0].outcome == outcome


def test_conclusion_and_numbers_are_two_questions():
    number = {"kind": "number", "printed": 5.0, "within": 0.5}
    found = verdict({"a": exact(1), "n": exact(6.0), "m": exact(5.4)}, a=ABOVE, n=number, m=number)
    assert (found.conclusion, found.agreeing, len(found.numbers)) == (REPRODUCED, 1, 2)


def test_a_claim_that_states_numbers_is_judged_by_them():
    number = {"kind": "number", "printed": 5, "within": 0.5}
    assert verdict({"n": exact(5)}, n=number).conclusion == REPRODUCED
    assert verdict({"n": exact(6)}, n=number).conclusion == NOT_REPRODUCED
    assert verdict({"n": mean_of([4.0, 5.0, 6.0])}, n=number).conclusion == INCONCLUSIVE
    assert verdict({"s": exact(6)}, s={"kind": "shown"}).conclusion == ""


@pytest.mark.parametrize(("outside", "conclusion"), [(3, REPRODUCED), (4, NOT_REPRODUCED)])
def test_so_many_cells_outside_are_chance_or_not(outside, conclusion):
    """Of 20 cells chance leaves 3 or more outside in 7.5% of tables, 4 or more in 1.6%."""
    runs = one_run(np.arange(10.0))
    cells = {f"set {i}": replace(runs, printed=99.0 if i < outside else 4.5) for i in range(20)}
    found = verdict({"error": cells}, error={"kind": "number", "each": "set", "as": "one run"})
    assert (found.conclusion, found.agreeing) == (conclusion, 20 - outside)
    assert found.numbers_agree.startswith(f"{20 - outside} of 20 agree; chance alone leaves about 1 out")


def test_each_cell_is_a_check_of_its_own():
    cells = {"glass": exact(1), "iris": exact(-1)}
    found = verdict({"gain": cells}, gain={**ABOVE, "each": "set", "unit": "points"})
    assert [(one.check.name, one.outcome) for one in found.checked] == [("gain: glass", HOLDS), ("gain: iris", FAILS)]
    assert found.observed == "gain: 1 of 2 hold; not: iris -1 points"
    assert (found.values["gain.held"], found.values["gain.of"], found.values["gain: iris"]) == (1, 2, -1)
    printed = {"kind": "number", "each": "set", "within": 0.5, "printed": {"glass": 1.2, "iris": 3}}
    assert verdict({"gain": cells}, gain=printed).agreeing == 1
    both = verdict(
        {"gain": beside_print(cells, {"glass": 1.2})}, gain={"kind": "number", "each": "set", "within": "10%"}
    )
    assert [(one.check.printed, one.outcome) for one in both.checked] == [(1.2, FAILS)]


def test_what_is_written_has_two_digits_of_its_interval():
    found = verdict({"a": mean_of([1.234, 1.256, 1.278]), "e": exact(1e-17)}, a=ABOVE, e={"kind": "shown"})
    assert [one.written for one in found.checked] == ["1.256 (1.201 to 1.311)", "0"]
    assert verdict({"a": mean_of([1.0, 2.0])}, a=ABOVE).observed == "a 1.5 (no interval: 2 runs)"


def test_precision_is_half_the_interval_over_the_room():
    estimate = mean_of([0.9, 1.0, 1.1])
    half = estimate.high - 1
    found = verdict(
        dict.fromkeys("abc", estimate),
        a={"kind": "conclusion", "inside": [0, 2]},
        b=ABOVE,
        c={"kind": "number", "printed": 1, "as": "one run"},
    )
    assert found.checked[0].precision == pytest.approx(half)
    assert np.isnan([one.precision for one in found.checked[1:]]).all()


def test_corrected_and_contradicted():
    wrong, right = ABOVE, {"kind": "conclusion", "below": 0, "correction": True}
    assert verdict({"a": exact(-1), "b": exact(-1)}, a=wrong, b=right).conclusion == CORRECTED
    assert verdict({"a": exact(1), "b": exact(-1)}, a=wrong, b=right).conclusion == REPRODUCED
    assert verdict({"a": exact(-1), "b": exact(1)}, a=wrong, b=right).conclusion == NOT_REPRODUCED
    assert verdict({"a": exact(-1)}, contradicted=True, a=wrong).conclusion == CONTRADICTED


def test_one_of_many_needs_more_to_fail():
    """Its interval of 95% lies outside; at the level for twelve checks it does not."""
    runs = np.array([-1.0, 0, 1, 0.5, -0.5]) - 1.1
    estimates = {"alone": mean_of(runs)}
    assert mean_of(runs).high < 0
    assert verdict(estimates, alone=ABOVE).conclusion == NOT_REPRODUCED
    many = {f"n{i}": exact(1) for i in range(11)} | estimates
    found = judge(checks(**dict.fromkeys(many, ABOVE)), many, "")
    assert found.conclusion == INCONCLUSIVE
    assert [one.outcome for one in found.checked].count(OPEN) == 1


def test_which_fail_goes_by_holm():
    """Two far outside; the third then stands alone and is judged at 95%."""
    far, third = exact(-9), mean_of(np.array([-1.0, 0, 1, 0.5, -0.5]) - 1.1)
    estimates = {"x": far, "y": far, "z": third}
    found = judge(checks(**dict.fromkeys(estimates, ABOVE)), estimates, "")
    assert [one.outcome for one in found.checked] == [FAILS] * 3


def test_printed_numbers_of_one_run():
    runs = np.arange(10.0)
    inside = {"kind": "number", "printed": 11.0, "as": "one run"}
    outside = {"kind": "number", "printed": 12.0, "as": "one run"}
    found = verdict({"a": one_run(runs), "b": one_run(runs)}, a=inside, b=outside)
    assert [one.outcome for one in found.checked] == [HOLDS, FAILS]
    assert found.chance_of_so_many_outside == pytest.approx(1 - 0.95**2)


def test_two_runs_decide_nothing():
    estimate = mean_of([5.0, 5.0])
    assert estimate.varies == "2 runs"
    assert verdict({"a": estimate}, a=ABOVE).conclusion == INCONCLUSIVE
    assert verdict({"a": one_run([5.0])}, a={"kind": "number", "printed": 5, "as": "one run"}).agreeing == 0


# ------------------------------------------------------------------ false verdicts

DRAWS = 2000


@pytest.mark.parametrize("number", [1, 12, 44])
@pytest.mark.parametrize("runs", [5, 30])
def test_a_true_claim_is_seldom_not_reproduced(number, runs):
    """Every check lies exactly at its limit, where failing by luck is likeliest."""
    rng = np.random.default_rng(1)
    wanted = checks(**dict.fromkeys([f"n{i}" for i in range(number)], ABOVE))
    found = [
        judge(wanted, {name: mean_of(rng.standard_normal(runs)) for name in wanted}, "").conclusion
        for _ in range(DRAWS)
    ]
    assert found.count(NOT_REPRODUCED) <= 0.06 * DRAWS


def test_a_false_claim_is_seldom_reproduced():
    """One of twelve checks lies at its limit from the wrong side: reproduced in at most one draw of 40."""
    rng = np.random.default_rng(2)
    wanted = checks(**dict.fromkeys([f"n{i}" for i in range(12)], ABOVE))
    found = []
    for _ in range(DRAWS):
        estimates = {name: mean_of(5 + rng.standard_normal(5)) for name in wanted}
        found.append(judge(wanted, estimates | {"n0": mean_of(rng.standard_normal(5))}, "").conclusion)
    assert found.count(REPRODUCED) <= 0.035 * DRAWS


def test_a_learner_against_itself_is_seldom_surely_better():
    """Five splits, paired; 300 cases of one split; the same learner with other seeds."""
    rng = np.random.default_rng(3)
    better = {"runs": 0, "cases": 0}
    for _ in range(DRAWS):
        a, b = rng.binomial(300, 0.1, (2, 5)) / 300
        better["runs"] += difference_of(a, b).high < 0
        only_a, only_b, _ = rng.multinomial(300, [0.03, 0.03, 0.94])
        better["cases"] += discordant(int(only_a), int(only_b), 300).high < 0
    assert max(better.values()) <= 0.035 * DRAWS


def test_chance_leaves_a_twentieth_of_printed_cells_out():
    rng = np.random.default_rng(4)
    rates = rng.binomial(200, 0.15, (400, 6)) / 200
    estimates = one_run_of_each(rates[:, 1:], np.full(400, 200))
    outside = sum(
        not estimate.low <= printed <= estimate.high for estimate, printed in zip(estimates, rates[:, 0], strict=True)
    )
    assert 0.03 * 400 <= outside <= 0.07 * 400


# ------------------------------------------------------------------ estimates say what varies


def test_what_varies():
    assert exact(1).varies == "exact"
    assert mean_of(np.ones((44, 5))).varies == "5 runs on each of 44 sets"
    assert nested(np.arange(12.0).reshape(4, 3)).varies == "4 drawings of 3 runs"
    assert over_sets(np.arange(4.0)).varies == "4 sets"
    assert over_sets(np.arange(4.0), ["a", "a", "b", "c"]).varies == "4 sets in 3 clusters"
    assert share_of(3, 9, "samples").varies == "9 samples"


def test_drawings_are_the_unit_where_data_are_drawn():
    """Runs of one drawing are alike: many of them do not make up for few drawings."""
    rng = np.random.default_rng(5)
    values = rng.standard_normal((6, 1)) + 0.01 * rng.standard_normal((6, 50))
    assert nested(values).high - nested(values).low > 1.0
    assert mean_of(values.ravel()).high - mean_of(values.ravel()).low < 0.3


def test_choices_and_counts():
    rng = np.random.default_rng(6)
    runs = np.array([0.5, 0.1, 0.0, 0.1, 0.5]) + 0.05 * rng.standard_normal((10, 5))
    best = chosen(runs, lambda mean: [0.0, 0.25, 0.5, 0.75, 1.0][int(np.argmin(mean))])
    assert best.value == 0.5 and best.low >= 0.25 and best.high <= 0.75
    count = count_of(runs, lambda mean: mean < 0.3)
    assert (count.low, count.value, count.high) == (3, 3, 3)
    near = count_of(np.array([0.3, 0.0]) + 0.1 * rng.standard_normal((10, 2)), lambda mean: mean < 0.3)
    assert (near.low, near.high) == (1, 2)


def test_a_known_error_is_a_mean_of_runs_and_ratios_add_relative_errors():
    runs = np.random.default_rng(7).normal(10, 1, 30)
    known = with_error(runs.mean(), runs.std(ddof=1) / np.sqrt(30), 30)
    assert (known.low, known.high) == pytest.approx((mean_of(runs).low, mean_of(runs).high))
    assert with_error(1.0, 0.1, 2).high == np.inf
    rng, covered = np.random.default_rng(8), 0
    for _ in range(1000):
        over, under = rng.normal(10, 1, 12), rng.normal(4, 1, 12)
        estimate = ratio_of(mean_of(over), mean_of(under))
        covered += estimate.low <= 2.5 <= estimate.high
    assert 930 <= covered <= 980


def test_runs_that_have_nothing_in_common_are_compared_by_welch():
    rng = np.random.default_rng(1)
    a, b = rng.normal(3, 1, 500), rng.normal(1, 2, 20)
    found, welch = difference_apart(a, b), ttest_ind(a, b, equal_var=False)
    assert found.value == pytest.approx(a.mean() - b.mean())
    assert found.interval == pytest.approx(tuple(welch.confidence_interval()))
    assert difference_apart(a, b[:1]).interval == (-np.inf, np.inf)


def test_the_mean_of_as_many_runs_varies_less_than_one():
    runs = np.random.default_rng(9).normal(10, 1, 50)
    one, mean = one_run(runs), one_run(runs, of=50)
    assert (mean.high - mean.low) / (one.high - one.low) == pytest.approx(np.sqrt((2 / 50) / (51 / 50)))
    assert mean.varies == "a mean of 50 runs, from 50 runs"


# ------------------------------------------------------------------ messages


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"kind": "conclusio", "above": 0}, "kind: conclusion, number or shown"),
        ({"kind": "conclusion"}, "needs one of inside, above, .*, not nothing"),
        ({"kind": "conclusion", "above": 0, "below": 1}, "needs one of"),
        ({"kind": "conclusion", "abov": 0}, "unknown key 'abov'.*above"),
        ({"kind": "conclusion", "inside": [1, 0]}, "the lower one first"),
        ({"kind": "conclusion", "above": "0"}, "above needs a number"),
        ({"kind": "number", "within": 1}, "needs printed"),
        ({"kind": "number", "printed": 1, "within": -1}, "at least 0"),
        ({"kind": "number", "printed": 1, "as": "two runs"}, "as: one run"),
        ({"kind": "number", "printed": 1, "within": "five%"}, "a share such as 5%"),
        ({"kind": "number", "printed": {"glass": 1}, "within": 1}, "printed needs a number"),
        ({"kind": "shown", "above": 0}, "a shown needs no limit, not above"),
        ("above 0", "needs keys"),
    ],
)
def test_a_faulty_check_is_named(entry, says):
    with pytest.raises(ArboretumError, match=rf"claims.yaml: c01: check 'a'.*{says}"):
        checks(a=entry)


@pytest.mark.parametrize(
    ("each", "estimate", "says"),
    [
        ({}, {"glass": exact(1)}, "needs one estimate"),
        ({"each": "set"}, exact(1), "needs one estimate for each set"),
        ({"each": "set"}, {}, "needs one estimate for each set"),
    ],
)
def test_cells_are_there_if_and_only_if_the_file_asks_for_each(each, estimate, says):
    with pytest.raises(ArboretumError, match=says):
        verdict({"a": estimate}, a={**ABOVE, **each})
    with pytest.raises(ArboretumError, match="check 'n' has no printed value for 'glass'"):
        verdict({"n": {"glass": exact(1)}}, n={"kind": "number", "each": "set", "within": 1})


def test_checks_and_estimates_have_the_same_names():
    with pytest.raises(ArboretumError, match="check 'forest ahead' has no estimate"):
        judge({"forest ahead": checks(a=ABOVE)["a"]}, {"forest": exact(1)}, "claims.yaml: c01")
    with pytest.raises(ArboretumError, match="returns 'b', but no check expects it"):
        verdict({"a": exact(1), "b": exact(1)}, a=ABOVE)
