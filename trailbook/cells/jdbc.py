"""Databases that Spark asks through a driver of Java: what it would round or replace is read as text first."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from trailbook.algebra.print_expression import quoted
from trailbook.cells.meanwhile import LOOK_SECONDS, meanwhile
from trailbook.engine.errors import spark_errors
from trailbook.engine.parquet import write_parquet
from trailbook.errors import CellCancelled, CellFailed, NotFetched, TooLarge, TrailbookError
from trailbook.sources.databases.connections import Connection
from trailbook.sources.databases.queries import select_of
from trailbook.sources.formats.names import unique_names
from trailbook.sources.raw_columns import LEFT_OUT, LINE, PROBLEM

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.connect.session import SparkSession

FETCH_ROWS = "1000"
_READ_ONLY = {
    "postgresql": "SET TRANSACTION READ ONLY",
    "mysql": "SET SESSION TRANSACTION READ ONLY",
    "mariadb": "SET SESSION TRANSACTION READ ONLY",
}
"""How databases are told that nothing is to be changed, beside being asked for a query."""
_UNKNOWN_DIGITS = ("decimal(38,18)", "decimal(38,10)")
"""How Spark has numbers of which the database does not say how many digits they have."""
_DAY, _TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}", "[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?"
_WRITTEN = {
    "decimal(38,18)": r"-?[0-9]+([.][0-9]{1,18}0*)?",
    "decimal(38,10)": r"-?[0-9]+([.][0-9]{1,10}0*)?",
    "date": _DAY,
    "timestamp_ntz": f"{_DAY} {_TIME}",
    "timestamp": f"{_DAY} {_TIME}([+-][0-9]{{2}}(:[0-9]{{2}})?)?",
}
"""Texts that are read as a type; Spark itself would overlook what stands behind a date."""


def system_of(url: str) -> str:
    """Which database it is, as its driver calls it: postgresql for `jdbc:postgresql://…`."""
    found = re.match(r"(?i)jdbc:([a-z0-9]+)", url)
    return found[1].lower() if found else ""


def read_jdbc(
    session: SparkSession, connection: Connection, table: str, query: str, target: Path, most_bytes: int
) -> dict[str, Any]:
    """Write the table, or what the query gives, as a raw table; what is in it, as readers of other databases tell."""
    quote = "`" if system_of(connection.url) in ("mysql", "mariadb") else '"'
    select = select_of(table, query, connection.system, quote)
    refusal = f"The database {connection.name} could not be read: "
    try:
        with _limited(session, target, most_bytes), spark_errors():
            return _read(session, connection, select, target)
    except CellCancelled:
        raise
    except TooLarge as error:
        raise TooLarge(refusal + error.message) from error
    except CellFailed as error:
        raise NotFetched(refusal + _said(error)) from error


@contextmanager
def _limited(session: SparkSession, target: Path, most_bytes: int) -> Iterator[None]:
    """Ends what Spark does as soon as more than that is in the folder, or in those that it makes there for a while."""
    is_over = threading.Event()

    def look() -> None:
        if _bytes_in(target) > most_bytes:
            is_over.set()
            # What has just come to its end can't be interrupted.
            with suppress(Exception):
                session.interruptAll()

    try:
        with meanwhile(look, LOOK_SECONDS):
            yield
    except TrailbookError:
        if not is_over.is_set():
            raise
    if is_over.is_set() or _bytes_in(target) > most_bytes:
        raise TooLarge(f"it has more than {most_bytes:,} bytes (setting upload_limit).")


def _bytes_in(folder: Path) -> int:
    size = 0
    for directory, _, names in os.walk(folder):
        for name in names:
            # It may have been moved since.
            with suppress(FileNotFoundError):
                size += os.stat(os.path.join(directory, name)).st_size
    return size


def _said(error: CellFailed) -> str:
    """The words of the driver, which Spark keeps to itself."""
    from pyspark.errors.exceptions.connect import SparkConnectGrpcException

    trace = error.__cause__.getStackTrace() if isinstance(error.__cause__, SparkConnectGrpcException) else None
    cause = re.search(r"^Caused by: [\w.$]+: (.+)$", trace or "", re.MULTILINE)
    said = cause[1] if cause else error.message
    said = said.strip().removeprefix("ERROR: ").removesuffix(".")
    return f"{said}; the setting drivers names those there are." if "suitable driver" in said else f"{said}."


def _read(session: SparkSession, connection: Connection, select: str, target: Path) -> dict[str, Any]:
    described = _frame(session, connection, select)
    types = {field.name: field.dataType.simpleString() for field in described.schema}
    as_text = [name for name, type in types.items() if type in _texts_of(connection.url)]
    frame = _frame(session, connection, select, customSchema=", ".join(f"{quoted(name)} STRING" for name in as_text))
    frame = frame if as_text else described
    numbers = [number for number, name in enumerate(types) if name in as_text]
    # Spark makes the folder itself.
    target.rmdir()
    stored_as_text = write_parquet(_raw(frame, list(types.values()), numbers), str(target))
    files = [pq.ParquetFile(part) for part in sorted(target.glob("*.parquet"))]
    names = unique_names(types)
    return {
        "rows": sum(file.metadata.num_rows for file in files),
        "columns": [
            [
                name,
                "string" if f"c{number}" in stored_as_text else type,
                f"t{number}" if number in numbers and _has_values(files, f"t{number}") else "",
            ]
            for number, (name, type) in enumerate(zip(names, types.values(), strict=True))
        ],
        "changed_names": [
            f"the name {old!r} was changed to {new}" for old, new in zip(types, names, strict=True) if old != new
        ],
    }


def _frame(session: SparkSession, connection: Connection, select: str, **more: str) -> DataFrame:
    options = {"url": connection.url, "dbtable": f"({select}) t", "fetchsize": FETCH_ROWS, "preferTimestampNTZ": "true"}
    more["sessionInitStatement"] = _READ_ONLY.get(system_of(connection.url), "")
    return session.read.format("jdbc").options(**options, **{name: text for name, text in more.items() if text}).load()


def _texts_of(url: str) -> tuple[str, ...]:
    """The types of which texts are read: Spark takes infinity for a day that there is."""
    return tuple(_WRITTEN) if system_of(url) == "postgresql" else _UNKNOWN_DIGITS


def _raw(frame: DataFrame, types: list[str], texts: list[int]) -> DataFrame:
    named = frame.toDF(*(f"c{number}" for number in range(len(types))))
    columns = [_typed(number, type) if number in texts else f"c{number}" for number, type in enumerate(types)]
    typed = named.selectExpr(*columns, *(f"c{number} AS t{number}" for number in texts))
    lost = [f"CASE WHEN c{number} IS NULL THEN t{number} END AS t{number}" for number in texts]
    extra = [
        f"monotonically_increasing_id() + 1 AS {quoted(LINE)}",
        f"CAST(NULL AS STRING) AS {quoted(PROBLEM)}",
        f"false AS {quoted(LEFT_OUT)}",
    ]
    return typed.selectExpr(*(f"c{number}" for number in range(len(types))), *lost, *extra)


def _typed(number: int, type: str) -> str:
    column = f"c{number}"
    # A zone is written with its minutes.
    value = f"regexp_replace({column}, '([+-][0-9][0-9])$', '$1:00')" if type == "timestamp" else column
    return f"CASE WHEN {column} RLIKE '^{_WRITTEN[type]}$' THEN try_cast({value} AS {type}) END AS {column}"


def _has_values(files: list[pq.ParquetFile], column: str) -> bool:
    """Whether some are not NULL, by what the files say of themselves."""
    for file in files:
        groups = map(file.metadata.row_group, range(file.num_row_groups))
        chunks = (group.column(number) for group in groups for number in range(group.num_columns))
        if any(one.statistics.null_count < one.num_values for one in chunks if one.path_in_schema == column):
            return True
    return False
