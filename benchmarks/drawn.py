"""Wrong constants, comparisons, signs and terms drawn from the whole source: ``python -m benchmarks.drawn``.

``make mutants`` runs the chosen changes of mutants.yaml; this draws 100 more, by a seed. Each is applied alone to a
copy of the checkout, and the tests that mirror its file must fail: those of its name, what its paper renders, the
paper's own tests and those that import it. They run in this order up to the first that fails; it counts if it passes
without the change. Slow tests come last, changes of kernels after all others, because these are compiled anew.

What was tried stands in benchmarks/drawn.csv and is not tried again, so it can be run in pieces (``--most 10``,
``--minutes 15``) and goes on after it was killed; ``--again`` tries anew what was not noticed. ``--list`` shows the
changes and their tests. Why a change may survive is written in the column ``reason`` by hand.
"""

from __future__ import annotations

import argparse
import ast
import csv
import hashlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from math import ceil
from pathlib import Path
from typing import NamedTuple

from arboretum.writing import atomic_path
from benchmarks.mutants import COPIES, ROOT, copy_to

TABLE = Path(__file__).with_suffix(".csv")
COLUMNS = ("file", "line", "kind", "change", "outcome", "seconds", "tests", "reason")
SOURCE = "src/arboretum"
NOTICED, SURVIVED, SILENT, UNTESTED = "noticed", "survived", "no answer in time", "no test mirrors it"
KERNELS = f"{SOURCE}/trees/"
DRAWN, SEED = 100, 1
COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "in": "not in", "not in": "in",
            "is": "is not", "is not": "is"}  # fmt: skip
SIGNS = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "%": "*", "**": "*"}
WORDS = {"and": "or", "or": "and"}
RENDERED = "tests/test_stored_results.py::test_stored_raw_results_render_to_the_stored_tables_and_verdicts[full-{}]"
MOST_FILES = 6  # test files that import a module and are not named after it
SECONDS = 120  # of processor time of a run of tests, so that a busy machine gives no other answers
WAITED = 10  # times as long for one that sleeps


class Change(NamedTuple):
    """One change of a source file: the bytes between two places become others."""

    file: str
    line: int
    start: int
    end: int
    new: str
    kind: str

    def applied(self, text: bytes) -> bytes:
        return text[: self.start] + self.new.encode() + text[self.end :]

    def said(self, text: bytes) -> str:
        """The line before and after."""
        first, last = text.rfind(b"\n", 0, self.start) + 1, text.find(b"\n", self.end)
        after = text[first : self.start] + self.new.encode() + text[self.end : last]
        return " -> ".join(" ".join(line.decode().split()) for line in (text[first:last], after))


# ------------------------------------------------------------------ what can be changed


def changes(file: str, text: bytes) -> list[Change]:
    """Every change of a source file, in the order of its text."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def place(node: ast.AST, end: bool = False) -> int:
        number, column = (node.end_lineno, node.end_col_offset) if end else (node.lineno, node.col_offset)
        return lines[number - 1] + column

    found = {
        Change(file, node.lineno, start, stop, new, kind)
        for node in _of_code(ast.parse(text))
        for start, stop, new, kind in _changed(node, place, text)
    }
    return sorted(found, key=lambda change: (change.start, change.new))


def _of_code(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that compute something: no annotations, and nothing inside a formatted text."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr):
            continue
        yield node
        yield from _of_code(node)


def _changed(node: ast.AST, place: Callable[..., int], text: bytes) -> Iterator[tuple[int, int, str, str]]:
    """Start, end, new text and kind of each change of a node itself."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        new = repr(node.value + 1) if isinstance(node.value, int) else repr(node.value * 1.1 or 0.1)
        yield place(node), place(node, end=True), new, "constant"
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from _between(place(node.left, end=True), place(node.comparators[0]), COMPARED, text, "comparison")
    elif isinstance(node, ast.BoolOp):
        yield from _between(place(node.values[0], end=True), place(node.values[1]), WORDS, text, "comparison")
    elif isinstance(node, ast.BinOp) and not _of_text(node):
        start, stop = place(node.left, end=True), place(node.right)
        yield from _between(start, stop, SIGNS, text, "sign")
        if isinstance(node.op, ast.Add | ast.Sub):
            yield start, place(node, end=True), "", "dropped term"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        yield place(node), place(node.operand), "", "sign"


def _between(
    start: int, stop: int, others: dict[str, str], text: bytes, kind: str
) -> Iterator[tuple[int, int, str, str]]:
    """The change of an operator that stands between two operands; brackets around these stay."""
    sign = re.fullmatch(r"([\s)\\]*)(.*?)([\s(\\]*)", text[start:stop].decode(), re.DOTALL)
    if sign and (name := " ".join(sign[2].split())) in others:
        yield start + sign.start(2), start + sign.end(2), others[name], kind


def _of_text(node: ast.BinOp) -> bool:
    """Whether a sum is of texts, types or paths, where another sign means nothing."""
    sides = (node.left, node.right)
    return isinstance(node.op, ast.BitOr) or any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )


def drawn(count: int, seed: int, root: Path = ROOT) -> list[Change]:
    """A sample of all changes of the source, those whose text has the least hash: other edits move few of them.

    The first ones of a larger sample are those of a smaller one.
    """
    found = []
    for path in sorted((root / SOURCE).rglob("*.py")):
        text = path.read_bytes()
        for change in changes(path.relative_to(root).as_posix(), text):
            found.append((hashlib.sha256(f"{seed} {change.file} {change.said(text)}".encode()).digest(), change))
    return [change for _, change in sorted(found)[:count]]


# ------------------------------------------------------------------ which tests must notice


@cache
def _test_files(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text("utf-8") for path in sorted(root.glob("tests/**/test_*.py"))
    }


def mirrors(file: str, root: Path = ROOT) -> str:
    """The tests that mirror a source file: named after it, rendering its paper, of its paper, and importing it."""
    parts = Path(file).relative_to(SOURCE).with_suffix("").parts
    module = ".".join(("arboretum", *parts)).removesuffix(".__init__")
    tests = _test_files(root)
    named = [test for test in tests if Path(test).stem == f"test_{parts[-1]}" and set(parts[:-1]) & {*Path(test).parts}]
    above, _, own = module.rpartition(".")
    imports = re.compile(rf"{re.escape(module)}\b|from {re.escape(above)} import [^\n]*\b{re.escape(own)}\b")
    using = [test for test, text in tests.items() if test not in named and imports.search(text)][:MOST_FILES]
    key = parts[1] if len(parts) > 2 and parts[0] == "papers" and parts[1] != "kit" else None
    paper = [test for test in tests if key and re.match(rf"tests/papers/test_{key}(_|\.)", test)]
    rendered = [RENDERED.format(key)] if key and parts[2] != "experiments" else []
    chosen = list(dict.fromkeys([*named, *rendered, *paper, *using]))
    if not chosen:  # a part of a package that is tested as a whole
        using = [test for test in tests if re.search(rf"{re.escape(above)}\b", tests[test])]
        chosen = sorted(using, key=lambda test: Path(test).parent.name != parts[-2])[:MOST_FILES]
    return " ".join(chosen)


# ------------------------------------------------------------------ trying


class Timeout(Exception):
    """The tests gave no answer in time."""


def failing(tests: Sequence[str], place: Path, seconds: float, chosen: str = "") -> str | None:
    """The first test that fails in a copy, or the file that cannot be collected; None if all pass."""
    environment = {name: v for name, v in os.environ.items() if name not in ("ARBORETUM_ROOT", "ARBORETUM_TASKS")}
    environment |= {"PYTHONPATH": str(place / "src")}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", "-m", chosen, *tests]
    line = ["sh", "-c", f'ulimit -t {ceil(seconds)}; exec "$@"', "sh", *command]
    try:
        done = subprocess.run(
            line, cwd=place, env=environment, capture_output=True, text=True, timeout=WAITED * seconds
        )
    except subprocess.TimeoutExpired:
        raise Timeout from None
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise Timeout
    if done.returncode in (0, 5):  # passed, or no test of this kind
        return None
    named = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return named[1] if named else tests[0]  # the interpreter crashed


def noticed(change: Change, tests: str, place: Path, seconds: float = SECONDS) -> str:
    """What becomes of a change; a test that fails without it, too, says nothing, and its file is left out."""
    path, left = place / change.file, tests.split()
    before, times = path.read_bytes(), path.stat()
    try:
        while left:
            path.write_bytes(change.applied(before))
            stages = [(left[:1], "not slow"), (left[1:], "not slow"), (left, "slow")]
            found = next((one for part, kind in stages if part and (one := failing(part, place, seconds, kind))), None)
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            if found is None:
                return SURVIVED
            if failing([found], place, seconds) is None:
                return NOTICED
            print(f"fails without any change: {found}", flush=True)
            left = [test for test in left if test.partition("::")[0] != found.partition("::")[0]]
    except Timeout:
        return SILENT
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    return UNTESTED


def tried() -> dict[tuple[str, str], dict[str, str]]:
    """The rows of what was tried before, by file and change."""
    if not TABLE.is_file():
        return {}
    with TABLE.open(newline="", encoding="utf-8") as file:
        return {(row["file"], row["change"]): row for row in csv.DictReader(file)}


def store(found: Iterable[dict[str, object]]) -> None:
    with atomic_path(TABLE) as path, path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        rows.writeheader()
        rows.writerows(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=DRAWN, help="changes in the sample (default: 100)")
    parser.add_argument("--most", type=int, default=DRAWN, help="changes to try now")
    parser.add_argument("--minutes", type=float, default=60.0, help="no try begins after this time")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="processor time of a run of tests")
    parser.add_argument("--again", action="store_true", help="also those that were not noticed before")
    parser.add_argument("--list", action="store_true", help="show the sample, try nothing")
    options = parser.parse_args()
    sample = drawn(options.count, options.seed)
    texts = {change.file: (ROOT / change.file).read_bytes() for change in sample}
    said = {change: change.said(texts[change.file]) for change in sample}
    if options.list:
        for change in sample:
            print(f"{change.file}:{change.line} {change.kind}: {said[change]}  [{mirrors(change.file)}]")
        return 0
    known = tried()
    done = {place for place, row in known.items() if row["outcome"] == NOTICED or not options.again}
    left = [change for change in sample if (change.file, said[change]) not in done]
    left = sorted(left, key=lambda change: change.file.startswith(KERNELS))[: options.most]
    place, deadline = COPIES / "drawn", time.monotonic() + 60 * options.minutes
    copy_to(place)
    for change in left:
        if time.monotonic() > deadline:
            break
        start, tests = time.monotonic(), mirrors(change.file)
        outcome = noticed(change, tests, place, options.seconds) if tests else UNTESTED
        row = {"file": change.file, "line": change.line, "kind": change.kind, "change": said[change], "tests": tests}
        row |= {"outcome": outcome, "seconds": round(time.monotonic() - start)}
        reason = known.get((change.file, said[change]), {}).get("reason") if outcome != NOTICED else ""
        known[change.file, said[change]] = row | {"reason": reason}
        store(known.values())
        print(f"{outcome:8} {change.file}:{change.line} {said[change]}", flush=True)
    outcomes = [known.get((change.file, said[change]), {}).get("outcome") for change in sample]
    print(f"{outcomes.count(NOTICED)} noticed, {len(sample) - outcomes.count(None)} tried, {len(sample)} in the sample")
    return 0 if outcomes.count(NOTICED) >= 0.95 * len(sample) else 1


if __name__ == "__main__":
    sys.exit(main())
