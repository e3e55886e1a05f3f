"""The package as others install it: wheel and sdist, no more than declared, the README's example in an empty place."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CORE = ("ensembles", "measures", "theory", "trees")
#: What the extras bring, as imported; deptry checks that nothing else is imported.
DATA = ("PIL", "pooch", "pyarrow", "requests", "tqdm", "unearth", "yaml")
EXTRAS = (
    *("argcomplete", "contourpy", "dask", "distributed", "dvc", "hydra", "jinja2", "markupsafe", "matplotlib"),
    *("omegaconf", "openml", "pydantic", "pydantic_core"),
)


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess:
    """The command, away from this checkout: no PYTHONPATH leads back to it."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [str(part) for part in command], cwd=cwd, env=inherited | environment, capture_output=True, text=True
    )


def python_without(names: Iterable[str], code: str) -> subprocess.CompletedProcess:
    """Run code where some libraries seem not to be installed."""
    absent = f"import importlib, pkgutil, sys\nsys.modules.update(dict.fromkeys({names!r}))\n"
    return run(sys.executable, "-c", absent + code, PYTHONPATH=str(ROOT / "src"))


@pytest.mark.parametrize(("package", "absent"), [("datasets", EXTRAS), *((name, DATA + EXTRAS) for name in CORE)])
def test_the_library_imports_without_the_extras(package, absent):
    done = python_without(
        absent,
        f"package = importlib.import_module('arboretum.{package}')\n"
        "modules = [one.name for one in pkgutil.walk_packages(package.__path__, package.__name__ + '.')]\n"
        "for name in modules: importlib.import_module(name)\n"
        "print(len(modules))",
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 5


def test_an_extra_of_a_command_brings_the_command_line():
    extras = PROJECT["optional-dependencies"]
    assert "arboretum[pipeline]" in extras["sweep"] and extras["joblib"] == ["arboretum[sweep]"]


@pytest.mark.parametrize("name", DATA)
def test_data_sets_say_which_extra_they_lack(name):
    done = python_without((name,), "import arboretum.datasets")
    assert done.stderr.endswith(f"arboretum.datasets needs {name}: pip install 'arboretum[data]'\n")


def test_the_core_reads_frames_without_the_extras():
    done = python_without(
        DATA + EXTRAS,
        "import pandas as pd\n"
        "from arboretum.ensembles import PERT\n"
        "X = pd.DataFrame({'size': range(40), 'colour': ['red', 'blue', 'blue', None] * 10})\n"
        "print(PERT(n_estimators=3, random_state=0).fit(X, ['a', 'b'] * 20).predict(X).shape)",
    )
    assert done.stdout == "(40,)\n", done.stderr


def test_the_command_line_says_which_extra_it_lacks():
    done = python_without(EXTRAS, "from arboretum.__main__ import main; sys.exit(main(['data', 'status']))")
    assert done.returncode == 1
    assert "pip install 'arboretum[pipeline]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_versions_agree():
    from arboretum import __version__

    assert PROJECT["version"] == __version__


def test_the_lock_names_no_package_index():
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    assert not re.search(r"://|--index|--find-links|--trusted", lock)


PLAIN_NUMBA = """
import sys, warnings
import numba.core.codegen
if "--plain" in sys.argv:
    del numba.core.codegen.JITCodeLibrary  # as in a numba that has renamed it
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from arboretum.ensembles import PERT  # the rule that compiles fastest
    import arboretum.trees.grow
import numpy as np
from sklearn.datasets import load_wine
X, y = load_wine(return_X_y=True)
proba = PERT(n_estimators=5, random_state=3).fit(X, y).predict_proba(X)
print(sum("numba" in str(one.message) for one in caught), repr(proba.tobytes().hex()))
"""


@pytest.mark.slow
def test_a_numba_without_its_private_parts_gives_one_warning_and_the_same_trees(tmp_path):
    usual = run(sys.executable, "-c", PLAIN_NUMBA, PYTHONPATH=str(ROOT / "src"))
    environment = {"PYTHONPATH": str(ROOT / "src"), "ARBORETUM_CACHE_DIR": str(tmp_path)}
    plain = run(sys.executable, "-c", PLAIN_NUMBA, "--plain", **environment)
    assert usual.returncode == plain.returncode == 0, usual.stderr + plain.stderr
    assert usual.stdout.split()[0] == "0"
    assert plain.stdout.split()[0] == "1"
    assert usual.stdout.split()[1] == plain.stdout.split()[1]


# ------------------------------------------------------------------ wheel and sdist


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> dict[str, Path]:
    """Wheel and sdist, built as a release would build them, with the tools of this environment."""
    place = tmp_path_factory.mktemp("dist")
    done = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", place, ROOT)
    assert done.returncode == 0, done.stderr
    return {"wheel": next(place.glob("*.whl")), "sdist": next(place.glob("*.tar.gz"))}


@pytest.mark.slow
def test_wheel_and_sdist_hold_what_they_should(built):
    wheel = set(zipfile.ZipFile(built["wheel"]).namelist())
    sources = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src" / "arboretum").rglob("*.py")}
    assert sources <= wheel
    assert {"arboretum/py.typed", "arboretum/papers/vrtrees/findings.yaml"} <= wheel
    assert not [name for name in wheel if name.startswith(("tests/", "benchmarks/"))]
    with tarfile.open(built["sdist"]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "pyproject.toml", "src/arboretum/py.typed"} <= names


@pytest.mark.slow
def test_an_empty_environment_with_the_wheel_runs_the_example_of_the_readme(built, tmp_path):
    example = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert run(sys.executable, "-m", "venv", tmp_path / "venv").returncode == 0
    python = tmp_path / "venv" / "bin" / "python"
    pip = (python, "-m", "pip", "--disable-pip-version-check")
    if run(*pip, "download", "--quiet", "--no-deps", "--dest", tmp_path, "platformdirs").returncode:
        pytest.skip("no package index answers")
    installed = run(*pip, "install", "--quiet", built["wheel"])
    assert installed.returncode == 0, installed.stderr
    found = {line.partition("==")[0].lower() for line in run(*pip, "freeze").stdout.split()}
    assert not found & {
        "pyarrow",
        "pooch",
        "requests",
        "unearth",
        "pillow",
        "tqdm",
        "dvc",
        "hydra-core",
        "matplotlib",
        "dask",
        "openml",
        "pytest",
    }
    (tmp_path / "example.py").write_text(example[1])
    environment = {"ARBORETUM_CACHE_DIR": str(tmp_path / "cache")}
    done = run(python, tmp_path / "example.py", cwd=tmp_path, **environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout == example[2]
