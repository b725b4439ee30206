"""A file that is cut is read as if it were not."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest

from tests.sources.delimited.made import mutated, well_formed
from tests.support.seeds import FRESH
from trailbook.sources.delimited.blocks import raw_schema, table_of
from trailbook.sources.delimited.dialect import Dialect, Layout
from trailbook.sources.delimited.ranges import Range, bounds, cut, scan_range
from trailbook.sources.delimited.read import read_range
from trailbook.sources.delimited.records import content_end, records

BOM = "\ufeff".encode()


def ranges_of(path: Path, layout: Layout, range_bytes: int, piece: int = 1000) -> list[Range]:
    size = path.stat().st_size
    return cut([scan_range(path, *of, layout.dialect, piece) for of in bounds(size, range_bytes)], layout.columns)


def read_in_ranges(path: Path, layout: Layout, ranges: list[Range]) -> pa.Table:
    parts = [read_range(path, each, layout) for each in ranges]
    return pa.concat_tables([raw_schema(layout.columns).empty_table(), *parts])


def assert_covered(data: bytes, layout: Layout, ranges: list[Range]) -> None:
    """Each byte is in one range, each range starts on the line that it says."""
    start, end = len(BOM) * data.startswith(BOM), content_end(data, layout.columns)
    assert [each.start for each in ranges] + [end] == [start] + [each.end for each in ranges] or start >= end
    for each in ranges:
        assert each.line == 1 + len(re.findall(rb"\r\n?|\n", data[: each.start])), (data, each)


@pytest.mark.parametrize("seed", [1, FRESH])
def test_well_formed_files_are_read_in_parts_as_in_one(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    path = tmp_path / "file"
    for _ in range(60):
        made = well_formed(random)
        path.write_bytes(made.data)
        ranges = ranges_of(path, made.layout, random.randint(3, 40), random.choice([7, 1000]))
        assert_covered(made.data, made.layout, ranges)
        start = len(BOM) * made.data.startswith(BOM)
        whole = made.data[start : content_end(made.data, made.layout.columns)]
        parsed = table_of(list(records(whole, made.layout, 1, start)), made.layout.columns)
        assert read_in_ranges(path, made.layout, ranges).equals(parsed), (made, ranges)


@pytest.mark.parametrize("seed", [1, FRESH])
def test_each_byte_of_malformed_files_is_in_one_part(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    path = tmp_path / "file"
    for _ in range(80):
        made = well_formed(random)
        data = mutated(random, made.data)
        path.write_bytes(data)
        ranges = ranges_of(path, made.layout, random.randint(3, 40), random.choice([7, 1000]))
        assert_covered(data, made.layout, ranges)
        lines = read_in_ranges(path, made.layout, ranges)["__line"].to_pylist()
        assert lines == sorted(set(lines))


def test_a_long_record_is_in_one_part(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b'a,b\n1,"' + b"long\n" * 100 + b'"\n2,c\n')
    ranges = ranges_of(path, Layout(Dialect(), 2), 50)
    assert ranges == [Range(0, 509, 1), Range(509, 512, 103)]


@pytest.mark.parametrize("stray", [b'5" pipe,x\n', b'"never closed,x\n', b'x,never opened"\n'])
def test_a_stray_quote_does_not_join_what_follows(stray: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a,b\n" * 20 + stray + b"c,d\n" * 200)
    layout = Layout(Dialect(), 2)
    ranges = ranges_of(path, layout, 100)
    assert len(ranges) == 9
    assert read_in_ranges(path, layout, ranges).num_rows == 221


def test_blank_lines_at_the_end_are_in_no_part(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a,b\n" + b"\n" * 500)
    assert ranges_of(path, Layout(Dialect(), 2), 50) == [Range(0, 3, 1)]
    assert ranges_of(path, Layout(Dialect(), 1), 300) == [Range(0, 300, 1), Range(300, 504, 298)]


def test_an_empty_file_has_no_parts(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"")
    assert ranges_of(path, Layout(Dialect(), 2), 50) == []
