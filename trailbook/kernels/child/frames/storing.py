"""Writes a frame as a dataset: Parquet files, and beside them its form."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.errors import BadDataset
from trailbook.kernels.child.frames import forms
from trailbook.kernels.child.frames.dataset import ROW_GROUP
from trailbook.kernels.child.frames.kinds import Kind, kind_of
from trailbook.kernels.child.values.plain import plain_pickler

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from trailbook.kernels.child.values.packed import MakePickler


def store(frame: Any, directory: str, note: Callable[[str], None], make_pickler: MakePickler = plain_pickler) -> None:
    """Write a frame of any library into a directory that is not there yet."""
    match kind_of(frame):
        case None:
            kind = f"{type(frame).__module__}.{type(frame).__qualname__}"
            raise BadDataset(
                f"it is a {kind}, not a pandas, Polars, Arrow or Spark frame."
                " Other values are kept by assigning them to a name"
            )
        case Kind.SPARK:
            _store_spark(frame, directory, note)
        case _:
            _store(forms.settled(frame), directory, note, make_pickler)


def _store(frame: Any, directory: str, note: Callable[[str], None], make_pickler: MakePickler) -> None:
    from trailbook.kernels.child.frames.tables import to_arrow

    table = to_arrow(frame, note)
    os.makedirs(directory)
    _write_part(table, os.path.join(directory, "part-00000.parquet"))
    forms.write(frame, table.column_names, directory, make_pickler)


def _write_part(table: pa.Table, path: str) -> None:
    import pyarrow.types as pt
    from pyarrow.parquet import write_table

    # Text repeats itself. For numbers, the search for repetitions takes most of the time and seldom finds any.
    texts = [field.name for field in table.schema if pt.is_string(field.type)]
    write_table(table, path, row_group_size=ROW_GROUP, compression="zstd", use_dictionary=texts)


def _store_spark(frame: DataFrame, directory: str, note: Callable[[str], None]) -> None:
    from trailbook.engine.parquet import write_parquet
    from trailbook.kernels.child.frames.tables import check_columns

    check_columns(frame.columns)
    as_text = write_parquet(frame, directory)
    forms.write(frame, frame.columns, directory)
    if as_text:
        note(f"columns of types that only Spark knows are stored as text: {', '.join(as_text)}.")
