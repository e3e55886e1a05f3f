"""Fetch and prepare the data sets of a profile, and write the manifests that experiments depend on.

A manifest says for one paper at one profile which sets there are: ``set -> facts with fingerprint``, or why a set
cannot be had. Experiments depend on it and never on the data folder, so one set more or less invalidates nothing
else. It holds nothing of the machine: the same data give the same bytes whatever source it came from.

A set that is not the one which its configuration pins, or which a manifest of stored results names, is refused before
anything is written, unless the user accepts it by name.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from arboretum.datasets import FetchSettings, fetch, load, prepare, status_table
from arboretum.datasets.prepare import Expected, describe, is_drawn, pinned, refuse_changed
from arboretum.datasets.record import read_record
from arboretum.errors import ArboretumError
from arboretum.project import params as parameters
from arboretum.project.manifest import read_manifest
from arboretum.project.params import Params
from arboretum.project.workspace import PROFILES, Workspace
from arboretum.seeds import STORED, rooted
from arboretum.writing import write_text


def fetch_settings(workspace: Workspace, params: Params) -> FetchSettings:
    """How to fetch: the ``data`` section of the parameters; the environment fills what it leaves open."""
    section = {key: value for key, value in params["data"].items() if key != "allow_missing" and value is not None}
    for key in ("mirror", "store"):
        if key in section:
            section[key] = Path(section[key])
    return FetchSettings(root=workspace.root, **section)


def fetch_profile(workspace: Workspace, params: Params, profile: str, progress: bool = True) -> dict[str, Any]:
    """Fetch what ``profile`` needs into ``data/raw/<profile>``, and nothing else stays there."""
    names = parameters.sets_of_profile(params, profile)
    fetched = fetch_sets(workspace, params, profile, names, progress)
    _remove_others(workspace.raw_data(profile), names)
    return fetched


def fetch_sets(
    workspace: Workspace, params: Params, profile: str, names: Iterable[str], progress: bool = True
) -> dict[str, Any]:
    specs = {name: parameters.spec_of(params, name) for name in names}
    fetched = fetch(specs, workspace.raw_data(profile), fetch_settings(workspace, params), progress=progress)
    if lost := [name for name, result in fetched.items() if result.unreachable]:
        print(
            f"arboretum: nothing could be reached that has {', '.join(lost)}. Is there a network, and does pip know "
            "the index or proxy to use? Sets that are on this machine already need none.",
            file=sys.stderr,
        )
    return fetched


def prepare_profile(
    workspace: Workspace, params: Params, profile: str, allow_missing: bool = False, accepted: Collection[str] = ()
) -> None:
    """Prepare what ``profile`` fetched and write its manifests, unless a set of stored results is lost or changed."""
    names = parameters.sets_of_profile(params, profile)
    facts = prepare_sets(workspace, params, profile, names, accepted)
    sets = {paper: parameters.sets_of_paper(params, profile, paper) for paper in parameters.papers_at(params, profile)}
    earlier = {name for listed in sets.values() for name in listed} - set(names)
    expected = expected_fingerprints(workspace, params, profile, earlier, accepted)
    _remove_others(workspace.prepared(profile), names)
    manifests = {}
    for paper, listed in sets.items():
        manifests[paper] = {}
        for name in listed:
            if name not in facts:
                facts[name] = _prepared_earlier(workspace, name, expected.get(name, {}))
            manifests[paper][name] = _entry(parameters.spec_of(params, name), facts[name], paper)
        if not allow_missing:
            refuse_lost_sets(workspace, profile, paper, manifests[paper])
    for paper, manifest in manifests.items():
        _write_manifest(workspace, profile, paper, manifest)
    for path in workspace.manifest(profile, "any").parent.glob("*.json"):
        if path.stem not in manifests:
            path.unlink()


def _remove_others(folder: Path, names: Iterable[str]) -> None:
    """Remove what belongs to sets that have left a profile: DVC would record it as the profile's."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.stem not in names and path.name not in names:
            print(f"removed {path}: its set is not in this profile", file=sys.stderr)
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def prepare_sets(
    workspace: Workspace, params: Params, profile: str, names: Iterable[str], accepted: Collection[str] = ()
) -> dict[str, dict[str, Any]]:
    """Prepare some sets whose raw files lie under ``profile``; returns the facts of each."""
    specs = {name: parameters.spec_of(params, name) for name in names}
    expected = expected_fingerprints(workspace, params, profile, specs, accepted)
    with rooted(workspace.seed):
        facts = prepare(specs, workspace.raw_data(profile), workspace.prepared(profile), expected)
    for name in set(accepted) & set(facts):
        print(f"data set {name!r}: accepted with the fingerprint {facts[name].get('fingerprint')}")
    return facts


def expected_fingerprints(
    workspace: Workspace, params: Params, profile: str, names: Iterable[str], accepted: Collection[str] = ()
) -> Expected:
    """What sets must be: as their configuration pins them, and as the manifests of stored results name them.

    Nothing is expected of sets that the user accepts as they are, and of drawn ones on another seed than the stored.
    """
    for name in accepted:
        parameters.spec_of(params, name)
    specs = {name: parameters.spec_of(params, name) for name in names if name not in accepted}
    if workspace.seed != STORED:
        specs = {name: spec for name, spec in specs.items() if not is_drawn(spec)}
    expected = pinned(specs)
    stored = replace(workspace, manifests=None).manifest(profile, "any").parent
    for path in sorted(stored.glob("*.json")):
        for name, facts in read_manifest(path).items():
            if name in specs and facts.get("fingerprint"):
                place = path.relative_to(workspace.root).as_posix()
                expected.setdefault(name, {})[place] = facts["fingerprint"]
    return expected


def draw_sets(workspace: Workspace, params: Params, profile: str, paper: str) -> None:
    """Draw the generated sets of a paper anew for the seed of this place, and write its manifest there."""
    manifest = {}
    for name in parameters.sets_of_paper(params, profile, paper):
        spec = parameters.spec_of(params, name)
        generated = any(source["kind"] == "generator" for source in spec["sources"])
        facts = _prepared_earlier(workspace, name, {} if generated else pinned({name: spec}).get(name, {}))
        if generated:
            raw = next(folder for folder in map(workspace.raw_data, PROFILES) if (folder / name).is_dir())
            with rooted(workspace.seed):
                facts = prepare({name: spec}, raw, workspace.drawn(name).parent, expected={})[name]
        manifest[name] = _entry(spec, facts, paper)
    _write_manifest(workspace, profile, paper, manifest)


def _write_manifest(workspace: Workspace, profile: str, paper: str, manifest: Mapping[str, Any]) -> None:
    text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    write_text(workspace.manifest(profile, paper), text)


def _prepared_earlier(workspace: Workspace, name: str, expected: Mapping[str, str]) -> dict[str, Any]:
    """The facts of a set that belongs to a smaller profile."""
    facts = _facts_now(workspace, name)
    if facts["status"] == "not fetched":
        prepared_path(workspace, name)  # says what to do
    if facts["status"] == "available":
        refuse_changed(name, facts["fingerprint"], expected, facts["source"])
    return facts


def _entry(spec: Params, facts: Mapping[str, Any], paper: str) -> dict[str, Any]:
    """What a manifest says of a set: its facts, its printed name, why it differs from print; nothing of the machine."""
    names, differences = spec.get("names") or {}, spec.get("differences") or {}
    entry = {
        **{key: value for key, value in facts.items() if key != "source"},
        "printed_as": names.get(paper, spec["name"]),
        "explained": differences.get(paper, ""),
    }
    if facts["status"] != "available":
        kinds = ", ".join(source["kind"] for source in spec["sources"])
        entry["reason"] = spec.get("unavailable") or f"none of its sources has it: {kinds}"
    return entry


def fetch_and_prepare(
    workspace: Workspace,
    params: Params,
    profile: str,
    allow_missing: bool = False,
    progress: bool = True,
    accepted: Collection[str] = (),
) -> dict[str, Any]:
    """Fetch and prepare a profile's sets, and those of the smaller profiles that it builds on."""
    outcomes = {}
    for needed in PROFILES[: PROFILES.index(profile) + 1]:
        outcomes |= fetch_profile(workspace, params, needed, progress)
        prepare_profile(workspace, params, needed, allow_missing, accepted)
    return outcomes


def refuse_lost_sets(workspace: Workspace, profile: str, paper: str, manifest: Mapping[str, Any]) -> None:
    """Stop when a set that stored results were made from cannot be had: they would shrink without a word."""
    path = workspace.manifest(profile, paper)
    stored = read_manifest(path) if path.is_file() else {}
    for name, facts in manifest.items():
        before, now = stored.get(name, {}).get("fingerprint"), facts.get("fingerprint")
        if before and not now:
            raise ArboretumError(
                f"data set {name!r}: stored results of {paper} at {profile} were made from it, but it cannot be had "
                f"here ({facts['reason']}). Nothing was changed. Set ARBORETUM_MIRROR (or data.mirror) to a folder "
                "that has it, or pass --allow-missing: results then go to .arboretum/partial."
            )


def prepared_path(workspace: Workspace, name: str) -> Path:
    """The prepared file of a data set: drawn for the seed of this place, or under whichever profile it is kept."""
    if workspace.drawn(name).is_file():
        return workspace.drawn(name)
    for profile in PROFILES:
        path = workspace.prepared(profile) / f"{name}.parquet"
        if path.is_file():
            return path
    raise ArboretumError(
        f"data set {name!r} is not prepared: no {name}.parquet under {workspace.root / 'data' / 'prepared'}. "
        f"Run `arboretum fetch --sets {name}`."
    )


def status(workspace: Workspace, params: Params) -> pd.DataFrame:
    """Every data set: where it came from, its size and fingerprint, and whether it agrees with print."""
    return status_table(params["datasets"], {name: _facts_now(workspace, name) for name in params["datasets"]})


def _facts_now(workspace: Workspace, name: str) -> dict[str, Any]:
    """What is known of a set in this checkout: the facts of its prepared file, or why there is none."""
    for profile in PROFILES:
        record = read_record(workspace.raw_data(profile) / name)
        path = workspace.prepared(profile) / f"{name}.parquet"
        if path.is_file():
            return {"status": "available", "source": record.get("source", "?"), **describe(load(path))}
        if (workspace.raw_data(profile) / name / "source.json").is_file():
            return record
    return {"status": "not fetched"}
