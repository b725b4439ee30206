"""Tables of any types, and a way to store frames and read them back."""

from __future__ import annotations

import datetime as dt
import itertools
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from trailbook.kernels.child.frames.dataset import Dataset
from trailbook.kernels.child.frames.storing import store

MOMENTS = st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2200, 1, 1))
VALUES: dict[pa.DataType, st.SearchStrategy[Any]] = {
    pa.bool_(): st.booleans(),
    pa.int8(): st.integers(-128, 127),
    pa.int32(): st.integers(-(2**31), 2**31 - 1),
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.float32(): st.floats(width=32),
    pa.float64(): st.floats(),
    pa.string(): st.text(st.characters(exclude_categories=["Cs"])),
    pa.binary(): st.binary(),
    pa.date32(): st.dates(),
    pa.timestamp("us"): MOMENTS,
    pa.timestamp("us", "Europe/Vienna"): MOMENTS.map(lambda moment: moment.replace(tzinfo=dt.UTC)),
    pa.decimal128(20, 3): st.decimals(-(10**16), 10**16, places=3),
    pa.list_(pa.int64()): st.lists(st.integers(-9, 9), max_size=3),
    pa.struct([("x", pa.int64()), ("y", pa.string())]): st.fixed_dictionaries(
        {"x": st.integers(0, 9), "y": st.text("ab")}
    ),
}
OTHERS: dict[pa.DataType, st.SearchStrategy[Any]] = {
    pa.null(): st.none(),
    pa.uint8(): st.integers(0, 255),
    pa.uint64(): st.integers(0, 2**64 - 1),
    pa.float16(): st.sampled_from([0.0, 1.5, -2.0]),
    pa.large_string(): st.text("abc"),
    pa.string_view(): st.text("abc"),
    pa.large_binary(): st.binary(max_size=3),
    pa.binary(2): st.binary(min_size=2, max_size=2),
    pa.dictionary(pa.int32(), pa.string()): st.sampled_from(["a", "b"]),
    pa.timestamp("s"): MOMENTS.map(lambda moment: moment.replace(microsecond=0)),
    pa.timestamp("ns", "UTC"): MOMENTS,
    pa.duration("ms"): st.timedeltas(dt.timedelta(0), dt.timedelta(9)).map(lambda d: dt.timedelta(d.days, d.seconds)),
    pa.time64("us"): st.times(),
    pa.date64(): st.dates(),
    pa.decimal256(50, 2): st.decimals(-9, 9, places=2),
    pa.large_list(pa.uint32()): st.lists(st.integers(0, 9), max_size=3),
    pa.list_(pa.float32(), 2): st.lists(st.floats(width=32), min_size=2, max_size=2),
    pa.map_(pa.large_string(), pa.uint16()): st.dictionaries(st.text("ab"), st.integers(0, 9)).map(
        lambda d: [*d.items()]
    ),
}


@st.composite
def tables(draw: st.DrawFn, values: dict[pa.DataType, st.SearchStrategy[Any]]) -> pa.Table:
    types = draw(st.lists(st.sampled_from([*values]), min_size=1, max_size=4))
    rows = draw(st.integers(0, 5))
    columns = {
        f"c{i}": pa.array(draw(st.lists(st.none() | values[type], min_size=rows, max_size=rows)), type)
        for i, type in enumerate(types)
    }
    return pa.table(columns)


class Store:
    """Frames are stored, and read back the way the next cell reads them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count()

    def through(self, frame: Any) -> Dataset:
        directory = str(self._folder / str(next(self._numbers)))
        store(frame, directory, lambda text: None)
        return Dataset("frame", directory, _no_session)


def _no_session() -> Any:
    raise AssertionError
