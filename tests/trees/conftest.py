"""Put the helpers and the reference growers of this folder, and the peers of ``benchmarks``, on the import path."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
for folder in (HERE, HERE.parents[1]):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
