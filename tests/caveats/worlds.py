"""Possible worlds: what a marked database may be in truth, and whether a marked result covers the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from trailbook.algebra.plan import Scan
from trailbook.caveats.tables import TableDoubt
from trailbook.model.artifacts import Column

Value = Any
Row = tuple[Value, ...]


@dataclass(frozen=True)
class Slot:
    """A row of a marked dataset. `row` is the mark of the row; of a phantom it says that it is open."""

    values: Row
    marks: tuple[bool, ...]
    row: bool = False
    phantom: bool = False

    @property
    def is_sure(self) -> bool:
        return not self.row and not self.phantom

    @property
    def is_open(self) -> bool:
        return self.row and self.phantom

    def covers(self, values: Row) -> bool:
        return all(
            marked or same(own, other) for own, other, marked in zip(self.values, values, self.marks, strict=True)
        )

    @property
    def mask(self) -> int:
        return int(self.row) + sum(2 << index for index, marked in enumerate(self.marks) if marked)


@dataclass(frozen=True)
class Table:
    """A table with its slots."""

    name: str
    columns: tuple[Column, ...]
    slots: tuple[Slot, ...]
    keys: tuple[frozenset[str], ...] = ()

    @property
    def scan(self) -> Scan:
        return Scan(self.name, self.columns, self.keys)

    @property
    def doubt(self) -> TableDoubt:
        there = [slot for slot in self.slots if not slot.phantom]
        marked = {c.name for i, c in enumerate(self.columns) if any(slot.marks[i] for slot in there)}
        phantoms = f"{self.name}__phantoms" if any(slot.phantom for slot in self.slots) else None
        return TableDoubt(frozenset(marked), any(slot.row for slot in there), phantoms)

    def stored(self) -> dict[str, list[Row]]:
        """The tables as the instrumented plan reads them."""
        there = [slot for slot in self.slots if not slot.phantom]
        if self.doubt.is_none:
            return {self.name: [slot.values for slot in there]}
        found = {self.name: [(*slot.values, slot.mask) for slot in there]}
        if self.doubt.phantoms:
            found[self.doubt.phantoms] = [(*slot.values, slot.mask) for slot in self.slots if slot.phantom]
        return found

    def plain(self) -> list[Row]:
        return [slot.values for slot in self.slots if not slot.phantom]

    def world(self, random: Random, domains: Mapping[str, Sequence[Value]]) -> list[Row]:
        """The rows that could be there in truth."""
        rows = []
        for slot in self.slots:
            for _ in range(_count(slot, random)):
                rows.append(
                    tuple(
                        random.choice(domains[column.type]) if marked else value
                        for value, marked, column in zip(slot.values, slot.marks, self.columns, strict=True)
                    )
                )
        random.shuffle(rows)
        return rows


def _count(slot: Slot, random: Random) -> int:
    if slot.is_sure:
        return 1
    return random.choice((0, 1, 2)) if slot.is_open else random.choice((0, 1))


def read_slots(rows: Sequence[Row], width: int, phantom: bool) -> list[Slot]:
    """Slots from rows with or without masks."""
    found = []
    for row in rows:
        mask = sum(word << (62 * index) for index, word in enumerate(row[width:]))
        marks = tuple(bool(mask >> (index + 1) & 1) for index in range(width))
        found.append(Slot(tuple(row[:width]), marks, bool(mask & 1), phantom))
    return found


def violation(slots: Sequence[Slot], rows: Sequence[Row]) -> str | None:
    """Why the slots don't cover a world with these rows, if they don't."""
    bounded = [slot for slot in slots if not slot.is_open]
    free = [slot for slot in slots if slot.is_open]
    needy = [row for row in rows if not any(slot.covers(row) for slot in free)]
    lost = _unmatched([[i for i, slot in enumerate(bounded) if slot.covers(row)] for row in needy], len(bounded))
    if lost is not None:
        return f"nothing announces the row {needy[lost]}"
    sure = [slot for slot in slots if slot.is_sure]
    lost = _unmatched([[i for i, row in enumerate(rows) if slot.covers(row)] for slot in sure], len(rows))
    if lost is not None:
        return f"the sure row {sure[lost]} is not there"
    return None


def _unmatched(choices: Sequence[Sequence[int]], size: int) -> int | None:
    """One that gets no partner of its own when as many as possible do; None if all do."""
    partner: dict[int, int] = {}

    def place(item: int, tried: set[int]) -> bool:
        for choice in choices[item]:
            if choice not in tried:
                tried.add(choice)
                if choice not in partner or place(partner[choice], tried):
                    partner[choice] = item
                    return True
        return False

    return next((item for item in range(len(choices)) if not place(item, set())), None)


def same(one: Value, other: Value) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-9 * max(1.0, abs(one), abs(other))
    return one == other and (one is None) == (other is None)
