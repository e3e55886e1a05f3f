"""Sections 5.1 and 5.3: what happens to bias, variance and diversity as trees are added, forest against learner.

Learners are compared on the same splits with 39 trees, the most that the thesis plots. Where text and code differ, the
verdict is that of the text, and the note gives the one that what was run would get.
"""

from __future__ import annotations

import numpy as np

from arboretum.measures.ties import at_most, less
from arboretum.papers.diversity.claims.shared import count, differences, on_enough, sign, signs
from arboretum.papers.diversity.tables.forests import FORESTS_OF_5_2
from arboretum.papers.diversity.tables.minima import paired_least
from arboretum.papers.diversity.tables.shared import BINARY, last_plotted, most_trees, paired, sets_present
from arboretum.papers.results import Results
from arboretum.papers.verdicts import NEGATIVE, POSITIVE, Stated, Verdict, all_parts, around, claim, decide


@claim("diversity-c30")
def only_diversity_grows(results: Results, stated: Stated) -> Verdict:
    """Change of bias, variance and their sum from ten trees on, and diversity along the error."""
    table = results.tables["growth_of_forests"].set_index("dataset")
    inside = around(0.0, stated.limit("change"))
    changes = {
        name: all_parts(*(sign(row[f"{name}_change"], row[f"{name}_change_standard_error"], inside) for _, row in rows))
        for name, rows in ((name, list(table.iterrows())) for name in ("bias", "variance", "member_error"))
    }
    follows = bool(less(stated.limit("correlation"), table["correlation"]).all())
    return Verdict(
        {
            "bias stays": changes["bias"],
            "variance stays": changes["variance"],
            "member error stays": changes["member_error"],
            "error falls as diversity rises": decide(follows),
        },
        {
            "from_trees": int(table["from_trees"].iloc[0]),
            "to_trees": int(table["to_trees"].iloc[0]),
            "changes": table["member_error_change"].to_dict(),
            "bias_changes": table["bias_change"].to_dict(),
            "diversity_changes": table["diversity_change"].to_dict(),
            "correlations": table["correlation"].to_dict(),
        },
        "from {from_trees} to {to_trees} trees the member error changes by {changes:+.4f}, the diversity by "
        "{diversity_changes:+.4f}; correlation of diversity and minus the error {correlations:.3f}",
        "Bias alone changes by {bias_changes:+.4f}. Trees grown alike have the same expected error whatever their "
        "number, so this holds by construction and chance is all that can break it.",
    )


@claim("diversity-c31")
def member_error_and_diversity_trade_off(results: Results, stated: Stated) -> Verdict:
    """Forests of several sizes, as the caption of Figure 5.2 has it; and across learners."""
    table = results.tables["trade_off"].set_index(["across", "dataset"])["correlation"]
    least = stated.limit("correlation")
    sizes = table["forests apart, several sizes"]
    learners = table[f"learners, {last_plotted(results)} trees"]
    drawn = table["prefixes of one forest, as run"]
    drawn = drawn[[name for name in drawn.index if name in FORESTS_OF_5_2] or list(drawn.index)]
    return Verdict(
        {
            "across forests of several sizes": decide(bool(at_most(least, sizes).all())),
            "across learners": decide(bool(at_most(least, learners).all())),
        },
        {
            "sizes": sizes.to_dict(),
            "learners": learners.to_dict(),
            "drawn": drawn.to_dict(),
            "as_run": decide(bool(at_most(least, drawn).all())),
        },
        "correlation of member error and diversity across forests of several sizes {sizes:.2f}; across learners with "
        "39 trees {learners:.2f}",
        "The code draws the prefixes 1..39 of one forest: correlation {drawn:.2f}, as run: {as_run}. The member error "
        "of a standard forest does not depend on its size, so no trend across sizes can be more than chance; across "
        "learners there is one.",
    )


@claim("diversity-c32")
def weighted_bootstrapping_raises_diversity(results: Results, stated: Stated) -> Verdict:
    """Diversity of DRF and XuChen above the forest's; that of weighted tree construction much nearer to it."""
    results.tables["guided_components"]
    members = last_plotted(results)
    above = {name: paired(results, "diversity", members, name, "rf") for name in ("w_drf", "w_xuchen")}
    member = paired(results, "member_error", members, "w_drf", "rf")
    fit = {name: paired(results, "diversity", members, name, "rf") for name in ("w_drf_fit", "w_drf_fit_as_run")}
    share = stated.limit("share_of_sets")

    def near(name: str) -> str:
        ratio = fit[name]["difference"].abs() / above["w_drf"]["difference"].abs()
        verdicts = {key: decide(bool(at_most(value, stated.limit("part")))) for key, value in ratio.items()}
        return on_enough(verdicts, share)

    return Verdict(
        {
            "DRF above the forest": on_enough(signs(above["w_drf"], POSITIVE), share),
            "XuChen above the forest": on_enough(signs(above["w_xuchen"], POSITIVE), share),
            "member error of DRF above the forest's": on_enough(signs(member, POSITIVE), share),
            "tree construction close to the forest": near("w_drf_fit"),
        },
        {
            "members": members,
            "drf": differences(above["w_drf"]),
            "xuchen": differences(above["w_xuchen"]),
            "fit": differences(fit["w_drf_fit"]),
            "fit_as_run": differences(fit["w_drf_fit_as_run"]),
            "as_run": near("w_drf_fit_as_run"),
        },
        "diversity less that of the forest, {members} trees: DRF {drf:+.3f}; XuChen {xuchen:+.3f}; tree construction "
        "{fit:+.3f}",
        "As run, where weights and cases do not match, tree construction gives {fit_as_run:+.3f}; its part as run: "
        "{as_run}.",
    )


@claim("diversity-c33")
def early_rise_and_later_fall(results: Results, stated: Stated) -> Verdict:
    """DRF by weighted bootstrapping: jump of the member error at the second tree, peak and fall of the diversity."""
    table = results.tables["spikes"].query("learner == 'w_drf'").set_index("dataset")
    share = stated.limit("share_of_sets")
    jumps = {name: sign(row["jump"], row["jump_standard_error"], POSITIVE) for name, row in table.iterrows()}
    early = {name: decide(trees <= stated.limit("early")) for name, trees in table["peak_trees"].items()}
    falls = {name: decide(bool(less(0, fall))) for name, fall in table["fall_from_peak"].items()}
    return Verdict(
        {
            "member error jumps at the second tree": on_enough(jumps, share),
            "diversity peaks early": on_enough(early, share),
            "diversity falls later": on_enough(falls, share),
        },
        {
            "jumps": table["jump"].to_dict(),
            "peaks": {name: int(value) for name, value in table["peak_trees"].items()},
            "falls": table["fall_from_peak"].to_dict(),
            "early": stated.limit("early"),
        },
        "jump of the member error {jumps:+.3f}; diversity highest with so many trees: {peaks}; then it falls by "
        "{falls:.3f}",
        "Early is up to {early} trees.",
    )


@claim("diversity-c34")
def member_error_of_drf_is_not_lower(results: Results, stated: Stated) -> Verdict:
    """Bias plus variance of DRF against the forest, with 39 trees and with all."""
    results.tables["guided_components"]
    sizes = sorted({last_plotted(results), most_trees(results)})
    gaps = {members: paired(results, "member_error", members, "w_drf", "rf") for members in sizes}
    inside = (-stated.limit("gap"), np.inf)
    return Verdict(
        {f"{members} trees": all_parts(*signs(frame, inside).values()) for members, frame in gaps.items()},
        {"gaps": {str(members): differences(frame) for members, frame in gaps.items()}},
        "member error of DRF less that of the forest, by trees: {gaps:+.3f}",
    )


@claim("diversity-c35")
def clipping_and_interpolation(results: Results, stated: Stated) -> Verdict:
    """Binary sets: the jump of the clipped sigmoid against DRF's, diversity and error of lerp against it."""
    jumps = results.tables["spikes"].pivot(index="dataset", columns="learner", values="jump")
    members = last_plotted(results)
    binary, share = sets_present(results, BINARY), stated.limit("share_of_sets")

    def parts_of(sigmoid: str) -> dict[str, str]:
        lower = {name: decide(bool(less(jumps.loc[name, sigmoid], jumps.loc[name, "w_drf"]))) for name in binary}
        gone = {name: decide(bool(at_most(jumps.loc[name, sigmoid], stated.limit("jump")))) for name in binary}
        diversity = paired(results, "diversity", members, "w_lerp", sigmoid).loc[binary]
        error = paired(results, "error", members, "w_lerp", sigmoid).loc[binary]
        return {
            "the jump is lower than DRF's": on_enough(lower, share),
            "clipping removes the jump": on_enough(gone, share),
            "interpolating gives more diversity": on_enough(signs(diversity, POSITIVE), share),
            "and no higher error": on_enough(signs(error, (-np.inf, stated.limit("error"))), share),
        }

    shown = {name: jumps.loc[binary, name].to_dict() for name in ("w_drf", "w_sigm", "w_sigm_as_run")}
    diversity = {
        name: differences(paired(results, "diversity", members, "w_lerp", name).loc[binary])
        for name in ("w_sigm", "w_sigm_as_run", "w_drf")
    }
    error = {
        name: differences(paired(results, "error", members, "w_lerp", name).loc[binary])
        for name in ("w_sigm", "w_sigm_as_run")
    }
    return Verdict(
        parts_of("w_sigm"),
        {"jumps": shown, "diversity": diversity, "error": error, "as_run": parts_of("w_sigm_as_run")},
        "jump of the member error at the second tree: {jumps:+.3f}; diversity of lerp less {diversity:+.3f}; error of "
        "lerp less {error:+.4f}",
        "The sigmoid that was run falls with the share of wrong members where the text has it rise. As run: {as_run}.",
    )


@claim("diversity-c36")
def dynamic_threshold(results: Results, stated: Stated) -> Verdict:
    """Sets with more than two classes: least error of dyn against each other learner of Table 5.2, and diversity."""
    minima = results.tables["minima"].set_index(["dataset", "learner"])
    members = last_plotted(results)
    several = [name for name in sets_present(results) if name not in BINARY]

    def lowest(dynamic: str) -> str:
        gaps = [paired_least(results, dynamic, rival).loc[several] for rival in ("rf", "w_drf", "w_lerp")]
        return all_parts(*(verdict for gap in gaps for verdict in signs(gap, NEGATIVE).values()))

    slower = paired(results, "diversity", members, "w_dyn", "w_lerp").loc[several]
    slower_run = paired(results, "diversity", members, "w_dyn_as_run", "w_lerp").loc[several]
    shown = {name: [minima.loc[(name, learner), "least"] for learner in stated.printed("columns")] for name in several}
    printed = {name: stated.printed("cover" if name == "covertype" else name) for name in several}
    own = {name: decide(values[-1] <= min(values)) for name, values in printed.items()}
    return Verdict(
        {
            "lower error than any other learner": lowest("w_dyn"),
            "diversity grows slower than lerp's": all_parts(*signs(slower, NEGATIVE).values()),
        },
        {
            "least": shown,
            "slower": differences(slower),
            "as_run": lowest("w_dyn_as_run"),
            "as_run_slower": all_parts(*signs(slower_run, NEGATIVE).values()),
            "in_print": count(own),
            "sets": len(several),
        },
        "least error of rf / DRF / lerp / dyn: {least:.3f}; diversity of dyn less lerp's {slower:+.3f}",
        "As run every weight is 1/2: dyn is the standard forest on another split, and its place in Table 5.2 is "
        "chance. As run: lower error {as_run}, slower diversity {as_run_slower}. The printed table itself has dyn "
        "lowest on {in_print} of {sets} sets.",
    )


@claim("diversity-c37")
def margins_move_towards_one_half(results: Results, stated: Stated) -> Verdict:
    """Share of wrong members on both sides of 1/2, DRF and lerp against the forest."""
    table = results.tables["margins"]
    table = table[table["members"] == table["members"].max()].set_index(["learner", "dataset"])

    def side(learner: str, name: str, inside: tuple[float, float]) -> str:
        rows = table.loc[learner]
        column = f"share_where_{name}_less_rf"
        return all_parts(*(sign(row[column], row[f"{column}_standard_error"], inside) for _, row in rows.iterrows()))

    wrong = table["share_where_wrong_less_rf"]
    alike = at_most(wrong["w_lerp"].abs(), stated.limit("part") * wrong["w_drf"].abs())
    return Verdict(
        {
            "DRF: higher where the vote is right": side("w_drf", "right", POSITIVE),
            "DRF: lower where it errs": side("w_drf", "wrong", NEGATIVE),
            "lerp: higher where the vote is right": side("w_lerp", "right", POSITIVE),
            "lerp: similar where it errs": decide(bool(alike.all())),
        },
        {
            "members": int(table["members"].iloc[0]),
            "right": {name: table.loc[name, "share_where_right_less_rf"].to_dict() for name in ("w_drf", "w_lerp")},
            "wrong": {name: wrong[name].to_dict() for name in ("w_drf", "w_lerp")},
            "margin": (2 * table.loc["w_lerp", "share_where_wrong_less_rf_standard_error"]).dropna().to_dict(),
            "part": stated.limit("part"),
        },
        "share of wrong members less the forest's, {members} trees: where the vote is right {right:+.3f}; where it "
        "errs {wrong:+.3f}",
        "Similar: at most {part} of DRF's difference. lerp was run as the text has it; two standard errors of its "
        "difference where the vote errs are {margin:.3f}.",
    )
