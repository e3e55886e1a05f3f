"""Windows cut at random from pictures: one row per window, one attribute per pixel, the picture as class."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

from arboretum.datasets.generators.columns import classes


def image_windows(files: list[Path], parse: dict, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.Series]:
    """``per_image`` windows of ``side`` x ``side`` grey values from each picture (dynint, section 4.1)."""
    side, count = parse["side"], parse["per_image"]
    rows = [_windows(_grey(file), side, count, rng) for file in files]
    names = [f"pixel{i}" for i in range(1, side * side + 1)]
    label = np.repeat(np.arange(len(files)), count)
    return pd.DataFrame(np.vstack(rows), columns=names), classes(label, [file.stem for file in files])


def _grey(file: Path) -> np.ndarray:
    """Brightness as stored in the JPEG; asking for it alone avoids colour arithmetic that may differ by library."""
    with Image.open(file) as picture:
        picture.draft("L", None)
        return np.asarray(picture.convert("L"), dtype=np.float64)


def _windows(grey: np.ndarray, side: int, count: int, rng: np.random.Generator) -> np.ndarray:
    top = rng.integers(grey.shape[0] - side + 1, size=count)
    left = rng.integers(grey.shape[1] - side + 1, size=count)
    views = np.lib.stride_tricks.sliding_window_view(grey, (side, side))
    return views[top, left].reshape(count, side * side)
