"""The theory of chapters 1 to 4 and section 5.4 on random finite problems, exactly: identities, inequalities, limits.

Every statement gives numbers on each random problem: the deviation from an identity, or the slack of an inequality
(below 0 where it is violated). A problem is finite and all expectations over it are sums, so nothing is estimated.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.forests import PAPER, Params, Sets
from arboretum.papers.diversity.experiments.statements_losses import LOSS_STATEMENTS
from arboretum.papers.diversity.experiments.statements_votes import VOTE_STATEMENTS
from arboretum.seeds import generator

STATEMENTS = LOSS_STATEMENTS | VOTE_STATEMENTS
TOLERANCE = 1e-10
DIGITS = 12  # of stored numbers: no residue of rounding


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per claim."""
    for claim in STATEMENTS:
        yield {"claim": claim, "problems": params["problems"].get(claim, params["problems"]["default"])}


def run(task: Task, data: None) -> list[ResultRow]:
    """One row per statement and variant: how many problems, how many violations, the extreme and the mean."""
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for problem in range(task["problems"]):
        rng = generator(paper=PAPER, experiment="theory", claim=task["claim"], problem=problem)
        for kind, statement, variant, value in STATEMENTS[task["claim"]](rng):
            found[kind, statement, variant].append(float(value))
    return [
        {"claim": task["claim"], "kind": kind, "statement": statement, "variant": variant} | summary(kind, values)
        for (kind, statement, variant), values in found.items()
    ]


def summary(kind: str, values: list[float]) -> ResultRow:
    """``identity``: a value is a deviation; ``inequality``: a slack; ``value``: a number to look at."""
    if kind == "identity":
        values = [abs(value) for value in values]
        violations, extreme = sum(value > TOLERANCE for value in values), max(values)
    elif kind == "inequality":
        violations, extreme = sum(value < -TOLERANCE for value in values), min(values)
    else:
        violations, extreme = 0, max(values)
    mean = sum(values) / len(values)
    return {
        "problems": len(values),
        "violations": violations,
        "extreme": round(extreme, DIGITS) + 0.0,
        "mean": round(mean, DIGITS) + 0.0,
    }


THEORY = Experiment(
    plan=plan,
    run=run,
    keys=("claim", "kind", "statement", "variant"),
    cost=lambda task, facts: task["problems"],
)
