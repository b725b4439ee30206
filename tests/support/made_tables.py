"""Small tables made up from a description, the same every time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pyarrow as pa

from trailbook.model.artifacts import Column

ARROW_TYPES = {"int": pa.int32(), "bigint": pa.int64(), "string": pa.string(), "date": pa.date32()}
NULL_SHARE = 0.04

Make = Callable[[Random, int], Any]
"""A value for the row of this number."""


@dataclass(frozen=True)
class MadeColumn:
    """A column of a table, and how its values are drawn. Keys have no NULLs."""

    name: str
    type: str
    make: Make
    key: bool = False


@dataclass(frozen=True)
class MadeTable:
    """A table of so many rows. `unique` is a key of several columns: later rows with the same one are left out."""

    rows: int
    columns: tuple[MadeColumn, ...]
    unique: tuple[str, ...] = ()

    @property
    def schema(self) -> tuple[Column, ...]:
        return tuple(Column(name=column.name, type=column.type) for column in self.columns)

    def arrow(self, random: Random) -> pa.Table:
        rows: dict[Any, dict[str, Any]] = {}
        for number in range(self.rows):
            row = {column.name: _value(column, random, number) for column in self.columns}
            rows.setdefault(tuple(row[name] for name in self.unique) or number, row)
        fields = [pa.field(column.name, _arrow_type(column.type)) for column in self.columns]
        return pa.Table.from_pylist(list(rows.values()), pa.schema(fields))


def make_tables(tables: Mapping[str, MadeTable], seed: int) -> dict[str, pa.Table]:
    """All tables, each from a seed of its own."""
    return {name: table.arrow(Random(f"{seed} {name}")) for name, table in tables.items()}


def number(_: Random, row: int) -> int:
    return row + 1


def below(limit: int) -> Make:
    """A key of a table with so many rows, now and then one that it lacks."""
    return lambda random, _: random.randint(1, limit + 1)


def between(low: int, high: int) -> Make:
    return lambda random, _: random.randint(low, high)


def money(low: float, high: float) -> Make:
    return lambda random, _: Decimal(random.randint(round(low * 100), round(high * 100))) / 100


def one_of(*values: Any) -> Make:
    return lambda random, _: random.choice(values)


def words(*values: str, count: int = 2) -> Make:
    return lambda random, _: " ".join(random.choice(values) for _ in range(count))


def day(first: date, last: date) -> Make:
    return lambda random, _: first + timedelta(days=random.randint(0, (last - first).days))


def in_turn(values: Sequence[Any]) -> Make:
    return lambda _, row: values[row % len(values)]


def _value(column: MadeColumn, random: Random, row: int) -> Any:
    value = column.make(random, row)
    return None if not column.key and random.random() < NULL_SHARE else value


def _arrow_type(kind: str) -> pa.DataType:
    if kind.startswith("decimal"):
        precision, scale = kind.removeprefix("decimal(").removesuffix(")").split(",")
        return pa.decimal128(int(precision), int(scale))
    return ARROW_TYPES[kind]
