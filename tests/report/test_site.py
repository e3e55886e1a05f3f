from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from arboretum.errors import ArboretumError
from arboretum.report import build, site

BOX = re.compile(r"<!-- provenance of this build: begin -->.*<!-- provenance of this build: end -->", re.DOTALL)
VOID = {"meta", "link", "img", "input", "br", "hr"}


class Page(HTMLParser):
    """Collects ids and addresses, and sees that every element that opens also closes."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.open: list[str] = []
        self.problems: list[str] = []
        self.feed(path.read_text("utf-8"))
        self.close()
        self.problems += [f"<{tag}> never closes" for tag in self.open]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.note(attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.note(attributes)

    def note(self, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if len(given) < len(attributes):
            self.problems.append(f"an attribute given twice: {attributes}")
        self.ids += [given["id"]] if "id" in given else []
        self.addresses += [given[key] for key in ("href", "src") if key in given]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes what is not open, at {self.getpos()}")


def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


def test_every_page_is_well_formed_and_has_no_id_twice(site: Path) -> None:
    found = pages(site)
    names = {path.relative_to(site).as_posix() for path in found}
    assert {
        "index.html",
        "claims.html",
        "full/oak.html",
        "full/elm.html",
        "quick/oak.html",
        "sets/glass.html",
    } < names
    for path, page in found.items():
        assert not page.problems, (path, page.problems)
        assert len(page.ids) == len(set(page.ids)), path


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    found = pages(site)
    for path, page in found.items():
        for address in page.addresses:
            parts = urlsplit(address)
            assert not parts.scheme and not parts.netloc, (path, address)
            target = (path.parent / parts.path).resolve() if parts.path else path
            assert target.is_file(), (path, address)
            assert not parts.fragment or parts.fragment in found[target].ids, (path, address)
    for path in [*found, site / "style.css"]:
        assert "http://" not in path.read_text("utf-8") and "https://" not in path.read_text("utf-8"), path


def test_two_builds_differ_in_the_provenance_box_alone(root: Path) -> None:
    first, second = (build(root, root / "report" / name).parent for name in ("a", "b"))
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(second) for path in second.rglob("*") if path.is_file())
    for file in files:
        texts = [(site / file).read_bytes() for site in (first, second)]
        if file.name == "provenance.html":
            texts = [BOX.sub("", text.decode()) for text in texts]
            assert "libraries" not in texts[0]
        assert texts[0] == texts[1], file


def test_only_papers_with_results_appear(site: Path) -> None:
    assert sorted(path.name for path in (site / "full").iterdir()) == ["elm.html", "oak.html"]
    assert "full/ash" not in (site / "index.html").read_text("utf-8")
    assert "Table 9" not in (site / "full" / "oak.html").read_text("utf-8")  # its experiment does not run here
    assert "ash" not in (site / "deviations.html").read_text("utf-8")


def test_the_page_of_a_paper_holds_what_is_stored(site: Path) -> None:
    text = (site / "full" / "oak.html").read_text("utf-8")
    for verdict in ("✓ reproduced", "✕ not reproduced", "≈ inconclusive", "○ not assessed"):
        sign, _, words = verdict.partition(" ")
        assert f"{verdict}</span>" in text  # at its claim
        assert f"{sign} 1<span> {words}</span></a>" in text  # counted at the top
    assert "Ours is worse &lt;on&gt; two sets &amp; better on none." in text
    assert "a choice behind this claim was made looking at the printed number" in text
    assert "1 claims of the paper without a verdict here" in text and "Claim 5 holds." in text
    assert "C5 was &lt;closed&gt;" in text and "All else agrees." in text
    assert "a dip" in text and "trees: 100" in text
    assert text.count('class="drawing"') == 2
    assert text.count('class="strip"') == 5  # three checks of a claim each, and two cells


def test_a_claim_shows_its_checks_their_rule_and_how_many_numbers_agree(site: Path) -> None:
    claim = (site / "full" / "oak.html").read_text("utf-8").partition('id="oak-c01"')[2].partition("</article>")[0]
    assert "3.93 (3.76 to 4.10) points" in claim and "above 0 points" in claim
    assert "error: 2 of 2 hold" in claim
    assert "1 of 2 agree" in (site / "claims.html").read_text("utf-8")


def test_the_pages_of_a_paper_link_to_its_other_profiles(site: Path) -> None:
    for profile, other in (("full", "quick"), ("quick", "full")):
        text = (site / profile / "oak.html").read_text("utf-8")
        assert f'href="../{other}/oak.html">{other}</a>' in text
    assert 'class="profiles"' not in (site / "full" / "elm.html").read_text("utf-8")


def test_a_profile_that_judges_nothing_leaves_verdicts_and_printed_means_to_the_one_that_does(site: Path) -> None:
    text = (site / "quick" / "oak.html").read_text("utf-8")
    assert 'href="../full/oak.html#claims"' in text and "oak-c01" not in text
    assert "Printed means are left out of the drawing" in text
    assert "printed-means" not in text and "printed-means" in (site / "full" / "oak.html").read_text("utf-8")


def test_what_a_claim_rests_on_is_one_click_away(site: Path) -> None:
    text = (site / "full" / "oak.html").read_text("utf-8")
    claim = text.partition('id="oak-c01"')[2].partition("</article>")[0]
    assert 'href="#table1"' in claim and 'href="#table1.glass"' in claim
    row = text.partition('id="table1.glass"')[2].partition("</tr>")[0]
    assert "glass" in row and "table1.glass" in (site / "sets" / "glass.html").read_text("utf-8")


def test_what_was_verified_on_this_machine_is_said_on_the_first_page(root: Path) -> None:
    assert "not recomputed on this machine" in (build(root, root / "report").read_text("utf-8"))
    found = {"cells": 1234, "seconds": 9.6, "differences": []}
    record = {"profile": "quick", "machine": {"date": "today", "processor": "x", "Python": "3"}, "packages": {}}
    path = root / ".arboretum" / "compared" / "quick.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({**record, "papers": {"oak": found}}), encoding="utf-8")
    text = build(root, root / "report").read_text("utf-8")
    assert "Verified on this machine: 1,234 cells of quick recomputed" in text
    assert "Recomputed here (quick) in 10 s: no differences in 1,234 cells" in text
    changed = {"file": "table1.csv", "row": "glass", "column": "oak", "stored": 1, "found": 2, "tolerance": None}
    path.write_text(json.dumps({**record, "papers": {"oak": {**found, "differences": [changed]}}}), encoding="utf-8")
    text = build(root, root / "report").read_text("utf-8")
    assert "1 difference in 1,234 cells" in text and "<td>glass</td>" in text


def test_tables_are_there_to_download_byte_for_byte(planted: Path, site: Path) -> None:
    for name in ("table1.csv", "figure1.csv", "claims.csv"):
        stored = planted / "results" / "full" / "oak" / "tables" / name
        assert (site / "files" / "full" / "oak" / name).read_bytes() == stored.read_bytes()
    assert (site / "files" / "full" / "oak" / "accuracy.parquet").is_file()


def test_the_page_of_a_set_says_what_is_known_of_it(site: Path) -> None:
    text = (site / "sets" / "glass.html").read_text("utf-8")
    for expected in ("The glass set", "CC BY 4.0", "two identical rows &lt;kept&gt;", "66.7%", "676c617373"):
        assert expected in text
    assert "no source has it" in (site / "sets" / "nursery.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("results/full/oak/tables/table1.csv", "arboretum render oak --profile full"),
        ("results/full/oak/tables/figure2.csv", "arboretum render oak --profile full"),
        ("results/full/oak/tables/claims.csv", "arboretum render oak --profile full"),
        ("results/full/elm/metrics.json", "arboretum render elm --profile full"),
        ("figures/full/oak/figure1.svg", "arboretum render oak --profile full"),
        ("data/manifest/full/oak.json", "arboretum fetch --profile full"),
        ("conf/dataset/iris.yaml", "unknown data set"),
        ("params.yaml", "make params"),
    ],
)
def test_a_missing_file_is_named_with_the_command_that_makes_it(root: Path, file: str, command: str) -> None:
    (root / file).unlink()
    with pytest.raises(ArboretumError) as problem:
        build(root, root / "report")
    assert file in str(problem.value) and command in str(problem.value)


def test_a_build_that_fails_leaves_the_site_as_it_was_and_no_litter(root: Path) -> None:
    site = build(root, root / "sites" / "report").parent
    before = (site / "provenance.html").read_bytes()
    (root / "figures" / "full" / "oak" / "figure2.svg").unlink()
    with pytest.raises(ArboretumError):
        build(root, site)
    assert (site / "provenance.html").read_bytes() == before
    assert [path.name for path in site.parent.iterdir()] == ["report"]


def test_a_new_build_replaces_the_old_one_whole(root: Path) -> None:
    site = build(root, root / "sites" / "report").parent
    (site / "stale.html").write_text("old")
    build(root, site)
    assert not (site / "stale.html").exists() and [path.name for path in site.parent.iterdir()] == ["report"]


def test_a_folder_that_is_no_report_is_never_replaced(root: Path) -> None:
    with pytest.raises(ArboretumError, match="is not a report"):
        build(root, root / "data")
    assert (root / "data" / "manifest").is_dir()


def test_a_checkout_without_results_says_what_to_run(root: Path) -> None:
    shutil.rmtree(root / "results")
    with pytest.raises(ArboretumError, match="arboretum render --profile quick"):
        build(root, root / "report")


def test_deviations_without_a_column_are_refused(root: Path) -> None:
    (root / "docs" / "deviations.csv").write_text("paper,where\noak,sec 1\n", encoding="utf-8")
    with pytest.raises(ArboretumError, match="printed_protocol"):
        build(root, root / "report")


def test_a_verdict_that_nobody_gave_is_refused(root: Path) -> None:
    path = root / "results" / "full" / "oak" / "tables" / "claims.csv"
    path.write_text(path.read_text("utf-8").replace("inconclusive", "splendid"), encoding="utf-8")
    with pytest.raises(ArboretumError, match="splendid"):
        build(root, root / "report")


def test_what_a_killed_build_left_is_swept_and_that_of_a_living_one_is_not(root: Path, tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, living = tmp_path / f".site.{ended.pid}.abc", tmp_path / f".site.{os.getpid()}.abc"
    for folder in (left, living):
        (folder / "new").mkdir(parents=True)
    build(root, tmp_path / "site")
    assert not left.exists() and living.exists()


def test_builds_at_once_leave_one_whole_site(tmp_path):
    """Each moves the site of another away and puts its own there, a hundred times."""
    out = tmp_path / "report"

    def build(number):
        for step in range(100):
            aside = tmp_path / f"{number}-{step}"
            new = aside / "new"
            new.mkdir(parents=True)
            for name in ("index.html", "style.css"):
                (new / name).write_text(f"{number} {step}")
            site._take_place(new, out, aside)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(build, range(4)))
    assert (out / "index.html").read_text() == (out / "style.css").read_text()
    assert {path.name for path in out.iterdir()} == {"index.html", "style.css"}


def test_what_a_killed_build_left_is_swept_and_that_of_a_living_one_stays(root: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left, living = (root / f".site.{process}.x" for process in (dead.pid, os.getpid()))
    for folder in (left, living):
        (folder / "new").mkdir(parents=True)
        (folder / "new" / "index.html").write_text("half a report")
    build(root, root / "site")
    assert not left.exists() and living.exists()
