"""JSON: lines of objects, or a document with records somewhere in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
from pydantic import Field

from trailbook.errors import CellFailed
from trailbook.sources.formats.format import ENCODINGS, FORMATS, Format, Layout, Options, head_of, laid_out, renamed
from trailbook.sources.formats.json_places import ROOT, place_of_records
from trailbook.sources.formats.json_records import Parsed, columnar_records, document_records, is_lines, line_records
from trailbook.sources.formats.json_types import MOST_DEPTH, Kinds
from trailbook.sources.formats.lines import Encoding, encoding_of, looks_like_text
from trailbook.sources.formats.records import Record, batched, grouped, joined, json_text, lost, shown

_AT_ONCE = 5_000
"""Records whose types are looked at together."""


class JsonOptions(Options):
    form: Literal["auto", "lines", "document"] = Field(
        "auto", description="lines: a value on each line; document: one value over many lines; auto finds it out."
    )
    records: str = Field(
        "",
        description="Where in a document the records are, such as data.items; . is the document; empty guesses.",
    )
    rows: Literal["auto", "objects", "arrays", "values", "columns"] = Field(
        "auto", description="What a record is; columns: the document holds an array for each column."
    )
    flatten: bool = Field(False, description="Make columns a.b of objects in objects.")
    encoding: str = Field(
        "", description="How characters are written; empty finds it out. JSON is meant to be utf-8.", examples=ENCODINGS
    )


class JsonFormat(Format[JsonOptions]):
    """What is no JSON becomes a record of NULLs whose problem holds the text. Objects in records are structs."""

    name = "json"
    title = "JSON"
    extensions = (".json", ".jsonl", ".ndjson", ".geojson")
    media_types = ("application/json", "application/jsonl", "application/x-ndjson", "application/x-jsonlines")
    Options = JsonOptions

    def is_it(self, head: bytes) -> bool:
        return looks_like_text(head) and head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")

    def layout(self, path: Path, options: JsonOptions, most_records: int | None = None) -> Layout[JsonOptions]:
        encoding = encoding_of(head_of(path), options.encoding)
        settled, guessed = _settled(path, encoding, options, most_records)
        kinds = Kinds()
        problem = ""
        for some in grouped(islice(_parsed(path, encoding, settled), most_records), _AT_ONCE):
            rows = (parsed.value for parsed in some if parsed.is_json and _is_row(parsed.value, settled))
            kinds.add([dict(_named(row, settled)) for row in rows])
            problem = problem or next((f" {parsed.problem}" for parsed in some if parsed.problem), "")
        fields = kinds.fields()
        if not fields:
            raise CellFailed(f"There are no {settled.rows} of JSON in it that have a value.{problem}")
        columns = laid_out(fields, has_types=False)
        said = [encoding.guessed] if encoding.guessed else []
        return Layout(columns, settled, (*said, *guessed, *kinds.told(), *renamed(columns)))

    def batches(
        self, path: Path, layout: Layout[JsonOptions], most_records: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        encoding = encoding_of(head_of(path), layout.options.encoding)
        return batched(_records(_parsed(path, encoding, layout.options), layout), layout, most_records)


def _settled(path: Path, encoding: Encoding, options: JsonOptions, most: int | None) -> tuple[JsonOptions, list[str]]:
    """The options with what was not given found out, and in words what is a guess."""
    found: dict[str, str] = {"encoding": encoding.name}
    guessed = []
    if options.form == "auto":
        found["form"] = "lines" if not options.records and is_lines(head_of(path), encoding) else "document"
    if (found.get("form") or options.form) == "document" and not options.records:
        found["records"], is_columnar = place_of_records(path, encoding, most)
        if found["records"] != ROOT:
            guessed.append(f"the records were taken from {found['records']}, where most objects are, and nothing else")
        if is_columnar and options.rows == "auto":
            found["rows"] = "columns"
            guessed.append("the document was taken to hold an array for each column")
    settled = options.model_copy(update=found)
    if settled.rows == "auto":
        settled = settled.model_copy(update={"rows": _rows(_parsed(path, encoding, settled))})
    return settled, guessed


def _rows(some: Iterator[Parsed]) -> str:
    """What most likely is a record: an object if there is one at the beginning."""
    found = "values"
    for parsed in islice(some, _AT_ONCE):
        if isinstance(parsed.value, dict):
            return "objects"
        if isinstance(parsed.value, list):
            found = "arrays"
    return found


def _parsed(path: Path, encoding: Encoding, options: JsonOptions) -> Iterator[Parsed]:
    if options.form == "lines":
        return line_records(path, encoding)
    read = columnar_records if options.rows == "columns" else document_records
    return read(path, encoding, options.records)


def _is_row(value: Any, options: JsonOptions) -> bool:
    if options.rows == "values":
        return True
    return isinstance(value, list if options.rows == "arrays" else dict)


def _named(value: Any, options: JsonOptions) -> list[tuple[str, Any]]:
    """What is in a record by the names of columns; one of them may be there several times."""
    if options.rows == "arrays":
        return [(f"column_{number}", each) for number, each in enumerate(value, 1)]
    if not isinstance(value, dict):
        return [("value", value)]
    return list(_flat(value) if options.flatten else value.items())


def _flat(value: dict[str, Any], prefix: str = "", depth: int = 1) -> Iterator[tuple[str, Any]]:
    for name, each in value.items():
        if isinstance(each, dict) and each and depth < MOST_DEPTH:
            yield from _flat(each, f"{prefix}{name}.", depth + 1)
        else:
            yield prefix + name, each


def _records(some: Iterable[Parsed], layout: Layout[JsonOptions]) -> Iterator[Record]:
    keys = [column.key for column in layout.columns]
    known = frozenset(keys)
    word = "line" if layout.options.form == "lines" else "record"
    for parsed in some:
        is_row = parsed.is_json and not parsed.left_out and _is_row(parsed.value, layout.options)
        named = _named(parsed.value, layout.options) if is_row else []
        found = dict(named)
        problem = parsed.problem
        if not is_row and parsed.is_json and not parsed.left_out:
            text = shown(json_text(parsed.value))
            problem = joined(problem, f"{word} {parsed.line} is none of the {layout.options.rows}: {text}")
        if is_row and (len(found) < len(named) or not found.keys() <= known):
            # With `flatten`, several values may have one name, of which the last counts.
            others = ((name, value) for name, value in named if found[name] is not value or name not in known)
            text = shown(", ".join(json_text({name: value}) for name, value in others))
            problem = joined(problem, f"{word} {parsed.line} has what has no column: {text}")
        if is_row and layout.options.rows == "arrays" and len(found) < len(keys):
            problem = joined(problem, f"{word} {parsed.line} has {len(found)} of {len(keys)} values")
        values = [found.get(key) for key in keys]
        if not (parsed.left_out and parsed.is_lost):
            yield Record(parsed.line, values, problem, parsed.left_out, parsed.size)
        if parsed.is_lost:
            yield lost(len(keys), problem or "")


FORMATS.add(JsonFormat.name, JsonFormat())
