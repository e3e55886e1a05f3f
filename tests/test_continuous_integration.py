"""The workflow, the container and the dev container run commands that exist."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
TARGETS = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8"))


def test_the_workflow_runs_targets_of_the_makefile():
    steps = [step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step]
    assert {step.removeprefix("make ") for step in steps} == {"test", "reproduce", "docs", "audit"} <= TARGETS


def test_the_workflow_covers_the_pythons_that_the_project_states():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    stated = [name.rpartition(" ")[2] for name in project["classifiers"] if re.search(r":: 3\.\d+$", name)]
    matrix = WORKFLOW["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == stated
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos"}


def test_actions_and_the_base_of_the_container_are_pinned_by_hash():
    uses = [step["uses"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "uses" in step]
    assert len(uses) > 5
    for action in uses:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
    bases = [line for line in (ROOT / "Dockerfile").read_text("utf-8").splitlines() if line.startswith("FROM")]
    assert all(re.fullmatch(r"FROM \S+@sha256:[0-9a-f]{64}", line) for line in bases) and len(bases) == 1


def test_one_hash_per_action_and_newer_ones_are_proposed():
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    pinned = {(name, digest) for name, digest in re.findall(r"uses: (\S+)@(\w+)  # v[\d.]+$", text, re.MULTILINE)}
    assert len(pinned) == len({name for name, _ in pinned}) == 4
    updates = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text("utf-8"))["updates"]
    assert {update["package-ecosystem"] for update in updates} == {"github-actions", "docker"}


def test_the_container_does_not_run_as_root():
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    user = next(place for place, line in enumerate(lines) if line.startswith("USER"))
    assert lines[user] not in ("USER root", "USER 0")
    copies = [line for line in lines[user:] if line.startswith("COPY")]
    assert copies and all(line.startswith("COPY --chown=arboretum ") for line in copies)
    assert not any("apt-get" in line for line in lines[user:])


def test_the_container_copies_what_its_environment_is_made_from():
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    before = lines[: lines.index("RUN make .venv/.ready")]
    copied = [name for line in before if line.startswith("COPY") for name in line.split()[2:-1]]
    assert {"requirements.lock", "pyproject.toml", "Makefile", "tools/environment.sh"} <= set(copied)
    for name in copied:
        assert (ROOT / name).is_file(), name
    assert lines[-1] == 'CMD ["make", "reproduce"]'


def test_the_dev_container_is_built_from_the_same_file():
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    assert (ROOT / ".devcontainer" / container["build"]["dockerfile"]).resolve() == ROOT / "Dockerfile"
