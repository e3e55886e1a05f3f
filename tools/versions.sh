#!/bin/sh
# Verify the quick profile with the oldest and with the newest libraries that pyproject.toml allows, each in an
# environment of its own under .arboretum/versions; the table of what was compared is benchmarks/versions.csv.
set -eu
place=.arboretum/versions
python=${PYTHON:-python3}
mkdir -p "$place"
echo "libraries,numpy,scipy,scikit-learn,numba,pandas,cells,differences" > "$place/versions.csv"
for which in oldest newest; do
  venv=$place/$which
  [ -d "$venv" ] || "$python" -m venv "$venv"
  if [ "$which" = oldest ]; then
    "$python" tools/oldest.py pyproject.toml > "$place/constraints.txt"
  else
    : > "$place/constraints.txt"
  fi
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade -c "$place/constraints.txt" \
    -e ".[pipeline,openml,dask]" "setuptools>=77"
  said=$(ARBORETUM_CACHE_DIR="$place/kernels-$which" "$venv/bin/python" -m arboretum verify --profile quick) || status=$?
  echo "$said"
  versions=$("$venv/bin/python" -c "
from importlib.metadata import version
print(','.join(map(version, ('numpy', 'scipy', 'scikit-learn', 'numba', 'pandas'))))")
  total() { echo "$said" | sed -n "s/.* \([0-9]*\) $1.*/\1/p" | awk '{sum += $1} END {print sum + 0}'; }
  echo "$which,$versions,$(total cells),$(total differences)" >> "$place/versions.csv"
  [ -z "${status:-}" ] || { echo "$which: verification ended with exit status $status" >&2; exit 1; }
done
mv "$place/versions.csv" benchmarks/versions.csv
cat benchmarks/versions.csv
