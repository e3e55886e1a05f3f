"""The command line: ``arboretum --help``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from arboretum import __version__
from arboretum.completion import complete
from arboretum.errors import ArboretumError, nearest
from arboretum.failures import STOPPED, UNREAD, Terminated, Unavailable, handle_signals, in_words, nobody_reads, say

# Libraries' own threads are capped before they load: tasks, not libraries, share the cores.
for _library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")


class Parser(argparse.ArgumentParser):
    """An argument parser that suggests the nearest right word for a wrong one."""

    def error(self, message: str) -> NoReturn:
        if "invalid choice: '" in message:
            wrong = message.split("invalid choice: '")[1].split("'")[0]
            choices = [choice for action in self._actions if action.choices for choice in action.choices]
            message = f"unknown {wrong!r}. {nearest(wrong, choices)}"
        self.exit(2, f"arboretum: {message}\n")


def build_parser() -> Parser:
    parser = Parser(
        prog="arboretum", description="Five papers on randomised tree ensembles, regenerated from raw data."
    )
    parser.add_argument("--version", action="version", version=f"arboretum {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    missing = "go on without sets that stored results were made from; results go to .arboretum/partial"

    def command(name: str, text: str, function: Any, profile: bool = True, settings: bool = False) -> Parser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(function=function)
        if profile:
            sub.add_argument("--profile", default="quick", choices=["quick", "full", "extended"], help="default: quick")
        if settings:
            sub.add_argument(
                "settings", nargs="*", metavar="KEY=VALUE", help="data.* or run.* settings, as in params.yaml"
            )
        return sub

    data = command("data", "show the data sets: sources, sizes, fingerprints, agreement with print", data_status, False)
    data.add_argument("what", choices=["status"])
    data.add_argument("--csv", action="store_true", help="as csv instead of a table")

    sub = command("fetch", "fetch and prepare data sets", fetch_command, settings=True)
    sub.add_argument("--sets", type=names, default=[], metavar="A,B", help="only these (default: all of the profile)")
    sub.add_argument("--raw-only", action="store_true", help="fetch, do not prepare")
    command("prepare", "prepare what was fetched and write the manifests", prepare_command, settings=True)

    sub = command("run", "run one experiment (vrtrees/spectrum) or all of a paper (vrtrees)", run_command)
    sub.add_argument("target", metavar="PAPER[/EXPERIMENT]")
    sub.add_argument(
        "settings",
        nargs="*",
        metavar="KEY=VALUE",
        help="run.workers=2, run.engine=dask ..., and seed=2 for a replication on another seed",
    )
    sub.add_argument(
        "--sets",
        type=names,
        default=[],
        metavar="A,B",
        help="only these data sets; shows rows, stores nothing",
    )
    sub.add_argument("--reading", metavar="NAME", help="only what this reading of the paper changes (at extended)")
    sub.add_argument("--dry-run", action="store_true", help="number of tasks and an estimate of time")
    sub.add_argument("--keep-going", action="store_true", help="finish the other tasks when one fails")

    sub = command("render", "tables, figures and claims from raw results", render_command)
    sub.add_argument("papers", nargs="*", metavar="PAPER", help="default: all of the profile")
    sub.add_argument("--seed", metavar="N", help="render the replication that `run ... seed=N` made")
    command("report", "build the static report of all profiles", report_command, profile=False)
    for name in ("fetch", "prepare", "run", "render"):
        commands.choices[name].add_argument("--allow-missing", action="store_true", help=missing)
    for name in ("fetch", "prepare"):
        commands.choices[name].add_argument(
            "--accept-changed",
            type=names,
            default=[],
            metavar="A,B",
            help="take these sets although they are not the pinned ones, or not those of the manifest",
        )

    for name, text, function in (
        ("verify", "recompute in a temporary place and compare with what is stored", verify_command),
        ("reproduce", "fetch, recompute, compare, report; one line per paper", reproduce_command),
    ):
        sub = command(name, text, function, settings=True)
        sub.add_argument("--papers", type=names, default=[], metavar="A,B", help="default: all of the profile")
    how = commands.choices["verify"].add_mutually_exclusive_group()
    how.add_argument(
        "--sample", type=float, metavar="SHARE", help="recompute only a fixed random share of the tasks, e.g. 0.02"
    )
    how.add_argument(
        "--stored", action="store_true", help="recompute no task: render the stored raw results and compare (seconds)"
    )

    commands.choices["verify"].add_argument(
        "--every-learner", action="store_true", help="with --sample: at least one task of every learner on every set"
    )

    sub = command("explain", "from a row of a table back to its tasks, seeds, parameters and data", explain_command)
    sub.add_argument("paper")
    sub.add_argument("table")
    sub.add_argument("--row", required=True)

    sub = command("params", "compose conf/ into params.yaml and stages.yaml", params_command, profile=False)
    sub.add_argument("--check", action="store_true", help="only say whether both are up to date")
    sub = command(
        "seeds", "run a paper on other seeds at a share of its cost; verdict by seed", seeds_command, False, True
    )
    sub.add_argument("paper")
    sub.add_argument("--seeds", type=whole_numbers, required=True, metavar="2,3,4")
    sub = command("init", "start a new paper: its files, ready to run", init_command, profile=False)
    sub.add_argument("what", choices=["paper"])
    sub.add_argument("key", metavar="KEY", help="a short name in small letters, e.g. oak")
    command("code", "write the hash of what each stage's code does (DVC asks for it)", code_command, profile=False)

    sub = commands.add_parser(
        "sweep", add_help=False, help="Hydra multirun: dataset=... learner=... seed=... (-m for a grid)"
    )
    sub.set_defaults(function=sweep_command)
    return parser


def whole_numbers(text: str) -> list[int]:
    """Numbers from 0 on, separated by commas."""
    numbers = names(text)
    if not all(number.isascii() and number.isdecimal() and len(number) < 19 for number in numbers):
        raise argparse.ArgumentTypeError(f"must be whole numbers from 0 on, as in 2,3,4, not {text!r}")
    return [int(number) for number in numbers]


def names(text: str) -> list[str]:
    """Names separated by commas, none of them empty or twice: a slip of the comma must not mean "all"."""
    found = [name.strip() for name in text.split(",")]
    if not all(found):
        raise argparse.ArgumentTypeError(f"must be names separated by commas, as in a,b, not {text!r}")
    if len(set(found)) < len(found):
        raise argparse.ArgumentTypeError(f"a name stands twice in {text!r}")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; errors meant for the user are one message and an exit code that says their kind."""
    parser = build_parser()
    complete(parser)
    options, rest = parser.parse_known_args(arguments)
    try:
        handle_signals()
        if options.command == "sweep":
            options.arguments = rest
        else:
            take_rest(options, rest)
        with in_words(), extras_named():
            options.function(options)
            if sys.stdout is not None:
                sys.stdout.flush()
    except ArboretumError as problem:
        say(f"arboretum: {problem}")
        return getattr(problem, "exit_code", 1)
    except (KeyboardInterrupt, Terminated) as stop:
        say(STOPPED)
        return 143 if isinstance(stop, Terminated) else 130
    except BrokenPipeError:
        if not nobody_reads():
            raise
        return UNREAD
    return 0


@contextmanager
def extras_named() -> Iterator[None]:
    """A library that is not installed is one message that says which extra brings it."""
    try:
        yield
    except ModuleNotFoundError as problem:
        if problem.name is None or problem.name.startswith("arboretum"):
            raise
        extra = {"openml": "openml", "dask": "dask", "distributed": "dask"}.get(problem.name, "pipeline")
        raise ArboretumError(
            f"{problem.name} is not installed. The command line needs it: pip install 'arboretum[{extra}]'"
        ) from None


def take_rest(options: argparse.Namespace, rest: Sequence[str]) -> None:
    """Settings may stand anywhere: argparse takes those before the first option, the others are left over."""
    for argument in rest:
        if argument.startswith("-") or "=" not in argument or not hasattr(options, "settings"):
            raise ArboretumError(f"unknown argument {argument!r} for `arboretum {options.command}`. See --help.")
        options.settings.append(argument)


def _context(options: argparse.Namespace) -> tuple[Any, Any]:
    """The checkout and its parameters, as the options and settings of a command change them."""
    from dataclasses import replace

    from arboretum.project import params
    from arboretum.project.workspace import Workspace
    from arboretum.writing import PLACE, sweep

    workspace = Workspace.find()
    sweep(workspace.root / PLACE)
    settings = list(getattr(options, "settings", ()))
    if getattr(options, "seed", None) is not None:
        settings.append(f"seed={options.seed}")
    seeds = [setting for setting in settings if setting.startswith("seed=")]
    values = params.with_settings(params.read(workspace), [name for name in settings if name not in seeds])
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
    fetch_and_prepare(workspace, params, options.profile)
    differences = []
    for paper, name in parameters.targets(params, options.profile):
        if not options.papers or paper in options.papers:
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


def init_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline.init_paper import init_paper
    from arboretum.project.workspace import Workspace

    workspace = Workspace.find()
    for path in init_paper(workspace, options.key):
        print(path.relative_to(workspace.root))
    print("Now `arboretum params`, then `arboretum run`, `render` and `report` with this key; docs/adding.md goes on.")


def code_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline.code import write_fingerprints
    from arboretum.project.workspace import Workspace

    write_fingerprints(Workspace.find())


def sweep_command(options: argparse.Namespace) -> None:
    from arboretum.pipeline.sweep import sweep
    from arboretum.project.workspace import Workspace

    sweep(Workspace.find(), options.arguments)


if __name__ == "__main__":
    sys.exit(main())
