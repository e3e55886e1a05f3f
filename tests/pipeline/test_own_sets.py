"""Files of one's own on the command line: in a sweep, and kept as data sets of the checkout."""

from __future__ import annotations

import json

import pytest
import yaml
from test_sweep import ROOT, kept, summaries, sweep

from arboretum.datasets import FetchSettings, fetch, load, prepare
from arboretum.datasets.inferred import Settings
from arboretum.errors import ArboretumError
from arboretum.pipeline.init_dataset import init_dataset
from arboretum.pipeline.own_sets import listed, named, own_name, read_own, take_settings
from arboretum.pipeline.sweep import check_overrides, with_own_sets
from arboretum.project.schema import check_specification
from arboretum.project.workspace import Workspace

TEXT = "size,zip,class\n" + "".join(f"{i % 7 if i % 9 else '?'},{i % 4},{'ab'[i % 2]}\n" for i in range(30))
ARFF = "@attribute a numeric\n@attribute b {x,NA,'y z'}\n@attribute c {no,yes}\n@data\n" + "".join(
    f"{i if i % 5 else '?'},{['x', 'NA', '?'][i % 3]},{'no' if i % 2 else 'yes'}\n" for i in range(20)
)


# ------------------------------------------------------------------ words


def test_settings_are_taken_and_the_rest_is_left():
    settings, rest = take_settings(["seed=1", "target=class", "kinds.zip=nominal", "missing=['',-9, ?]", "drop=id"])
    assert rest == ["seed=1"]
    assert settings == Settings("class", {"zip": "nominal"}, ["", "-9", "?"], ["id"])
    assert listed("[]") == [] and listed("a1..4,class") == ["a1..4", "class"]


def test_names_beside_those_of_the_project():
    assert own_name("some/mine.csv.gz", ["glass"]) == "mine" and own_name("glass.csv", ["glass"]) == "glass.csv"
    assert own_name("my data (1).csv", []) == "my-data--1-" and own_name("openml:31", []) == "openml-31"
    assert named(["glass", "a/mine.csv"], ["glass"]) == {"glass": "glass", "mine": "a/mine.csv"}
    with pytest.raises(ArboretumError, match=r"two data sets are called 'mine': a/mine.csv and b/mine.csv"):
        named(["a/mine.csv", "b/mine.csv"], [])


def test_a_file_is_read_once_until_it_changes(tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text(TEXT)
    first = read_own(str(file), Settings())
    assert read_own(str(file), Settings()) is first
    file.write_text(TEXT + "3,3,a\n")
    assert len(read_own(str(file), Settings()).data.y) == 31
    assert read_own(str(file), Settings(drop=["zip"])).data.X.columns.tolist() == ["size"]


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("learner.alfa=1", "Did you mean 'alpha'?"),
        ("dataset=glas", "Did you mean 'glass'?"),
        ("learner=coalesence", "Did you mean 'coalescence'?"),
    ],
)
def test_wrong_words_of_a_sweep_suggest_the_nearest(override, said):
    with pytest.raises(ArboretumError, match=said.replace("?", r"\?")):
        check_overrides(ROOT / "conf", [override])


def test_a_launcher_that_is_absent_names_its_extra(monkeypatch):
    monkeypatch.setattr("arboretum.pipeline.sweep.find_spec", lambda name: None)
    with pytest.raises(ArboretumError, match=r"arboretum\[sweep\]"):
        check_overrides(ROOT / "conf", ["hydra/launcher=joblib"])
    check_overrides(ROOT / "conf", ["hydra/launcher=basic", "learner=coalescence", "learner.alpha_end=1"][:2])


# ------------------------------------------------------------------ a sweep


def test_a_sweep_over_a_file_and_a_set_of_the_project(tmp_path):
    (tmp_path / "mine.csv").write_text(TEXT)
    grid = ["-m", "dataset=mine.csv,iris", "target=class", "kinds.zip=nominal", "folds=3", "learner.n_estimators=3"]
    done = sweep(tmp_path, *grid)
    assert done.returncode == 0, done.stdout + done.stderr
    first, *_ = done.stdout.splitlines()
    assert first.startswith("mine: 30 rows, 1 numeric and 1 nominal columns, 2 classes of 'class' (a 15, b 15), ")
    (summary,) = summaries(tmp_path)
    assert summary["dataset"].tolist() == ["mine", "iris"] and summary["cases"].tolist() == [30, 150]
    assert sweep(tmp_path, *grid).returncode == 0 and len(kept(tmp_path)) == 2
    (tmp_path / "mine.csv").write_text(TEXT + "3,3,a\n")
    assert sweep(tmp_path, *grid).returncode == 0 and len(kept(tmp_path)) == 3, "a changed file is a new task"
    alone = sweep(tmp_path, "dataset=mine.csv", "target=zip", "kinds.zip=nominal", "folds=3", "learner.n_estimators=3")
    assert "4 classes of 'zip'" in alone.stdout and "cases=31" in alone.stdout


def test_a_faulty_file_is_one_message_for_all_jobs(tmp_path):
    (tmp_path / "mine.csv").write_text(TEXT.replace("1,1,b", "inf,1,b", 1))
    done = sweep(tmp_path, "-m", "dataset=mine.csv", "seed=1,2,3")
    assert done.returncode == 1 and done.stderr.count("not a finite number") == 1 and not kept(tmp_path)
    assert "Traceback" not in done.stderr and "missing=[inf]" in done.stderr


def test_settings_without_a_file_are_refused():
    with pytest.raises(ArboretumError, match=r"dataset=mine\.csv target=class"):
        with_own_sets(Workspace.at(ROOT), ["dataset=glass", "target=class"])


# ------------------------------------------------------------------ kept in the checkout


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("mine.csv", TEXT, ["kinds.zip=nominal"]),
        (
            "mine.csv",
            "\n".join(f"{i},{line}" for i, line in enumerate(TEXT.splitlines(), -1)).replace("-1,", ",", 1),
            [],
        ),
        ("mine.txt", TEXT.replace(",", " ").partition("\n")[2], ["columns=[size,zip,class]", "drop=[zip]"]),
        ("mine.arff", ARFF, ["target=c"]),
        ("mine.csv", TEXT + "1,2,\n", []),
    ],
    ids=["csv", "row numbers", "no names", "arff", "no class"],
)
def test_a_kept_file_is_read_the_same_way_ever_after(tmp_path, file, text, words):
    (tmp_path / file).write_text(text)
    root = tmp_path / "checkout"
    described, copied = init_dataset(Workspace.at(root), str(tmp_path / file), words)
    spec = yaml.safe_load(described.read_text())
    check_specification(described, spec)
    assert spec["name"] == "mine" and copied.parent == root / "data" / "bundled"
    fetch({"mine": spec}, root / "raw", FetchSettings(store=root / "store", root=root), progress=False)
    facts = prepare({"mine": spec}, root / "raw", root / "prepared")["mine"]
    assert facts["status"] == "available" and facts["fingerprint"] == spec["fingerprint"]
    settings, _ = take_settings(words)
    assert load(root / "prepared" / "mine.parquet").fingerprint == read_own(
        str(tmp_path / file), settings
    ).data.fingerprint  # fmt: skip


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "mine.csv").write_text(TEXT)
    workspace = Workspace.at(tmp_path / "checkout")
    init_dataset(workspace, str(tmp_path / "mine.csv"), [])
    with pytest.raises(ArboretumError, match="exists already"):
        init_dataset(workspace, str(tmp_path / "mine.csv"), [])
    assert init_dataset(workspace, str(tmp_path / "mine.csv"), ["name=other"])[0].stem == "other"
    with pytest.raises(ArboretumError, match="unknown setting 'targt=class'"):
        init_dataset(workspace, str(tmp_path / "mine.csv"), ["targt=class"])
    (tmp_path / "My Data.csv").write_text(TEXT)
    with pytest.raises(ArboretumError, match="Say name="):
        init_dataset(workspace, str(tmp_path / "My Data.csv"), [])


def test_the_command_keeps_a_file(checkout, tmp_path):
    (tmp_path / "mine.csv").write_text(TEXT)
    printed = checkout.did("init", "dataset", str(tmp_path / "mine.csv"), "target=class", "drop=[zip]")
    assert "conf/dataset/mine.yaml\ndata/bundled/mine.csv\nNow `arboretum sweep dataset=mine`" in printed
    assert (
        json.dumps(yaml.safe_load((checkout.root / "conf/dataset/mine.yaml").read_text())["parse"]["drop"]) == '["zip"]'
    )
    assert "unknown argument" in checkout.failed("init", "paper", "oak", "target=class")
