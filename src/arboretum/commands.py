"""What each command does. Libraries load inside: a command waits only for those that it needs."""

from __future__ import annotations

import argparse
from typing import Any

from arboretum.errors import ArboretumError, nearest
from arboretum.failures import Unavailable

OURS = ("run.", "data.", "seed=")  # settings that do not belong to an experiment


def _context(options: argparse.Namespace) -> tuple[Any, Any]:
    """The checkout and its parameters, as the options and settings of a command change them."""
    from dataclasses import replace

    from arboretum import papers
    from arboretum.project import params
    from arboretum.project.workspace import Workspace
    from arboretum.writing import PLACE, sweep

    workspace = Workspace.find()
    sweep(workspace.root / PLACE)
    settings = list(getattr(options, "settings", ()))
    if getattr(options, "seed", None) is not None:
        settings.append(f"seed={options.seed}")
    seeds = [setting for setting in settings if setting.startswith("seed=")]
    named = [*getattr(options, "papers", ()), *getattr(options, "target", "").split("/")[:1]]
    known = [paper for paper in named if paper in papers.present()]  # another name is an error of its own
    values = params.with_settings(
        params.read(workspace, known or None), [name for name in settings if name not in seeds]
    )
    for paper in getattr(options, "papers", ()):
        params.of_paper(values, options.profile, paper)
    if hasattr(options, "profile"):
        workspace = replace(workspace, seed=params.seed_at(values, options.profile))
    if seeds:
        workspace = workspace.seeded(params.as_seed("seed", seeds[-1].partition("=")[2]))
    if getattr(options, "allow_missing", False) or values["data"]["allow_missing"]:
        values = params.with_settings(values, ["data.allow_missing=true"])
        workspace = workspace.partial()
    return workspace, values


def _run_settings(params: Any) -> Any:
    from arboretum.pipeline.executors import RunSettings

    return RunSettings(**params["run"])


def data_status(options: argparse.Namespace) -> None:
    from arboretum.pipeline.data import status

    workspace, params = _context(options)
    table = status(workspace, params)
    if options.csv:
        print(table.to_csv(index=False), end="")
        return
    print(table.drop(columns="difference").to_string(index=False, na_rep="-"))
    for row in table[table["difference"] != ""].itertuples():
        print(f"{row.name}: {row.difference}")
    print(f"{(table['status'] == 'available').sum()} of {len(table)} data sets available")


def fetch_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline import data

    workspace, params = _context(options)
    if options.sets:
        fetched = data.fetch_sets(workspace, params, options.profile, options.sets)
        if not options.raw_only:
            data.prepare_sets(workspace, params, options.profile, options.sets, options.accept_changed)
    elif options.raw_only:
        fetched = data.fetch_profile(workspace, params, options.profile)
    else:
        fetched = data.fetch_and_prepare(
            workspace, params, options.profile, params["data"]["allow_missing"], accepted=options.accept_changed
        )
    absent = {name: result.reason for name, result in fetched.items() if result.status != "available"}
    print(f"{len(fetched) - len(absent)} of {len(fetched)} data sets available")
    for name, reason in absent.items():
        print(f"  {name}: {reason}")
    if options.sets and absent:  # asked for by name; a profile may hold sets that nobody can have
        raise Unavailable(f"data set {next(iter(absent))!r} cannot be had ({next(iter(absent.values()))}).")


def prepare_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline.data import prepare_profile

    workspace, params = _context(options)
    prepare_profile(
        workspace, params, options.profile, params["data"]["allow_missing"], accepted=options.accept_changed
    )


def run_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline import experiment
    from arboretum.pipeline.data import draw_sets
    from arboretum.pipeline.progress import duration
    from arboretum.project import params as parameters
    from arboretum.project.workspace import EXTENDED

    if options.name is not None:
        run_on_own_settings(options)
        return
    suggest_name(options)
    workspace, params = _context(options)
    settings = _run_settings(params)
    paper, _, wanted = options.target.partition("/")
    if options.reading is not None:
        options.profile = EXTENDED
    parameters.of_paper(params, options.profile, paper)
    if workspace.out == workspace.root / ".arboretum" / "seeds" / str(workspace.seed):
        draw_sets(workspace, params, options.profile, paper)
        print(f"seed {workspace.seed}: results go to {workspace.out}, stored results are untouched")
    for name in parameters.chosen(params, options.profile, paper, wanted, options.reading):
        plan = experiment.Plan.make(workspace, options.profile, paper, name, options.sets)
        if options.dry_run:
            print(experiment.estimate(plan, settings.workers))
        elif options.sets:
            experiment.run(plan, settings, options.keep_going)
            print(experiment.collect(plan).frame.to_string(index=False))
        else:
            ran, seconds = experiment.run_and_store(plan, settings, options.keep_going)
            print(f"{plan.title}: {len(plan.tasks)} tasks, {ran} run now, {duration(seconds)} of computing in all")


def suggest_name(options: argparse.Namespace) -> None:
    """A setting of the experiment itself needs --name: a place for results that are not the stored ones."""
    for word in options.settings:
        key, equals, _ = word.partition("=")
        if equals and not word.startswith(OURS) and "." not in key:
            raise ArboretumError(
                f"unknown setting {word!r}. If it is one of the experiment, add --name NAME: its results then lie in "
                "outputs/NAME, and stored ones stay as they are. Without it: run.*, data.* and seed=N."
            )


def run_on_own_settings(options: argparse.Namespace) -> None:
    """``run`` with --name: settings of the experiment itself may change, and results lie in a place of their own."""
    from dataclasses import replace

    from arboretum.pipeline.own_run import run_own
    from arboretum.project.workspace import Workspace

    for option in ("sets", "reading", "dry_run", "keep_going"):
        if getattr(options, option):
            said = option.replace("_", "-")
            raise ArboretumError(f"--{said} does not go with --name. Data sets are a setting there: 'sets=[a,b]'.")
    words = [word for word in options.settings if not word.startswith(OURS)]
    options.settings = [word for word in options.settings if word.startswith(OURS)]
    workspace, params = _context(options)
    here = replace(Workspace.at(workspace.root), seed=workspace.seed)  # --name gives results a place of their own
    for line in run_own(here, params, options.profile, options.target, words, options.name, _run_settings(params)):
        print(line, flush=True)


def render_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline.render import first_lines, render
    from arboretum.project import params as parameters

    workspace, params = _context(options)
    for paper in options.papers or parameters.papers_at(params, options.profile):
        parameters.of_paper(params, options.profile, paper)
        rendered = render(workspace, options.profile, paper)
        counts, claims = rendered.counts, rendered.metrics.get("claims", {}).get("stated", 0)
        made = f"{paper}: {counts['tables']} tables, {counts['figures']} figures" + f", {claims} claims" * bool(claims)
        print(f"{made}; {len(rendered.replaced) or 'no'} files replaced")
        for line in first_lines(rendered.replaced):
            print(line)


def report_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline.reproduce import draw_missing_figures
    from arboretum.project.workspace import PROFILES
    from arboretum.report import build

    workspace, params = _context(options)
    for profile in PROFILES:
        draw_missing_figures(workspace, params, profile)
    print(f"report: {build(workspace.root, workspace.report)}")


def verify_command(options: argparse.Namespace) -> None:
    workspace, params = _context(options)
    if options.every_learner and options.sample is None:
        raise ArboretumError("--every-learner goes with --sample, e.g. --sample 0.1 --every-learner.")
    if options.experiments and options.sample is None:
        raise ArboretumError("--experiments goes with --sample, e.g. --sample 1 --experiments accuracy.")
    if options.stored:
        differences = verify_stored(options, workspace, params)
    elif options.sample is not None:
        differences = verify_sample(options, workspace, params)
    else:
        differences = verify_all(options, workspace, params)
    refuse_differences(differences)


def verify_all(options: argparse.Namespace, workspace: Any, params: Any) -> list:
    """Recompute everything elsewhere and compare; one line per paper."""
    from arboretum.pipeline.data import fetch_and_prepare
    from arboretum.pipeline.reproduce import reproduce

    fetch_and_prepare(workspace, params, options.profile)
    compared = reproduce(workspace, params, options.profile, _run_settings(params), options.papers)
    for paper in compared:
        print(paper)
    return [difference for paper in compared for difference in paper.comparison.differences]


def verify_stored(options: argparse.Namespace, workspace: Any, params: Any) -> list:
    """Render what is stored and compare; one line per paper."""
    from arboretum.pipeline.verify import compare_stored
    from arboretum.project import params as parameters

    differences = []
    for paper in options.papers or parameters.papers_at(params, options.profile):
        compared = compare_stored(workspace, options.profile, paper)
        print(f"{paper} ({options.profile}): {compared.cells} cells, {len(compared.differences)} differences")
        differences += compared.differences
    return differences


def verify_sample(options: argparse.Namespace, workspace: Any, params: Any) -> list:
    """Recompute a fixed share of the tasks and compare their rows; one line per experiment."""
    from arboretum.pipeline.data import fetch_and_prepare
    from arboretum.pipeline.experiment import Plan
    from arboretum.pipeline.verify import compare_sample
    from arboretum.project import params as parameters

    if not 0 < options.sample <= 1:
        raise ArboretumError(f"--sample must be above 0 and at most 1, not {options.sample}.")
    targets = [
        target for target in parameters.targets(params, options.profile) if target[0] in (options.papers or target)
    ]
    for name in options.experiments:
        if name not in (known := [experiment for _, experiment in targets]):
            raise ArboretumError(f"unknown experiment {name!r} at profile {options.profile!r}. {nearest(name, known)}")
    fetch_and_prepare(workspace, params, options.profile)
    differences = []
    for paper, name in targets:
        if name in (options.experiments or [name]):
            plan = Plan.make(workspace, options.profile, paper, name)
            count, compared = compare_sample(plan, _run_settings(params), options.sample, options.every_learner)
            print(
                f"{plan.title}: {count} of {len(plan.tasks)} tasks recomputed, {compared.cells} cells, "
                f"{len(compared.differences)} differences"
            )
            differences += compared.differences
    return differences


def refuse_differences(differences: list) -> None:
    """Raise when regenerated results differ from the stored ones, naming the cells."""
    from arboretum.pipeline.agreement import judged, listed

    if differences:
        raise ArboretumError("\n".join([f"{judged(differences)}:", *listed(differences)]))


def reproduce_command(options: argparse.Namespace) -> None:
    """Recompute, compare and report; the report is built whatever the comparison finds."""
    workspace, params = _context(options)
    differences = verify_all(options, workspace, params)
    report_command(options)
    say_verdicts(workspace, params)
    refuse_differences(differences)


def say_verdicts(workspace: Any, params: Any) -> None:
    """The verdicts of the printed protocol, judged anew from what is stored."""
    from arboretum.pipeline.reproduce import verdicts_judged_anew

    lines = list(verdicts_judged_anew(workspace, params))
    if lines:
        print("claims, judged anew from the stored results of the printed protocol:", *lines, sep="\n")


def explain_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline.explain import explain

    workspace, _ = _context(options)
    for line in explain(workspace, options.profile, options.paper, options.table, options.row):
        print(line)


def params_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline import compose
    from arboretum.project.workspace import Workspace

    workspace = Workspace.find()
    if not options.check:
        compose.write(workspace)
    elif stale := compose.stale(workspace):
        raise ArboretumError(f"{' and '.join(stale)}: not what conf/ composes to. Run `make params` and commit it.")


def seeds_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline.replicate import cost_share, replicate

    workspace, params = _context(options)
    table = replicate(workspace, params, options.paper, options.seeds, _run_settings(params))
    print(table.to_string(index=False))
    share = cost_share(workspace, params, options.paper, options.seeds[0])
    print(f"each seed at {share:.0%} of the cost of the full profile; stored in {workspace.seeds(options.paper)}")


NEXT_FOR_A_PAPER = (
    "params",
    "fetch --profile quick",
    "run {key}",
    "render {key}",
    "fetch --profile full",  # claims are judged at the printed protocol only
    "run {key} --profile full",
    "render {key} --profile full",
    "report",
)


def init_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline.init_dataset import init_dataset
    from arboretum.pipeline.init_paper import init_paper
    from arboretum.project.workspace import Workspace

    workspace = Workspace.find()
    if options.what == "dataset":
        described, kept = init_dataset(workspace, options.key, options.settings)
        print(*(path.relative_to(workspace.root) for path in (described, kept)), sep="\n")
        print(f"Now `arboretum sweep dataset={described.stem}`. A paper uses it by this name in its `sets`.")
        return
    if options.settings:
        raise ArboretumError(f"unknown argument {options.settings[0]!r} for `arboretum init paper`. See --help.")
    for path in init_paper(workspace, options.key):
        print(path.relative_to(workspace.root))
    print("Now, in this order (docs/adding.md goes on):")
    for command in NEXT_FOR_A_PAPER:
        print(f"  arboretum {command.format(key=options.key)}")


def code_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline.code import write_fingerprints
    from arboretum.project.workspace import Workspace

    write_fingerprints(Workspace.find())


def compile_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline.compile_ahead import compile_ahead
    from arboretum.project.workspace import Workspace

    for line in compile_ahead(Workspace.find()):
        print(line)


def compare_command(options: argparse.Namespace) -> None:
    from arboretum.compare.command import compare
    from arboretum.project.workspace import Workspace

    compare(Workspace.find(), options.settings)


def sweep_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline.sweep import sweep
    from arboretum.project.workspace import Workspace

    sweep(Workspace.find(), options.arguments)
