"""Plain text: a row for each line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pydantic import Field

from trailbook.sources.formats.format import ENCODINGS, FORMATS, Column, Format, Layout, Options, head_of
from trailbook.sources.formats.lines import encoding_of, lines, looks_like_text
from trailbook.sources.formats.records import Record, batched

_COLUMNS = (Column("line", pa.int64()), Column("text", pa.string()))


class TextOptions(Options):
    encoding: str = Field(
        "", description="How characters are written, such as utf-8 or cp1252; empty finds it out.", examples=ENCODINGS
    )


class TextFormat(Format[TextOptions]):
    """Blank lines are rows like others: in a text they mean something."""

    name = "text"
    title = "Text"
    extensions = (".txt", ".text", ".log", ".md")
    media_types = ("text/plain",)
    Options = TextOptions

    def is_it(self, head: bytes) -> bool:
        return looks_like_text(head)

    def layout(self, path: Path, options: TextOptions, most_records: int | None = None) -> Layout[TextOptions]:
        encoding = encoding_of(head_of(path), options.encoding)
        settled = options.model_copy(update={"encoding": encoding.name})
        return Layout(_COLUMNS, settled, (encoding.guessed,) if encoding.guessed else ())

    def batches(
        self, path: Path, layout: Layout[TextOptions], most_records: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        encoding = encoding_of(head_of(path), layout.options.encoding)
        records = (
            Record(
                line.number,
                (line.number, line.text),
                line.unreadable,
                size=line.size,
            )
            for line in lines(path, encoding)
        )
        return batched(records, layout, most_records)


FORMATS.add(TextFormat.name, TextFormat())
