"""It draws nothing."""

FIGURES: dict = {}
