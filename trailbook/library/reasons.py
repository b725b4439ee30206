"""Why something is in doubt: the caveat sets that reach it, each counted and shown by examples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlglot import exp

from trailbook.algebra.expressions import FALSE, NULL, TRUE, Expr, both, number, ref, text
from trailbook.algebra.identity import ROW
from trailbook.algebra.plan import Filter, Limit, Named, Plan, Project, Scan
from trailbook.caveats.bits import WORD, bit
from trailbook.caveats.explain import Inherent, Raised, Reason, Stored, distinct_count
from trailbook.caveats.tables import mask_columns
from trailbook.library.catalog import Catalog
from trailbook.library.masks import bit_of
from trailbook.library.tables import Table
from trailbook.model.artifacts import Column
from trailbook.model.caveats import Caveat

EXAMPLES = 3
AT_ONCE = 8
"""Queries that run side by side."""


@dataclass(frozen=True)
class CaveatSet:
    """Caveats that were raised in one place, for one reason."""

    message: str
    """Of one of them."""
    cell: str | None
    """The table that they came with; None if the query raised them."""
    count: int
    examples: tuple[Caveat, ...]
    """The first few."""


def caveat_sets(catalog: Catalog, reasons: Iterable[Reason]) -> list[CaveatSet]:
    """The sets that have members."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(lambda reason: _expanded(catalog, reason), reasons))
    return list(dict.fromkeys(one for sets in found for one in sets))


def _expanded(catalog: Catalog, reason: Reason) -> list[CaveatSet]:
    match reason:
        case Inherent():
            return [CaveatSet(reason.message, None, 1, (Caveat(reason.message),))]
        case Raised():
            return _raised(catalog, reason)
        case Stored():
            return _stored(catalog, reason)


def _raised(catalog: Catalog, reason: Raised) -> list[CaveatSet]:
    count = catalog.fetch(distinct_count(reason.members)).column("n")[0].as_py()
    if not count:
        return []
    shown = catalog.fetch(Limit(reason.members, EXAMPLES)).column("message").to_pylist()
    messages = ["" if message is None else str(message) for message in shown]
    return [CaveatSet(messages[0], None, count, tuple(map(Caveat, dict.fromkeys(messages))))]


def _stored(catalog: Catalog, reason: Stored) -> list[CaveatSet]:
    """A set for each message, of the caveats about rows that matter."""
    table = catalog.table(reason.table)
    about = [caveat for caveat in table.caveats if caveat.column == reason.column]
    positions = _positions(catalog, table, reason)
    members: dict[str, list[Caveat]] = defaultdict(list)
    for caveat in about:
        if positions and (caveat.row is None or str(caveat.row) in positions):
            members[caveat.message].append(caveat)
    return [
        CaveatSet(message, table.name, len(caveats), tuple(caveats[:EXAMPLES])) for message, caveats in members.items()
    ]


def _positions(catalog: Catalog, table: Table, reason: Stored) -> set[str]:
    """The marked rows of a table that matter; of one without positions any name, if there are such rows."""
    names = table.scan.names
    masks = mask_columns(len(names))
    hidden = [*(Column(name=mask, type="bigint", nullable=False) for mask in masks)]
    hidden += [Column(name=ROW, type="string", nullable=False)] if table.names_rows else []
    marked = bit_of(reason.column, names)
    condition = both(reason.where, bit(ref(masks[marked // WORD]), marked % WORD))
    found: Plan = Filter(Scan(table.scan.table, (*table.scan.columns, *hidden)), condition)
    if table.names_rows:
        return set(catalog.fetch(Project(found, (Named(ROW, ref(ROW)),))).column(ROW).to_pylist())
    return {ROW} if catalog.fetch(Limit(found, 1)).num_rows else set()


def is_row(values: Mapping[str, Any]) -> Expr:
    """A condition that holds for a row with these values, and perhaps for some others."""
    known = {name: constant for name, value in values.items() if (constant := _constant(value)) is not None}
    return both(*(exp.NullSafeEQ(this=ref(name), expression=constant) for name, constant in known.items()))


def _constant(value: Any) -> Expr | None:
    match value:
        case None:
            return NULL
        case bool():
            return TRUE if value else FALSE
        case int():
            return number(value)
        case str():
            return text(value)
        case date() if not isinstance(value, datetime):
            return exp.Cast(this=text(value.isoformat()), to=exp.DataType.build("date"))
    return None
