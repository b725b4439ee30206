"""How Spark writes datasets as Parquet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROW_GROUP_ROWS = 65_536
"""Small row groups make pages quick: a reader decodes whole groups."""

PARQUET_WRITE_OPTIONS = {
    "compression": "zstd",
    "parquet.block.row.count.limit": str(ROW_GROUP_ROWS),
}


def write_parquet(frame: DataFrame, directory: str, split_by: str | None = None) -> list[str]:
    """Run the query and write its rows; the columns that only text could hold are answered.

    Split by a column, the rows are in a folder `column=value` for each of its values, without that column.
    """
    as_text = columns_of_sparks_own(frame)
    plain = _with_text(frame, as_text) if as_text else frame
    writer = plain.write.options(**PARQUET_WRITE_OPTIONS)
    (writer.partitionBy(split_by) if split_by else writer).parquet(directory)
    return as_text


def columns_of_sparks_own(frame: DataFrame) -> list[str]:
    """The columns whose types Parquet, or those who read it, don't have."""
    from pyspark.sql import types as t

    own = (
        t.NullType,
        t.DayTimeIntervalType,
        t.YearMonthIntervalType,
        t.CalendarIntervalType,
        t.TimeType,
        t.VariantType,
    )
    return [field.name for field in frame.schema if isinstance(field.dataType, own)]


def find_twins(names: Iterable[str]) -> str | None:
    """A name that stands for two columns: Spark does not tell upper from lower case."""
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen:
            return name
        seen.add(name.lower())
    return None


def _with_text(frame: DataFrame, names: list[str]) -> DataFrame:
    from pyspark.sql.connect.functions import col

    quoted = {name: "`" + name.replace("`", "``") + "`" for name in names}
    return frame.withColumns({name: col(reference).cast("string") for name, reference in quoted.items()})
