"""It claims nothing."""

CLAIMS: dict = {}
