"""Comma-separated values and their kin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
from pydantic import Field, TypeAdapter, field_validator

from trailbook.errors import CellFailed
from trailbook.model.base import Json
from trailbook.sources.delimited import dialect as delimited
from trailbook.sources.delimited.candidates import Wanted
from trailbook.sources.delimited.detect import Detected, detect
from trailbook.sources.delimited.ranges import Range, bounds, cut, scan_range
from trailbook.sources.delimited.read import read_first, read_head, read_range
from trailbook.sources.delimited.scan import Scan
from trailbook.sources.delimited.transcode import transcoded
from trailbook.sources.formats.format import ENCODINGS, FORMATS, HEAD_BYTES, Column, Layout, Options, refuse_many
from trailbook.sources.formats.lines import looks_like_text
from trailbook.sources.formats.splitting import SplittableFormat

_SPELT = {"tab": "\t", "\\t": "\t"}
_NONE = ""
_SCAN, _RANGE = TypeAdapter(Scan), TypeAdapter(Range)


class CsvOptions(Options):
    delimiter: str | None = Field(
        None, description="What stands between values; tab for one.", examples=[",", ";", "\t", "|"]
    )
    quote: str | None = Field(
        None, description="What stands around values; empty for nothing.", examples=['"', "'", _NONE]
    )
    escape: str | None = Field(
        None,
        description="What stands before a quote or delimiter that is one of the value.",
        examples=[_NONE, "\\"],
    )
    comment: str | None = Field(
        None, description="What lines begin with that are no rows; empty for nothing.", examples=[_NONE, "#"]
    )
    encoding: str | None = Field(
        None, description="How characters are written, such as utf-8 or cp1252.", examples=ENCODINGS
    )
    header: bool | None = Field(None, description="Whether the first line holds the names of the columns.")

    @field_validator("delimiter", mode="before")
    @classmethod
    def _tab(cls, value: object) -> object:
        return _SPELT.get(value, value) if isinstance(value, str) else value


@dataclass(frozen=True)
class CsvLayout(Layout[CsvOptions]):
    """What is known besides of a file of text."""

    text: delimited.Layout = field(default_factory=lambda: delimited.Layout(delimited.Dialect(), 1))


class CsvFormat(SplittableFormat[CsvOptions]):
    """Whatever is wrong with a line, it is kept, and told."""

    name = "csv"
    title = "CSV"
    extensions = (".csv", ".tsv", ".tab", ".psv")
    media_types = ("text/csv", "text/tab-separated-values")
    blanks_are_null = True
    Options = CsvOptions

    def is_it(self, head: bytes) -> bool:
        return looks_like_text(head) and detect(head, len(head) < HEAD_BYTES).columns > 1

    def layout(self, path: Path, options: CsvOptions, most_records: int | None = None) -> CsvLayout:
        found = detect(*read_head(path), Wanted(**options.model_dump()))
        refuse_many(found.columns)
        columns = tuple(Column(name, pa.string(), is_text=True) for name in found.names)
        guessed = tuple(f"{guess.what} {guess.value}" for guess in found.guessed if guess.what != "columns")
        return CsvLayout(columns, _settled(options, found), guessed, text=found.layout)

    def readable(self, path: Path, layout: Layout[CsvOptions], folder: Path) -> Path:
        encoding = layout.options.encoding or delimited.IN_PLACE
        if delimited.Dialect(encoding=encoding).is_in_place:
            return path
        target = folder / "utf-8"
        with path.open("rb") as source, target.open("wb") as file:
            try:
                transcoded(source, file, encoding)
            except UnicodeError as error:
                raise CellFailed(f"It can't be read as {encoding}: {error}.") from error
        return target

    def batches(
        self, path: Path, layout: Layout[CsvOptions], most_records: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        if most_records is not None:
            yield from read_first(path, layout.options.encoding or delimited.IN_PLACE, _text(layout)).to_batches()
            return
        scans = [self.scan(path, layout, stretch) for stretch in self.stretches(path, layout)]
        for piece in self.cut(len(layout.columns), scans):
            yield from self.read(path, layout, piece).to_batches()

    def stretches(self, path: Path, layout: Layout[CsvOptions]) -> list[Json]:
        return [list(each) for each in bounds(path.stat().st_size)]

    def scan(self, path: Path, layout: Layout[CsvOptions], stretch: Json) -> Json:
        start, end = stretch
        return _SCAN.dump_python(scan_range(path, start, end, _text(layout).dialect), mode="json")

    def cut(self, columns: int, scans: Sequence[Json]) -> list[Json]:
        found = cut([_SCAN.validate_python(scan) for scan in scans], columns)
        return [_RANGE.dump_python(each) for each in found]

    def read(self, path: Path, layout: Layout[CsvOptions], piece: Json) -> pa.Table:
        return read_range(path, _RANGE.validate_python(piece), _text(layout))


def _text(layout: Layout[CsvOptions]) -> delimited.Layout:
    assert isinstance(layout, CsvLayout)
    return layout.text


def _settled(options: CsvOptions, found: Detected) -> CsvOptions:
    """The options with all that was found out."""
    dialect = found.dialect
    return options.model_copy(
        update={
            "delimiter": dialect.delimiter,
            "quote": dialect.quote or _NONE,
            "escape": dialect.escape or _NONE,
            "comment": dialect.comment or _NONE,
            "encoding": dialect.encoding,
            "header": found.header,
        }
    )


FORMATS.add(CsvFormat.name, CsvFormat())
