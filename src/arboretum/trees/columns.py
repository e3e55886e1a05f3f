"""Columns of a data frame: which hold numbers, which hold levels, and which are refused, with the fix.

Numbers and truth values are numeric. Categorical and text columns are nominal. An object column is what its values are:
numbers or text. Dates, complex numbers and columns that mix numbers with text are refused.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

NUMBERS = ("integer", "floating", "mixed-integer-float", "decimal", "boolean")


def as_frame(X):
    """A pandas frame from a frame of another library (polars, pyarrow and others with the Arrow interface).

    Whatever is not a frame is returned as it is.
    """
    named = hasattr(X, "column_names") or hasattr(X, "columns")
    if isinstance(X, pd.DataFrame):
        return with_different_names(X)
    if not (named and hasattr(X, "__arrow_c_stream__")):
        return X
    try:
        import pyarrow
    except ImportError:
        raise ImportError(f"reading a {type(X).__module__} frame needs pyarrow: pip install pyarrow") from None
    return with_different_names(pyarrow.table(X).to_pandas())


def with_different_names(X):
    """X itself; a frame of pandas with two columns of one name is refused."""
    if isinstance(X, pd.DataFrame) and not X.columns.is_unique:
        name = X.columns[X.columns.duplicated()][0]
        raise ValueError(f"X has {list(X.columns).count(name)} columns named {name!r}; give each a name of its own")
    return X


def nominal_columns(X: pd.DataFrame) -> list[bool]:
    """Which columns hold levels: True for levels, False for numbers; whatever is neither is refused.

    A frame may have thousands of columns, so one answer serves all columns of a type. Objects are looked at.
    """
    kinds: dict = {}
    found = []
    for place, (name, dtype) in enumerate(zip(X.columns.tolist(), X.dtypes.tolist(), strict=True)):
        if isinstance(dtype, pd.CategoricalDtype):
            found.append(True)
        elif pd.api.types.is_object_dtype(dtype):
            found.append(_object_is_nominal(name, X.iloc[:, place]))
        else:
            if dtype not in kinds:
                kinds[dtype] = _type_is_nominal(name, dtype)
            found.append(kinds[dtype])
    return found


def _type_is_nominal(name, dtype) -> bool:
    if pd.api.types.is_complex_dtype(dtype):
        raise ValueError(f"Complex data not supported: column {name!r}; use its real and imaginary part as two columns")
    if pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_bool_dtype(dtype):
        return False
    if pd.api.types.is_string_dtype(dtype):
        return True
    raise ValueError(_not_readable(name, dtype))


def _object_is_nominal(name, column: pd.Series) -> bool:
    found = pd.api.types.infer_dtype(column, skipna=True)
    if found in NUMBERS:
        return False
    if found in ("string", "empty"):
        return True
    if found in ("mixed", "mixed-integer"):
        for value in column.dropna():
            if not isinstance(value, (str, int, float, np.generic)):
                kind = type(value).__name__
                raise TypeError(f"column {name!r} holds a {kind}; each cell argument must be a string or a number")
        raise ValueError(
            f"column {name!r} mixes numbers and text; make it numeric with pd.to_numeric, or nominal with "
            ".astype(str).astype('category')"
        )
    raise ValueError(_not_readable(name, found))


def _not_readable(name, kind) -> str:
    return (
        f"column {name!r} has the type {kind}, which is neither numbers nor levels; turn a date into numbers such as "
        "its year or the days since a fixed date, other values into text or numbers, or drop the column"
    )


def read_column(column: pd.Series, nominal: bool, declared=None, unknown="error"):
    """Cells and levels of one column; ``declared`` are the levels that it had in training, if any.

    ``unknown`` says what becomes of a level that is not declared: "error", "missing", or the code that it gets.
    """
    if declared is None and not nominal:
        return column.to_numpy(dtype=np.float64, na_value=np.nan), None
    if not nominal and not pd.api.types.is_numeric_dtype(declared.dtype) and column.notna().any():
        raise ValueError(
            f"column {column.name!r} was nominal in training and holds numbers now; declared: {_listed(declared)}"
        )
    levels = column if isinstance(column.dtype, pd.CategoricalDtype) else column.astype("category")
    have = levels.cat.categories
    codes = levels.cat.codes.to_numpy().astype(np.float64)
    codes[codes < 0] = np.nan
    if declared is None:
        return codes, have
    if have.equals(declared):
        return codes, declared
    place = declared.get_indexer(have).astype(np.float64)
    known = ~np.isnan(codes)
    codes[known] = place[codes[known].astype(np.int64)]
    strange = codes < 0
    if strange.any():
        if isinstance(unknown, str) and unknown == "error":
            level = levels[strange].iloc[0]
            raise ValueError(
                f"column {column.name!r} has the level {level!r}, which training did not declare; "
                f"declared: {_listed(declared)}"
            )
        codes[strange] = np.nan if isinstance(unknown, str) else unknown
    return codes, declared


def _listed(levels, most=20) -> str:
    text = ", ".join(map(str, levels[:most]))
    return text if len(levels) <= most else f"{text} and {len(levels) - most} more"
