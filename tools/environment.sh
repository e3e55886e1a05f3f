#!/bin/sh
# Create the environment in the folder $1 from requirements.lock: with uv where it is installed, else with pip.
set -eu
venv=$1

python=""
for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11; do
  [ -n "$candidate" ] || continue
  if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [ -z "$python" ]; then
  echo "Arboretum needs Python 3.11, 3.12 or 3.13 and found none on PATH. Install one, or set PYTHON to it." >&2
  exit 1
fi

if command -v uv >/dev/null 2>&1; then
  uv venv --quiet --allow-existing --python "$python" "$venv"
  uv pip install --quiet --compile-bytecode --python "$venv/bin/python" --require-hashes -r requirements.lock
  uv pip install --quiet --python "$venv/bin/python" --no-deps --no-build-isolation -e .
else
  "$python" -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
fi
