"""A block read fast is what the parser makes of it."""

from __future__ import annotations

from random import Random

import pytest

from tests.sources.delimited.made import any_layout, any_text, mutated, well_formed
from tests.support.seeds import FRESH
from trailbook.sources.delimited.blocks import raw_schema, read_block, table_of
from trailbook.sources.delimited.dialect import Dialect, Layout
from trailbook.sources.delimited.records import records

OFFSET, LINE = 100, 7


def assert_read_as_parsed(data: bytes, layout: Layout) -> None:
    table = read_block(data, layout, LINE, OFFSET)
    table.validate(full=True)
    assert table.equals(table_of(list(records(data, layout, LINE, OFFSET)), layout.columns)), (data, layout)


@pytest.mark.parametrize("seed", [1, FRESH])
def test_any_bytes_are_read_as_they_are_parsed(seed: int) -> None:
    random = Random(seed)
    for _ in range(500):
        assert_read_as_parsed(any_text(random), any_layout(random))


@pytest.mark.parametrize("seed", [1, FRESH])
def test_mutated_files_are_read_as_they_are_parsed(seed: int) -> None:
    random = Random(seed)
    for _ in range(500):
        made = well_formed(random)
        assert_read_as_parsed(mutated(random, made.data), made.layout)


@pytest.mark.parametrize("seed", [1, FRESH])
def test_values_of_well_formed_files_are_read(seed: int) -> None:
    random = Random(seed)
    for _ in range(300):
        made = well_formed(random)
        data = made.data.removeprefix("\ufeff".encode()).rstrip(b"\r\n")
        table = read_block(data, made.layout)
        rows = [list(row.values())[: made.layout.columns] for row in table.to_pylist()]
        # A row of nothing but NULLs in the middle is no blank line: it has delimiters.
        assert rows == made.rows
        assert table["__problem"].null_count == table.num_rows


def test_few_bad_lines_among_many_keep_their_places() -> None:
    lines = [f'{number},"{number}",x\n' for number in range(5000)]
    bad = ("{},2\n", '{},"2,x\n', '{},2"2,x\n', "{},2,x,y\n")
    for number in range(0, 5000, 50):
        lines[number] = bad[number // 50 % 4].format(number)
    table = read_block("".join(lines).encode(), Layout(Dialect(), 3))
    assert table["c0"].to_pylist() == [str(number) for number in range(5000)]
    assert table["__line"].to_pylist() == list(range(1, 5001))
    told = table["__problem"].to_pylist()
    assert [number for number, problem in enumerate(told) if problem] == list(range(0, 5000, 50))
    assert told[50] == f'line 51, byte {len("".join(lines[:50]))}: the quote before value 2 is not closed: "50,"2,x"'


def test_nothing_has_no_rows() -> None:
    assert read_block(b"", Layout(Dialect(), 2)).equals(raw_schema(2).empty_table())


def test_a_byte_order_mark_inside_a_file_is_text() -> None:
    table = read_block("\n\ufeffa,b\n".encode(), Layout(Dialect(), 2), offset=500)
    assert table["c0"].to_pylist() == [None, "\ufeffa"]


def test_one_line_of_many_columns() -> None:
    data = b",".join(b"%d" % number for number in range(10_000)) + b"\n"
    table = read_block(data * 3, Layout(Dialect(), 10_000))
    assert table.num_rows == 3
    assert table["c9999"].to_pylist() == ["9999"] * 3


def test_a_line_of_stray_quotes_is_read_in_one_go() -> None:
    table = read_block(b'"a"b,' * 200_000, Layout(Dialect(), 3))
    assert table.num_rows == 1
    assert (
        table["__problem"][0]
        .as_py()
        .startswith("line 1, byte 0: the quote before value 1 is not closed; 200001 values")
    )
