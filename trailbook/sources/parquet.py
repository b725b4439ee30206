"""Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trailbook.errors import CellFailed
from trailbook.sources.source import SOURCES, Reading, ReadOptions, Source, SourceFile, refuse_empty

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.connect.session import SparkSession


class ParquetSource(Source):
    """Timestamps of nanoseconds, which Spark does not have, are read to the microsecond."""

    format = "parquet"
    extensions = (".parquet", ".pq")

    def check(self, file: SourceFile) -> None:
        refuse_empty(file)
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            pq.read_schema(file.path)
        except (pa.ArrowInvalid, OSError) as error:
            raise CellFailed(f"{file.name} is not a Parquet file, or it is damaged: {error}") from error

    def read(self, session: SparkSession, file: SourceFile, options: ReadOptions) -> Reading:
        nanos = _nanosecond_columns(file)
        if nanos:
            session.conf.set("spark.sql.legacy.parquet.nanosAsLong", "true")
        frame: DataFrame = session.read.parquet(str(file.path))
        for name, zoned in nanos.items():
            frame = frame.withColumn(name, _microseconds(name, zoned))
        finding = f"Read to the microsecond, not the nanosecond: {', '.join(nanos)}."
        return Reading(frame, lambda: [finding] if nanos else [])


def _nanosecond_columns(file: SourceFile) -> dict[str, bool]:
    """The columns of nanosecond timestamps, with whether they have a time zone."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pq.read_schema(file.path)
    return {f.name: f.type.tz is not None for f in schema if pa.types.is_timestamp(f.type) and f.type.unit == "ns"}


def _microseconds(name: str, zoned: bool) -> Column:
    from pyspark.sql.connect import functions as F

    quoted = "`" + name.replace("`", "``") + "`"
    # div alone rounds towards zero, which would move times before 1970.
    time = F.timestamp_micros(F.expr(f"({quoted} - pmod({quoted}, 1000)) div 1000"))
    return time if zoned else time.cast("timestamp_ntz")


SOURCES.add(ParquetSource.format, ParquetSource())
