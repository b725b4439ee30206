"""Reads parts of a file, and looks at its beginning."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from trailbook.errors import CellFailed
from trailbook.sources.delimited.blocks import read_block
from trailbook.sources.delimited.candidates import Wanted
from trailbook.sources.delimited.detect import Detected, detect, readable
from trailbook.sources.delimited.dialect import Layout
from trailbook.sources.delimited.ranges import Range
from trailbook.sources.delimited.records import content_end
from trailbook.sources.delimited.scan import last_record_end
from trailbook.sources.raw_columns import PROBLEM

MOST_RANGE = 2**31 - 2
PREVIEW_ROWS = 100
HEAD_BYTES = 64 * 1024
_FEWEST_LINES = 5
_MOST_HEAD = 4 * 1024 * 1024


def read_range(path: Path, range: Range, layout: Layout) -> pa.Table:
    """The raw form of a range of a file."""
    if range.end - range.start > MOST_RANGE:
        raise CellFailed(f"The record on line {range.line} is longer than {MOST_RANGE:,} bytes.")
    with path.open("rb") as file:
        file.seek(range.start)
        return read_block(file.read(range.end - range.start), layout, range.line, range.start)


def read_head(path: Path) -> tuple[bytes, bool]:
    """As much of a file as is needed to look at it, and whether that is all: some lines, even if they are long."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
        while len(head.splitlines()) <= _FEWEST_LINES and len(head) < _MOST_HEAD and (more := file.read(len(head))):
            head += more
        return head, not file.read(1)


@dataclass(frozen=True)
class Preview:
    """What a load would give: the first rows in raw form, and how many problems the first `looked_at` bytes have."""

    detected: Detected
    rows: pa.Table
    problems: int
    looked_at: int
    is_whole: bool


def preview(head: bytes, is_whole: bool, wanted: Wanted | None = None) -> Preview:
    """A look at a file that starts with these bytes."""
    detected = detect(head, is_whole, wanted or Wanted())
    data, start = readable(head, detected.dialect.encoding)
    layout = detected.layout
    end = content_end(data, layout.columns)
    if not is_whole and (last := last_record_end(data[start:], layout.dialect)):
        # The last record is cut. If it is the only one, so be it.
        end = start + last
    table = read_block(data[start:end], layout, 1, start)
    problems = table.num_rows - table[PROBLEM].null_count
    return Preview(detected, table.slice(0, PREVIEW_ROWS), problems, len(head), is_whole)
