"""Rows as lines of values, made a column at a time."""

from __future__ import annotations

import codecs
from functools import reduce
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

from trailbook.errors import Invalid
from trailbook.sinks.formats.csv import CsvOptions
from trailbook.sinks.formulas import guarded, guarded_name
from trailbook.sinks.texts import TEXT, bytes_of, constant, is_text, joined, texts_of

LINE_ENDS = {"lf": "\n", "crlf": "\r\n"}
QUOTE = '"'


class CsvLines:
    """Lines on their way into a file."""

    def __init__(self, target: BinaryIO, options: CsvOptions, schema: pa.Schema) -> None:
        self._target = target
        self._options = options
        self._schema = schema
        self._encoder = None if options.encoding == "utf-8" else codecs.getincrementalencoder(options.encoding)()
        self._guarded: dict[str, int] = {}
        if options.delimiter in options.null:
            raise Invalid(f"{options.null!r} can't be written for NULL: it has the delimiter in it.")

    def write_names(self) -> None:
        names = self._schema.names
        shown = map(guarded_name, names) if self._options.guard_formulas else names
        self._put([self._fields(pa.array([name], TEXT)) for name in shown])

    def write(self, batch: pa.RecordBatch) -> None:
        fields = []
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            texts = texts_of(column)
            if self._options.guard_formulas and is_text(column.type):
                texts, count = guarded(texts)
                if count:
                    self._guarded[name] = self._guarded.get(name, 0) + count
            fields.append(self._fields(texts))
        if fields:
            self._put(fields)

    def notes(self) -> list[str]:
        return [
            f"Texts of {name} that start like a formula ({count:,}) have an apostrophe before them in the file."
            for name, count in self._guarded.items()
        ]

    def _fields(self, texts: pa.Array) -> pa.Array:
        """The texts as they stand in a line."""
        null = self._options.null
        if len(self._schema) == 1 and not null:
            # A line with nothing in it is no line to most readers.
            null = QUOTE + QUOTE
        if self._options.quote == "all":
            texts = _quoted(texts)
        elif (needed := self._needing_quotes(texts)) is not None:
            texts = pc.if_else(needed, _quoted(texts), texts)
        return pc.fill_null(texts, constant(null))

    def _needing_quotes(self, texts: pa.Array) -> pa.Array | None:
        """Which texts would be read otherwise: also with a blank at an end, which readers may strip."""
        # What occurs in none of them, as is usual, is found out for all of them at once.
        content = bytes(bytes_of(texts))
        there = [one for one in (QUOTE, "\n", "\r", self._options.delimiter) if one.encode() in content]
        needed = [pc.equal(texts, constant(self._options.null))]
        needed += [pc.match_substring(texts, one) for one in there]
        if b" " in content:
            needed += [pc.starts_with(texts, " "), pc.ends_with(texts, " ")]
        found = reduce(pc.or_, needed)
        return found if pc.any(found).as_py() else None

    def _put(self, fields: list[pa.Array]) -> None:
        lines = pc.binary_join_element_wise(*fields, constant(self._options.delimiter))
        content = bytes_of(joined(lines, LINE_ENDS[self._options.line_end]))
        self._target.write(content if self._encoder is None else self._encoded(content))

    def _encoded(self, content: memoryview) -> bytes:
        assert self._encoder is not None
        try:
            return self._encoder.encode(str(content, "utf-8"))
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            raise Invalid(
                f"{character!r} can't be written in {self._options.encoding}, which has no such character. "
                "Choose utf-8, or utf-8-sig for Excel."
            ) from error


def _quoted(texts: pa.Array) -> pa.Array:
    return joined(QUOTE, pc.replace_substring(texts, QUOTE, QUOTE + QUOTE), QUOTE)
