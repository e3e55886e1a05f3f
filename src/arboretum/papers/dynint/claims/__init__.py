"""The claims of dynint: what each sentence is about, as estimates; claims.yaml says what is expected of them."""

from __future__ import annotations

from arboretum.papers.contract import by_name
from arboretum.papers.dynint.claims import accuracy, bias_variance, margins, schemes

CLAIMS = by_name(
    accuracy.twelve_sets_improve_and_none_suffers,
    accuracy.selection_is_worse_on_most_sets,
    schemes.dvs_is_slightly_better_than_dv,
    schemes.accuracy_falls_slowly_with_the_neighbourhood,
    schemes.weighted_schemes_are_less_sensitive,
    accuracy.every_scheme_gains_and_rfw_is_best,
    schemes.weighted_and_forest_schemes_are_better,
    accuracy.wins_on_the_twelve_sets,
    accuracy.forest_beats_its_best_tree,
    accuracy.cells_of_table2,
    accuracy.categorical_sets_gain_more,
    margins.margins_rise_on_every_set,
    margins.margins_rise_on_most_other_sets,
    margins.margins_by_scheme,
    margins.weighted_forest_similarity_stands_out,
    margins.dvs_has_a_larger_margin_than_dv,
    margins.margins_hardly_grow_with_the_forest,
    bias_variance.dynamic_voting_has_lower_bias,
    bias_variance.variance_stays_about_equal,
    bias_variance.selection_has_far_larger_variance,
    bias_variance.decompositions_agree,
    bias_variance.bias_and_variance_make_the_error,
    schemes.orders_hold_on_numeric_sets,
)
