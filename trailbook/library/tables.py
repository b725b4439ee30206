"""How a table gets into Spark: a view of its data, with masks where something is in doubt and the names of its rows."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from trailbook.algebra.identity import ROW
from trailbook.algebra.plan import Scan
from trailbook.algebra.print_expression import quoted
from trailbook.algebra.spark_frame import columns_of
from trailbook.caveats.tables import TableDoubt
from trailbook.engine.errors import spark_errors
from trailbook.engine.parquet import ROW_GROUP_ROWS
from trailbook.errors import Invalid
from trailbook.library.masks import doubt_of
from trailbook.model.artifacts import Column
from trailbook.model.caveat import Caveat
from trailbook.store.masks import masks_of
from trailbook.store.sparktypes import of_arrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.connect.session import SparkSession

Keys = tuple[frozenset[str], ...]


@dataclass(frozen=True)
class Table:
    """A table as queries read it. `scan.table` is its view in Spark, `file` what that reads: a file, or a folder."""

    name: str
    scan: Scan
    caveats: tuple[Caveat, ...] = ()
    file: Path | None = None
    names_rows: bool = False
    """Whether the view has a column with the position of each row."""

    @property
    def doubt(self) -> TableDoubt:
        return doubt_of(self.caveats)

    def with_keys(self, keys: Keys) -> Table:
        return replace(self, scan=replace(self.scan, keys=keys))


def send(
    session: SparkSession, name: str, view: str, data: pa.Table, caveats: tuple[Caveat, ...], folder: Path | None
) -> Table:
    """Make a table of the data."""
    columns = tuple(
        Column(name=field.name, type=of_arrow(field.type), nullable=data.column(field.name).null_count > 0)
        for field in data.schema
    )
    # Spark overlooks files whose names start with an underscore.
    file = folder / f"table{view}.parquet" if folder else None
    _uploaded(session, _with_hidden(data, caveats), file).createOrReplaceTempView(quoted(view))
    return Table(name, Scan(view, columns, called=name), caveats, file, names_rows=True)


def _with_hidden(data: pa.Table, caveats: Sequence[Caveat]) -> pa.Table:
    rows = data.num_rows
    masks = masks_of(caveats, data.column_names, rows) if caveats else {}
    for name, words in masks.items():
        data = data.append_column(name, pa.array(words))
    return data.append_column(ROW, pa.array(range(rows), pa.int64()).cast(pa.string()))


def _uploaded(session: SparkSession, data: pa.Table, file: Path | None) -> DataFrame:
    """Spark reads two million rows of a file in the tenth of the time that it takes for rows that were sent."""
    from pyspark.sql.pandas.types import from_arrow_schema

    # Otherwise timestamps without a time zone would get one.
    schema = from_arrow_schema(data.schema, prefer_timestamp_ntz=True)
    with spark_errors():
        if file is None:
            return session.createDataFrame(data, schema)
        pq.write_table(data, file, compression="zstd", row_group_size=ROW_GROUP_ROWS)
        return session.read.schema(schema).parquet(str(file))


def open_folder(session: SparkSession, name: str, view: str, folder: Path) -> Table:
    """Make a table of a folder of Parquet files."""
    with spark_errors():
        frame = session.read.parquet(str(folder))
        frame.createOrReplaceTempView(quoted(view))
        return Table(name, Scan(view, columns_of(frame), called=name), file=folder)


def adopt(name: str, view: str, frame: DataFrame, caveats: tuple[Caveat, ...]) -> Table:
    """Make a table of a frame that is not computed yet; the caveats are about all of its rows."""
    from pyspark.sql.connect.functions import lit

    with spark_errors():
        masks = masks_of(caveats, frame.columns, rows=1) if caveats else {}
        hidden = {mask: lit(int(words[0])).cast("bigint") for mask, words in masks.items()}
        (frame.withColumns(hidden) if hidden else frame).createOrReplaceTempView(quoted(view))
        columns = columns_of(frame)
    return Table(name, Scan(view, columns, called=name), caveats)


def show_plainly(session: SparkSession, table: Table) -> None:
    """Let whoever uses the session itself see the data under its name, and no masks."""
    with spark_errors():
        columns = ", ".join(map(quoted, table.scan.names))
        session.sql(f"SELECT {columns} FROM {quoted(table.scan.table)}").createOrReplaceTempView(quoted(table.name))


def check_keys(session: SparkSession, table: Table) -> None:
    """Refuse keys on which two rows agree."""
    for key in table.scan.keys:
        columns = ", ".join(quoted(column) for column in table.scan.names if column in key)
        with spark_errors():
            twice = session.sql(
                f"SELECT {columns} FROM {quoted(table.scan.table)} GROUP BY {columns} HAVING count(*) > 1 LIMIT 1"
            ).toArrow()
        for row in twice.to_pylist():
            values = ", ".join(f"{column} = {value!r}" for column, value in row.items())
            raise Invalid(f"{columns} can't be a key of {table.name}: more than one row has {values}.")


def remove(session: SparkSession, table: Table) -> None:
    """Forget the data."""
    with spark_errors():
        for view in (table.name, table.scan.table):
            session.catalog.dropTempView(quoted(view))
    if table.file and table.file.is_dir():
        shutil.rmtree(table.file)
    elif table.file:
        table.file.unlink(missing_ok=True)
