"""Reads parts of a file, and looks at its beginning."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from trailbook.errors import CellFailed
from trailbook.sources.delimited.blocks import read_block
from trailbook.sources.delimited.detect import readable
from trailbook.sources.delimited.dialect import Layout
from trailbook.sources.delimited.ranges import Range
from trailbook.sources.delimited.records import content_end
from trailbook.sources.delimited.scan import last_record_end

MOST_RANGE = 2**31 - 2
HEAD_BYTES = 64 * 1024
_FEWEST_LINES = 5
FIRST_BYTES = 256 * 1024
"""A smaller file is read at once."""
_MANY_LINES = 100
_MOST_RESERVED = 1024 * 1024 * 1024
"""Arrow reserves for each column as many bytes as there are in all."""
_MOST_HEAD = 4 * 1024 * 1024


def read_range(path: Path, range: Range, layout: Layout) -> pa.Table:
    """The raw form of a range of a file."""
    if range.end - range.start > MOST_RANGE:
        raise CellFailed(f"The record on line {range.line} is longer than {MOST_RANGE:,} bytes.")
    with path.open("rb") as file:
        file.seek(range.start)
        return read_block(file.read(range.end - range.start), layout, range.line, range.start)


def read_head(path: Path, size: int = HEAD_BYTES, fewest_lines: int = _FEWEST_LINES) -> tuple[bytes, bool]:
    """As much of a file as is needed to look at it, and whether that is all: some lines, even if they are long."""
    with path.open("rb") as file:
        head = file.read(size)
        while len(head.splitlines()) <= fewest_lines and len(head) < _MOST_HEAD and (more := file.read(len(head))):
            head += more
        return head, not file.read(1)


def read_first(path: Path, encoding: str, layout: Layout) -> pa.Table:
    """The raw form of the first records of a file that was not transcoded: of as many as can be read at once."""
    head, is_whole = read_head(path, FIRST_BYTES, _MANY_LINES)
    most = max(HEAD_BYTES, _MOST_RESERVED // layout.columns)
    data, start = readable(head[:most], encoding)
    is_whole = is_whole and len(head) <= most
    end = content_end(data, layout.columns)
    if not is_whole and (last := last_record_end(data[start:], layout.dialect)):
        # The last record is cut. If it is the only one, so be it.
        end = start + last
    return read_block(data[start:end], layout, 1, start)
