"""The text of a pandas frame, which is left to the Parquet files: there it is smaller and quicker to read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import is_
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.types as pt

FEWEST_ROWS = 10_000
"""Rows of a column below which a pickle is quicker."""

MISSING: dict[frozenset[type], Any] = {frozenset(): None, frozenset({type(None)}): None, frozenset({float}): np.nan}
"""What stands for a value that is missing, by the types of those that are."""


@dataclass(frozen=True)
class Text:
    """A column of text without its values: what it is stored as, what is missing, and its type if not object."""

    column: str
    missing: Any = None
    dtype: Any = None
    repeats: bool = False


def text_of(values: Any, column: str) -> Text | None:
    """The values as text, if text and one kind of missing is exactly what they are."""
    if len(values) < FEWEST_ROWS:
        return None
    if isinstance(values.dtype, pd.StringDtype):
        return Text(column, dtype=values.dtype)
    gone = pd.isna(values)
    kinds = frozenset(map(type, values[gone]))
    if set(map(type, values[~gone])) == {str} and kinds in MISSING:
        sample = values[:FEWEST_ROWS]
        return Text(column, MISSING[kinds], repeats=len(set(sample)) < len(sample) // 2)
    return None


class Texts:
    """The columns of a dataset that are text. It remembers what it gave away: whether that changed is quick to see."""

    def __init__(self, read_column: Callable[[str, bool], pa.ChunkedArray]) -> None:
        self._read_column = read_column
        self._given: dict[str, tuple[Text, Any]] = {}

    def read(self, text: Text) -> Any:
        column = self._read_column(text.column, text.repeats)
        if text.dtype is not None:
            return text.dtype.__from_arrow__(column)
        values = np.concatenate([_objects(chunk, text.missing) for chunk in column.chunks])
        self._given[text.column] = text, values
        return values

    def recognise(self, column: str, values: Any) -> Text | None:
        """The text that was read from the column, if these are the very objects."""
        text, given = self._given.get(column, (None, ()))
        return text if len(values) == len(given) and all(map(is_, values, given)) else None

    def hold(self, text: Text, values: Any) -> bool:
        """Whether the values are those of the Parquet files."""
        given, _ = self._given.get(text.column, (None, ()))
        if text is given:
            return True
        try:
            mine = pa.array(values, pa.string(), from_pandas=True)
        except UnicodeEncodeError:
            return False
        return bool(pa.chunked_array([mine]).equals(self._read_column(text.column, False)))


def _objects(chunk: Any, missing: Any) -> Any:
    if pt.is_dictionary(chunk.type):
        # One object for each text that occurs is quicker than one for each row.
        known = chunk.dictionary.to_numpy(zero_copy_only=False)
        places = chunk.indices.fill_null(len(known)).to_numpy()
        return np.append(known, np.array([missing], dtype=object))[places]
    values = chunk.to_numpy(zero_copy_only=False)
    if missing is not None and chunk.null_count:
        values[pd.isna(values)] = missing
    return values
