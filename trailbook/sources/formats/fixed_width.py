"""Text in columns of fixed width, at positions that are given or guessed from the blanks between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, pairwise
from pathlib import Path

import pyarrow as pa
from pydantic import Field

from trailbook.errors import CellFailed, Invalid
from trailbook.sources.formats.format import ENCODINGS, FORMATS, Format, Layout, Options, head_of, laid_out, refuse_many
from trailbook.sources.formats.lines import Encoding, Line, encoding_of, lines, looks_like_text
from trailbook.sources.formats.records import Record, batched, joined, shown

LOOKED_AT = 1_000
"""Lines whose blanks tell where columns begin."""
FEW = 50
"""One line in so many may have characters where the others have blanks."""
MOST_WIDE = 1_000_000
_NUMBER = re.compile(r"[-+]?[\d.,]+%?$")


class FixedWidthOptions(Options):
    starts: tuple[int, ...] = Field((), description="Where columns begin, from 1, in characters; empty guesses it.")
    width: int = Field(0, ge=0, le=MOST_WIDE, description="Where the last column ends; 0 takes the longest line seen.")
    spaced: bool | None = Field(
        None,
        description="Blanks stand before each column, else it is a problem; empty: if starts are guessed.",
    )
    header: bool | None = Field(None, description="The first line holds the names of the columns; empty guesses it.")
    encoding: str = Field(
        "", description="How characters are written, such as utf-8 or cp1252; empty finds it out.", examples=ENCODINGS
    )


class FixedWidthFormat(Format[FixedWidthOptions]):
    """Blanks around values are no part of them; a line that ends before the last column, or after it, is a problem."""

    name = "fixed_width"
    title = "Fixed width"
    extensions = (".fwf", ".prn")
    media_types = ()
    blanks_are_null = True
    Options = FixedWidthOptions

    def is_it(self, head: bytes) -> bool:
        if not looks_like_text(head):
            return False
        texts = head.decode("utf-8", "replace").splitlines()[:LOOKED_AT]
        return len(texts) > 2 and len(_guessed_starts(texts)) > 1

    def layout(
        self, path: Path, options: FixedWidthOptions, most_records: int | None = None
    ) -> Layout[FixedWidthOptions]:
        encoding = encoding_of(head_of(path), options.encoding)
        texts = [line.text.expandtabs() for line in islice(lines(path, encoding), LOOKED_AT)]
        starts = _checked(options.starts) or tuple(_guessed_starts(texts))
        refuse_many(len(starts))
        width = options.width or max(len(text.rstrip()) for text in texts)
        if width < starts[-1]:
            raise CellFailed(f"The last column begins at {starts[-1]}, but the lines end at {width}.")
        rows = [_cut(text, starts) for text in texts if text.strip()]
        header = options.header if options.header is not None else _has_header(rows)
        names = rows[0] if header and rows else [None] * len(starts)
        columns = laid_out([(name or "", pa.string()) for name in names], has_types=False)
        spaced = options.spaced if options.spaced is not None else not options.starts
        found = {"starts": starts, "width": width, "spaced": spaced, "header": header, "encoding": encoding.name}
        settled = options.model_copy(update=found)
        return Layout(columns, settled, tuple(_guessed(encoding, options, settled)), options.header is not None)

    def batches(
        self, path: Path, layout: Layout[FixedWidthOptions], most_records: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        encoding = encoding_of(head_of(path), layout.options.encoding)
        records = _records(path, encoding, layout.options, layout.is_header_said)
        return batched(records, layout, most_records)


def _guessed(encoding: Encoding, given: FixedWidthOptions, settled: FixedWidthOptions) -> Iterator[str]:
    if encoding.guessed:
        yield encoding.guessed
    if not given.starts:
        yield f"columns were taken to begin at {', '.join(map(str, settled.starts))}, where blanks end in most lines"
    if given.header is None:
        yield f"the first line was taken for {'the names of the columns' if settled.header else 'data'}"


def _records(path: Path, encoding: Encoding, options: FixedWidthOptions, is_header_said: bool) -> Iterator[Record]:
    header = bool(options.header)
    for line in lines(path, encoding):
        text = line.text.expandtabs()
        if header and is_header_said and text.strip():
            header = False
            continue
        values = _cut(text[: options.width], options.starts)
        why = "it was left out as blank" if not text.strip() else "it was taken for the names of the columns"
        if header or not text.strip():
            header = header and not text.strip()
            yield Record(line.number, values, line.wrong(why), left_out=True, size=line.size)
        else:
            yield Record(line.number, values, _problem(line, text, options), size=line.size)


def _problem(line: Line, text: str, options: FixedWidthOptions) -> str | None:
    before, surplus = text[: options.starts[0] - 1], text[options.width :]
    missing = sum(start > len(text) for start in options.starts)
    # Editors cut blanks at the end: only a line that ends before the last column begins lacks something.
    short = line.wrong(f"it ends before the last {missing} of {len(options.starts)} columns") if missing else None
    long = line.wrong(f"it has {shown(surplus)} after column {options.width}") if surplus.strip() else None
    early = line.wrong(f"it has {shown(before)} before column {options.starts[0]}") if before.strip() else None
    tabs = line.wrong("its tabs were taken for blanks up to each eighth column") if "\t" in line.text else None
    return joined(line.unreadable, tabs, early, short, long, _run_into(line, text, options))


def _run_into(line: Line, text: str, options: FixedWidthOptions) -> str | None:
    """The columns that the value before them reaches into."""
    places = [start for start in options.starts[1:] if start <= len(text) and not text[start - 2].isspace()]
    if not places or not options.spaced:
        return None
    return line.wrong(f"there is no blank before the column at {', '.join(map(str, places))}")


def _cut(text: str, starts: Sequence[int]) -> list[str | None]:
    places = [start - 1 for start in starts] + [len(text)]
    return [text[start : max(start, end)].strip() or None for start, end in pairwise(places)]


def _checked(starts: tuple[int, ...]) -> tuple[int, ...]:
    if any(later <= earlier for earlier, later in pairwise((0, *starts))):
        raise Invalid(f"starts must increase from 1 on: {', '.join(map(str, starts))} does not.")
    return starts


def _guessed_starts(texts: Sequence[str]) -> list[int]:
    """Where characters follow places that are blank in all lines but a few, which may be broken; the first is 1, as
    longer values than those looked at may come."""
    width = min(max((len(text) for text in texts), default=0), MOST_WIDE)
    steps = [0] * (width + 1)
    for text in texts:
        for match in re.finditer(r"\S+", text[:width]):
            steps[match.start()] += 1
            steps[match.end()] -= 1
    few = len(texts) // FEW
    used = [count > few for count in accumulate(steps)]
    begins = [place + 1 for place in range(width) if used[place] and not (place and used[place - 1])]
    return [1, *begins[1:]]


def _has_header(rows: list[list[str | None]]) -> bool:
    """A first line of words over columns of numbers."""
    if len(rows) < 2 or not all(rows[0]):
        return False
    numeric = [all(_is_number(row[place]) for row in rows[1:]) for place in range(len(rows[0]))]
    return any(numeric) and not any(_is_number(name) for name in rows[0])


def _is_number(text: str | None) -> bool:
    return text is None or bool(_NUMBER.match(text))


FORMATS.add(FixedWidthFormat.name, FixedWidthFormat())
