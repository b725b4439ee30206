"""Where in a sheet the table is: the row of its names, the types of its columns, and cells that are merged."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime

import pyarrow as pa

from trailbook.sources.formats.format import Column
from trailbook.sources.formats.sheets import Range, Row

LOOKED_AT = 50
"""Rows in which the names are looked for."""
_FULL = 0.7
"""A row of names fills at least that share of the columns that the widest row does."""
_KINDS = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), date: pa.date32(), datetime: pa.timestamp("us")}
_TOGETHER = {
    frozenset({pa.int64(), pa.float64()}): pa.float64(),
    frozenset({pa.date32(), pa.timestamp("us")}): pa.timestamp("us"),
}
_WORDS = {
    pa.bool_(): "booleans",
    pa.int64(): "whole numbers",
    pa.float64(): "other numbers",
    pa.date32(): "dates",
    pa.timestamp("us"): "times",
    pa.string(): "texts",
}


def found_header(rows: Sequence[Row]) -> int:
    """The first row that is about as full as any holds the names, if there is nothing but text in it; 0 if not."""
    filled = [row for row in rows if row.cells]
    if len(filled) < 2:
        return 0
    widest = max(len(row.cells) for row in filled)
    top = next(row for row in filled if len(row.cells) >= _FULL * widest)
    return top.number if all(isinstance(value, str) for value in top.cells.values()) else 0


class ColumnKinds:
    """The types of the values in each column, by its place in the sheet."""

    def __init__(self) -> None:
        self._counts: defaultdict[int, Counter[pa.DataType]] = defaultdict(Counter)

    def add(self, row: Row) -> None:
        for place, value in row.cells.items():
            self._counts[place][_KINDS.get(type(value), pa.string())] += 1

    def places(self) -> Iterable[int]:
        return self._counts

    def kind(self, place: int) -> pa.DataType:
        kinds = frozenset(self._counts.get(place, ()))
        return next(iter(kinds)) if len(kinds) == 1 else _TOGETHER.get(kinds, pa.string())

    def told(self, columns: Iterable[Column]) -> Iterator[str]:
        """Which columns have values of several types, in words."""
        for column in columns:
            counts = self._counts.get(int(column.key), Counter())
            if len(counts) > 1 and frozenset(counts) not in _TOGETHER:
                parts = ", ".join(f"{count:,} {_WORDS[kind]}" for kind, count in counts.most_common())
                yield f"{column.name} has values of several types ({parts}), so it was read as text"


def with_merged(rows: Iterable[Row], ranges: Sequence[Range]) -> Iterator[Row]:
    """The rows, with the value of the first cell in all that are merged with it."""
    waiting = sorted(ranges, key=lambda each: each.top, reverse=True)
    current: list[tuple[Range, object]] = []
    for row in rows:
        while waiting and waiting[-1].top <= row.number:
            begun = waiting.pop()
            current.append((begun, row.cells.get(begun.left) if begun.top == row.number else None))
        current = [(each, value) for each, value in current if each.bottom >= row.number]
        filled = {
            place: value for each, value in current if value is not None for place in range(each.left, each.right + 1)
        }
        yield replace(row, cells={**filled, **row.cells})
