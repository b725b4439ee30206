"""JSON lines: one object a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trailbook.errors import CellFailed
from trailbook.sources.source import (
    SOURCES,
    Reading,
    ReadOptions,
    Source,
    SourceFile,
    counted,
    refuse_binary,
    refuse_empty,
)

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

UNPARSED = "_unparsed"


class JsonLinesSource(Source):
    """Lines that are not JSON objects are kept as text in a column of their own."""

    format = "jsonl"
    extensions = (".jsonl", ".ndjson", ".json")

    def check(self, file: SourceFile) -> None:
        refuse_empty(file)
        refuse_binary(file, "JSON lines")

    def read(self, session: SparkSession, file: SourceFile, options: ReadOptions) -> Reading:
        from pyspark.sql.connect import functions as F

        reader = session.read.options(mode="PERMISSIVE", columnNameOfCorruptRecord=UNPARSED)
        schema = reader.json(str(file.path)).schema
        if schema.names in ([], [UNPARSED]):
            raise CellFailed(f"{file.name} is not JSON lines: none of its lines is a JSON object.")
        frame = reader.schema(schema).json(str(file.path))
        if UNPARSED not in schema.names:
            return Reading(frame)
        message = f"{{}} lines are not JSON objects; their text is in the column {UNPARSED}."
        return counted(frame, F.col(UNPARSED).isNotNull(), message)


SOURCES.add(JsonLinesSource.format, JsonLinesSource())
