"""Why something is in doubt: the caveat sets that reach it, each counted and shown by examples."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from trailbook.algebra.expressions import Expr, both, ref
from trailbook.algebra.identity import ROW
from trailbook.algebra.plan import Filter, Limit, Named, Plan, Project, Scan
from trailbook.caveats.bits import bit
from trailbook.caveats.reasons import Inherent, Raised, Reason, Stored, distinct, distinct_count
from trailbook.library.catalog import Catalog
from trailbook.library.tables import Table
from trailbook.model.artifacts import Column
from trailbook.model.caveat import Caveat
from trailbook.store.masks import WORD, bit_of, mask_columns

EXAMPLES = 3
AT_ONCE = 8
"""Queries that run side by side."""


@dataclass(frozen=True)
class CaveatSet:
    """Caveats that were raised in one place, for one reason."""

    message: str
    """Of one of them."""
    cell: str | None
    """The table that they came with, or the named query that raised them; None if it is the query itself."""
    count: int
    examples: tuple[Caveat, ...]
    """The first few."""
    place: str | None = None
    """What in the query raised them; None if they came with a table."""


def caveat_sets(catalog: Catalog, reasons: Iterable[Reason]) -> list[CaveatSet]:
    """The sets that have members."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(lambda reason: _expanded(catalog, reason), reasons))
    return list(dict.fromkeys(one for sets in found for one in sets))


def _expanded(catalog: Catalog, reason: Reason) -> list[CaveatSet]:
    match reason:
        case Inherent():
            return [CaveatSet(reason.place, None, 1, (Caveat(reason.place),), reason.place)]
        case Raised():
            return _raised(catalog, reason)
        case Stored():
            about: list[str | None] = [*sorted(reason.columns), *([None] if reason.rows else [])]
            return [one for column in about for one in _stored(catalog, reason, column)]


def _raised(catalog: Catalog, reason: Raised) -> list[CaveatSet]:
    # Most sets are small; to count only the others takes half the time.
    rows = catalog.fetch(reason.members, EXAMPLES + 1).to_pylist()
    if not rows:
        return []
    first = distinct(rows)
    count = len(first)
    if len(rows) > EXAMPLES:
        count = catalog.fetch(distinct_count(reason.members)).column("n")[0].as_py()
    messages = [row["message"] for row in first[:EXAMPLES]]
    return [CaveatSet(messages[0], reason.origin, count, tuple(map(Caveat, dict.fromkeys(messages))), reason.place)]


def _stored(catalog: Catalog, reason: Stored, column: str | None) -> list[CaveatSet]:
    """The caveats about a column, or about rows, of those rows that matter."""
    table = catalog.table(reason.table)
    positions = _positions(catalog, table, reason.where, column)
    found = [
        caveat
        for caveat in table.caveats
        if caveat.column == column and positions and (caveat.row is None or str(caveat.row) in positions)
    ]
    return [CaveatSet(found[0].message, table.name, len(found), tuple(found[:EXAMPLES]))] if found else []


def _positions(catalog: Catalog, table: Table, where: Expr, column: str | None) -> set[str]:
    """The marked rows of a table that matter; of one without positions any name, if there are such rows."""
    names = table.scan.names
    masks = mask_columns(len(names))
    hidden = [*(Column(name=mask, type="bigint", nullable=False) for mask in masks)]
    hidden += [Column(name=ROW, type="string", nullable=False)] if table.names_rows else []
    marked = bit_of(column, names)
    condition = both(where, bit(ref(masks[marked // WORD]), marked % WORD))
    found: Plan = Filter(Scan(table.scan.table, (*table.scan.columns, *hidden)), condition)
    if table.names_rows:
        return set(catalog.fetch(Project(found, (Named(ROW, ref(ROW)),))).column(ROW).to_pylist())
    return {ROW} if catalog.fetch(Limit(found, 1)).num_rows else set()
