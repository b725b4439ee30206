"""Comma-separated values and their kin, with types as Spark infers them."""

from __future__ import annotations

from dataclasses import replace
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

RAGGED = "_trailbook_ragged"


class CsvSource(Source):
    format = "csv"
    extensions = (".csv", ".tsv", ".txt")

    def check(self, file: SourceFile) -> None:
        refuse_empty(file)
        refuse_binary(file, "CSV")

    def read(self, session: SparkSession, file: SourceFile, options: ReadOptions) -> Reading:
        from pyspark.sql.connect import functions as F
        from pyspark.sql.types import StringType, StructType

        reader = session.read.options(
            header=options.header,
            sep=options.delimiter,
            # A doubled quote inside quotes, as RFC 4180 has it; Spark's default is a backslash.
            escape='"',
            # Quoted line ends belong to the value. It costs the parallel read of one file.
            multiLine=True,
            columnNameOfCorruptRecord=RAGGED,
        )
        inferred = reader.option("inferSchema", True).csv(str(file.path)).schema
        if not inferred.fields:
            raise CellFailed(f"{file.name} has no columns: its first line is blank.")
        with_ragged = StructType([*inferred.fields]).add(RAGGED, StringType())
        message = (
            f"{{}} lines don't have {len(inferred.fields)} values like the first one: "
            "missing values are NULL, surplus ones are left out."
        )
        reading = counted(reader.schema(with_ragged).csv(str(file.path)), F.col(RAGGED).isNotNull(), message)
        return replace(reading, frame=reading.frame.drop(RAGGED))


SOURCES.add(CsvSource.format, CsvSource())
