"""Section 6: the surface that PERT fits."""

from __future__ import annotations

from arboretum.measures.ties import at_most, less
from arboretum.papers.results import Results
from arboretum.papers.verdicts import Stated, Verdict, claim, decide


@claim("pert-c11")
def surface_is_continuous_and_multilinear(results: Results, stated: Stated) -> Verdict:
    """Decided by the exact recursion; forests must agree with it."""
    table = results.tables["posterior"]
    jumps = table[[name for name in table if name.startswith("largest_jump_at_")]].max()  # the smallest shift first
    values = {
        "departure": float(table["largest_departure_from_the_labels"].max()),
        "jump": float(jumps.iloc[0]),
        "bend": float(table["largest_bend_within_a_block"].max()),
        "z": float(table[["forest_largest_z", "forest_bend_largest_z"]].max().max()),
    }
    limits = {name: stated.limit(name) for name in values}
    small = {name: bool(less(value, limits[name], 0.0)) for name, value in values.items()}
    wrong = int(table["training_errors_of_trees"].sum())
    values |= {f"{name}_limit": limit for name, limit in limits.items()}
    return Verdict(
        {
            "takes the labels at the training cases": decide(small["departure"] and wrong == 0),
            "is continuous": decide(small["jump"] and bool(at_most(jumps.iloc[:-1], jumps.iloc[1:]).all())),
            "is linear along each axis in a block": decide(small["bend"]),
            "forests approach it": decide(small["z"]),
        },
        values
        | {
            "across": float(table["largest_bend_across_a_border"].max()),
            "tests": int(table[["forest_tests", "forest_bend_tests"]].sum().sum()),
        },
        "exact recursion: departure from the labels {departure:below {departure_limit:g}}, jump at the smallest shift "
        "{jump:below {jump_limit:g}}, bend within a block {bend:below {bend_limit:g}} (across borders {across:.2f}); "
        "forests: largest |z| {z:.1f} in {tests} tests",
        "Decided by the exact recursion; |z| below {z_limit:g} allows for the number of tests.",
    )
