"""One screen: which of Breiman's statements hold exactly, which approximately and how well, and which do not.

Every entry is decided by the numbers of the other tables; the words say what was measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd

from arboretum.papers.shape import Frames

EXACT, ALWAYS, NEARLY = "exactly", "in every case", "approximately"  # by identity, or by all that was tried
PARTLY, SOME, NOT = "in part", "under some readings", "not as stated"
UNIT = "[0, 1]^2"
Entry = tuple[str, str, str, str]


def _when(*cases: tuple[bool, str]) -> str:
    """The first word whose condition is true; "not as stated" if none is."""
    return next((word for condition, word in cases if condition), NOT)


def _theory(tables: Frames) -> Iterator[Entry]:
    rows = tables["completeness"]
    right = bool((rows["complete"] == (rows["leaves"] > rows["variables"])).all())
    yield (
        "3",
        "Trees with T leaves are complete if, and it seems only if, T > D",
        _when((right, EXACT)),
        (f"rank full for T = D+1 and short for T <= D in {len(rows)} cases, D = 1 to {rows['variables'].max()}"),
    )
    rows = tables["population_boosting"]
    large, small = (rows[(rows["leaves"] > rows["variables"]) == side] for side in (True, False))
    yield (
        "5",
        "AdaBoost with T > D converges to -r, its error to the Bayes risk",
        _when((large["distance"].max() < 0.05 and large["error_above_bayes"].max() < 1e-3, ALWAYS)),
        f"||s+r|| at most {large['distance'].max():.1g} after at most {large['steps'].max()} steps",
    )
    fails = small[small["error_above_bayes"] > 0.01]["problem"]
    yield (
        "5",
        "Smaller trees suffice if they can approximate r, and only then",
        _when(("additive" not in set(fails) and {"xor", "interaction"} <= set(fails), ALWAYS)),
        f"T <= D: Bayes for the additive r, stuck above it for {', '.join(fails)}",
    )
    yield (
        "App. I",
        "I falls by sqrt(1 - b^2) each step of log((1+b)/(1-b))/2",
        _when((rows["identity_gap"].max() < 1e-10, EXACT)),
        f"largest relative gap {rows['identity_gap'].max():.0e}, once the lost square root of Q is put back",
    )


def _kernels(tables: Frames) -> Iterator[Entry]:
    rows = tables["kernel_properties"]
    shift = rows[rows["quantity"] == "largest excess over the bound"]["value"].max()
    least = rows[rows["quantity"].str.contains("least eigenvalue")]["value"].min()
    yield (
        "6, App. II",
        "The kernel is symmetric, positive definite, continuous",
        _when((least > -1e-9 and shift <= 1e-9, EXACT)),
        f"least eigenvalue {least:.0e}; changes stay within Condition C's bound",
    )
    test = tables["kernel_test"].set_index("variables").loc["all"]
    table = tables["kernel_errors"]
    gaps = table[table["what"].str.startswith("exact")]
    yield (
        "7",
        "Theorem 4 is the kernel of purely random trees",
        _when((test["theorem_4_largest_z"] <= 4, EXACT), (gaps["largest_from_a_face"].max() < 1e-5, PARTLY)),
        f"exact from a face of the cube; inside it a lower bound, short by up to {gaps['largest'].max():.2f}",
    )
    rows = tables["corollary"]
    rows = rows[(rows["against"] == "Theorem 4") & (rows["pairs"] == "uniform in the cube")]
    log, harmonic = (rows[rows["form"].str.startswith(start)]["largest"] for start in ("log", "H"))
    yield (
        "7",
        "Corollary 5: exp(-lambda city-block distance), lambda = log(T)/M",
        _when((log.max() <= 0.02, EXACT), (log.max() <= 0.3, NEARLY)),
        f"off by {log.min():.2f} to {log.max():.2f}; with H(T-1)/M by {harmonic.min():.2f} to {harmonic.max():.2f}",
    )
    curve = table[table["what"].str.startswith("-log U")]["largest"].max()
    yield "App. III", "-log U is lambda d for lambda up to 0.5", _when((curve <= 0.02, NEARLY)), f"to {curve:.4f}"
    rows = tables["sharpness"].sort_values("leaves")
    rows = rows[rows["problem"] == "circle"]
    falls = rows.groupby(["masses", "rule"])["increase"].apply(lambda rise: bool((rise.diff().dropna() < 0).all()))
    yield (
        "7",
        "More leaves make the kernel sharper and the error smaller",
        _when((bool(falls.all()), ALWAYS)),
        (f"the circle's error falls with every doubling of T, for {falls.sum()} of {len(falls)} rules and masses"),
    )


def _section8(tables: Frames) -> Iterator[Entry]:
    rows = tables["vote_or_average"]
    rows = rows[(rows["cuts"] == "uniform") & (rows["square"] == UNIT)]
    smooth = rows[(rows["problem"] == "gaussians") & (rows["masses"] == "density") & (rows["rule"] == "vote")]
    sharp = rows[(rows["problem"] == "circle") & (rows["masses"] == "natural")]
    vote, proportion = (sharp[sharp["rule"] == rule]["agreement"].min() for rule in ("vote", "node proportion"))
    yield (
        "6",
        "The vote is approximated by the kernel average",
        _when((vote > 0.9, NEARLY), (smooth["agreement"].min() > 0.9, PARTLY)),
        f"they agree on {smooth['agreement'].min():.0%} for the Gaussians, on {vote:.0%} for the circle",
    )
    yield (
        "6",
        "For averaged class probabilities the kernel form is exact",
        _when((proportion > 0.999, EXACT)),
        (f"it averages leaf integrals, not leaf proportions: these agree with it on {proportion:.0%} for the circle"),
    )
    rows = tables["readings"]
    analytic = rows[(rows["square"] == UNIT) & rows["rule"].isin(["printed kernel", "exact kernel"])]
    line = analytic[(analytic["number"] == "linear") & (analytic["cells"] == "share")]["increase"]
    yield (
        "8",
        "At a linear boundary the kernel is unbiased",
        _when((line.max() < 0.5, NEARLY)),
        (f"the line is a zero of the average; reversed spots at its ends cost {line.min():.2f} to {line.max():.2f}%"),
    )
    circle = analytic[(analytic["number"] == "circle") & (analytic["masses"] == "natural")]
    yield (
        "8",
        "At a curved, abrupt boundary it is biased toward the outer class",
        _when((bool((circle["bias"] < 0).all()), ALWAYS)),
        f"with P uniform the inner class loses {-circle['bias'].max():.0f}% of the square or more",
    )
    rows = tables["skewing"]
    rows = rows[rows["square"] == UNIT]
    yield (
        "8",
        "Skewing the kernel by triangular cuts removes some of the bias",
        _when((bool((rows["fall_low"] > 0).all()), ALWAYS), (bool((rows["fall"] > 0).mean() > 0.5), PARTLY)),
        f"it falls in {(rows['fall_low'] > 0).sum()} of {len(rows)} readings, by {1 - rows['ratio'].min():.0%} at most",
    )
    gap = tables["bound"]["largest_gap"].max()
    yield (
        "8",
        "The rise over Bayes is bounded by the integral of |D| between boundaries",
        _when((gap < 1e-12, EXACT)),
        ("it is an equality"),
    )
    for row in tables["section8"].itertuples():
        near = abs(row.as_stated - row.value_printed) <= row.tolerance
        yield (
            "8",
            f"{row.number} {row.value_printed:g}%",
            _when((near, NEARLY), (row.within_tolerance, SOME)),
            (f"as stated {row.as_stated:.2f}; nearest reading {row.nearest:.2f} ({row.nearest_reading})"),
        )
    rows = tables["skewness_conjecture"]
    weakest = rows["correlation_with_symmetry"].max()
    yield (
        "8",
        "Strength goes with skewness, low correlation with symmetry",
        _when(
            (rows["strength_with_skewness"].min() == 1 and weakest <= -0.999, EXACT),
            (rows["strength_with_skewness"].min() > 0.8 and weakest < -0.8, NEARLY),
        ),
        f"rank correlations along alpha at least {rows['strength_with_skewness'].min():.2f} and at most {weakest:.2f}",
    )


def _finite(tables: Frames) -> Iterator[Entry]:
    rows = tables["finite_boosting"].set_index("quantity")
    moves = rows.loc["movement a round, window"]
    settled = [sample for sample in moves.index if moves[sample] < 0.02 * rows.loc["movement a round, early", sample]]
    wanders = [sample for sample in moves.index if sample not in settled]
    yield (
        "9.1",
        "On finite data AdaBoost does not converge but wanders",
        _when((not settled, ALWAYS), (bool(wanders), PARTLY)),
        (
            f"weights wander on {', '.join(wanders) or 'none'}, settle on {', '.join(settled) or 'none'}, no period"
            if (rows.loc["period"] == 0).all()
            else f"weights cycle on {', '.join(rows.columns[rows.loc['period'] > 0])}"
        ),
    )
    ratio = rows.loc["margin sd, last checkpoint"] / rows.loc["margin sd, first checkpoint"]
    yield (
        "9.1",
        "AdaBoost roughly equalises the margins of all instances",
        _when((ratio.max() < 0.1, ALWAYS), (ratio.max() < 1, PARTLY)),
        "spread of margins falls to " + ", ".join(f"{value:.0%} ({sample})" for sample, value in ratio.items()),
    )
    lighter = rows.loc["lighter sets after a round, share"]
    yield (
        "9.1",
        "The chosen set Q moves to the top of the weight heap",
        _when((lighter.min() > 0.99, ALWAYS)),
        (
            f"its weight becomes 1/2, and {lighter.max():.0%} of the sets are lighter: the heap holds the negation of "
            "every classifier"
        ),
    )


def statements(build: dict[str, Callable], raw: Frames, printed: Frames) -> pd.DataFrame:
    """The summary, from the other tables (``build`` makes each by its name)."""
    tables = {name: make(raw, printed) for name, make in build.items()}
    entries = [e for part in (_theory, _kernels, _section8, _finite) for e in part(tables)]
    return pd.DataFrame(entries, columns=["where", "statement", "holds", "evidence"])
