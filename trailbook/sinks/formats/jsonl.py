"""JSON lines: one object a line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, BinaryIO, ClassVar

from trailbook.sinks.sink import SINKS, ColumnOptions, Sink

if TYPE_CHECKING:
    import pyarrow as pa

    from trailbook.sinks.outgoing import Outgoing


class JsonLinesOptions(ColumnOptions):
    pass


class JsonLinesSink(Sink[JsonLinesOptions]):
    """Whole numbers are written with all their digits; decimals, times and bytes as text."""

    format: ClassVar[str] = "jsonl"
    title: ClassVar[str] = "JSON lines"
    extension: ClassVar[str] = ".jsonl"
    media_type: ClassVar[str] = "application/x-ndjson"
    options: ClassVar[type[JsonLinesOptions]] = JsonLinesOptions

    def write(self, data: Outgoing, target: BinaryIO, options: JsonLinesOptions) -> list[str]:
        from trailbook.sinks.marking import Marked
        from trailbook.sinks.texts import bytes_of

        marked = Marked.of(data, options.marks)
        for batch in marked.batches():
            if batch.num_columns:
                target.write(bytes_of(_lines(batch)))
        return marked.notes


def _lines(batch: pa.RecordBatch) -> pa.Array:
    from trailbook.sinks.texts import joined, json_of

    parts: list[pa.Array | str] = []
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        parts += [("," if parts else "{") + json.dumps(name, ensure_ascii=False) + ":", json_of(column)]
    return joined(*parts, "}\n")


SINKS.add(JsonLinesSink.format, JsonLinesSink())
