"""Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, ClassVar, Literal

from pydantic import Field

from trailbook.sinks.sink import SINKS, ColumnOptions, Sink

if TYPE_CHECKING:
    from trailbook.sinks.outgoing import Outgoing


class ParquetOptions(ColumnOptions):
    compression: Literal["zstd", "snappy", "gzip", "none"] = Field(
        default="zstd", description="How values are packed. Old programs may know snappy and gzip only."
    )


class ParquetSink(Sink[ParquetOptions]):
    """The types of the columns as they are stored."""

    format: ClassVar[str] = "parquet"
    title: ClassVar[str] = "Parquet"
    extension: ClassVar[str] = ".parquet"
    media_type: ClassVar[str] = "application/vnd.apache.parquet"
    options: ClassVar[type[ParquetOptions]] = ParquetOptions

    def write(self, data: Outgoing, target: BinaryIO, options: ParquetOptions) -> list[str]:
        import pyarrow.parquet as pq

        from trailbook.sinks.marking import Marked

        marked = Marked.of(data, options.marks)
        with pq.ParquetWriter(target, marked.schema, compression=options.compression) as writer:
            for batch in marked.batches():
                writer.write_batch(batch)
        return marked.notes


SINKS.add(ParquetSink.format, ParquetSink())
