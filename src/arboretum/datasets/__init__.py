"""Where data comes from: sources, parsing, generators; everything ends in a :class:`Dataset`."""

import arboretum.datasets.needed  # noqa: F401
from arboretum.datasets.checked import load
from arboretum.datasets.dataset import Dataset, fingerprint
from arboretum.datasets.fetch import FetchResult, FetchSettings, fetch
from arboretum.datasets.prepare import prepare
from arboretum.datasets.status import status_table

__all__ = ["Dataset", "FetchResult", "FetchSettings", "fetch", "fingerprint", "load", "prepare", "status_table"]
