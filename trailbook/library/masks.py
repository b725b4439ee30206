"""Caveats as what of a table is in doubt."""

from __future__ import annotations

from collections.abc import Iterable

from trailbook.caveats.tables import TableDoubt
from trailbook.model.caveat import Caveat


def doubt_of(caveats: Iterable[Caveat]) -> TableDoubt:
    """What of a table with these caveats is in doubt."""
    columns = {caveat.column for caveat in caveats}
    return TableDoubt(frozenset(name for name in columns if name is not None), None in columns)
