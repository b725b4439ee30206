"""Any data frame as a plain Arrow table, and back.

What pandas calls missing (NaN, NaT, None, NA) is NULL in the table. NaN of an Arrow or Polars frame stays NaN.
On the way back integers and booleans with a NULL become pandas' nullable types, so that no digit is lost.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.types as pt

from trailbook.kernels.child.errors import BadDataset
from trailbook.kernels.child.frames.arrow_types import Note, to_plain
from trailbook.kernels.child.frames.kinds import Kind, kind_of
from trailbook.store.masks import taken_name

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

NO_TYPE_OF_SQL = "holds values of more than one type, or of a type that SQL lacks; there it is stored as text."


def to_arrow(frame: Any, note: Note) -> pa.Table:
    """The table that a frame is stored as."""
    match kind_of(frame):
        case Kind.PANDAS:
            names, columns = _pandas_columns(frame, note)
        case Kind.POLARS:
            names, columns = _polars_columns(frame.lazy().collect(), note)
        case _:
            table = pa.Table.from_batches([frame]) if isinstance(frame, pa.RecordBatch) else frame
            names, columns = table.column_names, table.columns
    check_columns(names)
    return pa.table([to_plain(name, column, note) for name, column in zip(names, columns, strict=True)], names=names)


def check_columns(names: list[str]) -> None:
    """Refuse names that SQL could not tell apart, or not from those of columns with marks."""
    if not names:
        raise BadDataset("it has no columns")
    if taken := taken_name(names):
        raise BadDataset(f"its column {taken!r} needs another name, since that one is for columns with marks")
    alike = defaultdict(list)
    for name in names:
        alike[name.lower()].append(name)
    for same in alike.values():
        if len(same) > 1:
            listed = " and ".join(repr(name) for name in same)
            raise BadDataset(f"its columns {listed} have the same name, as case does not count in SQL. Rename one")


def _pandas_columns(frame: pd.DataFrame, note: Note) -> tuple[list[str], list[Any]]:
    frame = _with_index_as_columns(frame)
    names = [_column_name(label) for label in frame.columns]
    renamed = [name for name, label in zip(names, frame.columns, strict=True) if name != label]
    if renamed:
        note(f"column names that are not text are text in SQL: {', '.join(renamed)}.")
    check_columns(names)
    return names, [_series_to_arrow(name, frame.iloc[:, i], note) for i, name in enumerate(names)]


def _with_index_as_columns(frame: pd.DataFrame) -> pd.DataFrame:
    import pandas as pd

    index = frame.index
    if index.nlevels == 1 and index.name is None and pd.api.types.is_integer_dtype(index.dtype):
        # Filtering and sorting leave such labels behind; as a column they would turn up in every dataset.
        return frame
    taken = [name for name in index.names if name in frame.columns]
    if taken:
        raise BadDataset(f"its index and a column are both called {taken[0]!r}. Rename one, or reset_index(drop=True)")
    return frame.reset_index()


def _column_name(label: Any) -> str:
    if isinstance(label, tuple):
        return "_".join(str(part) for part in label if part != "")
    return str(label)


def _series_to_arrow(name: str, series: pd.Series[Any], note: Note) -> pa.ChunkedArray:
    import pandas as pd

    if isinstance(series.dtype, pd.SparseDtype):
        series = pd.Series(series.to_numpy())
    if isinstance(series.dtype, pd.PeriodDtype):
        return _as_text(name, series, note)
    try:
        array = pa.array(series, from_pandas=True)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        return _as_text(name, series, note)
    if series.dtype == object and _hides_a_mixture(array.type, series):
        return _as_text(name, series, note)
    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])


def _hides_a_mixture(type: pa.DataType, series: pd.Series[Any]) -> bool:
    """Arrow cuts date-times among dates to dates, and takes text among bytes for bytes, without a word."""
    if pt.is_date(type):
        return any(isinstance(value, datetime) for value in series)
    return pt.is_binary(type) and any(isinstance(value, str) for value in series)


def _as_text(name: str, series: pd.Series[Any], note: Note) -> pa.ChunkedArray:
    note(f"column {name!r} {NO_TYPE_OF_SQL}")
    missing = series.isna()
    values = [None if gone else str(value) for value, gone in zip(series, missing, strict=True)]
    try:
        return pa.chunked_array([pa.array(values, pa.string())])
    except UnicodeEncodeError:
        raise BadDataset(f"its column {name!r} holds half of a surrogate pair, which no encoding of text has") from None


def _polars_columns(frame: pl.DataFrame, note: Note) -> tuple[list[str], list[Any]]:
    import polars as pl

    check_columns(frame.columns)
    for column in frame.iter_columns():
        if isinstance(column.dtype, (pl.Object, pl.Int128, pl.UInt128)):
            note(f"column {column.name!r} {NO_TYPE_OF_SQL}")
            values = [None if value is None else str(value) for value in column]
            frame = frame.with_columns(pl.Series(column.name, values, pl.String))
    try:
        return frame.columns, frame.to_arrow().columns
    except pa.ArrowException as error:
        raise BadDataset(f"one of its types is Polars' own: {error}") from None


def to_pandas(table: pa.Table) -> pd.DataFrame:
    """The table as a pandas frame."""
    import pandas as pd

    nullable = {
        pa.int8(): pd.Int8Dtype(),
        pa.int16(): pd.Int16Dtype(),
        pa.int32(): pd.Int32Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
    }
    frame: pd.DataFrame = table.to_pandas()
    for field, column in zip(table.schema, table.columns, strict=True):
        if column.null_count and field.type in nullable:
            frame[field.name] = column.to_pandas(types_mapper=nullable.get)
    return frame
