"""Rows as lines of values, made a column at a time."""

from __future__ import annotations

import codecs
from functools import reduce
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

from trailbook.errors import Invalid
from trailbook.sinks.formats.csv import CsvOptions
from trailbook.sinks.formulas import guarded
from trailbook.sinks.texts import TEXT, bytes_of, constant, is_text, joined, texts_of

LINE_ENDS = {"lf": "\n", "crlf": "\r\n"}
QUOTE = '"'
COMMENT = "#"
OTHER_DELIMITERS = ",;|\t"


class CsvLines:
    """Lines on their way into a file."""

    def __init__(self, target: BinaryIO, options: CsvOptions, schema: pa.Schema) -> None:
        self._target = target
        self._options = options
        self._schema = schema
        self._encoder = None if options.encoding == "utf-8" else codecs.getincrementalencoder(options.encoding)()
        self._guarded: dict[str, int] = {}
        self._guarded_names = 0
        self._nulls_as_texts = 0
        if options.delimiter in options.null:
            raise Invalid(f"{options.null!r} can't be written for NULL: it has the delimiter in it.")

    def write_names(self) -> None:
        names = pa.array(self._schema.names, TEXT)
        if self._options.guard_formulas:
            names, self._guarded_names = guarded(names)
        self._put([self._fields(names.slice(place, 1)) for place in range(len(names))])

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
        counts = {f"Texts of {name}": count for name, count in self._guarded.items()}
        if self._guarded_names:
            counts["Names of columns"] = self._guarded_names
        notes = [
            f"{what} that start like a formula ({count:,}) have an apostrophe before them in the file."
            for what, count in counts.items()
        ]
        if self._nulls_as_texts:
            notes.append(f"NULL ({self._nulls_as_texts:,}) is written as an empty text: most readers skip blank lines.")
        return notes

    def _fields(self, texts: pa.Array) -> pa.Array:
        """The texts as they stand in a line."""
        null = self._options.null
        if len(self._schema) == 1 and not null:
            # A line with nothing in it is no line to most readers.
            null = QUOTE + QUOTE
            self._nulls_as_texts += texts.null_count
        if self._options.quote == "all":
            texts = _quoted(texts)
        elif (needed := self._needing_quotes(texts)) is not None:
            texts = pc.if_else(needed, _quoted(texts), texts)
        return pc.fill_null(texts, constant(null))

    def _needing_quotes(self, texts: pa.Array) -> pa.Array | None:
        """Which texts would be read otherwise: also with a blank at an end, which readers may strip."""
        # What occurs in none of them, as is usual, is found out for all of them at once.
        content = bytes(bytes_of(texts))
        # What stands between values is guessed by many readers, which a file of one column makes easy to get wrong.
        delimiters = {self._options.delimiter, *(OTHER_DELIMITERS if len(self._schema) == 1 else "")}
        there = [one for one in (QUOTE, "\n", "\r", *sorted(delimiters)) if one.encode() in content]
        needed = [pc.equal(texts, constant(self._options.null))]
        needed += [pc.match_substring(texts, one) for one in there]
        if b" " in content:
            needed += [pc.starts_with(texts, " "), pc.ends_with(texts, " ")]
        if COMMENT.encode() in content:
            needed.append(pc.starts_with(texts, COMMENT))
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
