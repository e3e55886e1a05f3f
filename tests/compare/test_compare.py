"""``arboretum compare``: paired folds, resuming, statistics by hand, and the page in a browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from arboretum.compare import evaluate
from arboretum.compare.command import compare
from arboretum.compare.folds import planned
from arboretum.compare.settings import Comparison, read_words
from arboretum.compare.verdicts import judge, sentences
from arboretum.datasets import load
from arboretum.ensembles import VRForest
from arboretum.errors import ArboretumError
from arboretum.failures import Terminated, WorkersLost
from arboretum.pipeline.learners import LEARNERS
from arboretum.project.workspace import Workspace

ROOT = Path(__file__).parents[2]
CONF = ROOT / "conf"
RNG = np.random.default_rng(0)
TEXT = "size,colour,class\n" + "".join(
    f"{RNG.normal(i % 2, 0.7):.3f},{'red' if RNG.random() < 0.3 + 0.4 * (i % 2) else ''},{'ab'[i % 2]}\n"
    for i in range(80)
)
QUICK = ["learners=[quick:vr_aggregating,sklearn.dummy.DummyClassifier]", "learners.quick.n_estimators=3", "folds=4"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder to compare in, with a file, and a task store of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARBORETUM_TASKS", str(tmp_path / "tasks"))
    (tmp_path / "mine.csv").write_text(TEXT)
    return tmp_path


def made(folder: Path, words: list[str]) -> dict:
    """What a comparison wrote for machines."""
    page = compare(Workspace.at(ROOT), ["dataset=mine.csv", *words])
    return json.loads((page.parent / "comparison.json").read_text())


# ------------------------------------------------------------------ what is asked


def test_the_words_of_a_comparison():
    words = ["dataset=[glass,a/mine.csv]", "target=kind", "learners=[small:random_forest,coalescence]", "rope=0.5"]
    found = read_words(CONF, [*words, "learners.small.n_estimators=10", "control=small", "repetitions=3", "folds=5"])
    assert dict(found.sets) == {"glass": "glass", "mine": "a/mine.csv"} and found.of_sets.target == "kind"
    assert found.learners["small"]["n_estimators"] == 10 and found.learners["small"]["kind"] == "random_forest"
    assert (found.folds, found.repetitions, found.rope, found.control) == (5, 3, 0.5, "small")
    assert found.test_over_train == 1 / 4
    assert list(read_words(CONF, ["dataset=glass"]).learners)[2] == "HistGradientBoostingClassifier"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "compare on what"),
        (["dataset=glas"], "Did you mean 'glass'"),
        (["dataset=glass", "learners=[coalesence,random_forest]"], "Did you mean 'coalescence'"),
        (["dataset=glass", "learners=[coalescence]"], "needs two learners"),
        (["dataset=glass", "learners=[a.b.C,coalescence]"], "must name a class that can be imported"),
        (["dataset=glass", "learners=[x:coalescence,x:random_forest]"], "two learners are called 'x'"),
        (["dataset=glass", "learners.coalescence.alfa_end=1"], "alpha_end"),
        (["dataset=glass", "learners.coalesence.bagged=true"], "Did you mean 'coalescence'"),
        (["dataset=glass", "fold=3"], "Did you mean 'folds'"),
        (["dataset=glass", "folds=1"], "from 2 on"),
        (["dataset=glass", "rope=-1"], "rope=-1"),
        (["dataset=glass", "control=oak"], "no such learner"),
        (["dataset=glass", "name=../x"], "letters, digits"),
        (["dataset=glass", "name="], "letters, digits"),
        (["dataset=glass", "name=" + 300 * "x"], "100 of them at most"),
        (["dataset=glass", "name=" + 90 * "é"], "100 of them at most"),
        (["dataset=glass", "target=class"], "are of a file"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(words, said):
    with pytest.raises(ArboretumError, match=re.escape(said)):
        read_words(CONF, words)


# ------------------------------------------------------------------ folds


def test_every_learner_sees_the_same_folds_and_repetitions_differ(place, monkeypatch):
    seen: list[tuple[str, tuple[int, ...]]] = []
    real = evaluate.stratified_folds

    def watched(y, folds, **axes):
        splits = real(y, folds, **axes)
        seen.append((str(axes["repetition"]), tuple(splits[0][1])))
        return splits

    monkeypatch.setattr(evaluate, "stratified_folds", watched)
    made(place, [*QUICK, "repetitions=2"])
    assert len(seen) == 4 and len(set(seen)) == 2


def test_what_was_finished_is_not_run_again_and_a_changed_file_is(place, monkeypatch):
    runs: list[dict] = []
    real = evaluate.repetition
    monkeypatch.setattr(evaluate, "repetition", lambda data, task: runs.append(task) or real(data, task))
    first = made(place, [*QUICK, "repetitions=2"])
    assert len(runs) == 4
    assert made(place, [*QUICK, "repetitions=2"])["errors"] == first["errors"] and len(runs) == 4
    made(place, [*QUICK, "repetitions=3", "workers=1", "rope=2"])
    assert len(runs) == 6, "more repetitions add tasks"
    (place / "mine.csv").write_text(TEXT + "1,red,a\n")
    made(place, [*QUICK, "repetitions=2"])
    assert len(runs) == 10


def test_a_learner_that_fails_is_one_message_and_the_others_are_kept(place):
    words = ["learners=[sklearn.dummy.DummyClassifier,sklearn.neighbors.KNeighborsClassifier]", "folds=2"]
    with pytest.raises(ArboretumError, match=r"KNeighborsClassifier failed on mine: ValueError.*goes on from here"):
        made(place, [*words, "learners.KNeighborsClassifier.n_neighbors=50", "repetitions=1"])
    assert len(made(place, [*words, "repetitions=1"])["errors"]) == 2


def test_the_version_of_another_package_is_part_of_a_task(monkeypatch):
    data = load(pd.DataFrame({"a": range(10), "class": list("ab") * 5}))
    comparison = Comparison({"mine": "mine.csv"}, {"hist": {"_target_": "sklearn.dummy.DummyClassifier"}})
    before = dict(planned(comparison, {"mine": data}, {"mine": data}))
    monkeypatch.setattr("arboretum.compare.folds.foreign_version", lambda learner: "9.9")
    assert not set(before) & set(dict(planned(comparison, {"mine": data}, {"mine": data})))


def test_other_packages_get_columns_that_they_can_read(place):
    data = load(place / "mine.csv")
    assert isinstance(evaluate.fitting(HistGradientBoostingClassifier(), data.X), HistGradientBoostingClassifier)
    model = evaluate.fitting(LogisticRegression(), data.X.assign(size=[np.nan, *data.X["size"][1:]]))
    model.fit(data.X, data.y.cat.codes)
    assert model.predict(data.X).shape == (80,)
    assert evaluate.read_as({"_target_": "sklearn.linear_model.LogisticRegression"}, data.X) == (
        "nominal columns one-hot"
    )
    assert evaluate.read_as({"kind": "coalescence"}, data.X) == ""


class Derived(VRForest):
    """A forest of a user, in a module of theirs."""


def test_what_is_derived_from_ours_reads_columns_as_ours_do(place):
    data = load(place / "mine.csv")
    spec = {"_target_": f"{Derived.__module__}.Derived"}
    model, encoded = evaluate.learner_for(spec, data.X, 1)
    assert type(model).__name__ == "Derived" and not encoded, "no one-hot columns, no coded classes"
    assert model.random_state == 1


def test_every_learner_of_ours_is_ours():
    assert all(issubclass(made.func, evaluate.OURS) for made in LEARNERS.values())


class Nagging(DummyClassifier):
    """Warns twice in each fit, once with a text of its own."""

    def fit(self, X, y):
        warnings.warn("did not converge\nsee the manual", ConvergenceWarning, stacklevel=1)
        warnings.warn(f"column of {len(y)}", UserWarning, stacklevel=1)
        return super().fit(X, y)


def test_warnings_are_one_line_for_each_kind(place, capsys):
    mine = f"learners=[{__name__}.Nagging,sklearn.dummy.DummyClassifier]"
    made(place, [mine, "repetitions=2", "folds=3"])
    assert capsys.readouterr().err.splitlines() == [
        "arboretum: Nagging warned 6 times (ConvergenceWarning): did not converge",
        "arboretum: Nagging warned 6 times (UserWarning): column of 53",
    ]


class Interrupted(DummyClassifier):
    """Ctrl-C in a compiled kernel, as Python hands it on."""

    stop: type[BaseException] = KeyboardInterrupt

    def fit(self, X, y):
        try:
            raise self.stop
        except BaseException as stop:
            raise SystemError("CPUDispatcher(grow_trees) returned a result with an exception set") from stop


@pytest.mark.parametrize("stop", [KeyboardInterrupt, Terminated])
def test_a_stop_within_a_kernel_is_no_failure_of_a_learner(place, monkeypatch, stop):
    monkeypatch.setattr(Interrupted, "stop", stop)
    with pytest.raises(stop):
        made(place, [f"learners=[{__name__}.Interrupted,sklearn.dummy.DummyClassifier]", "repetitions=1"])


def test_a_worker_that_dies_ends_a_comparison_in_words(place):
    with pytest.raises(WorkersLost, match="a worker process died"):
        made(place, [f"learners=[{__name__}.Deadly,sklearn.dummy.DummyClassifier]", "repetitions=1", "workers=2"])


class Deadly(DummyClassifier):
    def fit(self, X, y):
        os._exit(1)


# ------------------------------------------------------------------ verdicts


def table_of(rates: dict[str, np.ndarray], dataset: str = "mine", cases: int = 20) -> pd.DataFrame:
    """Folds with so many errors: learner -> (repetitions x folds)."""
    return pd.DataFrame(
        [
            {"dataset": dataset, "learner": learner, "repetition": r, "fold": f, "errors": errors, "cases": cases}
            | {"train": 4 * cases, "fit_seconds": 1.0, "predict_seconds": 0.1}
            for learner, found in rates.items()
            for (r, f), errors in np.ndenumerate(found)
        ]
    )


def asked(sets: list[str], learners: list[str], **more: object) -> Comparison:
    return Comparison({name: name for name in sets}, {name: {} for name in learners}, folds=5, repetitions=2, **more)


def test_one_set_by_hand():
    rates = {"oak": np.array([[1, 2, 0, 1, 2], [2, 1, 1, 0, 1]]), "elm": np.array([[3, 2, 2, 4, 3], [2, 4, 3, 1, 2]])}
    found = judge(asked(["mine"], ["oak", "elm"]), table_of(rates))
    oak, elm = found.errors.itertuples()
    assert (oak.error, elm.error) == (pytest.approx(5.5), pytest.approx(13.0)) and (oak.rank, elm.rank) == (1, 2)
    assert 0 < oak.low < 5.5 < oak.high and oak.high - 5.5 > 5.5 - oak.low, "never below 0"
    differences = 100 * (rates["oak"] - rates["elm"]).ravel() / 20
    error = np.sqrt((1 / 10 + 1 / 4) * differences.var(ddof=1))
    (pair,) = found.pairs.itertuples()
    assert pair.difference == pytest.approx(-7.5)
    assert pair.p == pytest.approx(2 * stats.t.sf(7.5 / error, 9)) == pytest.approx(pair.p_holm)
    np.testing.assert_allclose([pair.low, pair.high], -7.5 + np.array([-1, 1]) * stats.t.ppf(0.975, 9) * error)
    assert pair.first_better == pytest.approx(stats.t.cdf((-1 + 7.5) / error, 9))
    assert found.overall.empty and found.tests == {}


def test_few_sets_are_judged_one_by_one_and_said_so():
    rates = {"oak": np.ones((2, 5), int), "elm": np.ones((2, 5), int)}
    folds = pd.concat([table_of(rates, name) for name in "abc"])
    comparison = asked(list("abc"), ["oak", "elm"])
    found = judge(comparison, folds)
    assert len(found.overall) == 2 and found.pairs_overall.empty and found.tests == {}
    assert "3 data sets are too few" in sentences(comparison, found)[0]


@pytest.mark.parametrize("names", ["a", "abc"])
def test_a_control_without_enough_sets_is_said_to_be_unused(names):
    folds = pd.concat([table_of({"oak": np.ones((2, 5), int), "elm": np.ones((2, 5), int)}, name) for name in names])
    for control, said in [("oak", ["control=oak is not used"]), (None, [])]:
        comparison = asked(list(names), ["oak", "elm"], control=control)
        sentence = [one for one in sentences(comparison, judge(comparison, folds)) if "control" in one]
        assert [one.partition(":")[0] for one in sentence] == said


@pytest.mark.parametrize("sets", [1, 3, 7])
def test_intervals_of_errors_stay_between_0_and_100(sets):
    """Learners that err never, always, and once in a while, on few and on many sets."""
    rates = {"never": 0, "always": 20, "once": np.eye(2, 5, dtype=int), "seldom_not": 20 - np.eye(2, 5, dtype=int)}
    rates = {name: np.broadcast_to(errors, (2, 5)) for name, errors in rates.items()}
    names = [f"set{i}" for i in range(sets)]
    found = judge(asked(names, list(rates)), pd.concat([table_of(rates, name) for name in names]))
    for table in [found.errors] + [found.overall] * (sets > 1):
        known = table[np.isfinite(table["low"])]
        assert len(known) == len(table)
        assert (known["low"] >= 0).all() and (known["high"] <= 100).all()
        assert (known["low"] <= known["error"]).all() and (known["error"] <= known["high"]).all()


def test_many_sets_have_friedman_and_holm():
    rng = np.random.default_rng(1)
    names = [f"set{i}" for i in range(12)]
    folds = pd.concat(
        [
            table_of({k: rng.binomial(20, p, (2, 5)) for k, p in [("oak", 0.1), ("elm", 0.3), ("ash", 0.31)]}, name)
            for name in names
        ]
    )
    comparison = asked(names, ["oak", "elm", "ash"], control="oak")
    found = judge(comparison, folds)
    wide = found.errors.pivot(index="dataset", columns="learner", values="error")
    expected = stats.friedmanchisquare(*wide.T.to_numpy())
    assert found.tests["friedman_chi_square"] == pytest.approx(expected.statistic, rel=0.05)
    assert set(found.pairs_overall["p_holm"] < 0.05) == {True, False}
    assert found.overall.set_index("learner").loc["oak", "p_against_control"] == 1
    said = " ".join(sentences(comparison, found))
    assert "oak has the best mean rank" in said and "oak is better than elm" in said and "better than ash" in said
    low = found.overall["low"].to_numpy()
    assert (low >= 0).all() and (low < found.overall["error"]).all()


# ------------------------------------------------------------------ the page


def test_files_and_page(place, capsys):
    found = made(place, [*QUICK, "repetitions=2", "name=here"])
    printed = capsys.readouterr().out
    assert printed.startswith("mine: 80 rows") and "page: outputs/compare/here/index.html" in printed
    folder = place / "outputs" / "compare" / "here"
    assert len(pd.read_csv(folder / "folds.csv")) == 16
    assert pd.read_csv(folder / "errors.csv")["learner"].tolist() == ["quick", "DummyClassifier"]
    assert found["settings"]["folds"] == 4 and found["conclusions"]
    page = (folder / "index.html").read_text()
    assert not re.findall(r"""(?:src|href)=["'](?!#)""", page.replace('xlink:href="#', "")), "nothing from elsewhere"
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids)), "figures in one page share no names"
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', page))
    assert used <= set(ids)


def test_the_page_in_a_browser(place):
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("no chromium on this machine; .ci/run installs Debian's")
    compare(Workspace.at(ROOT), ["dataset=mine.csv", *QUICK, "repetitions=2", "name=here"])
    with driver.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 390, "height": 844})
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto((place / "outputs/compare/here/index.html").as_uri())
        assert page.locator("#verdict li").count() >= 2
        assert page.locator("figure svg").count() == 2 and page.locator("table").count() == 2
        assert "quick" in page.locator("h1").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "no page wider than a phone"
        widths = page.evaluate(
            "[...document.querySelectorAll('figure svg')].map(one => one.getBoundingClientRect().width)"
        )
        assert all(width > 100 for width in widths) and said == []
        browser.close()
