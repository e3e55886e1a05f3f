"""``arboretum seeds``: a paper on other seeds, at a stated share of its cost, and whether its verdicts hold.

The profile ``seeds`` of a paper (conf/paper/<key>/seeds.yaml) is the printed protocol with fewer repetitions or fewer
sets. It is run once for each seed in a place of its own, and once with the seed of the stored results: the control,
which tells what the smaller size alone changes. What is stored is one row per claim and seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from arboretum.errors import ArboretumError
from arboretum.pipeline.data import draw_sets, fetch_and_prepare
from arboretum.pipeline.executors import RunSettings
from arboretum.pipeline.experiment import Plan, run_and_store
from arboretum.pipeline.render import Rendering, csv_text
from arboretum.project import params as parameters
from arboretum.project.params import Params
from arboretum.project.stored import read_csv
from arboretum.project.workspace import FULL, SEEDS, Workspace
from arboretum.seeds import rooted
from arboretum.writing import write_text


def replicate(
    workspace: Workspace, params: Params, paper: str, seeds: Sequence[int], settings: RunSettings
) -> pd.DataFrame:
    """Run a paper on its own and on each other seed, store the verdicts; returns one row per claim."""
    if paper not in parameters.papers_at(params, SEEDS):
        raise ArboretumError(
            f"{paper} has no conf/paper/{paper}/{SEEDS}.yaml, which says what share of it a replication runs."
        )
    fetch_and_prepare(workspace, params, FULL)
    every = dict.fromkeys([workspace.seed, *seeds])
    rows = [row for seed in every for row in _verdicts(workspace.seeded(seed), params, paper, settings)]
    write_text(workspace.seeds(paper), csv_text(pd.DataFrame(rows)))
    return held(workspace, paper)


def _verdicts(workspace: Workspace, params: Params, paper: str, settings: RunSettings) -> Iterator[dict[str, object]]:
    """The verdicts of one seed."""
    draw_sets(workspace, params, SEEDS, paper)
    for name in parameters.experiments_at(params, SEEDS, paper):
        run_and_store(Plan.make(workspace, SEEDS, paper, name), settings)
    with rooted(workspace.seed):
        claims = Rendering(workspace, SEEDS, paper).claims
    for claim in claims.itertuples():
        yield {"id": claim.id, "seed": workspace.seed, "conclusion": claim.conclusion, "numbers": claim.numbers}


def cost_share(workspace: Workspace, params: Params, paper: str, seed: int) -> float:
    """The expected cost of one replication as a share of the full profile, whose sets only the checkout describes."""

    def cost(place: Workspace, profile: str) -> float:
        plans = (Plan.make(place, profile, paper, name) for name in parameters.experiments_at(params, profile, paper))
        return sum(plan.cost(task) for plan in plans for task in plan.tasks.values())

    return cost(workspace.seeded(seed), SEEDS) / cost(workspace, FULL)


def held(workspace: Workspace, paper: str) -> pd.DataFrame:
    """Each claim: its stored conclusion, the control's, each seed's, and how many seeds agree with the control."""
    stored = read_csv(workspace.tables(FULL, paper) / "claims.csv").set_index("id")["conclusion"]
    wide = read_csv(workspace.seeds(paper)).pivot(index="id", columns="seed", values="conclusion")
    control = wide.pop(workspace.seed)
    same = wide.eq(control, axis=0).sum(axis=1)
    table = pd.DataFrame({"stored": stored.reindex(wide.index), "control": control, "same": same})
    return table.join(wide.rename(columns=lambda seed: f"seed {seed}")).reset_index()
