"""What people call a table, as one: Arrow, pandas, Polars, Spark, or a list of dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from keyword import iskeyword
from typing import Any

import pyarrow as pa

from trailbook.caveats.given import spelt
from trailbook.caveats.slots import HIDDEN
from trailbook.engine.errors import spark_errors
from trailbook.errors import Invalid
from trailbook.kernels.child.errors import BadDataset
from trailbook.kernels.child.frames.kinds import Kind, kind_of
from trailbook.kernels.child.frames.tables import check_columns, to_arrow


def is_spark_frame(data: object) -> bool:
    return kind_of(data) is Kind.SPARK


def arrow_table(name: str, data: Any, note: Callable[[str], None]) -> pa.Table:
    """The data in types that Spark has; what is lost on the way is noted."""
    try:
        return to_arrow(_frame(name, data), note)
    except BadDataset as error:
        raise Invalid(f"The data of {name} can't be used: {error}.") from error


def _frame(name: str, data: Any) -> Any:
    if is_spark_frame(data):
        with spark_errors():
            return data.toArrow()
    if kind_of(data):
        return data
    if hasattr(data, "__arrow_c_stream__"):
        return pa.table(data)
    if isinstance(data, list) and all(isinstance(row, dict) for row in data):
        return pa.Table.from_pylist(data)
    raise Invalid(
        f"The data of {name} is of type {type(data).__name__}. Give a table of Arrow, pandas, Polars or Spark, "
        "a list of dictionaries, or a query of this database."
    )


def check_name(name: str) -> None:
    """Refuse a name that SQL or Python could not use."""
    if not isinstance(name, str) or not name.isidentifier() or iskeyword(name) or name.startswith("_"):
        raise Invalid(
            f"{name!r} can't name a table: use letters, digits and underscores, start with a letter, "
            "and avoid Python's keywords."
        )


def check_names(name: str, columns: list[str]) -> None:
    """Refuse columns that can't be told apart, from each other or from those that hold marks."""
    try:
        check_columns(columns)
    except BadDataset as error:
        raise Invalid(f"The data of {name} can't be used: {error}.") from error
    check_hidden(columns)


def check_hidden(columns: Iterable[str]) -> None:
    """Refuse names that columns with marks could have."""
    hidden = next((column for column in columns if column.startswith(HIDDEN)), None)
    if hidden is not None:
        raise Invalid(f"The column {hidden} needs another name: two underscores are for columns with marks.")


def spelt_keys(keys: Iterable[str | Iterable[str]], columns: Sequence[str]) -> tuple[frozenset[str], ...]:
    """The keys with columns spelt as in the table."""
    parts = [[key] if isinstance(key, str) else list(key) for key in keys]
    if not all(parts):
        raise Invalid("A key without columns says nothing. Give the name of a column, or some names.")
    return tuple(frozenset(spelt(column, columns) for column in key) for key in parts)
