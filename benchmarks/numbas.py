"""Do the private parts of numba that trees/compiled.py rests on exist in each version, and are the trees the same?

``python -m benchmarks.numbas 0.61.2 0.62.1 ...`` makes an environment per version under .arboretum/numbas, with the
library's own dependencies alone, and writes benchmarks/numbas.csv.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from arboretum.writing import atomic_path

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("numbas.csv")
TRIAL = """
import hashlib, json, time, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from arboretum.ensembles import BoostedTrees, ExtraTrees, PERT, RandomForest, VRForest
import numpy, numba
rng = numpy.random.default_rng(1)
X = rng.normal(size=(1000, 40))
y = (X[:, :3].sum(axis=1) + rng.normal(size=1000) > 0).astype(int)
models = [VRForest("bagging", random_state=1), RandomForest(random_state=1), ExtraTrees(random_state=1),
          PERT(random_state=1), BoostedTrees(n_estimators=10, random_state=1)]
start, digest = time.process_time(), hashlib.sha256()
for model in models:
    model.fit(X, y)
first = time.process_time() - start
start = time.process_time()
for model in models:
    digest.update(model.fit(X, y).predict_proba(X).tobytes())
print(json.dumps({"numba": numba.__version__, "numpy": numpy.__version__, "trees": digest.hexdigest()[:12],
                  "warnings": sum("numba" in str(one.message) for one in caught),
                  "first_seconds": round(first, 1), "grow_seconds": round(time.process_time() - start, 2)}))
"""


def tried(version: str) -> dict[str, str]:
    """Versions, a hash of what five forests answer, warnings, and CPU seconds of a first and a later fit."""
    place = ROOT / ".arboretum" / "numbas" / version
    python = place / "bin" / "python"
    if not python.is_file():
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"numba=={version}", str(ROOT)], check=True)
    with tempfile.TemporaryDirectory() as kernels:
        environment = {**os.environ, "ARBORETUM_CACHE_DIR": kernels, "PYTHONPATH": str(ROOT / "src")}
        done = subprocess.run([python, "-c", TRIAL], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"numba {version}: {done.stderr}")
    return json.loads(done.stdout)


def main() -> int:
    rows = []
    for version in sys.argv[1:]:
        rows.append(tried(version))
        print(rows[-1], flush=True)
        with atomic_path(RESULTS) as temporary, temporary.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return 0 if rows and len({row["trees"] for row in rows}) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
