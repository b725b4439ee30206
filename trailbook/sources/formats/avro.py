"""Avro files, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from trailbook.errors import CellFailed
from trailbook.sources.formats.avro_blocks import blocks, header_of
from trailbook.sources.formats.avro_types import Reading
from trailbook.sources.formats.format import FORMATS, Format, Layout, Options, laid_out, renamed
from trailbook.sources.formats.records import Record, batched, lost


class AvroOptions(Options):
    """An Avro file says all about itself."""


class AvroFormat(Format[AvroOptions]):
    """A block that is damaged is lost; the rest is read."""

    name = "avro"
    title = "Avro"
    extensions = (".avro",)
    media_types = ("application/avro", "avro/binary", "application/vnd.apache.avro")
    Options = AvroOptions

    def is_it(self, head: bytes) -> bool:
        return head.startswith(b"Obj\x01")

    def layout(self, path: Path, options: AvroOptions, most_records: int | None = None) -> Layout[AvroOptions]:
        with path.open("rb") as file:
            schema = header_of(file).schema
        if not isinstance(schema, dict) or schema.get("type") != "record":
            raise CellFailed(f"Its values are no records but {schema!r}, which make no table.")
        reading = Reading()
        columns = laid_out(reading.columns(schema), has_types=True)
        return Layout(columns, options, (*reading.told, *renamed(columns)))

    def batches(
        self, path: Path, layout: Layout[AvroOptions], most_records: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        return batched(_records(path, layout), layout, most_records)


def _records(path: Path, layout: Layout[AvroOptions]) -> Iterator[Record]:
    with path.open("rb") as file:
        header = header_of(file)
        fields = [field["name"] for field in header.schema["fields"]]
        number = 1
        for block in blocks(file, header):
            size = 0 if isinstance(block, str) else block.bytes_of_one
            for row in [block] if isinstance(block, str) else block.records():
                if isinstance(row, str):
                    yield lost(len(fields), f"after record {number - 1}, {row}")
                else:
                    yield Record(number, [row[name] for name in fields], size=size)
                    number += 1


FORMATS.add(AvroFormat.name, AvroFormat())
