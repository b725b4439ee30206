"""How a dataset's doubts lie beside its data.

After its data a dataset has mask columns, whole numbers of which bit 0 says that the row is in doubt, and bit i + 1
that the value of column i is. Rows left out in doubt, its phantoms, are a dataset of the same form in a folder of their
own; there, bit 0 says that the phantom stands for any number of rows. A dataset that is in doubt as a whole has a
file that says so, and masks, if any, count for nothing. One that a Python cell wrote has a file with the form that the
frame had there, which is part of its data, and if that cell said something of it, a file with that (`remarks.py`).
Rows that were loaded before may have names in a folder of their own (`row_names.py`).
Spark overlooks what starts with an underscore.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from trailbook.model.caveat import Caveat

MASK = "__mask"
WORD = 62
"""Bits in one mask column: what fits a BIGINT, with room for the sign."""
ROW_BIT = 0
PHANTOMS = "_phantoms"
COARSE = "_coarse"
FORM = "_form"
"""The name of the file with a form, but for the library of the frame, which comes after it."""

_MASK = re.compile(rf"{MASK}\d*", re.IGNORECASE)
_FORM = re.compile(rf"{FORM}\.[a-z]+")
_OWN = re.compile(rf"{MASK}\d*|__row|__phantom", re.IGNORECASE)


def mask_columns(width: int) -> tuple[str, ...]:
    """The names of the mask columns of a dataset with so many columns."""
    return tuple(_mask_column(word) for word in range(width // WORD + 1))


def _mask_column(word: int) -> str:
    return MASK if word == 0 else f"{MASK}{word}"


def taken_name(names: Iterable[str]) -> str | None:
    """A column's name that is needed for marks, if there is one among these."""
    return next((name for name in names if _OWN.fullmatch(name)), None)


def is_mask(name: str) -> bool:
    return _MASK.fullmatch(name) is not None


def bit_of(column: str | None, names: Sequence[str]) -> int:
    """The bit of a column's values, or that of the rows."""
    return ROW_BIT if column is None else names.index(column) + 1


def masks_of(caveats: Iterable[Caveat], names: Sequence[str], rows: int) -> dict[str, NDArray[np.int64]]:
    """The mask columns of a table with these columns and so many rows, of which these caveats are told."""
    import numpy as np

    bits = {name: bit_of(name, names) for name in (None, *names)}
    words = np.zeros((len(mask_columns(len(names))), rows), dtype=np.int64)
    for caveat in caveats:
        bit = bits[caveat.column]
        words[bit // WORD, slice(None) if caveat.row is None else caveat.row] |= 1 << bit % WORD
    return dict(zip(mask_columns(len(names)), words, strict=True))


def read_bit(table: pa.Table, bit: int) -> NDArray[np.bool_]:
    """One bit of the mask columns of a table, for each row; false if it has none."""
    import numpy as np

    word, place = divmod(bit, WORD)
    # A list of all names would be made anew for each bit, and there may be thousands of both.
    index = table.schema.get_field_index(_mask_column(word))
    if index < 0:
        return np.zeros(table.num_rows, dtype=bool)
    found: NDArray[np.bool_] = (table.column(index).to_numpy() >> place & 1).astype(bool)
    return found


def count_bits(masks: Iterable[pa.RecordBatch | pa.Table], width: int) -> list[int]:
    """How often each bit is set in a dataset with so many columns, given its mask columns piece by piece."""
    import numpy as np

    counts = [0] * (width + 1)
    for piece in masks:
        for word, name in enumerate(piece.schema.names):
            # Few masks differ, so it is quicker to count those than bits.
            values, times = np.unique(piece.column(name).to_numpy(zero_copy_only=False), return_counts=True)
            for value, time in zip(values.tolist(), times.tolist(), strict=True):
                for place in range(WORD):
                    if value >> place & 1:
                        counts[word * WORD + place] += time
    return counts


def marks_of(table: pa.Table, width: int) -> list[list[int]]:
    """The bits that are set, row by row."""
    marks: list[list[int]] = [[] for _ in range(table.num_rows)]
    for bit in range(width + 1):
        for row in read_bit(table, bit).nonzero()[0].tolist():
            marks[row].append(bit)
    return marks


def rows_with_marks(masks: pa.Table) -> NDArray[np.int64]:
    """The rows for which some bit is set, given the mask columns."""
    import numpy as np

    words = [column.to_numpy() for column in masks.columns]
    return np.flatnonzero(np.bitwise_or.reduce(words)) if words else np.empty(0, np.int64)


def with_everything_marked(table: pa.Table) -> pa.Table:
    """The table with the masks that a dataset has of which all is in doubt."""
    import numpy as np
    import pyarrow as pa

    width = table.num_columns
    for word, name in enumerate(mask_columns(width)):
        bits = min(WORD, width + 1 - word * WORD)
        table = table.append_column(name, pa.array(np.full(table.num_rows, (1 << bits) - 1, dtype=np.int64)))
    return table


def form_file(library: str) -> str:
    return f"{FORM}.{library}"


def is_form(name: str) -> bool:
    return _FORM.fullmatch(name) is not None


def mark_coarsely(directory: Path) -> None:
    """Put all of a staged dataset in doubt."""
    (directory / COARSE).touch()
