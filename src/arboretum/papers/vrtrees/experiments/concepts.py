"""Concepts A and B (5.4)."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets.generators.plane import concept, concept_lattice
from arboretum.ensembles.coalescence import Coalescence
from arboretum.ensembles.random_forest import RandomForest
from arboretum.ensembles.vocabulary import make_learner, vocabulary
from arboretum.ensembles.vr_forest import VRForest
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.resampling import errors_of
from arboretum.papers.vrtrees.experiments.choices import LEAVES, as_read, chosen, errors_by_leaves
from arboretum.papers.vrtrees.experiments.cross_validation import PAPER, Params, Sets, with_floats
from arboretum.seeds import generator, random_state

LEARNERS = vocabulary(VRForest, Coalescence, RandomForest)
COMPLETE = {"missing": 0}  # of the facts of drawn data


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per concept, condition and run; ``runs_of`` names conditions with another number of runs."""
    learners = {
        name: chosen(params, COMPLETE, {"trees": params["trees"]} | with_floats(spec))["learners"][0]
        for name, spec in params["learners"].items()
    }
    for kind in params["concepts"]:
        for condition, settings in params["conditions"].items():
            for run in range(params["runs_of"].get(condition, params["runs"])):
                yield {
                    "concept": kind,
                    "condition": condition,
                    "run": run,
                    "lattice": params["lattice"],
                    "settings": dict(settings),
                    "learners": learners,
                } | ({LEAVES: "all"} if LEAVES in params else {})


def run(task: Task, data: None) -> list[ResultRow]:
    """Errors on the lattice of learners trained on one sample."""
    axes = {"paper": PAPER, "concept": task["concept"], "condition": task["condition"], "run": task["run"]}
    irrelevant = task["settings"].get("irrelevant", 0)
    X, y = concept(task["concept"], rng=generator(purpose="sample", **axes), **task["settings"])
    points, truth = concept_lattice(task["concept"], task["lattice"], irrelevant, generator(purpose="lattice", **axes))
    rows = []
    for name, spec in task["learners"].items():
        model = make_learner(LEARNERS, spec, random_state(learner=name, **axes)).fit(X, y)
        described = {"concept": task["concept"], "condition": task["condition"], "run": task["run"], "learner": name}
        counted = {"errors": errors_of(model, points, truth), "cases": len(truth)} if LEAVES not in task else None
        rows.append(described | (counted or errors_by_leaves(model, points, truth)))
    return rows


CONCEPTS = Experiment(plan, run, keys=("concept", "condition", "run", "learner"), read=as_read)
