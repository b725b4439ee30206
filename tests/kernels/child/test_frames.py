"""Frames become datasets and come back."""

from __future__ import annotations

import datetime as dt
import decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polars.testing
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trailbook.kernels.child.arrow_types import plain_type
from trailbook.kernels.child.dataset import Dataset
from trailbook.kernels.child.errors import BadDataset
from trailbook.kernels.child.frames import to_arrow, to_pandas
from trailbook.kernels.child.results import Results
from trailbook.kernels.child.scope import Scope

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
    """A cell's results, read back the way the next cell reads them."""

    def __init__(self, folder: Path) -> None:
        self.notes: list[str] = []
        self._scope = Scope({}, {}, session=_no_session, on_read=lambda name: None)
        self._results = Results(str(folder), self._scope, self.notes.append)

    def through(self, frame: Any) -> Dataset:
        self._results.save("frame", frame)
        return self._scope.dataset("frame")


def _no_session() -> Any:
    raise AssertionError


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


ROUND_TRIP = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@ROUND_TRIP
@given(tables(VALUES))
def test_an_arrow_table_comes_back_as_it_was(store: Store, table: pa.Table) -> None:
    back = store.through(table).arrow()
    assert back.schema == table.schema
    assert repr(back.to_pylist()) == repr(table.to_pylist())


@ROUND_TRIP
@given(tables(VALUES))
def test_a_polars_frame_comes_back_as_it_was(store: Store, table: pa.Table) -> None:
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    polars.testing.assert_frame_equal(store.through(frame).polars(), frame)


@ROUND_TRIP
@given(tables(VALUES))
def test_a_pandas_frame_comes_back_as_it_was(store: Store, table: pa.Table) -> None:
    frame = to_pandas(table)
    nothing_but_missing = [name for name in frame if frame[name].dtype == object and frame[name].isna().all()]
    frame = frame.drop(columns=nothing_but_missing)
    if len(frame.columns):
        pd.testing.assert_frame_equal(store.through(frame).pandas(), frame)


@ROUND_TRIP
@given(tables(OTHERS))
def test_any_other_type_is_stored_as_a_plain_one(store: Store, table: pa.Table) -> None:
    back = store.through(table).arrow()
    assert back.schema.types == [plain_type(type) for type in table.schema.types]
    assert [plain_type(type) for type in back.schema.types] == back.schema.types
    for before, after in zip(table.columns, back.columns, strict=True):
        assert [v is None for v in before.to_pylist()] == [v is None for v in after.to_pylist()]


@pytest.mark.parametrize(
    ("values", "type", "stored"),
    [
        ([2**64 - 1], pa.uint64(), [decimal.Decimal(2**64 - 1)]),
        ([dt.timedelta(seconds=1)], pa.duration("ns"), [1_000_000]),
        ([dt.time(1, 2, 3)], pa.time64("us"), ["01:02:03.000000"]),
        ([1_999], pa.timestamp("ns"), [dt.datetime(1970, 1, 1, 0, 0, 0, 1)]),
        ([None], pa.null(), [None]),
    ],
)
def test_values_keep_their_meaning(values: list[Any], type: pa.DataType, stored: list[Any]) -> None:
    assert to_arrow(pa.table({"c": pa.array(values, type)}), lambda text: None)["c"].to_pylist() == stored


@pytest.mark.parametrize(
    ("column", "stored", "noted"),
    [
        ([1, "a", None], ["1", "a", None], True),
        ([dt.date(2020, 1, 2), dt.datetime(2020, 1, 1, 5)], ["2020-01-02", "2020-01-01 05:00:00"], True),
        ([b"a", "b"], ["b'a'", "b"], True),
        ([2**70], [str(2**70)], True),
        ([1 + 2j], ["(1+2j)"], True),
        (pd.period_range("2020", periods=1, freq="M"), ["2020-01"], True),
        (pd.Series([1.0, None]), [1.0, None], False),
        (pd.Series([1, None], dtype="Int64"), [1, None], False),
        (pd.Series(["x", None], dtype="category"), ["x", None], False),
        (pd.Series(pd.arrays.SparseArray(np.array([0, 1]))), [0, 1], False),
        (pd.Series([None, None], dtype=object), [None, None], False),
        (np.array([1], dtype="float16"), [1.0], False),
    ],
)
def test_what_pandas_holds_is_stored_or_becomes_text_with_a_note(column: Any, stored: list[Any], noted: bool) -> None:
    notes: list[str] = []
    frame = pd.DataFrame({"c": pd.Series(column, dtype=object) if isinstance(column, list) else column})
    assert to_arrow(frame, notes.append)["c"].to_pylist() == stored
    assert [("'c'" in note) for note in notes] == ([True] if noted else [])


def test_missing_is_null_in_pandas_and_nan_stays_nan_elsewhere(store: Store) -> None:
    assert store.through(pd.DataFrame({"a": [1.0, np.nan]})).arrow()["a"].to_pylist() == [1.0, None]
    back = store.through(pl.DataFrame({"a": [1.0, float("nan"), None]})).arrow()["a"].to_pylist()
    assert repr(back) == "[1.0, nan, None]"


def test_large_integers_survive_a_null_beside_them(store: Store) -> None:
    frame = store.through(pa.table({"a": [2**62 + 1, None]})).pandas()
    assert frame["a"].tolist() == [2**62 + 1, pd.NA]


def test_named_and_labelled_rows_become_columns() -> None:
    named = pd.DataFrame({"n": [1, 2]}, index=pd.Index(["x", "y"], name="key"))
    labelled = pd.DataFrame({"n": [1]}, index=["x"])
    several = pd.DataFrame({"n": [1]}, index=pd.MultiIndex.from_tuples([(1, "x")], names=["a", "b"]))
    names = [to_arrow(frame, lambda text: None).column_names for frame in (named, labelled, several)]
    assert names == [["key", "n"], ["index", "n"], ["a", "b", "n"]]


def test_row_numbers_left_by_a_filter_are_not_kept_and_that_is_noted() -> None:
    notes: list[str] = []
    frame = pd.DataFrame({"n": [1, 2, 3]})
    assert to_arrow(frame[frame.n > 1], notes.append).column_names == ["n"]
    assert notes == ["row labels that are unnamed integers are not kept; reset_index() makes them a column."]
    to_arrow(frame, notes.append)
    assert len(notes) == 1


def test_column_names_become_text() -> None:
    notes: list[str] = []
    assert to_arrow(pd.DataFrame([[1, 2]]), notes.append).column_names == ["0", "1"]
    assert notes == ["column names that are not text became text: 0, 1."]
    wide = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("b", "")]))
    assert to_arrow(wide, notes.append).column_names == ["a_x", "b"]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "its columns 'a' and 'a' have the same name"),
        (pl.DataFrame({"a": [1], "A": [2]}), "its columns 'a' and 'A' have the same name"),
        (pd.DataFrame({1: [1], "1": [2]}), "its columns '1' and '1' have the same name"),
        (pd.DataFrame({"a": [1]}, index=pd.Index(["x"], name="a")), "its index and a column are both called 'a'"),
        (pl.DataFrame(), "it has no columns"),
        ([1, 2], "it is a builtins.list, not a pandas, Polars, Arrow or Spark frame"),
        (pd.Series([1]), "not a pandas, Polars, Arrow or Spark frame"),
    ],
)
def test_what_can_not_be_a_dataset_is_refused_by_name(store: Store, frame: Any, message: str) -> None:
    with pytest.raises(BadDataset, match="frame can't be stored as a dataset: .*" + message.split("(")[0]):
        store.through(frame)


def test_row_groups_are_small(store: Store) -> None:
    dataset = store.through(pl.DataFrame({"n": range(200_000)}))
    metadata = pq.read_metadata(dataset._parts()[0])
    assert max(metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)) <= 65_536
    assert dataset.rows == 200_000
    assert sum(batch.num_rows for batch in dataset.batches(10_000)) == 200_000
