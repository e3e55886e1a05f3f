"""A table of text to a typed data set, by the ``parse`` rules of its configuration."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from arboretum.datasets.dataset import Dataset, categorical, category_type, make_dataset
from arboretum.datasets.numbers import numbers
from arboretum.datasets.rules import expand_names
from arboretum.errors import ArboretumError, nearest


def typed_dataset(name: str, table: pa.Table, parse: dict) -> Dataset:
    """Numbers, declared levels and declared classes; what is not declared is refused."""
    target = parse["target"]
    table = _with_added_rows(_kept_rows(table, parse, name), parse, name)
    levels = _nominal_columns(parse)
    for column in [
        target,
        *levels,
        *(rule["column"] for rule in parse.get("missing_in", [])),
        *parse.get("missing_means", {}),
        *parse.get("empty", []),
    ]:
        if column not in table.column_names:
            raise ArboretumError(
                f"Data set {name}: no column {column!r}. {nearest(column, table.column_names)} "
                "Mend parse in its dataset configuration."
            )
    _check_classes_named(name, table[target], parse)
    table = table.filter(pc.invert(_is_one_of(table[target], parse.get("without_class", []))))
    columns = {}
    for column in table.column_names:
        text = _with_missing(table[column], column, parse)
        if column in levels:
            columns[column] = _nominal(name, column, text, levels[column])
        elif column != target:
            columns[column] = numbers(name, column, text, _tokens(column, parse))
        if column in columns:
            _check_empty(name, column, text, parse.get("empty", []))
    y = pd.Series(_classes(name, table[target], parse), name=target)
    return make_dataset(name, pd.DataFrame(columns), y)


def _check_classes_named(name: str, text: pa.ChunkedArray, parse: dict) -> None:
    """A class to rename or to leave out that no row has is a slip of the pen."""
    present = set(pc.unique(text).to_pylist())
    for rule in ("relabel", "without_class"):
        for value in parse.get(rule) or []:
            if value not in present:
                raise ArboretumError(
                    f"Data set {name}: no row has the class {value!r} of parse.{rule}. "
                    f"{nearest(value, sorted(present))} Mend parse.{rule} of its dataset configuration."
                )


def _nominal_columns(parse: dict) -> dict[str, list[str]]:
    """Column -> declared levels, from blocks of columns that share their levels."""
    return {
        column: list(block["levels"]) for block in parse.get("nominal", []) for column in expand_names(block["columns"])
    }


def _kept_rows(table: pa.Table, parse: dict, name: str) -> pa.Table:
    """The runs of rows that parse.keep names (from 0, both ends included), each checked by its first classes."""
    runs = parse.get("keep", [])
    if not runs:
        return table
    end = max(run["last"] for run in runs)
    if end >= table.num_rows:
        raise ArboretumError(
            f"Data set {name}: parse.keep goes up to row {end}, and there are {table.num_rows} rows (0 to "
            f"{table.num_rows - 1}). Mend parse.keep, or the source holds another version."
        )
    parts = [table.slice(run["first"], run["last"] - run["first"] + 1) for run in runs]
    for run, part in zip(runs, parts, strict=True):
        begins = part[parse["target"]].slice(0, len(run["begins"])).to_pylist()
        if begins != list(run["begins"]):
            raise ArboretumError(
                f"Data set {name}: from row {run['first']} on the classes are {', '.join(begins)} and not "
                f"{', '.join(run['begins'])}. The source has another order of rows; mend parse.keep."
            )
    return pa.concat_tables(parts)


def _with_added_rows(table: pa.Table, parse: dict, name: str) -> pa.Table:
    """Rows that the copy at hand lacks, written out in the configuration."""
    rows = parse.get("add_rows", [])
    if not rows:
        return table
    for row in rows:
        if len(row) != table.num_columns:
            raise ArboretumError(
                f"Data set {name}: a row of parse.add_rows has {len(row)} cells for {table.num_columns} columns "
                f"({', '.join(table.column_names)}). Write one text cell a column."
            )
    added = {column: pa.array([row[i] for row in rows]) for i, column in enumerate(table.column_names)}
    return pa.concat_tables([table, pa.table(added)])


def _with_missing(text: pa.ChunkedArray, column: str, parse: dict) -> pa.ChunkedArray:
    tokens = _tokens(column, parse)
    text = pc.if_else(_is_one_of(text, tokens), pa.scalar(None, pa.string()), text) if tokens else text
    meant = parse.get("missing_means", {}).get(column)
    return text if meant is None else pc.fill_null(text, meant)


def _tokens(column: str, parse: dict) -> list[str]:
    """The texts that mean missing in a column."""
    own = [value for rule in parse.get("missing_in", []) if rule["column"] == column for value in rule["values"]]
    return [*parse.get("missing", []), *own]


def _is_one_of(text: pa.ChunkedArray, tokens: list[str]) -> pa.ChunkedArray:
    return pc.is_in(text, value_set=pa.array(list(tokens), type=pa.string()))


def _nominal(name: str, column: str, text: pa.ChunkedArray, levels: list[str]) -> pd.Categorical:
    values = categorical(text, levels)
    undeclared = _undeclared(text, levels)
    if undeclared:
        raise ArboretumError(
            f"Data set {name}: column {column!r} holds {undeclared[0]!r}, which is not among its declared levels "
            f"({', '.join(levels)}). Declare it in parse.nominal of its dataset configuration, or name it in "
            "parse.missing."
        )
    return values


def _undeclared(text: pa.ChunkedArray, levels: list[str]) -> list[str]:
    present = pc.unique(pc.drop_null(text)).to_pylist()
    return sorted(set(present) - set(levels))


def _check_empty(name: str, column: str, text: pa.ChunkedArray, empty: list[str]) -> None:
    """A column without a single value is more often a wrong token of missing values than meant."""
    without = text.null_count == len(text) > 0
    if without and column not in empty:
        raise ArboretumError(
            f"Data set {name}: column {column!r} holds no value, all are missing. Leave it out (parse.drop), say that "
            "it is so (parse.empty), or mend parse.missing."
        )
    if column in empty and not without:
        raise ArboretumError(
            f"Data set {name}: column {column!r} holds values, and parse.empty says that it has none. Mend parse.empty."
        )


def _classes(name: str, text: pa.ChunkedArray, parse: dict) -> pd.Categorical:
    classes = list(parse["classes"])
    if "group" in parse:
        return _grouped(name, numbers(name, parse["target"], text), parse["group"], classes)
    relabel = parse.get("relabel")
    if relabel:
        old, new = list(relabel), list(relabel.values())
        index = pc.index_in(text, value_set=pa.array(old))
        text = pc.coalesce(pa.chunked_array([pa.array(new).take(chunk) for chunk in index.chunks]), text)
    undeclared = _undeclared(text, classes)
    if undeclared:
        raise ArboretumError(
            f"Data set {name}: class column {parse['target']!r} holds {undeclared[0]!r}, which is not among its "
            f"declared classes ({', '.join(classes)}). Mend parse.classes of its dataset configuration."
        )
    return categorical(text, classes)


def _grouped(name: str, values: np.ndarray, groups: list[dict], classes: list[str]) -> pd.Categorical:
    """Number to class: the first group whose upper bound ``max`` is not exceeded; the last one has none."""
    bounds = [group["max"] for group in groups[:-1]]
    codes = np.searchsorted(np.asarray(bounds, dtype=float), values, side="left")
    names = [group["class"] for group in groups]
    if names != classes:
        raise ArboretumError(f"Data set {name}: parse.classes must list the classes of parse.group in order ({names}).")
    return pd.Categorical.from_codes(codes, dtype=category_type(classes))
