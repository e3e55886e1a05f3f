"""KNORA-E, KNORA-U, OLA and LCA: DESlib's answers on a held-out part, plain loops where cases are in the bag."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from integration_data import halves
from naive_integration import heom

from arboretum.ensembles import DynamicIntegration, RandomForest
from arboretum.ensembles.dynamic_selection import RULES, selected_shares

FOLDER = Path(__file__).parents[1] / "fixtures" / "deslib"


@pytest.fixture(scope="module")
def deslib():
    """60 cases, 8 trees, 25 cases asked; tests/fixtures/deslib/README.md says how the numbers were made."""
    return {name: json.loads((FOLDER / f"{name}.json").read_text()) for name in ("ola", "rules")}


@pytest.mark.parametrize("rule", RULES)
def test_weights_select_what_deslib_selects_and_answer_alike(deslib, rule):
    cases, stored = {name: np.array(value) for name, value in deslib["ola"].items()}, deslib["rules"][rule]
    near, votes = cases["neighbours"], np.array(deslib["rules"]["asked_votes"]).T
    success = np.where(cases["votes"] == cases["classes"], 1, -1).T.astype(np.int8)[near]
    same = cases["classes"][near][:, :, None] == votes[:, None, :]
    weights = RULES[rule](success, same, np.zeros(votes.shape[1])).astype(float)
    competence = np.array(stored["competences"])
    best = competence.max(axis=1, keepdims=True)
    first = np.arange(competence.shape[1]) == competence.argmax(axis=1)[:, None]
    expected = {"knora_e": competence == best, "knora_u": competence, "ola": first, "lca": first}[rule]
    np.testing.assert_array_equal(weights, expected)
    given = np.stack([np.sum(weights * (votes == code), axis=1) for code in range(3)])
    assert given.argmax(axis=0).tolist() == stored["answers"]


def plain(rule, told, same, own):
    """The competence of one tree, from what it did on the neighbours, nearest first."""
    if rule == "knora_e":
        before = told[: told.index(-1)] if -1 in told else told
        return before.count(1)
    if rule == "knora_u":
        return told.count(1)
    kept = [one for one, alike in zip(told, same, strict=True) if one and (alike or rule == "ola")]
    return kept.count(1) / len(kept) if kept else (own + 1) / 2 if rule == "ola" else 0.0


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("similarity", ["heom", "forest"])
def test_out_of_bag_rules_are_those_of_plain_loops(rule, similarity):
    X, y, asked, _ = halves("nominal")
    model = DynamicIntegration(RandomForest("weka", 9, random_state=1), similarity=similarity, random_state=2)
    model.set_params(n_neighbors=6).fit(X, y)
    classes, votes, near = y.cat.codes.to_numpy(), model.tree_votes(asked), model.neighbours(asked).places
    record = np.empty_like(model.record_)
    record[model.order_] = model.record_
    shares = selected_shares(model, asked, [rule])[0]
    for case in range(len(asked)):
        competence = [
            plain(rule, record[near[case], t].tolist(), (classes[near[case]] == votes[t, case]).tolist(), own)
            for t, own in enumerate(model._own)
        ]
        best = max(competence)
        weights = [float(one == best) for one in competence]
        if rule in ("ola", "lca"):
            weights = [float(t == competence.index(best)) for t in range(len(competence))]
        if rule == "knora_u":
            weights = competence if best else [1.0] * len(competence)
        expected = [
            sum(w for w, vote in zip(weights, votes[:, case], strict=True) if vote == code)
            for code in range(len(model.classes_))
        ]
        np.testing.assert_allclose(shares[case], np.array(expected) / sum(weights), atol=1e-12)


def test_a_held_out_part_judges_every_tree_on_every_case():
    X, y, asked, _ = halves("nominal")
    half = len(y) // 2
    grown, judging = X.take(np.arange(half)), X.take(np.arange(half, len(y)))
    options = {"similarity": "heom", "weighting": "none", "estimate": "all", "n_neighbors": 5, "random_state": 4}
    model = DynamicIntegration(RandomForest("weka", 7, random_state=3), **options).fit(grown, y.iloc[:half])
    before = model.predict_proba(asked)
    assert model.judge_on(judging, y.iloc[half:]) is model
    truth, votes = y.iloc[half:].cat.codes.to_numpy(), model.tree_votes(judging)
    near = model.neighbours(asked)
    right = np.where(votes == truth, 1.0, -1.0)
    np.testing.assert_allclose(model.local_margins(asked), right[:, near.places].mean(axis=2).T, atol=1e-12)
    for case in range(len(asked)):
        distances = sorted(heom(asked.cells[case], other, judging.cells, judging.levels) for other in judging.cells)
        np.testing.assert_allclose(near.nearness[case], distances[:5], atol=1e-9)
    assert (model.predict_proba(asked) != before).any()
