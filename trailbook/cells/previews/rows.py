"""The first rows as they would be loaded: the query that makes a dataset of a raw table, evaluated by plain Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

import pyarrow as pa
from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.interpreter import interpret
from trailbook.algebra.plan import Named, Project, Scan
from trailbook.caveats.calls import caveat_call, without_caveats
from trailbook.cells.loaded import Loaded
from trailbook.cells.previews.model import Mark, PreviewRow
from trailbook.model.artifacts import Column
from trailbook.sinks.texts import texts_of
from trailbook.sources.raw_columns import LINE, PROBLEM

LONGEST = 300
"""Characters of a value that are shown."""
LONGEST_WHY = 400


def shown_rows(loaded: Loaded, raw: pa.Table) -> tuple[PreviewRow, ...]:
    columns = [_shown(loaded, number, raw[f"c{number}"]) for number in range(len(loaded.table.columns))]
    rows = zip(raw[LINE].to_pylist(), raw[PROBLEM].to_pylist(), strict=True)
    return tuple(_row(row, line, problem, columns) for row, (line, problem) in enumerate(rows))


Shown = tuple[str | None, str | None]
"""A value as text, and why it is in doubt."""


def _row(row: int, line: int, problem: str | None, columns: Sequence[Sequence[Shown]]) -> PreviewRow:
    shown = [column[row] for column in columns]
    # Where a line is wrong, none of its values is sure.
    whys = [problem, *(why or problem for _, why in shown)]
    marks = tuple(Mark(column=number, why=_cut(why, LONGEST_WHY)) for number, why in enumerate(whys) if why)
    return PreviewRow(line=line, values=tuple(value for value, _ in shown), marks=marks)


def _shown(loaded: Loaded, number: int, raw: pa.ChunkedArray) -> list[Shown]:
    column = loaded.table.columns[number]
    if not column.is_text or loaded.decisions[column.name].changes_nothing:
        texts = chain.from_iterable(texts_of(chunk).to_pylist() for chunk in raw.chunks)
        return [(None if text is None else _cut(text, LONGEST), None) for text in texts]
    typed = loaded.typed(number)
    calls = list(_caveats(typed))
    parts = [typed, *chain.from_iterable((call.condition, call.message) for call in calls)]
    name = f"c{number}"
    scan = Scan("raw", (Column(name=name, type="string"),))
    plan = Project(scan, tuple(Named(str(place), without_caveats(part)) for place, part in enumerate(parts)))
    found = interpret(plan, {"raw": [(text,) for text in raw.to_pylist()]})
    return [(_text(value), _why(told)) for value, *told in found]


def _caveats(expr: Expr) -> Iterator[Any]:
    """What may be raised about a value, that first which was raised first."""
    found = filter(None, map(caveat_call, expr.find_all(exp.Anonymous, bfs=True)))
    return reversed(list(found))


def _why(told: Sequence[Any]) -> str | None:
    said = [message for is_raised, message in zip(told[::2], told[1::2], strict=True) if is_raised]
    return "; ".join(said) or None


def _text(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    return _cut(value.isoformat(" ") if isinstance(value, datetime) else str(value), LONGEST)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"
