"""Which reading the authors followed, as far as their tables tell: distances to the printed values, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from arboretum.measures import ties
from arboretum.papers.contract import table
from arboretum.papers.results import TEXT, Results, once
from arboretum.papers.vrtrees.rates import (
    DRAWS,
    LEARNER_NAMES,
    RELATED_SETS,
    TABLE3_LEARNERS,
    available_sets,
    draws_by_set,
    errors_by_repetition,
    over_repetitions,
    printed_errors,
    ranks_among,
    set_means,
)
from arboretum.papers.vrtrees.tables.artificial import errors_on_concepts
from arboretum.papers.vrtrees.tables.performance import spread
from arboretum.seeds import generator

VR_LEARNERS = ["coalescence", "max_diverse", "bagging", "random_subspace"]  # of Table 3
VR_ON_CONCEPTS = ["max_diverse", "coalescence", "agg_alpha05"]  # of Table 4
SPLITS = 1000
ALL = "none"  # no column is left out


@once
def cells_of_table3(results: Results) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Distance to print of each cell of Table 3 (sets x ensembles), by reading, and when repetitions are drawn anew."""
    text, found = printed_errors(results.readings[TEXT])[VR_LEARNERS].to_numpy(), {}
    for name, under in results.readings.items():
        errors = errors_by_repetition(under)[VR_LEARNERS].dropna()
        found[name] = np.abs(set_means(errors).to_numpy() - text), np.abs(draws_by_set(errors) - text)
    return found


@once
def cells_of_table4(results: Results) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The same for Table 4 (rows x ensembles); the runs are drawn anew."""
    text, found = results.printed["table4_concepts"].set_index("printed_row")[VR_ON_CONCEPTS], {}
    for name, under in results.readings.items():
        runs = [errors_on_concepts(under)[row][VR_ON_CONCEPTS].to_numpy() for row in text.index]
        rng = generator(paper="vrtrees", purpose="bootstrap of runs")  # the same draws under every reading
        drawn = [one[rng.integers(len(one), size=(DRAWS, len(one)))].mean(axis=1) for one in runs]
        means = np.stack([one.mean(axis=0) for one in runs])
        found[name] = np.abs(means - text.to_numpy()), np.abs(np.stack(drawn, axis=1) - text.to_numpy())
    return found


def measured(name: str, cells: np.ndarray, draws: np.ndarray) -> dict[str, float]:
    """The mean over cells, with its interval; draws of a mean of absolute values lie above it: they are moved back."""
    value, drawn = float(cells.mean()), draws.mean(axis=(-2, -1))
    return {name: value} | spread(name, drawn - drawn.mean() + value)


@table(
    readings=True,
    title="How far each reading is from the printed values",
    keys=("reading",),
    caption=(
        "table 3: mean of |ours - printed| over the cells of the four ensembles of VR-Trees, in points; the paper has "
        "one run, so its own noise is part of every distance. table 4: the same over the rows of concepts A and B, "
        "alpha 0, Coalescence and alpha 0.5. less text: from the first reading on the same repetitions. low, high: "
        "95%, the sets fixed and the runs drawn anew. coalescence behind: its mean rank less the best of the other "
        "five of Table 3, random forest and C5.0 among them; first where it is below 0."
    ),
)
def readings_distance(results: Results) -> pd.DataFrame:
    rows = []
    for name, reading in results.readings.described.items():
        row: dict[str, object] = {"reading": name}
        for label, cells in (("table3", cells_of_table3(results)), ("table4", cells_of_table4(results))):
            (mean, draws), (text, text_draws) = cells[name], cells[TEXT]
            row |= measured(label, mean, draws) | measured(f"{label}_less_text", mean - text, draws - text_draws)
        ranks = over_repetitions(ranks_among(results.readings[name], TABLE3_LEARNERS))
        order = ranks.draws[:, 0] - ranks.draws[:, 1:].min(axis=1)
        behind = ranks.mean[0] - ranks.mean[1:].min()
        row |= {"coalescence_behind": behind} | spread("coalescence_behind", order)
        row |= {"best_of_the_others": LEARNER_NAMES[TABLE3_LEARNERS[1 + ties.first_least(ranks.mean[1:])]]}
        rows.append(row | dict(reading.choices))
    return pd.DataFrame(rows)


@table(
    readings=True,
    title="Table 3 with one option changed",
    keys=("dataset", "method"),
    caption=(
        "Per cent errors, means over repetitions, of the four ensembles of VR-Trees: printed, under the text, and "
        "under each reading that differs from it in one option, on the same folds."
    ),
)
def readings_cells(results: Results) -> pd.DataFrame:
    described, printed = results.readings.described, printed_errors(results.readings[TEXT])[VR_LEARNERS]
    text = described[TEXT].choices
    single = [name for name, one in described.items() if sum(one.choices[key] != text[key] for key in text) <= 1]
    printed.index = pd.Index(available_sets(results.readings[TEXT]), name="dataset")
    columns = {"error_printed": printed.stack()}
    for name in single:
        columns[name] = set_means(errors_by_repetition(results.readings[name])[VR_LEARNERS].dropna()).stack()
    frame = pd.DataFrame(columns).rename_axis(["dataset", "method"]).reset_index()
    return frame.assign(method=frame["method"].map(LEARNER_NAMES))


def pairs_of(results: Results, choice: str, option: str, first: str) -> Iterator[tuple[str, str]]:
    """Readings with the option and with the first option of a choice that agree in all other choices."""
    described = {name: dict(reading.choices) for name, reading in results.readings.described.items()}
    for name, choices in described.items():
        if choices[choice] == option:
            other = {**choices, choice: first}
            yield from ((name, one) for one, found in described.items() if found == other)


@table(
    readings=True,
    title="What each option of a choice does to the distance",
    keys=("choice", "option"),
    caption=(
        "Change of the mean distance against the first option of the choice, mean over the readings that differ in "
        "nothing else; least, greatest: of these readings. low, high: 95%, the sets fixed and the runs drawn anew."
    ),
)
def readings_options(results: Results) -> pd.DataFrame:
    first, rows = results.readings.described[TEXT].choices, []
    for choice in first:
        options = dict.fromkeys(reading.choices[choice] for reading in results.readings.described.values())
        for option in options:
            pairs = [] if option == first[choice] else list(pairs_of(results, choice, option, first[choice]))
            row: dict[str, object] = {"choice": choice, "option": option, "pairs": len(pairs)}
            for label, cells in (("table3", cells_of_table3(results)), ("table4", cells_of_table4(results))):
                if pairs:
                    changes = np.mean([cells[one][0] - cells[other][0] for one, other in pairs], axis=0)
                    draws = np.mean([cells[one][1] - cells[other][1] for one, other in pairs], axis=0)
                    each = [float((cells[one][0] - cells[other][0]).mean()) for one, other in pairs]
                    row |= measured(label, changes, draws) | {
                        f"{label}_least": min(each),
                        f"{label}_greatest": max(each),
                    }
            rows.append(row)
    return pd.DataFrame(rows)


def halves(names: list[str]) -> np.ndarray:
    """Random halves of the sets (splits x sets, true for the half that chooses); related sets stay together."""
    clusters = [RELATED_SETS.get(name, name) for name in names]
    which, member = np.unique(clusters, return_inverse=True)
    rng = generator(paper="vrtrees", purpose="halves of the sets")
    return np.stack([rng.permutation(len(which))[member] < len(which) // 2 for _ in range(SPLITS)])


def on_other_half(distances: np.ndarray, chooses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The reading nearest to print on the half that chooses, by split, and every distance on the other half.

    ``distances`` are means over columns (readings x sets); returns (splits) and (splits x readings).
    """
    weights = chooses / chooses.sum(axis=1, keepdims=True)
    others = ~chooses / (~chooses).sum(axis=1, keepdims=True)
    return ties.first_least(weights @ distances.T), others @ distances.T


@table(
    readings=True,
    title="Choosing a reading on half of the sets",
    keys=("left_out",),
    caption=(
        "1,000 random halves of the sets of Table 3, related sets together: the reading nearest to print on one half, "
        "and its distance on the other half, less that of the text there (points; low, high: the central 95% of the "
        "splits, which share sets). nearer: share of the splits in which it is nearer than the text on the other half. "
        "left out: a column of Table 3. The shares are of the splits in which each option was chosen."
    ),
)
def readings_split(results: Results) -> pd.DataFrame:
    names, cells, rows = list(results.readings), cells_of_table3(results), []
    described = results.readings.described
    by_reading, chooses = np.stack([cells[name][0] for name in names]), halves(available_sets(results.readings[TEXT]))
    for left_out in (ALL, *VR_LEARNERS):
        kept = [place for place, learner in enumerate(VR_LEARNERS) if learner != left_out]
        chosen, there = on_other_half(by_reading[..., kept].mean(axis=-1), chooses)
        shares = np.bincount(chosen, minlength=len(names)) / SPLITS
        gain = there[np.arange(SPLITS), chosen] - there[:, names.index(TEXT)]
        row: dict[str, object] = {"left_out": LEARNER_NAMES.get(left_out, ALL)}
        row |= {"most_often": names[ties.first_greatest(shares)], "share": shares.max()}
        row |= {"distance_on_other_half": there[np.arange(SPLITS), chosen].mean()}
        row |= {"text_on_other_half": there[:, names.index(TEXT)].mean(), "less_text": gain.mean()}
        row |= spread("less_text", gain) | {"nearer": float(np.mean(ties.less(gain, 0)))}
        for choice in described[TEXT].choices:
            for option in dict.fromkeys(reading.choices[choice] for reading in described.values()):
                has = np.array([described[name].choices[choice] == option for name in names])
                row[f"share {choice}: {option}"] = shares[has].sum()
        rows.append(row)
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ what the tables tell, in words

OPEN = "open"


def told(options: pd.DataFrame, label: str) -> str:
    """The option of a choice that a table tells: nearer by its interval, or the first if all others are farther."""
    others = options[options["pairs"] > 0]
    nearer = others[others[f"{label}_high"] < 0]
    if len(nearer):
        return nearer["option"].iloc[ties.first_least(nearer[label].to_numpy())]
    return options["option"].iloc[0] if len(others) and (others[f"{label}_low"] > 0).all() else OPEN


def changes_in_words(options: pd.DataFrame, label: str) -> str:
    """How the options of a choice change the distance to a printed table, against the first of them."""
    return "; ".join(
        f"{row['option']} {row[label]:+.2f} ({row[f'{label}_low']:+.2f} to {row[f'{label}_high']:+.2f})"
        for _, row in options[options["pairs"] > 0].iterrows()
    )


def answer_of_choice(choice: str, options: pd.DataFrame, halves_chosen: pd.Series) -> dict[str, object]:
    first = options["option"].iloc[0]
    shares = "; ".join(
        f"{option} {halves_chosen[f'share {choice}: {option}']:.0%}" for option in options["option"].to_numpy()
    )
    return {
        "question": f"{choice}: which option?",
        "table3": told(options, "table3"),
        "table4": told(options, "table4"),
        "answer": f"Distance to print in points, less that of {first}: Table 3 {changes_in_words(options, 'table3')}. "
        f"Table 4 {changes_in_words(options, 'table4')}. Chosen on halves of the sets: {shares}.",
    }


def answer_by_halves(chosen: pd.Series) -> dict[str, object]:
    return {
        "question": "Which reading did the authors follow?",
        "table3": chosen["most_often"],
        "table4": OPEN,
        "answer": f"Of {SPLITS:,} halves {chosen['share']:.0%} choose {chosen['most_often']}. What a half chooses "
        f"is nearer to print than the text on {chosen['nearer']:.0%} of the other halves, by "
        f"{-chosen['less_text']:.2f} ({-chosen['less_text_high']:.2f} to {-chosen['less_text_low']:.2f}) points of "
        f"{chosen['text_on_other_half']:.2f}.",
    }


def answer_on_coalescence(distance: pd.DataFrame) -> dict[str, object]:
    behind = distance["coalescence_behind"]
    first, apart = int(ties.less(behind, 0).sum()), int((distance["coalescence_behind_high"] < 0).sum())
    best = distance.iloc[ties.first_least(behind.to_numpy())]
    words = f"Under {first} of {len(distance)} readings; under {apart} its own interval of 95% lies below 0."
    return {
        "question": "Is Coalescence first under any reading?",
        "table3": f"{first} of {len(distance)}",
        "table4": OPEN,
        "answer": f"{words if first else 'Under none.'} It is best placed under {best['reading']}: "
        f"{best['coalescence_behind']:+.2f} ({best['coalescence_behind_low']:+.2f} to "
        f"{best['coalescence_behind_high']:+.2f}) ranks behind the best of the others, {best['best_of_the_others']}.",
    }


@table(
    readings=True,
    title="Which reading the authors followed",
    keys=("question",),
    prose=("answer",),
    caption=(
        "As far as Tables 3 and 4 tell. An option is told where the interval of 95% has it nearer to the printed cells "
        "than the first option, or all others farther, over the readings that differ in nothing else; each interval is "
        "taken alone. open: where the intervals do not decide, or no cell of the table depends on the choice."
    ),
)
def readings_answers(results: Results) -> pd.DataFrame:
    options, split = results.tables["readings_options"], results.tables["readings_split"].iloc[0]
    rows = [answer_of_choice(choice, found, split) for choice, found in options.groupby("choice", sort=False)]
    return pd.DataFrame([answer_by_halves(split), *rows, answer_on_coalescence(results.tables["readings_distance"])])
