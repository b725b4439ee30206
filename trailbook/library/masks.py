"""Caveats as the bits that lie beside a table's data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from trailbook.caveats.tables import TableDoubt
from trailbook.model.caveats import Caveat
from trailbook.store.masks import ROW_BIT, WORD, mask_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray


def bit_of(column: str | None, names: Sequence[str]) -> int:
    """The bit of a column's values, or that of the rows."""
    return ROW_BIT if column is None else names.index(column) + 1


def doubt_of(caveats: Iterable[Caveat]) -> TableDoubt:
    """What of a table with these caveats is in doubt."""
    columns = {caveat.column for caveat in caveats}
    return TableDoubt(frozenset(name for name in columns if name is not None), None in columns)


def masks_of(caveats: Iterable[Caveat], names: Sequence[str], rows: int) -> dict[str, NDArray[np.int64]]:
    """The mask columns of a table with these columns and so many rows."""
    bits = {name: bit_of(name, names) for name in (None, *names)}
    words = np.zeros((len(mask_columns(len(names))), rows), dtype=np.int64)
    for caveat in caveats:
        bit = bits[caveat.column]
        words[bit // WORD, slice(None) if caveat.row is None else caveat.row] |= 1 << bit % WORD
    return dict(zip(mask_columns(len(names)), words, strict=True))
