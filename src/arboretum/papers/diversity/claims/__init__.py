"""The claims of diversity: what each sentence is about, as estimates; claims.yaml says what is expected of them.

``losses`` and ``votes`` are theory, computed exactly on random finite problems (``statements``, ``drawn_again``);
``growth`` and ``errors`` compare learners on splits that they share (``over_splits``).
"""

from __future__ import annotations

from arboretum.papers.contract import by_name
from arboretum.papers.diversity.claims import errors, growth, losses, votes
from arboretum.papers.kit.claims import Claim

found = [one for part in (losses, votes, growth, errors) for one in vars(part).values() if isinstance(one, Claim)]
CLAIMS = by_name(*sorted(found, key=lambda one: one.name))  # diversity-c01 to -c46, the order of claims.yaml
