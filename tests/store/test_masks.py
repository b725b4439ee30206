"""Which bits are set in the masks of a dataset, however many columns it has."""

from __future__ import annotations

import time

import numpy as np
import pyarrow as pa

from trailbook.model.caveat import Caveat
from trailbook.store.masks import marks_of, mask_columns, masks_of, read_bit

WIDTH = 10_000
NAMES = [f"c{number}" for number in range(WIDTH)]


def wide_table() -> pa.Table:
    caveats = [Caveat("odd", row=0, column="c5"), Caveat("odd", row=0, column="c9999"), Caveat("odd", row=1)]
    data = {name: pa.nulls(2, pa.int8()) for name in NAMES}
    return pa.table({**data, **masks_of(caveats, NAMES, 2)})


def test_the_marks_of_very_many_columns_are_found_in_no_time() -> None:
    table = wide_table()
    start = time.monotonic()
    assert marks_of(table, WIDTH) == [[6, 10_000], [0]]
    assert time.monotonic() - start < 10


def test_a_table_without_masks_has_no_marks() -> None:
    table = pa.table({"a": [1, 2]})
    assert marks_of(table, 1) == [[], []]
    assert not read_bit(table, 1).any()


def test_each_word_of_a_mask_has_its_column() -> None:
    assert mask_columns(61) == ("__mask",)
    assert mask_columns(62) == ("__mask", "__mask1")
    table = pa.table({"__mask": np.array([0]), "__mask1": np.array([2])})
    assert [bit for bit in range(124) if read_bit(table, bit).any()] == [63]
