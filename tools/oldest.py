"""Print the lower bounds of pyproject.toml's numeric libraries as exact versions, for pip's constraints."""

import re
import sys
import tomllib
from pathlib import Path

NUMERIC = ("numpy", "scipy", "scikit-learn", "numba", "pandas")

for line in tomllib.loads(Path(sys.argv[1]).read_text("utf-8"))["project"]["dependencies"]:
    found = re.match(r"([A-Za-z0-9-]+)>=([0-9.]+)", line)
    if found and found[1] in NUMERIC:
        print(f"{found[1]}=={found[2]}.*")
