"""claims.yaml is read like a schema: what is wrong is named with file, claim and key."""

from __future__ import annotations

import pytest

from arboretum.errors import ArboretumError
from arboretum.papers.kit.estimate import exact
from arboretum.papers.kit.stated import Stated, claims_of, read_claims

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


def checked(**keys: object) -> dict[str, object]:
    return {**ENTRY, "checks": {"gain": {"kind": "conclusion", "above": 0, **keys}}}


def number(**keys: object) -> dict[str, object]:
    return {**ENTRY, "checks": {"gain": {"kind": "number", "printed": 1, "within": 0.1, **keys}}}


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({**ENTRY, "informed_by_print": "no"}, "informed_by_print needs true or false"),
        ({**ENTRY, "remark": 5}, "remark needs a text, not 5"),
        ({**ENTRY, "contradicted": ["a"]}, "contradicted needs a text"),
        ({**ENTRY, "checks": []}, "checks needs one entry per name"),
        ({**ENTRY, "checks": None}, "checks needs one entry per name"),
        ({**ENTRY, "checks": {3: {"kind": "shown"}}}, "the name of a check must be a text, not 3"),
        ({**ENTRY, 5: "a"}, "has an unknown key 5"),
        (checked(kind=["conclusion"]), "check 'gain': kind needs a text"),
        (checked(correction="no"), "check 'gain': correction needs true or false"),
        (checked(above=float("nan")), "check 'gain': above needs a finite number"),
        (checked(above=10**400), "check 'gain': above needs a finite number"),
        (checked(unit=5), "check 'gain': unit needs a text"),
        (checked(each=["set"]), "check 'gain': each needs a text"),
        ({**ENTRY, "checks": {"gain": {"kind": "conclusion", "inside": [0, float("inf")]}}}, "inside needs a finite"),
        ({**ENTRY, "checks": {"gain": {5: "shown"}}}, "check 'gain' has an unknown key 5"),
        (number(printed=float("inf")), "check 'gain': printed needs a finite number"),
        (number(printed="1"), "check 'gain': printed needs a finite number"),
        (number(each="set", printed={1: 2}), "check 'gain': printed needs a finite number, or one for each cell"),
        (number(each="set", printed={"a": float("nan")}), "check 'gain': printed needs a finite number"),
        (number(within=float("inf")), "check 'gain': within needs a finite number"),
        (number(within="nan%"), "check 'gain': within needs a finite number"),
        (number(within="-5%"), "check 'gain': within needs a finite number"),
        (number(**{"as": ["one run"]}), "check 'gain': as needs a text"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(entry, says):
    with pytest.raises(ArboretumError, match=rf"claims.yaml: oak-c01.*{says}"):
        read_claims([entry], "claims.yaml")


TEXT = """
paper: oak
claims:
- id: oak-c01
  where: sec 1
  statement: Oaks win.
  checks:
    gain: {kind: conclusion, above: 0}
"""


def test_a_file_is_read_with_its_claims():
    assert list(claims_of(TEXT, "claims.yaml")) == ["oak-c01"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TEXT + "    gain: {kind: conclusion, above: -9}\n", "the key 'gain' stands twice"),
        (TEXT.replace("above: 0", "above: 0, above: -9"), "the key 'above' stands twice"),
        (TEXT + "  where: sec 2\n", "the key 'where' stands twice"),
        (TEXT + "claims: []\n", "the key 'claims' stands twice"),
        (TEXT + "clams: []\n", "unknown key 'clams'.*claims"),
        (TEXT + "7: []\n", "unknown key 7"),
        (TEXT.replace("paper: oak", "paper: [oak]"), "paper needs a text"),
        (TEXT.replace("paper: oak", "[paper, oak]: 1"), "not valid YAML"),
        (TEXT.replace("above: 0", "above: .nan"), "above needs a finite number"),
        (TEXT + "  informed_by_print: 'no'\n", "informed_by_print needs true or false"),
        ("paper: oak\n", "needs claims: a list"),
        ("- id: oak-c01\n", "needs paper: its key, and claims"),
        ("", "needs paper: its key, and claims"),
    ],
)
def test_a_file_that_says_something_twice_or_too_much_is_refused(text, says):
    with pytest.raises(ArboretumError, match=rf"^claims.yaml.*{says}"):
        claims_of(text, "claims.yaml")
