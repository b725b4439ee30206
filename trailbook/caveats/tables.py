"""How the doubts of a stored table lie beside its data.

A table in doubt has mask columns after its data: bit 0 of the first says that the row is in doubt, bit i + 1 that the
value of column i is. Its phantoms are a table of the same columns, where bit 0 says that the phantom is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from trailbook.algebra.expressions import FALSE, Expr, negated, ref, when
from trailbook.algebra.plan import Named, Plan, Project, Scan, Schema, Sort
from trailbook.algebra.rewrites import tuned
from trailbook.caveats.bits import bit, pack
from trailbook.caveats.rules.rows import opaque, stack
from trailbook.caveats.slots import Fresh, Slots
from trailbook.model.artifacts import Column
from trailbook.store.masks import WORD, is_mask, mask_columns

PHANTOM = "__phantom"
BIGINT = exp.DataType.build("bigint")


@dataclass(frozen=True)
class TableDoubt:
    """What of a table is in doubt, somewhere in it: these columns, its rows; `phantoms` is the table of those.

    A `coarse` one is in doubt as a whole: every value, every row, and anything may be missing. It has no masks.
    """

    columns: frozenset[str] = frozenset()
    rows: bool = False
    phantoms: str | None = None
    coarse: bool = False

    def __post_init__(self) -> None:
        if self.coarse and (self.columns or self.rows or self.phantoms is not None):
            raise ValueError("A table that is in doubt as a whole has no columns, rows or phantoms besides.")

    @property
    def is_none(self) -> bool:
        return self == TableDoubt()


def scan(operator: Scan, doubt: TableDoubt, fresh: Fresh, wanted: frozenset[str] | None = None) -> Slots:
    """The slots of a table; of one in doubt, only the columns that are wanted, if that is said."""
    if doubt.is_none:
        return Slots(operator, operator.names, keys=operator.keys)
    if doubt.coarse:
        return opaque(operator, fresh)
    columns = tuple(name for name in operator.names if wanted is None or name in wanted)
    rows = _part(operator, columns, operator.table, doubt.columns, fresh)
    if not doubt.rows:
        rows = replace(rows, doubt=FALSE)
    if doubt.phantoms is None:
        keys = tuple(key for key in operator.keys if not key & doubt.columns and key <= set(columns))
        return replace(rows, keys=keys)
    phantoms = _part(operator, columns, doubt.phantoms, frozenset(columns), fresh)
    return stack([rows, replace(phantoms, doubt=FALSE, present=FALSE, open=phantoms.doubt)], fresh)


def _part(operator: Scan, names: tuple[str, ...], table: str, doubtful: frozenset[str], fresh: Fresh) -> Slots:
    """These columns of one table, with its masks under names of their own; bit 0 as the doubt of the rows."""
    masks = mask_columns(len(operator.columns))
    bits = {name: index + 1 for index, name in enumerate(operator.names)}
    needed = sorted({0, *(bits[name] // WORD for name in names)})
    words = {word: fresh() for word in needed}
    columns = (*operator.columns, *(Column(name=mask, type="bigint", nullable=False) for mask in masks))
    plan = Project(
        Scan(table, columns),
        (
            *(Named(name, ref(name)) for name in names),
            *(Named(name, ref(masks[word])) for word, name in words.items()),
        ),
    )

    def test(position: int) -> Expr:
        return bit(ref(words[position // WORD]), position % WORD)

    marks = {name: test(bits[name]) for name in names if name in doubtful}
    return Slots(plan, names, marks, doubt=test(0))


def data(slots: Slots) -> Plan:
    """The rows of the data in their order, with masks where something may be in doubt."""
    if slots.marks or slots.doubt != FALSE:
        return tuned(Project(_in_order(slots), _stored(slots, slots.doubt)))
    return tuned(bare(slots))


def bare(slots: Slots) -> Plan:
    """The rows of the data in their order, and nothing else."""
    plan = _in_order(slots)
    return plan if plan.names == slots.columns else Project(plan, tuple(Named(n, ref(n)) for n in slots.columns))


def _in_order(slots: Slots) -> Plan:
    there = slots.where(slots.present).plan
    return Sort(there, slots.order) if slots.order else there


def phantoms(slots: Slots) -> Plan | None:
    """The phantoms, with masks; none if there can be none."""
    if not slots.has_phantoms:
        return None
    return tuned(Project(slots.where(negated(slots.present)).plan, _stored(slots, slots.open)))


def all_slots(slots: Slots) -> Plan:
    """The rows of the data in their order, with masks, and the phantoms, too, told apart by the column PHANTOM."""
    absent = negated(slots.present)
    columns = (*_stored(slots, when((slots.present, slots.doubt), otherwise=slots.open)), Named(PHANTOM, absent))
    if not slots.order:
        return tuned(Project(slots.plan, columns))
    # Sorted this way, the rows of either kind are written as they come.
    in_order = Sort(slots.plan, (exp.Ordered(this=absent, nulls_first=True), *slots.order))
    return tuned(Project(in_order, columns))


def doubt_of(slots: Slots, phantoms: str | None = None) -> TableDoubt:
    """What may be in doubt in a table of these slots."""
    return TableDoubt(frozenset(slots.marks), slots.doubt != FALSE, phantoms if slots.has_phantoms else None)


def _stored(slots: Slots, first: Expr) -> tuple[Named, ...]:
    flags = [first, *(slots.mark(name) for name in slots.columns)]
    masks = mask_columns(len(slots.columns))
    packed = [pack(flags[index * WORD : (index + 1) * WORD]) for index in range(len(masks))]
    words = [Named(mask, exp.Cast(this=word, to=BIGINT)) for mask, word in zip(masks, packed, strict=True)]
    return (*(Named(name, ref(name)) for name in slots.columns), *words)


def data_columns(schema: Sequence[Column]) -> Schema:
    """Without the masks."""
    return tuple(column for column in schema if not is_mask(column.name))
