"""One screen: which of Breiman's statements hold exactly, which approximately and how well, and which do not.

Every entry is decided by the numbers of the other tables; the words say what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from arboretum.measures.ties import at_most, equal, less
from arboretum.papers.contract import table
from arboretum.papers.infinity.tables.section8 import UNIT_SQUARE
from arboretum.papers.results import Results
from arboretum.papers.verdicts import say

EXACT, ALWAYS, NEARLY = "exactly", "in every case", "approximately"  # by identity, or by all that was tried
PARTLY, SOME, NOT = "in part", "under some readings", "not as stated"
Frames = Mapping[str, pd.DataFrame]
Entry = tuple[str, str, str, str]  # where, statement, holds, evidence


@table(
    title="Which of Breiman's statements hold",
    keys=("where", "statement"),
    sources=(
        "kernel",
        "kernel_shape",
        "boundaries",
        "skewness",
        "completeness",
        "population_boosting",
        "finite_boosting",
    ),
    prose=("evidence",),
    caption="Decided by the numbers of the tables below.",
)
def statements(results: Results) -> pd.DataFrame:
    """The summary, from the other tables."""
    parts = (_completeness, _population_boosting, _kernel_properties, _kernel_formulas, _sharpness)
    parts += (_averaging, _boundaries, _numbers, _conjecture, _finite_boosting, _margins)
    entries = [entry for part in parts for entry in part(results.tables)]
    return pd.DataFrame(entries, columns=["where", "statement", "holds", "evidence"])


def _first_true(*cases: tuple[bool, str]) -> str:
    """The first word whose condition is true; "not as stated" if none is."""
    return next((word for condition, word in cases if condition), NOT)


def _completeness(tables: Frames) -> Iterator[Entry]:
    rows = tables["completeness"]
    right = bool((rows["complete"] == (rows["leaves"] > rows["variables"])).all())
    yield (
        "3",
        "Trees with T leaves are complete if, and it seems only if, T > D",
        _first_true((right, EXACT)),
        say(
            "rank full for T = D+1 and short for T <= D in {cases} cases, D = 1 to {most}",
            cases=len(rows),
            most=rows["variables"].max(),
        ),
    )


def _population_boosting(tables: Frames) -> Iterator[Entry]:
    rows = tables["population_boosting"]
    large, small = (rows[(rows["leaves"] > rows["variables"]) == side] for side in (True, False))
    far, above = large["distance"].max(), large["error_above_bayes"].max()
    yield (
        "5",
        "AdaBoost with T > D converges to -r, its error to the Bayes risk",
        _first_true((less(far, 0.05) and less(above, 1e-3), ALWAYS)),
        say("||s+r|| at most {far:.1g} after at most {steps} steps", far=far, steps=large["steps"].max()),
    )
    fails = small[less(0.01, small["error_above_bayes"])]["problem"].tolist()
    yield (
        "5",
        "Smaller trees suffice if they can approximate r, and only then",
        _first_true(("additive" not in fails and {"xor", "interaction"} <= set(fails), ALWAYS)),
        f"T <= D: Bayes for the additive r, stuck above it for {', '.join(fails)}",
    )
    gap = rows["identity_gap"].max()
    yield (
        "App. I",
        "I falls by sqrt(1 - b^2) each step of log((1+b)/(1-b))/2",
        _first_true((gap < 1e-10, EXACT)),
        say("largest relative gap {gap:below 1e-12}, once the lost square root of Q is put back", gap=gap),
    )


def _kernel_properties(tables: Frames) -> Iterator[Entry]:
    rows = tables["kernel_properties"]
    excess = rows[rows["quantity"] == "largest excess over the bound"]["value"].max()
    least = rows[rows["quantity"].str.contains("least eigenvalue")]["value"].min()
    yield (
        "6, App. II",
        "The kernel is symmetric, positive definite, continuous",
        _first_true((at_most(0.0, least) and at_most(excess, 0.0), EXACT)),
        say(
            "least eigenvalue {least:below 1e-12} in size; changes stay within Condition C's bound",
            least=least,
        ),
    )


def _kernel_formulas(tables: Frames) -> Iterator[Entry]:
    test = tables["kernel_test"].set_index("variables").loc["all"]
    rows = tables["kernel_errors"]
    gaps = rows[rows["what"].str.startswith("exact")]
    on_faces = gaps["largest_from_a_face"].max()
    yield (
        "7",
        "Theorem 4 is the kernel of purely random trees",
        _first_true((at_most(test["theorem_4_largest_z"], 4), EXACT), (less(on_faces, 1e-5), PARTLY)),
        say(
            "exact from a face of the cube; inside it a lower bound, short by up to {gap:.2f}",
            gap=gaps["largest"].max(),
        ),
    )
    curve = rows[rows["what"].str.startswith("-log U")]["largest"].max()
    rows = tables["corollary"]
    rows = rows[(rows["against"] == "Theorem 4") & (rows["pairs"] == "uniform in the cube")]
    log, harmonic = (rows[rows["form"].str.startswith(start)]["largest"] for start in ("log", "H"))
    yield (
        "7",
        "Corollary 5: exp(-lambda city-block distance), lambda = log(T)/M",
        _first_true((at_most(log.max(), 0.02), EXACT), (at_most(log.max(), 0.3), NEARLY)),
        say(
            "off by {log[0]:.2f} to {log[1]:.2f}; with H(T-1)/M by {harmonic[0]:.2f} to {harmonic[1]:.2f}",
            log=(log.min(), log.max()),
            harmonic=(harmonic.min(), harmonic.max()),
        ),
    )
    yield (
        "App. III",
        "-log U is lambda d for lambda up to 0.5",
        _first_true((at_most(curve, 0.02), NEARLY)),
        say("to {curve:.4f}", curve=curve),
    )


def _sharpness(tables: Frames) -> Iterator[Entry]:
    rows = tables["sharpness"]
    rises = rows[rows["problem"] == "circle"].groupby(["masses", "rule"])["increase"]  # rows stand in order of leaves
    falls = rises.apply(lambda rise: bool(less(rise.to_numpy()[1:], rise.to_numpy()[:-1]).all()))
    yield (
        "7",
        "More leaves make the kernel sharper and the error smaller",
        _first_true((bool(falls.all()), ALWAYS)),
        f"the circle's error falls with every doubling of T, for {falls.sum()} of {len(falls)} rules and masses",
    )


def _averaging(tables: Frames) -> Iterator[Entry]:
    rows = tables["vote_or_average"]
    rows = rows[(rows["cuts"] == "uniform") & (rows["square"] == UNIT_SQUARE)]
    smooth = rows[(rows["problem"] == "gaussians") & (rows["masses"] == "density") & (rows["rule"] == "vote")]
    smooth = smooth["agreement"].min()
    sharp = rows[(rows["problem"] == "circle") & (rows["masses"] == "natural")]
    vote, proportion = (sharp[sharp["rule"] == rule]["agreement"].min() for rule in ("vote", "node proportion"))
    yield (
        "6",
        "The vote is approximated by the kernel average",
        _first_true((less(0.9, vote), NEARLY), (less(0.9, smooth), PARTLY)),
        say("they agree on {smooth:.0%} for the Gaussians, on {vote:.0%} for the circle", smooth=smooth, vote=vote),
    )
    yield (
        "6",
        "For averaged class probabilities the kernel form is exact",
        _first_true((less(0.999, proportion), EXACT)),
        say(
            "it averages leaf integrals, not leaf proportions: these agree with it on {share:.0%} for the circle",
            share=proportion,
        ),
    )


def _boundaries(tables: Frames) -> Iterator[Entry]:
    rows = tables["readings"]
    analytic = rows[(rows["square"] == UNIT_SQUARE) & rows["rule"].isin(["printed kernel", "exact kernel"])]
    line = analytic[(analytic["number"] == "linear") & (analytic["cells"] == "share")]["increase"]
    yield (
        "8",
        "At a linear boundary the kernel is unbiased",
        _first_true((less(line.max(), 0.5), NEARLY)),
        say(
            "the line is a zero of the average; reversed spots at its ends cost {least:z.2f} to {most:.2f}%",
            least=line.min(),
            most=line.max(),
        ),
    )
    bias = analytic[(analytic["number"] == "circle") & (analytic["masses"] == "natural")]["bias"]
    yield (
        "8",
        "At a curved, abrupt boundary it is biased toward the outer class",
        _first_true((bool(less(bias, 0.0).all()), ALWAYS)),
        say("with P uniform the inner class loses {loss:.0f}% of the square or more", loss=-bias.max()),
    )
    rows = tables["skewing"]
    rows = rows[rows["square"] == UNIT_SQUARE]
    surely, mostly = less(0.0, rows["fall_low"]), less(0.0, rows["fall"])
    yield (
        "8",
        "Skewing the kernel by triangular cuts removes some of the bias",
        _first_true((surely.all(), ALWAYS), (2 * mostly.sum() > len(rows), PARTLY)),
        say(
            "it falls in {falls} of {readings} readings, by {most:.0%} at most",
            falls=surely.sum(),
            readings=len(rows),
            most=1 - rows["ratio"].min(),
        ),
    )
    yield (
        "8",
        "The rise over Bayes is bounded by the integral of |D| between boundaries",
        _first_true((tables["bound"]["largest_gap"].max() < 1e-12, EXACT)),
        "it is an equality",
    )


def _numbers(tables: Frames) -> Iterator[Entry]:
    for row in tables["section8"].itertuples():
        near = at_most(abs(row.as_stated - row.value_printed), row.tolerance)
        yield (
            "8",
            f"{row.number} {row.value_printed:g}%",
            _first_true((near, NEARLY), (row.within_tolerance, SOME)),
            say(
                "as stated {stated:z.2f}; nearest reading {nearest:z.2f} ({reading})",
                stated=row.as_stated,
                nearest=row.nearest,
                reading=row.nearest_reading,
            ),
        )


def _conjecture(tables: Frames) -> Iterator[Entry]:
    rows = tables["skewness_conjecture"]
    strength, correlation = rows["strength_with_skewness"].min(), rows["correlation_with_symmetry"].max()
    yield (
        "8",
        "Strength goes with skewness, low correlation with symmetry",
        _first_true(
            (equal(strength, 1.0) and at_most(correlation, -0.999), EXACT),
            (less(0.8, strength) and less(correlation, -0.8), NEARLY),
        ),
        say(
            "rank correlations along alpha at least {strength:.2f} and at most {correlation:.2f}",
            strength=strength,
            correlation=correlation,
        ),
    )


def _finite_boosting(tables: Frames) -> Iterator[Entry]:
    rows = tables["finite_boosting"].set_index("quantity")
    samples = list(rows.columns)
    stopped = less(rows.loc["movement a round, window"], 0.02 * rows.loc["movement a round, early"])
    settled = [sample for sample, still in zip(samples, stopped, strict=True) if still]
    wanders = [sample for sample in samples if sample not in settled]
    cycles = [sample for sample in samples if not equal(rows.loc["period", sample], 0.0)]
    yield (
        "9.1",
        "On finite data AdaBoost does not converge but wanders",
        _first_true((not settled, ALWAYS), (bool(wanders), PARTLY)),
        f"weights cycle on {', '.join(cycles)}"
        if cycles
        else f"weights wander on {', '.join(wanders) or 'none'}, settle on {', '.join(settled) or 'none'}, no period",
    )


def _margins(tables: Frames) -> Iterator[Entry]:
    rows = tables["finite_boosting"].set_index("quantity")
    ratio = rows.loc["margin sd, last checkpoint"] / rows.loc["margin sd, first checkpoint"]
    yield (
        "9.1",
        "AdaBoost roughly equalises the margins of all instances",
        _first_true((less(ratio.max(), 0.1), ALWAYS), (less(ratio.max(), 1.0), PARTLY)),
        say("spread of margins falls to {ratio:.0%}", ratio=ratio.to_dict()),
    )
    lighter = rows.loc["lighter sets after a round, share"]
    yield (
        "9.1",
        "The chosen set Q moves to the top of the weight heap",
        _first_true((less(0.99, lighter.min()), ALWAYS)),
        say(
            "its weight becomes 1/2, and {share:.0%} of the sets are lighter: the heap holds the negation of every "
            "classifier",
            share=lighter.max(),
        ),
    )
