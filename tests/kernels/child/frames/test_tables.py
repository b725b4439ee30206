"""Frames become datasets and come back."""

from __future__ import annotations

import datetime as dt
import decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polars.testing
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings

from tests.kernels.child.stored import OTHERS, VALUES, Store, tables
from trailbook.kernels.child.errors import BadDataset
from trailbook.kernels.child.frames.arrow_types import plain_type
from trailbook.kernels.child.frames.tables import to_arrow, to_pandas

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
    back = store.through(table)._read()
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


def test_column_names_become_text() -> None:
    notes: list[str] = []
    assert to_arrow(pd.DataFrame([[1, 2]]), notes.append).column_names == ["0", "1"]
    assert notes == ["column names that are not text are text in SQL: 0, 1."]
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
    with pytest.raises(BadDataset, match=message.split("(")[0]):
        store.through(frame)


def test_row_groups_are_small(store: Store) -> None:
    dataset = store.through(pl.DataFrame({"n": range(200_000)}))
    metadata = pq.read_metadata(dataset._parts()[0])
    assert max(metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)) <= 65_536
    assert dataset.rows == 200_000
    assert sum(batch.num_rows for batch in dataset.batches(10_000)) == 200_000
