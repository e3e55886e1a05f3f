"""What a paper must be to be read at all."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from arboretum import papers
from arboretum.errors import ArboretumError
from arboretum.papers.contract import Experiment, Paper, by_name, figure, table
from arboretum.papers.kit.checks import entry_of
from arboretum.papers.kit.claims import CONTRADICTED, CORRECTED, NOT_REPRODUCED, REPRODUCED, judge
from arboretum.papers.kit.estimate import exact
from arboretum.pipeline.render import CHECKS, CLAIMS
from arboretum.project.stored import stated_claims
from arboretum.project.workspace import FULL, PROFILES, Workspace
from arboretum.report.inputs import bare

ROOT = Path(__file__).parents[2]

EXPERIMENTS = {"spectrum": Experiment(lambda params, sets: [], lambda task, data: [], keys=("dataset",))}


def test_a_misspelt_source_of_a_table_is_named():
    made = table(title="Table 1", keys=("dataset",), name="table1", sources=("spektrum",))(lambda results: None)
    with pytest.raises(ArboretumError, match=r"papers/oak: the table 'table1' names the source 'spektrum'.*spectrum"):
        Paper("oak", EXPERIMENTS, tables=by_name(made))


def test_a_misspelt_source_of_a_figure_is_named():
    """It once removed the stored drawing in silence: a figure without its experiments is not shown."""
    made = figure(title="Figure 1", draw=print, name="figure1", sources=("spectrums",))(lambda results: None)
    with pytest.raises(ArboretumError, match=r"the figure 'figure1' names the source 'spectrums'.*spectrum"):
        Paper("oak", EXPERIMENTS, figures=by_name(made))


def test_the_kit_is_no_paper():
    assert "kit" not in papers.present() and "vrtrees" in papers.present()


# ------------------------------------------------------------------ stored tables, of every paper


def stored_tables():
    workspace = Workspace.at(ROOT)
    for key, profile in product(papers.present(), PROFILES):
        for path in sorted(workspace.tables(profile, key).glob("*.csv")):
            shown = {table.name: table for table in (*papers.get(key).tables.values(), CLAIMS, CHECKS)}
            if path.stem in shown:
                yield pytest.param(path, shown[path.stem], id=f"{profile}-{key}-{path.stem}")


@pytest.mark.parametrize(("path", "table"), list(stored_tables()))
def test_a_row_of_a_stored_table_is_identified_by_its_keys(path, table):
    frame = pd.read_csv(path)
    assert len(frame) and set(table.timing) <= set(frame)
    assert not frame.duplicated(list(table.keys)).any()
    assert not frame[list(table.keys)].select_dtypes("number").isna().any(axis=None)


# ------------------------------------------------------------------ claims, of every paper


@pytest.fixture(scope="module", params=papers.present())
def claimed(request):
    """A paper's claims: as claims.yaml states them, as the code estimates them, and the stored checks."""
    key = request.param
    workspace = Workspace.at(ROOT)
    checks = pd.read_csv(workspace.tables(FULL, key) / "checks.csv", keep_default_na=False)
    return papers.get(key), stated_claims(workspace, key), checks


def test_every_claim_that_is_stated_is_estimated_and_none_else(claimed):
    paper, stated, checks = claimed
    assert list(paper.claims) == list(stated)
    assert set(checks["claim"]) == set(stated)
    assert all(identity.startswith(f"{paper.key}-c") for identity in stated)


def test_every_claim_has_a_deciding_check_and_evidence_that_is_shown(claimed):
    paper, stated, _ = claimed
    for identity, claim in stated.items():
        kinds = {check.kind for check in claim.checks.values() if not check.correction}
        assert kinds & {"conclusion", "number"}, identity
        evidence = paper.claims[identity].evidence
        assert evidence and set(evidence) <= set(paper.shown), (identity, evidence)


def test_every_check_was_made_and_every_limit_is_the_stored_one(claimed):
    _, stated, checks = claimed
    for identity, claim in stated.items():
        rows = checks[checks["claim"] == identity]
        assert {entry_of(name, claim.checks) for name in rows["check"]} == set(claim.checks), identity
        for row in rows.itertuples():
            check = claim.checks[entry_of(row.check, claim.checks)]
            printed = float(row.printed) if row.printed != "" else None
            limits = replace(check, printed=printed).limits
            assert (row.kind, row.unit) == (check.kind, check.unit)
            assert (float(row.limit_low), float(row.limit_high)) == pytest.approx(limits), (identity, row.check)


def test_no_conclusion_is_one_that_cannot_fail(claimed):
    """Each deciding check, moved outside its limits alone, turns its claim or keeps it from being reproduced."""
    _, stated, _ = claimed
    for identity, claim in stated.items():
        for name, check in claim.checks.items():
            if check.kind != "conclusion" or check.correction:
                continue
            low, high = check.limits
            outside = high + 1 + abs(high) if np.isfinite(high) else low - 1 - abs(low)
            estimates = {other: _inside(one) for other, one in claim.checks.items()}
            assert conclusion(claim, estimates) in (REPRODUCED, CONTRADICTED), identity
            estimates[name] = {"cell": exact(outside)} if check.each else exact(outside)
            assert conclusion(claim, estimates) in (NOT_REPRODUCED, CORRECTED, CONTRADICTED), (identity, name)


def conclusion(claim, estimates):
    return judge(claim.checks, estimates, claim.id, bool(claim.contradicted)).conclusion


def _inside(check):
    """An estimate that a check accepts."""
    low, high = check.limits
    ends = [end for end in (low, high) if np.isfinite(end)]
    value = np.mean(ends) if len(ends) == 2 else ends[0] + (1 if ends[0] == low else -1) if ends else 1.0
    estimate = exact(value)
    if check.kind == "number" and check.printed is None:
        estimate = replace(estimate, printed=next(iter(check.printed_by.values()), value))
        estimate = replace(exact(estimate.printed), printed=estimate.printed)
    return {"cell": estimate} if check.each else estimate


def test_every_printed_artefact_is_there_or_its_absence_is_explained(claimed):
    paper, _, _ = claimed
    listed = yaml.safe_load((ROOT / "data" / "published" / paper.key / "figures.yaml").read_text("utf-8"))
    ours = {bare(name) for name in paper.figures}
    for entry in listed["figures"]:
        named = set(entry.get("shown_as") or ())
        there = named <= set(paper.figures) if named else bare(str(entry["figure"])) in ours
        assert there or entry.get("absent") or entry["figure"] == "none", (paper.key, entry["figure"])
