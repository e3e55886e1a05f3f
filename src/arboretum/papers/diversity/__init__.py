"""Moser (2023), Model Correlation in Random Forests: decompositions, competence and guided growth."""
