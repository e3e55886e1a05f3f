"""What ``params.yaml`` says: profiles, papers, experiments and data sets."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from arboretum import papers
from arboretum.errors import ArboretumError, nearest
from arboretum.project import schema
from arboretum.project.readings import MARK, read_readings
from arboretum.project.workspace import EXTENDED, FULL, PROFILES, SEEDS, Workspace
from arboretum.seeds import STORED

Params = Mapping[str, Any]
SETTINGS = ("data", "run")
COMPOSED = "params.yaml is composed from conf/: mend it there and run `make params`."


def read(workspace: Workspace, only: Collection[str] | None = None) -> Params:
    """The parameters of ``params.yaml``, and under ``datasets`` the specifications of ``conf/dataset``; all checked.

    Specifications are an inventory, not parameters: DVC parses ``params.yaml`` once per stage, so it is kept small.
    A command that works on some papers, or on none, checks the sections of ``only`` these: all take most of a second.
    """
    if not workspace.params.exists():
        raise ArboretumError(f"{workspace.params} is missing. Run `make params` to compose it from conf/.")
    params = schema.read_mapping(workspace.params, "Run `make params`.")
    datasets = read_inventory(workspace.conf / "dataset")
    schema.check_params(params, datasets, schema.file_place(workspace.params), COMPOSED, only)
    return {**with_readings(workspace.conf, params), "datasets": datasets}


def with_readings(conf: Path, params: Params) -> Params:
    """The parameters with the experiments that readings run at ``extended``, as ``accuracy@midpoint``."""
    extended = dict(params.get(EXTENDED) or {})
    for key, section in (params.get(FULL) or {}).items():
        found = read_readings(readings_file(conf, key)) if isinstance(section, Mapping) else None
        if found:
            extended[key] = {**(extended.get(key) or {}), **found.sections(section)}
    return {**params, EXTENDED: extended}


def readings_file(conf: Path, paper: str) -> Path:
    return conf / "paper" / paper / "readings.yaml"


def read_inventory(folder: Path) -> dict[str, Params]:
    """The specification of every data set by name, with what each paper calls it and prints of it.

    Facts of a set stand in ``conf/dataset``, what a paper says of it in ``data/published/<paper>/sets.yaml``; they come
    together under the keys ``names``, ``printed`` and ``differences``, by paper.
    """
    inventory = {}
    for path in sorted(folder.glob("*.yaml")):
        inventory[path.stem] = schema.read_mapping(path, "Fix the file.")
        schema.check_specification(path, inventory[path.stem])
    schema.check_inventory(folder, inventory)
    for path in sorted((folder.parents[1] / "data" / "published").glob("*/sets.yaml")):
        for name, said in schema.read_mapping(path, "Fix the file.").items():
            schema.check_printed_set(path, name, said, inventory)
            for key, under in (("names", "name"), ("printed", "printed"), ("differences", "difference")):
                if under in said:
                    inventory[name].setdefault(key, {})[path.parent.name] = said[under]
    return inventory


def with_settings(params: Params, settings: Sequence[str]) -> Params:
    """The parameters with ``data.*`` and ``run.*`` settings of the command line (``run.workers=2``) put in."""
    changed = {section: dict(params[section]) for section in SETTINGS}
    known = [f"{section}.{key}" for section in SETTINGS for key in params[section]]
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or name not in known:
            raise ArboretumError(f"unknown setting {setting!r}. {nearest(name, known)} Write it as KEY=VALUE.")
        section, key = name.split(".")
        try:
            changed[section][key] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise ArboretumError(f"{name}: {value!r} is no value that YAML knows. Quote it.") from None
    schema.check_params(changed, {}, ".".join)
    return {**params, **changed}


def shown(params: Params) -> str:
    """What a report reads of the parameters, as text: the sections of the profiles that it shows."""
    return json.dumps({profile: params.get(profile) for profile in PROFILES}, indent=1)


def check_profile(profile: str) -> None:
    if profile not in (*PROFILES, SEEDS):
        raise ArboretumError(f"unknown profile {profile!r}. {nearest(profile, PROFILES)}")


def of_paper(params: Params, profile: str, paper: str) -> Params:
    """The section of one paper at one profile."""
    check_profile(profile)
    if paper not in papers_at(params, profile):
        known = papers_at(params, profile)
        raise ArboretumError(f"params.yaml has no paper {paper!r} at profile {profile!r}. {nearest(paper, known)}")
    return params[profile][paper]


def of_experiment(params: Params, profile: str, paper: str, experiment: str) -> Params:
    """The section of one experiment of one paper at one profile."""
    known = experiments_at(params, profile, paper)
    if experiment not in known:
        raise ArboretumError(
            f"unknown experiment {paper + '/' + experiment!r} at profile {profile!r}. {nearest(experiment, known)}"
        )
    return params[profile][paper][experiment]


def experiments_at(params: Params, profile: str, paper: str) -> list[str]:
    """The experiments that ``profile`` runs for ``paper``: those that have a section, in the order of the paper."""
    section = of_paper(params, profile, paper)
    own = [name for name in papers.get(paper).experiments if isinstance(section.get(name), Mapping)]
    return own + [name for name in section if MARK in name]


def chosen(params: Params, profile: str, paper: str, wanted: str, reading: str | None) -> list[str]:
    """The experiments of a paper that a command asks for: one, those of a reading, or all."""
    every = experiments_at(params, profile, paper)
    if reading is None:
        return [wanted] if wanted else every
    found = [name for name in every if name.endswith(MARK + reading) and name.startswith(wanted)]
    if not found:
        known = dict.fromkeys(name.partition(MARK)[2] for name in every if MARK in name)
        raise ArboretumError(f"{paper} runs nothing for a reading {reading!r}. {nearest(reading, known)}")
    return found


def papers_at(params: Params, profile: str) -> list[str]:
    """The papers that ``profile`` runs, in the order of ``conf/config.yaml``."""
    check_profile(profile)
    return [name for name, section in (params.get(profile) or {}).items() if isinstance(section, Mapping)]


def seed_at(params: Params, profile: str) -> int:
    """The seed of a profile: an axis of every random stream."""
    return as_seed(f"params.yaml: {profile}.seed", (params.get(profile) or {}).get("seed", STORED))


def as_seed(where: str, value: object) -> int:
    """A seed, from a number or its text; an error says where another value stands."""
    text = str(value)
    if isinstance(value, bool) or not text.isdecimal() or len(text) > 18:
        raise ArboretumError(f"{where} must be a whole number from 0 on, of at most 18 digits, not {text[:40]!r}.")
    return int(text)


def sets_of_paper(params: Params, profile: str, paper: str) -> list[str]:
    """Every data set of a paper at a profile, sorted: those that its section lists or its experiments use."""
    section = of_paper(params, profile, paper)
    used = set(section.get("sets") or ())
    for experiment in experiments_at(params, profile, paper):
        if MARK not in experiment:  # readings use the sets of the profile `full`
            used |= set(section[experiment].get("sets") or ())
    for name in used:
        spec_of(params, name)
    return sorted(used)


def sets_of_profile(params: Params, profile: str) -> list[str]:
    """The sets whose raw and prepared files belong to a profile: those that it uses and no smaller profile has.

    ``extended`` has every set that is left, whether an experiment uses it or not.
    """
    used = {name for paper in papers_at(params, profile) for name in sets_of_paper(params, profile, paper)}
    if profile == EXTENDED:
        used |= set(params["datasets"])
    for smaller in PROFILES[: PROFILES.index(profile)]:
        used -= set(sets_of_profile(params, smaller))
    return sorted(used)


def spec_of(params: Params, name: str) -> Params:
    """The specification of a data set, as conf/dataset/<name>.yaml gives it."""
    if name not in params["datasets"]:
        raise ArboretumError(
            f"unknown data set {name!r}: there is no conf/dataset/{name}.yaml. {nearest(name, params['datasets'])}"
        )
    return params["datasets"][name]


def targets(params: Params, profile: str) -> Iterator[tuple[str, str]]:
    """Every (paper, experiment) of a profile."""
    for paper in papers_at(params, profile):
        for experiment in experiments_at(params, profile, paper):
            yield paper, experiment
