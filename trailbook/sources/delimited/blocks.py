"""Reads a block of a text table into its raw form, as fast as it is well-formed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from trailbook.sources.delimited.dialect import IN_PLACE, Dialect, Layout
from trailbook.sources.delimited.quotes import Flags, Places
from trailbook.sources.delimited.records import Kind, Parser, Record
from trailbook.sources.delimited.structure import Structure, structure_of
from trailbook.sources.raw_columns import LEFT_OUT, LINE, PROBLEM


def raw_schema(columns: int) -> pa.Schema:
    """The text of each column; the line on which a record starts, what is wrong with it, and whether it is no row."""
    fields = [pa.field(f"c{number}", pa.string()) for number in range(columns)]
    return pa.schema([*fields, (LINE, pa.int64()), (PROBLEM, pa.string()), (LEFT_OUT, pa.bool_())])


def read_block(data: bytes, layout: Layout, line: int = 1, offset: int = 0) -> pa.Table:
    """The raw form of data that starts with a record, at the given line and byte of its file."""
    if not data:
        return raw_schema(layout.columns).empty_table()
    structure = structure_of(data, layout, line, offset)
    good = np.flatnonzero(~structure.is_odd)
    columns, ragged = _well_formed(_text(data, structure), layout)
    good, bad = np.delete(good, ragged), good[ragged]
    bad = np.union1d(bad, np.flatnonzero(structure.is_odd))
    if not len(bad):
        return _with_lines(columns, structure.lines)
    parsed = {record.start: record for record in structure.parsed}
    parser = Parser(data, layout, offset)
    places = zip(structure.starts[bad].tolist(), structure.lines[bad].tolist(), strict=True)
    records = [parsed.get(start) or parser.record(start, at) for start, at in places]
    return _merged(_with_lines(columns, structure.lines[good]), good, records, bad)


def table_of(records: list[Record], columns: int) -> pa.Table:
    """The raw form of parsed records."""
    shown = [record for record in records if record.kind is not Kind.NAMES]
    values = list(zip(*(record.fields for record in shown), strict=True)) or [()] * columns
    told = (
        [record.line for record in shown],
        [record.problem for record in shown],
        [record.kind is Kind.LEFT_OUT for record in shown],
    )
    schema = raw_schema(columns)
    return pa.table([pa.array(each, of.type) for each, of in zip((*values, *told), schema, strict=True)], schema=schema)


def _text(data: bytes, structure: Structure) -> bytes:
    """The well-formed records, one after the other."""
    if not structure.is_odd.any():
        return data
    edges = np.flatnonzero(np.diff(structure.is_odd, prepend=True, append=True))
    places = np.append(structure.starts, len(data))[edges].tolist()
    view = memoryview(data)
    return b"".join(view[start:end] for start, end in zip(places[::2], places[1::2], strict=True))


def _well_formed(text: bytes, layout: Layout) -> tuple[pa.Table, list[int]]:
    """The columns of records whose quotes are in order, and the numbers of those with a wrong number of values."""
    names = layout.raw_names
    if not text:
        return pa.table([pa.array([], pa.string())] * layout.columns, names=names), []
    if layout.dialect.encoding != IN_PLACE:
        text = text.decode(layout.dialect.encoding).encode()
    if not text.endswith((b"\n", b"\r")):
        # At the end of a file without a line end, an empty value after a quoted one would count as quoted.
        text += b"\n"
    ragged: list[int] = []

    def on_ragged(row: pa_csv.InvalidRow) -> str:
        ragged.append(row.number - 1)
        return "skip"

    table = pa_csv.read_csv(
        pa.py_buffer(text),
        read_options=pa_csv.ReadOptions(column_names=names, block_size=len(text) + 1, use_threads=False),
        parse_options=_parse_options(layout.dialect, on_ragged),
        convert_options=pa_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            check_utf8=False,
        ),
    )
    return table, ragged


def _parse_options(dialect: Dialect, on_ragged: object) -> pa_csv.ParseOptions:
    return pa_csv.ParseOptions(
        delimiter=dialect.delimiter,
        quote_char=dialect.quote or False,
        escape_char=dialect.escape or False,
        newlines_in_values=dialect.quote is not None,
        ignore_empty_lines=False,
        invalid_row_handler=on_ragged,
    )


def _with_lines(columns: pa.Table, lines: Places) -> pa.Table:
    size = len(lines)
    told = [pa.array(lines), pa.nulls(size, pa.string()), pa.array(np.zeros(size, np.bool_))]
    return pa.table([*columns.columns, *told], schema=raw_schema(columns.num_columns))


def _merged(table: pa.Table, good: Places, records: list[Record], bad: Places) -> pa.Table:
    """Both in the order of the file."""
    shown: Flags = np.array([record.kind is not Kind.NAMES for record in records], np.bool_)
    order = np.argsort(np.concatenate((good, bad[shown])), kind="stable")
    both = pa.concat_tables([table, table_of(records, table.num_columns - 3)]).combine_chunks()
    return both.take(pa.array(order))
