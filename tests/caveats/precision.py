"""How many of the marks are needed: without one that is, some world would break the guarantee.

An open phantom of which little is known covers nearly any row, and so would hide that a mark elsewhere is needed. So
a mark also counts as needed if it is in a world that is covered without the open phantoms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from tests.caveats.cases import random_case
from tests.caveats.worlds import Row, Slot, violation


def needed(form: str, seeds: Sequence[int], worlds: int = 60) -> dict[str, float]:
    """The share of the marks of values, of rows, and of the phantoms that are needed, over cases of one form."""
    made: Counter[str] = Counter()
    useful: Counter[str] = Counter()
    for seed in seeds:
        case = random_case(seed, form)
        slots, answers = case.slots(), list(case.worlds(Random(seed), worlds))
        for kind, fewer in _without_one(slots):
            made[kind] += 1
            useful[kind] += any(violation(fewer, rows) or _breaks(slots, fewer, rows) for rows in answers)
    return {kind: useful[kind] / made[kind] for kind in made}


def _breaks(slots: list[Slot], fewer: list[Slot], rows: list[Row]) -> bool:
    """Whether the world is covered without open phantoms, but not without this mark."""
    return not violation(_closed(slots), rows) and bool(violation(_closed(fewer), rows))


def _closed(slots: list[Slot]) -> list[Slot]:
    return [slot for slot in slots if not slot.is_open]


def _without_one(slots: list[Slot]) -> Iterator[tuple[str, list[Slot]]]:
    """The slots with one mark less, in every way."""
    for index, slot in enumerate(slots):
        before, after = slots[:index], slots[index + 1 :]
        if slot.phantom:
            yield "phantoms", before + after
            continue
        if slot.row:
            yield "rows", [*before, replace(slot, row=False), *after]
        for position, marked in enumerate(slot.marks):
            if marked:
                marks = (*slot.marks[:position], False, *slot.marks[position + 1 :])
                yield "values", [*before, replace(slot, marks=marks), *after]
