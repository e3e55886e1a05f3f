"""The command line: ``arboretum --help``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from arboretum import __version__
from arboretum.commands import (
    code_command,
    compare_command,
    compile_command,
    data_status,
    explain_command,
    fetch_command,
    init_command,
    params_command,
    prepare_command,
    render_command,
    report_command,
    reproduce_command,
    run_command,
    seeds_command,
    sweep_command,
    verify_command,
)
from arboretum.completion import complete
from arboretum.errors import ArboretumError, nearest
from arboretum.failures import (
    STOPPED,
    UNREAD,
    Terminated,
    check_address_space,
    handle_signals,
    in_words,
    nobody_reads,
    say,
)
from arboretum.pipeline.stopped import spare_kernels, stop_behind

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
    sub.add_argument(
        "--name",
        metavar="NAME",
        help="run on settings of yours (trees=500 'sets=[glass,mine.csv]' target=class), with tables and figures, in "
        "outputs/NAME; stored results stay as they are",
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
    commands.choices["verify"].add_argument(
        "--experiments", type=names, default=[], metavar="A,B", help="with --sample: only experiments of these names"
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
    sub = command("init", "start a new paper, or keep a file of yours as a data set", init_command, profile=False)
    sub.add_argument("what", choices=["paper", "dataset"])
    sub.add_argument("key", metavar="KEY|FILE", help="of a paper a short name (oak), of a data set its file (mine.csv)")
    sub.add_argument(
        "settings",
        nargs="*",
        metavar="KEY=VALUE",
        help="of a data set: target=class kinds.zip=nominal missing=[-9] drop=[id] columns=[a1..4,class] name=mine",
    )
    command("code", "write the hash of what each stage's code does (DVC asks for it)", code_command, profile=False)

    command("compile", "compile all kernels now: about two minutes, once per machine", compile_command, profile=False)

    sub = command("compare", "learners on your data or ours: table, tests, page", compare_command, profile=False)
    sub.add_argument(
        "settings",
        nargs="+",
        metavar="KEY=VALUE",
        help="dataset=mine.csv target=class learners=[coalescence,random_forest,sklearn.ensemble."
        "HistGradientBoostingClassifier] repetitions=5 folds=10 seed=1 workers=1 control=random_forest "
        "rope=1 name=mine",
    )

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
        spare_kernels()
        check_address_space()
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
        return stopped(stop)
    except BrokenPipeError:
        if not nobody_reads():
            raise
        return UNREAD
    except SystemError as problem:
        return stopped(problem)
    return 0


def stopped(problem: BaseException) -> int:
    """One message and the exit code of an interrupt or SIGTERM; a failure that neither is behind goes on."""
    stop = stop_behind(problem)
    if stop is None:
        raise problem
    say(STOPPED)
    return 143 if isinstance(stop, Terminated) else 130


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


if __name__ == "__main__":
    sys.exit(main())
