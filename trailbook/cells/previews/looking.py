"""Looks at a file: what its first records would become. Called in a process apart, since files may mean harm."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from trailbook.cells.loaded import Loaded
from trailbook.cells.previews.beginning import beginning_of
from trailbook.cells.previews.model import Preview, PreviewColumn, Problem, Wanted
from trailbook.cells.previews.rows import shown_rows
from trailbook.cells.raw import RawColumn, RawTable
from trailbook.errors import NotPreviewed
from trailbook.lenses.types.choose import choose
from trailbook.lenses.types.counting import counted
from trailbook.lenses.types.decision import NOTHING_GIVEN, Decision
from trailbook.lenses.types.telling import is_worth_telling, told
from trailbook.model.base import Json
from trailbook.sources.delimited.read import FIRST_BYTES
from trailbook.sources.formats.choosing import format_of, options_of
from trailbook.sources.formats.format import Format, Layout
from trailbook.sources.formats.records import all_lost, joined, lost_places
from trailbook.sources.formats.splitting import SplittableFormat
from trailbook.sources.raw_columns import LEFT_OUT, LINE, PROBLEM

MOST_RECORDS = 1_000
SHOWN_ROWS = 100
SHOWN_COLUMNS = 100
SHOWN_PROBLEMS = 50
LONGEST_PROBLEM = 400


def look(wanted: Wanted) -> Preview:
    """How the file would be read, and its first rows."""
    found = beginning_of(wanted)
    if found.path is None:
        return Preview(members=found.members, options={})
    format = format_of(wanted.format, found.path, found.name)
    if format.needs_end and not found.is_whole:
        raise NotPreviewed(f"A file of {format.title} can't be looked at before all of it is here.")
    layout = format.layout(found.path, options_of(format, wanted.options), MOST_RECORDS)
    records, is_all = _first_records(format, found.path, layout, found.is_whole)
    loaded = _loaded(wanted, format, layout, records)
    rows = records.filter(pa.compute.invert(records[LEFT_OUT]))
    lost = lost_places(records)
    return Preview(
        format=format.name,
        options=_sure(loaded.table, wanted, is_cut=not found.is_whole),
        guessed=layout.guessed,
        members=found.members,
        columns=tuple(_column(column, loaded.decisions) for column in loaded.table.columns),
        more_columns=len(layout.columns) - len(loaded.table.columns),
        rows=shown_rows(loaded, rows.slice(0, SHOWN_ROWS)),
        records=rows.num_rows,
        problems=_problems(records),
        problem_count=loaded.table.problems - len(lost),
        left_out=loaded.table.left_out - len(lost),
        is_whole=is_all,
        cut_off=joined(found.problem, all_lost(lost)),
    )


def _sure(table: RawTable, wanted: Wanted, is_cut: bool) -> Mapping[str, Json]:
    """The options. Of a document that is cut, most records may be where it is not seen."""
    if table.format != "json" or not is_cut or table.rows == MOST_RECORDS:
        return table.options
    return {name: value for name, value in table.options.items() if name in wanted.options or name == "encoding"}


def _first_records(format: Format[Any], path: Path, layout: Layout[Any], is_whole: bool) -> tuple[pa.Table, bool]:
    """In raw form, and whether these are all."""
    batches: list[pa.RecordBatch] = []
    source = format.batches(path, layout, MOST_RECORDS + 1)
    while sum(batch.num_rows for batch in batches) <= MOST_RECORDS and (batch := next(source, None)):
        batches.append(batch)
    table = pa.Table.from_batches(batches, layout.schema)
    is_end = table.num_rows <= MOST_RECORDS
    if is_end and not is_whole:
        return _without_cut(table), False
    # Of a file that can be read from the middle, no more may have been read than its first part.
    is_all = is_end and not (isinstance(format, SplittableFormat) and path.stat().st_size > FIRST_BYTES)
    return table.slice(0, MOST_RECORDS), is_all


def _without_cut(table: pa.Table) -> pa.Table:
    """Without the last record, and what was told of the end: they are not what they are in the whole file."""
    end = table.num_rows
    while end > 1 and table[LEFT_OUT][end - 1].as_py():
        end -= 1
    return table.slice(0, max(1, end - 1))


def _loaded(wanted: Wanted, format: Format[Any], layout: Layout[Any], records: pa.Table) -> Loaded:
    """What the first columns would be loaded as."""
    columns = layout.columns[:SHOWN_COLUMNS]
    left_out = records[LEFT_OUT].combine_chunks().true_count
    table = RawTable(
        format=format.name,
        options=layout.options.model_dump(mode="json"),
        guessed=layout.guessed,
        columns=tuple(RawColumn(name=column.name, type=column.type, is_text=column.is_text) for column in columns),
        rows=records.num_rows,
        problems=records.num_rows - records[PROBLEM].null_count,
        left_out=left_out,
        blanks_are_null=format.blanks_are_null,
        cut_off=None,
    )
    voters = records.filter(pa.compute.invert(records[LEFT_OUT])) if left_out else records
    decisions = {
        column.name: choose(counted(voters[f"c{number}"]), wanted.types.get(column.name, NOTHING_GIVEN))
        for number, column in enumerate(columns)
        if column.is_text
    }
    return Loaded(name="preview", source=wanted.name, table=table, decisions=decisions)


def _column(column: RawColumn, decisions: Mapping[str, Decision]) -> PreviewColumn:
    decision = decisions.get(column.name)
    if decision is None:
        return PreviewColumn(name=column.name, type=column.type, is_text=False)
    return PreviewColumn(
        name=column.name,
        type=decision.type,
        is_text=True,
        formats=decision.formats,
        codes=decision.codes,
        proposed=decision.proposed,
        note=told(column.name, decision) if is_worth_telling(decision) else "",
    )


def _problems(records: pa.Table) -> tuple[Problem, ...]:
    is_wrong = pa.compute.and_(records[PROBLEM].is_valid(), records[LINE].is_valid())
    wrong = records.filter(is_wrong).slice(0, SHOWN_PROBLEMS)
    rows = zip(*(wrong[name].to_pylist() for name in (LINE, PROBLEM, LEFT_OUT)), strict=True)
    return tuple(Problem(line=line, what=what[:LONGEST_PROBLEM], is_left_out=left_out) for line, what, left_out in rows)
