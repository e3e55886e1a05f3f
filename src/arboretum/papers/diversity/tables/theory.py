"""Table 1.1, the combiners of Figure 4.3, every theoretical statement, and the networks of section 5.4."""

from __future__ import annotations

import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.kit.curves import means
from arboretum.papers.results import Results

NAMES = {  # of the printed table in the words of ``measures.losses``
    "squared error": "squared",
    "logistic": "logistic",
    "itakura-saito": "Itakura-Saito",
    "mahalanobis": "Mahalanobis",
    "kl": "KL",
    "generalised-I": "generalised I",
    "poisson": "Poisson",
}
PRINTED_COMBINERS = {  # Figure 4.3, as the rows of the experiment name them
    "squared loss": "arithmetic mean (squared)",
    "Poisson regression loss": "geometric mean (Poisson)",
    "KL-divergence": "normalised geometric mean (KL)",
    "Itakura-Saito loss": "harmonic mean (Itakura-Saito)",
}


def statements_of(results: Results, claim: str) -> pd.DataFrame:
    """The statements of one claim."""
    frame = results.raw["theory"]
    return frame[frame["claim"] == claim]


@table(
    title="Table 1.1: Bregman divergences, their generators and centroids",
    keys=("loss",),
    sources=("theory",),
    caption=(
        "As printed, and corrected where print cannot hold. gap: largest distance of the closed form of the left "
        "(combiner) and right (mean) centroid from a numeric minimum, over random samples, rounded to five digits. "
        "The squared Euclidean distance is the Mahalanobis distance with the unit matrix."
    ),
)
def table1_1(results: Results) -> pd.DataFrame:
    """Printed cells, corrections, and closed form against search."""
    gaps = statements_of(results, "diversity-c02").set_index(["statement", "variant"])["extreme"]
    rows = []
    for row in results.printed["table1_1_bregman"].fillna("").itertuples():
        ours = NAMES.get(row.loss, "Mahalanobis")
        rows.append(
            {
                "loss": row.loss,
                "divergence_printed": row.divergence_printed,
                "generator_printed": row.generator_printed,
                "domain": row.domain,
                "divergence_corrected": "" if row.divergence_correct == "same" else row.divergence_correct,
                "generator_corrected": "" if row.generator_correct == "same" else row.generator_correct,
                "combiner": row.left_centroid_combiner,
                "left_centroid_gap": gaps["left centroid: closed form = numeric minimum", ours],
                "right_centroid_gap": gaps["right centroid: closed form = numeric minimum", ours],
                "note": row.note,
            }
        )
    return pd.DataFrame(rows)


@table(
    title="Figure 4.3: the combiner that a divergence implies",
    keys=("divergence",),
    sources=("theory",),
    caption="Largest distance of the left centroid from the mean that print names, over random samples.",
)
def combiners(results: Results) -> pd.DataFrame:
    """One row per printed combiner."""
    gaps = statements_of(results, "diversity-c03").set_index("variant")
    rows = [
        {
            "divergence": name,
            "combiner_printed": ours.split(" (")[0],
            "samples": int(gaps.loc[ours, "problems"]),
            "largest_gap": gaps.loc[ours, "extreme"],
        }
        for name, ours in PRINTED_COMBINERS.items()
    ]
    return pd.DataFrame(rows)


@table(
    title="Every theoretical statement on random finite problems",
    keys=("claim", "kind", "statement", "variant"),
    sources=("theory",),
    caption=(
        "identity: extreme is the largest deviation; inequality: extreme is the least slack, negative where it is "
        "violated; value: a number to look at, its largest and its mean."
    ),
)
def statements(results: Results) -> pd.DataFrame:
    """What every claim of theory rests on."""
    keys = ["claim", "kind", "statement", "variant"]
    return results.raw["theory"].sort_values(keys, kind="stable")[[*keys, "problems", "violations", "extreme", "mean"]]


@table(
    title="Section 5.4: networks trained by negative correlation",
    keys=("dataset", "loss", "lambda"),
    sources=("ncl",),
    tolerance=1e-6,
    caption=(
        "Mean over splits; three trials each, ten networks of one hidden layer. lambda 0 trains each network for "
        "itself, 1 the ensemble as one. The thesis proposes the objective and runs no experiment."
    ),
)
def negative_correlation(results: Results) -> pd.DataFrame:
    """Loss, diversity and 0/1 error by lambda."""
    frame = results.raw["ncl"]
    votes = frame["cases"] * frame["trials"]
    frame = frame.assign(
        error=frame["ensemble_errors"] / votes, member_error=frame["member_errors"] / (votes * frame["members"])
    )
    shown = ["error", "member_error", "expected_ensemble_loss", "expected_member_loss", "diversity"]
    found = means(frame, ["dataset", "loss", "lambda"], [*shown, "average_bias", "average_variance"])
    return found.rename(columns={"runs": "splits"}).sort_values(["dataset", "loss", "lambda"], ignore_index=True)
