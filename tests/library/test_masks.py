from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from trailbook import Caveat
from trailbook.caveats.tables import TableDoubt
from trailbook.library.masks import doubt_of
from trailbook.store.masks import ROW_BIT, bit_of, masks_of, read_bit

ROWS = 3
NAMES = [f"c{number}" for number in range(150)]
CAVEATS = st.builds(
    Caveat,
    st.just("?"),
    st.none() | st.integers(0, ROWS - 1),
    st.none() | st.sampled_from([*NAMES[:2], *NAMES[58:64], *NAMES[-3:]]),
)


@given(st.lists(CAVEATS, max_size=8))
def test_what_is_read_from_masks_is_what_was_doubted(caveats: list[Caveat]) -> None:
    table = pa.table({name: pa.array(words) for name, words in masks_of(caveats, NAMES, ROWS).items()})
    for column in (None, *NAMES):
        rows = {caveat.row for caveat in caveats if caveat.column == column}
        marked = [bool(rows & {row, None}) for row in range(ROWS)]
        assert read_bit(table, bit_of(column, NAMES)).tolist() == marked


def test_without_masks_nothing_is_marked() -> None:
    assert read_bit(pa.table({"a": [1, 2]}), ROW_BIT).tolist() == [False, False]


def test_the_doubt_of_a_table_names_columns_with_marks_only() -> None:
    assert doubt_of([Caveat("?", 1, "a"), Caveat("?", 2, "a")]) == TableDoubt(frozenset({"a"}))
    assert doubt_of([Caveat("?", 1)]) == TableDoubt(rows=True)
    assert doubt_of([]).is_none
