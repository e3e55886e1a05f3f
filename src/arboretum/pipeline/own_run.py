"""``arboretum run vrtrees/spectrum trees=500 'sets=[glass,mine.csv]' --name mine``: an experiment on your settings.

Everything happens in ``outputs/mine``. Its folder ``checkout`` stands in for the checkout: the same configuration,
printed numbers and prepared data by links, with a ``params.yaml`` that holds the changed experiments and nothing else.
So planning, running and rendering are the same code as for stored results, which nothing here can reach. Finished tasks
are shared: what was computed once with the same settings is not computed again.
"""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib
import yaml

from arboretum import papers
from arboretum.datasets import load
from arboretum.datasets.dataset import save
from arboretum.datasets.formats import is_own
from arboretum.datasets.own import Own
from arboretum.datasets.prepare import describe
from arboretum.errors import ArboretumError, nearest
from arboretum.papers.contract import ResultFigure
from arboretum.pipeline import experiment
from arboretum.pipeline.executors import RunSettings
from arboretum.pipeline.init_dataset import specification
from arboretum.pipeline.own_sets import check_folder_name, listed, named, read_own, say, take_settings
from arboretum.pipeline.render import Rendering, csv_text
from arboretum.pipeline.svg import svg_text
from arboretum.pipeline.sweep import ensure_prepared
from arboretum.project import params as parameters
from arboretum.project.readings import MARK
from arboretum.project.schema import check_params
from arboretum.project.workspace import Workspace
from arboretum.seeds import rooted
from arboretum.writing import write_text

PROFILE = "quick"  # under which the changed experiments stand in their params.yaml: claims are not judged there
LINKED = ("data/published", "data/prepared", "data/raw", "dvc.yaml", "conf/config.yaml", "conf/paper")


def run_own(
    workspace: Workspace,
    params: parameters.Params,
    profile: str,
    target: str,
    words: Sequence[str],
    name: str,
    settings: RunSettings,
) -> Iterator[str]:
    """Run the experiments of ``target`` with the settings of ``words`` and render them; yields what to say."""
    check_folder_name("--name ", name)
    paper, _, wanted = target.partition("/")
    chosen = parameters.chosen(params, profile, paper, wanted, None)
    of_sets, rest = take_settings(words)
    known = list(params["datasets"])
    sections, own = changed(params, profile, paper, chosen, rest, known)
    place = Path.cwd() / "outputs" / name
    read = {label: read_own(reference, of_sets, label) for label, reference in own.items()}
    for one in read.values():
        say(one)
    here = stand_in(workspace, params, place, paper, sections, read, profile)
    for one in sections:
        plan = experiment.Plan.make(here, PROFILE, paper, one)
        experiment.run_and_store(plan, settings)
        yield f"{paper}/{one}: {len(plan.tasks)} tasks"
    yield from rendered(here, paper, place)


def changed(
    params: parameters.Params,
    profile: str,
    paper: str,
    chosen: Sequence[str],
    words: Sequence[str],
    known: Sequence[str],
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """The sections of experiments with the settings of a command in them, and the files among their data sets."""
    sections = {
        name: copy.deepcopy(dict(parameters.of_experiment(params, profile, paper, name)))
        for name in chosen
        if MARK not in name
    }
    own: dict[str, str] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals:
            raise ArboretumError(f"unknown setting {word!r}: write it as KEY=VALUE.")
        if key.split(".")[-1] == "sets":
            names = named(listed(text), known)
            own |= {label: reference for label, reference in names.items() if is_own(reference)}
            value: Any = list(names)
        else:
            try:
                value = yaml.safe_load(text)
            except yaml.YAMLError:
                raise ArboretumError(f"{key}: {text!r} is no value that YAML knows. Quote it.") from None
        if not sum(_put(section, key.split("."), value) for section in sections.values()):
            settings = {entry for section in sections.values() for entry in section}
            raise ArboretumError(f"{paper}/{', '.join(sections)} has no setting {key!r}. {nearest(key, settings)}")
    return sections, own


def _put(section: dict[str, Any], keys: Sequence[str], value: Any) -> bool:
    """Change one setting, if the section has it."""
    for key in keys[:-1]:
        section = section.get(key)  # type: ignore[assignment]
        if not isinstance(section, dict):
            return False
    if keys[-1] not in section:
        return False
    section[keys[-1]] = value
    return True


def stand_in(
    workspace: Workspace,
    params: parameters.Params,
    place: Path,
    paper: str,
    sections: Mapping[str, Mapping[str, Any]],
    own: Mapping[str, Own],
    profile: str,
) -> Workspace:
    """The folder that stands in for the checkout."""
    shared = shared_settings(params[profile][paper], papers.get(paper).experiments, sections)
    own_params = {"data": params["data"], "run": params["run"], PROFILE: {"seed": workspace.seed}}
    own_params[PROFILE][paper] = {**shared, **sections}
    datasets = {**params["datasets"], **{name: {} for name in own}}
    check_params(own_params, datasets, lambda path: ".".join(map(str, path[2:])))
    used = dict.fromkeys(name for section in [shared, *sections.values()] for name in section.get("sets") or ())
    prepared = {name: ensure_prepared(workspace, name) for name in used if name not in own}

    checkout = place / "checkout"
    shutil.rmtree(checkout, ignore_errors=True)
    for name in LINKED:  # after data/prepared was made: what does not exist is not linked
        _link(checkout / name, workspace.root / name)
    (checkout / "conf" / "dataset").mkdir(parents=True)
    for path in (workspace.conf / "dataset").glob("*.yaml"):
        _link(checkout / "conf" / "dataset" / path.name, path)
    here = replace(workspace, root=checkout, out=checkout, manifests=None)
    for name, one in own.items():
        spec = specification(one, f"{name}.csv", b"", {"format": "csv", **one.rules})
        write_text(here.conf / "dataset" / f"{name}.yaml", yaml.safe_dump(spec, sort_keys=False))
        save(one.data, here.drawn(name))
        prepared[name] = here.drawn(name)
    write_text(here.params, yaml.safe_dump(own_params, sort_keys=False))
    manifest = {name: _facts(params, paper, name, prepared[name]) for name in used}
    write_text(here.manifest(PROFILE, paper), json.dumps(manifest, indent=1) + "\n")
    return here


def shared_settings(
    section: Mapping[str, Any], experiments: Collection[str], sections: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """What stands beside the experiments of a paper, with the values that these experiments have now."""
    shared = {key: value for key, value in section.items() if key not in experiments and MARK not in key}
    for key in shared:
        values = [changed[key] for changed in sections.values() if key in changed]
        if key == "sets" and values:
            shared[key] = list(dict.fromkeys(name for listed in values for name in listed))
        elif values:
            shared[key] = values[0]
    return shared


def _link(path: Path, target: Path) -> None:
    if target.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target.resolve(), target_is_directory=target.is_dir())


def _facts(params: parameters.Params, paper: str, name: str, prepared: Path) -> dict[str, Any]:
    """What a manifest says of a set."""
    printed_as = (params["datasets"].get(name, {}).get("names") or {}).get(paper, name)
    return {"status": "available", **describe(load(prepared)), "printed_as": printed_as, "explained": ""}


def rendered(here: Workspace, paper: str, place: Path) -> Iterator[str]:
    """Write the tables and figures that these experiments feed; what needs more is said and left out."""
    for folder in ("tables", "figures"):
        shutil.rmtree(place / folder, ignore_errors=True)
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with rooted(here.seed):
        rendering = Rendering(here, PROFILE, paper)
        for name, thing in rendering.shown.items():
            try:
                table = rendering.results.tables[name]
                if isinstance(thing, ResultFigure):
                    drawn = thing.draw(table)
                    write_text(place / "figures" / f"{name}.svg", svg_text(drawn))
            except Exception as problem:  # made for the sets and settings of the paper
                kind = type(problem).__name__
                yield f"  left out {name}: it needs what these settings do not have ({kind}: {str(problem)[:80]})"
                continue
            finally:
                plt.close("all")
            write_text(place / "tables" / f"{name}.csv", csv_text(table))
            yield f"  {name}: {thing.title}"
    yield f"tables and figures: {place.relative_to(Path.cwd())}; stored results are untouched"
