"""Comma-separated values and their kin."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, ClassVar, Literal

from pydantic import Field, field_validator

from trailbook.sinks.sink import SINKS, ColumnOptions, Sink

if TYPE_CHECKING:
    from trailbook.sinks.outgoing import Outgoing


class CsvOptions(ColumnOptions):
    header: bool = Field(default=True, description="The first line holds the names of the columns.")
    delimiter: str = Field(
        default=",", min_length=1, max_length=1, description="What stands between values; tab is one, too."
    )
    quote: Literal["needed", "all"] = Field(
        default="needed", description="Which values stand in quotes. NULL never does."
    )
    line_end: Literal["lf", "crlf"] = Field(default="lf", description="What ends a line.")
    encoding: Literal["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"] = Field(
        default="utf-8", description="utf-8-sig is UTF-8 with a mark at its start, by which Excel knows it."
    )
    null: str = Field(
        default="", max_length=100, description="What is written for NULL. A text that is the same is quoted."
    )
    guard_formulas: bool = Field(
        default=True,
        description="Write an apostrophe before texts that spreadsheets take for formulas. Numbers stay as they are.",
    )

    @field_validator("delimiter", mode="before")
    @classmethod
    def _tab(cls, value: object) -> object:
        return "\t" if value in ("\\t", "tab") else value

    @field_validator("delimiter")
    @classmethod
    def _apart(cls, value: str) -> str:
        if value in '"\r\n\0':
            raise ValueError("a quote or the end of a line can't stand between values")
        return value

    @field_validator("null")
    @classmethod
    def _plain(cls, value: str) -> str:
        if set(value) & set('"\r\n\0'):
            raise ValueError("what is written for NULL has no quotes and no ends of lines")
        return value


class CsvSink(Sink[CsvOptions]):
    format: ClassVar[str] = "csv"
    title: ClassVar[str] = "CSV"
    extension: ClassVar[str] = ".csv"
    media_type: ClassVar[str] = "text/csv"
    options: ClassVar[type[CsvOptions]] = CsvOptions

    def write(self, data: Outgoing, target: BinaryIO, options: CsvOptions) -> list[str]:
        from trailbook.sinks.csv_lines import CsvLines
        from trailbook.sinks.marking import Marked

        marked = Marked.of(data, options.marks)
        lines = CsvLines(target, options, marked.schema)
        if options.header:
            lines.write_names()
        for batch in marked.batches():
            lines.write(batch)
        return [*lines.notes(), *marked.notes]


SINKS.add(CsvSink.format, CsvSink())
