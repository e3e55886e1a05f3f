"""claims.yaml is read like a schema: what is wrong is named with file, claim and key."""

from __future__ import annotations

import pytest

from arboretum.errors import ArboretumError
from arboretum.papers.kit.estimate import exact
from arboretum.papers.kit.stated import Stated, read_claims

ENTRY = {
    "id": "oak-c01",
    "where": "sec 1",
    "statement": "Oaks\n  win.",
    "checks": {"gain": {"kind": "conclusion", "above": 0}},
}


def test_a_claim_is_read_judged_and_remarked():
    stated = read_claims([{**ENTRY, "remark": "By {c01[gain]:.1f}."}], "claims.yaml")["oak-c01"]
    judged = stated.judged({"gain": exact(2)})
    assert (stated.statement, judged.conclusion, judged.remark) == ("Oaks win.", "reproduced", "By 2.0.")


def test_what_contradicts_itself_says_where():
    stated = Stated.read({**ENTRY, "contradicted": "Table 1 says so, section 3 does not."}, "claims.yaml")
    judged = stated.judged({"gain": exact(2)})
    assert judged.conclusion == "the paper contradicts itself"
    assert judged.remark == "Table 1 says so, section 3 does not."


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ([{**ENTRY, "predicate": "a > b"}], "oak-c01 has an unknown key 'predicate'"),
        ([{**ENTRY, "where": ""}], "oak-c01 needs where"),
        ([{key: ENTRY[key] for key in ("where", "statement")}], "a claim without id needs id"),
        ([{**ENTRY, "checks": ["gain"]}], "checks needs one entry per name"),
        ([{**ENTRY, "checks": {"gain": {"kind": "conclusion", "abov": 0}}}], "check 'gain' has an unknown key 'abov'"),
        ([ENTRY, ENTRY], "the claim oak-c01 stands twice"),
        (["oak-c01"], "'oak-c01' is no claim"),
        (None, "needs claims: a list"),
    ],
)
def test_a_faulty_file_is_named(entries, says):
    with pytest.raises(ArboretumError, match=rf"claims.yaml.*{says}"):
        read_claims(entries, "claims.yaml")


def test_a_remark_that_names_no_check_is_an_error():
    stated = Stated.read({**ENTRY, "remark": "By {c01[gian]:.1f}."}, "claims.yaml")
    with pytest.raises(ArboretumError, match=r"oak-c01: the remark names 'gian', no check.*gain"):
        stated.judged({"gain": exact(2)})
