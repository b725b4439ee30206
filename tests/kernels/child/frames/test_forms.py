"""Frames come back in the form they had, and every change to them is seen."""

from __future__ import annotations

import datetime as dt
import decimal
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polars.testing
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.kernels.child.stored import OTHERS, VALUES, Store, tables
from tests.kernels.conftest import Bench
from trailbook.engine.engine import Engine
from trailbook.kernels.child.frames import forms, texts
from trailbook.kernels.child.frames.dataset import Dataset

EXAMPLES = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
MANY = texts.FEWEST_ROWS
MONTHS = pd.period_range("2024-01", periods=3, freq="M")


class Measured(pd.DataFrame):
    """A subclass with an attribute of its own."""

    _metadata = ["unit"]  # noqa: RUF012 - as pandas documents it

    @property
    def _constructor(self) -> Any:
        return Measured


class Guarded(pd.DataFrame):
    """A subclass that pickles in its own way."""

    def __reduce__(self) -> Any:
        return Guarded, ({name: self[name].tolist() for name in self.columns},)


def with_attributes() -> pd.DataFrame:
    frame = pd.DataFrame({"a": [1, 2]}).set_flags(allows_duplicate_labels=False)
    frame.attrs = {"source": "gauge 7", "seen": {1, 2}}
    return frame


def measured() -> Measured:
    frame = Measured({"a": [1.5, 2.5]})
    frame.unit = "m"  # type: ignore[attr-defined]
    return frame


def fragmented() -> pd.DataFrame:
    frame = pd.DataFrame({"a": np.arange(MANY)})
    for i in range(20):
        frame[f"c{i}"] = frame["a"] * i if i % 2 else frame["a"].astype(str)
    return frame


def repeated(*values: Any) -> pd.DataFrame:
    return pd.DataFrame({"n": range(MANY), "t": pd.Series([*islice(cycle(values), MANY)], dtype=object)})


PANDAS: dict[str, Callable[[], pd.DataFrame]] = {
    "plain": lambda: pd.DataFrame({"a": [1, 2], "b": [1.5, np.nan], "c": ["x", "y"], "d": [True, False]}),
    "no rows": lambda: pd.DataFrame({"a": pd.Series(dtype="int8"), "b": pd.Series(dtype=object)}),
    "filtered": lambda: pd.DataFrame({"a": [1, 2, 3], "t": ["x", "y", "z"]}).query("a != 2"),
    "named index": lambda: pd.DataFrame({"a": [1, 2]}, index=pd.Index(["x", "y"], name="key")),
    "labelled rows": lambda: pd.DataFrame({"a": [1, 2]}, index=["x", "y"]),
    "dates as index": lambda: pd.DataFrame({"a": [1, 2]}, index=pd.date_range("2024", periods=2, freq="D", tz="UTC")),
    "range": lambda: pd.DataFrame({"a": [1, 2]}, index=pd.RangeIndex(4, 8, 2, name="r")),
    "index of levels": lambda: pd.DataFrame(
        {"a": [1, 2]}, index=pd.MultiIndex.from_tuples([(1, "x"), (2, None)], names=["n", None])
    ),
    "integer labels": lambda: pd.DataFrame(np.arange(6).reshape(2, 3)),
    "mixed labels": lambda: pd.DataFrame({1: [1], "b": [2], dt.date(2024, 1, 1): [3]}),
    "levels of labels": lambda: pd.DataFrame(
        [[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("b", "")], names=["u", "v"])
    ),
    "named labels": lambda: pd.DataFrame({"a": [1]}).rename_axis(columns="what"),
    "categories": lambda: pd.DataFrame({"c": pd.Categorical(["lo", None, "hi"], ["lo", "mid", "hi"], ordered=True)}),
    "categories as labels": lambda: pd.DataFrame([[1, 2]], columns=pd.CategoricalIndex(["a", "b"])),
    "nullable": lambda: pd.DataFrame({"a": pd.array([1, None], "Int8"), "b": pd.array([None, True], "boolean")}),
    "string types": lambda: pd.DataFrame(
        {"a": pd.array(["x", None], "string[python]"), "b": pd.array(["x", None], "string[pyarrow]")}
    ),
    "arrow types": lambda: pd.DataFrame({"a": pd.Series([[1], None], dtype=pd.ArrowDtype(pa.list_(pa.int8())))}),
    "part of arrow types": lambda: pd.DataFrame({"a": pd.Series(range(9000), dtype=pd.ArrowDtype(pa.int64()))})[5:8],
    "small numbers": lambda: pd.DataFrame({"a": np.array([1, 2], "uint8"), "b": np.array([1, 2], "float16")}),
    "complex": lambda: pd.DataFrame({"a": [1 + 2j]}),
    "sparse": lambda: pd.DataFrame({"a": pd.arrays.SparseArray(np.array([0, 0, 3]))}),
    "periods": lambda: pd.DataFrame({"a": MONTHS}, index=MONTHS),
    "intervals": lambda: pd.DataFrame({"a": pd.interval_range(0, 3, closed="left")}),
    "moments": lambda: pd.DataFrame(
        {
            "ns": pd.Series(["2024-01-01 00:00:00.000000001", None], dtype="datetime64[ns]"),
            "s": np.array(["2024-01-01", "NaT"], "datetime64[s]"),
            "zone": pd.to_datetime(["2024-01-01", "2024-07-01"]).tz_localize("Europe/Vienna"),
            "long": pd.to_timedelta([1, None], unit="ns"),
        }
    ),
    "nested": lambda: pd.DataFrame({"l": [[1, [2]], []], "d": [{"a": 1}, {}], "a": [np.arange(3), None]}),
    "mixed": lambda: pd.DataFrame({"a": [1, "x", None, np.nan, pd.NA, 2.5, decimal.Decimal(1), {1}, 2**70]}),
    "missing in two ways": lambda: pd.DataFrame({"a": ["x", None, np.nan]}),
    "integers among objects": lambda: pd.DataFrame({"a": pd.Series([1, 2], dtype=object)}),
    "dates": lambda: pd.DataFrame({"a": [dt.date(2024, 1, 1)], "b": [dt.time(1)], "c": [dt.timedelta(1)]}),
    "attributes": with_attributes,
    "subclass": measured,
    "subclass with a pickle": lambda: Guarded({"a": [1, 2]}),
    "transposed": lambda: pd.DataFrame(np.arange(6.0).reshape(3, 2)).T.rename(columns=str),
    "every second row": lambda: pd.DataFrame({"a": np.arange(9), "b": pd.date_range("2024", periods=9)})[::2],
    "in fragments": fragmented,
    "text": lambda: repeated("x", "größe", ""),
    "text of its own": lambda: repeated(*(f"größe {i}" for i in range(MANY))),
    "text of its own and None": lambda: repeated(None, *(str(i) for i in range(MANY))),
    "text of its own and NaN": lambda: repeated(np.nan, *(str(i) for i in range(MANY))),
    "text and None": lambda: repeated("x", None),
    "text and NaN": lambda: repeated("x", np.nan),
    "text and both": lambda: repeated("x", None, np.nan),
    "text and NA": lambda: repeated("x", pd.NA),
    "text of a type": lambda: repeated("x", None).astype({"t": "string"}),
    "text of a subclass": lambda: repeated(np.str_("x"), "y"),
    "text with an index": lambda: repeated("x", "y").set_index("n"),
}


def facts(frame: pd.DataFrame) -> list[Any]:
    """What assert_frame_equal does not look at."""
    objects = [column for _, column in frame.items() if column.dtype == object]
    return [
        type(frame),
        type(frame.index),
        type(frame.columns),
        [type(label) for label in frame.columns],
        frame.attrs,
        frame.flags.allows_duplicate_labels,
        getattr(frame, "unit", None),
        [[repr(value) + str(type(value)) for value in column] for column in objects],
    ]


@pytest.mark.parametrize("name", PANDAS)
def test_a_pandas_frame_comes_back_as_it_was(store: Store, name: str) -> None:
    frame = PANDAS[name]()
    dataset = store.through(frame)
    back = dataset.original()
    pd.testing.assert_frame_equal(back, frame, check_exact=True, check_column_type=True)
    assert facts(back) == facts(frame)
    assert dataset.holds(back)
    assert dataset.holds(frame)


@pytest.mark.parametrize("name", PANDAS)
def test_a_frame_that_came_back_has_the_same_identity_when_it_is_stored_again(store: Store, name: str) -> None:
    first = store.through(PANDAS[name]())
    again = store.through(first.original())
    third = store.through(again.original())
    assert content(third) == content(again)


@pytest.mark.parametrize("name", PANDAS)
def test_looking_at_a_frame_does_not_change_it(store: Store, name: str) -> None:
    dataset = store.through(PANDAS[name]())
    frame = dataset.original()
    for look in (repr, lambda frame: frame.values, lambda frame: frame.describe(include="all"), pd.DataFrame.copy):
        try:
            look(frame)
        except (TypeError, NotImplementedError):
            # Some types can't be described.
            continue
    frame.memory_usage(deep=True)
    assert frame.index.is_unique is not None
    assert dataset.holds(frame)


def content(dataset: Dataset) -> bytes:
    form = forms.find(dataset._directory)
    assert form
    return Path(form.path).read_bytes()


CHANGES: dict[str, Callable[[Any], object]] = {
    "value": lambda frame: frame.__setitem__("n", frame["n"] + 1),
    "one value": lambda frame: frame.iloc.__setitem__((5000, 0), -1),
    "one text": lambda frame: frame.iloc.__setitem__((5000, 1), "z"),
    "None for NaN": lambda frame: frame.iloc.__setitem__((1, 1), np.nan),
    "an equal text of another type": lambda frame: frame.iloc.__setitem__((0, 1), np.str_("x")),
    "half of a pair": lambda frame: frame.iloc.__setitem__((0, 1), "\ud800"),
    "label": lambda frame: frame.rename(columns={"n": "m"}, inplace=True),
    "name of labels": lambda frame: frame.rename_axis(columns="c", inplace=True),
    "index": lambda frame: frame.set_index("n", inplace=True),
    "name of the index": lambda frame: frame.rename_axis(index="i", inplace=True),
    "order": lambda frame: frame.sort_values("n", ascending=False, inplace=True),
    "type": lambda frame: frame.__setitem__("n", frame["n"].astype("float64")),
    "attribute": lambda frame: frame.attrs.update(a=1),
    "column": lambda frame: frame.insert(0, "new", 1),
    "no column": lambda frame: frame.pop("t"),
    "rows": lambda frame: frame.drop(index=3, inplace=True),
}


@pytest.mark.parametrize("has_form", [True, False])
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_in_place_is_seen(store: Store, name: str, has_form: bool) -> None:
    dataset = store.through(repeated("x", None))
    if not has_form:
        form = forms.find(dataset._directory)
        assert form
        Path(form.path).unlink()
        dataset = Dataset("t", dataset._directory, dataset._session)
    frame = dataset.original()
    assert dataset.holds(frame)
    CHANGES[name](frame)
    assert not dataset.holds(frame)
    assert dataset.holds(dataset.original())


def test_large_numbers_are_mapped_and_can_be_changed(store: Store) -> None:
    dataset = store.through(pd.DataFrame({"a": np.arange(MANY), "b": np.arange(MANY) / 2}))
    frame = dataset.original()
    frame.loc[0, "a"] = 9
    frame["b"] *= 2
    assert (frame.a[0], frame.b[3]) == (9, 3.0)
    assert dataset.original().iloc[3].tolist() == [3, 1.5]


def test_a_frame_of_another_library_is_a_change(store: Store) -> None:
    dataset = store.through(pd.DataFrame({"a": [1]}))
    assert not dataset.holds(dataset.polars())
    assert not dataset.holds(dataset.arrow())
    assert not store.through(pl.DataFrame({"a": [1]})).holds(pd.DataFrame({"a": [1]}))


POLARS = {
    "categories": pl.Series(["a", "b", None], dtype=pl.Categorical),
    "enum": pl.Series(["a", None, "b"], dtype=pl.Enum(["b", "a", "z"])),
    "decimal": pl.Series(["1.50", None, "2"]).cast(pl.Decimal(10, 2)),
    "nanoseconds": pl.Series([1, 2, None]).cast(pl.Duration("ns")),
    "zone": pl.Series([1, 2, None]).cast(pl.Datetime("ns", "Europe/Vienna")),
    "time": pl.Series([1, 2, None]).cast(pl.Time),
    "huge": pl.Series([2**100, None, 1], dtype=pl.Int128),
    "array": pl.Series([[1, 2], [3, 4], None], dtype=pl.Array(pl.Int8, 2)),
    "list": pl.Series([["a"], [], None], dtype=pl.List(pl.Categorical)),
    "struct": pl.Series([{"a": 1, "b": "x"}, {"a": None, "b": None}, None]),
    "nothing": pl.Series([None, None, None]),
    "text": pl.Series(["short", "longer than twelve bytes", None]),
    "small": pl.Series([1, 2, None], dtype=pl.UInt8),
    "NaN": pl.Series([float("nan"), None, -0.0]),
}


@pytest.mark.parametrize("is_lazy", [False, True])
def test_a_polars_frame_comes_back_as_it_was(store: Store, is_lazy: bool) -> None:
    frame = pl.DataFrame([column.alias(name) for name, column in POLARS.items()])
    dataset = store.through(frame.lazy() if is_lazy else frame)
    back = dataset.original()
    assert isinstance(back, pl.LazyFrame if is_lazy else pl.DataFrame)
    polars.testing.assert_frame_equal(back.lazy().collect(), frame, categorical_as_str=False)
    assert dataset.holds(back)
    assert not dataset.holds(frame if is_lazy else frame.lazy())
    assert not dataset.holds(back.with_columns(small=pl.lit(3, pl.UInt8)))
    polars.testing.assert_frame_equal(dataset.polars(), frame)


def test_objects_in_a_polars_frame_come_back(store: Store) -> None:
    dataset = store.through(pl.DataFrame({"o": pl.Series([{1}, None, "x"], dtype=pl.Object)}))
    back = dataset.original()
    assert (back.schema, back["o"].to_list()) == ({"o": pl.Object}, [{1}, None, "x"])
    assert dataset._read()["o"].to_pylist() == ["{1}", None, "x"]


def test_a_polars_frame_that_is_changed_in_place_is_seen(store: Store) -> None:
    dataset = store.through(pl.DataFrame({"a": range(MANY), "t": ["x"] * MANY}))
    changes: list[Callable[[pl.DataFrame], object]] = [
        lambda frame: frame.__setitem__((5, "a"), -1),
        lambda frame: frame.drop_in_place("t"),
        lambda frame: frame.extend(frame),
    ]
    for change in changes:
        frame = dataset.original()
        change(frame)
        assert not dataset.holds(frame)


@EXAMPLES
@given(tables(VALUES | OTHERS))
def test_an_arrow_table_comes_back_as_it_was(store: Store, table: pa.Table) -> None:
    dataset = store.through(table.replace_schema_metadata({"made": "here"}))
    back = dataset.original()
    assert back.schema.equals(table.schema.with_metadata({"made": "here"}), check_metadata=True)
    assert repr(back.to_pylist()) == repr(table.to_pylist())
    assert dataset.holds(back)
    assert not dataset.holds(table)


def test_a_record_batch_comes_back_as_one(store: Store) -> None:
    batch = pa.record_batch({"a": pa.array(["x", "y"], pa.dictionary(pa.int8(), pa.large_string()))})
    back = store.through(batch).original()
    assert isinstance(back, pa.RecordBatch)
    assert back.equals(batch)


def test_a_small_part_of_a_large_table_is_stored_without_the_rest(store: Store) -> None:
    table = pa.table({"n": range(1_000_000)})[7:9]
    dataset = store.through(table)
    assert dataset.original().equals(table)
    assert len(content(dataset)) < 5000


@EXAMPLES
@given(st.lists(st.sampled_from([name for name in PANDAS if not name.startswith(("text", "in frag"))]), max_size=3))
def test_frames_beside_each_other_come_back(store: Store, names: list[str]) -> None:
    columns = [column for name in names for _, column in PANDAS[name]().reset_index(drop=True).items()]
    frame = pd.DataFrame({f"c{i}": column for i, column in enumerate(columns)}).set_axis(range(len(columns)), axis=1)
    if columns:
        back = store.through(frame).original()
        pd.testing.assert_frame_equal(back, frame, check_exact=True)
        assert facts(back) == facts(frame)


CELL = """
import numpy as np, pandas as pd, polars as pl, pyarrow as pa
class Measured(pd.DataFrame):
    _metadata = ["unit"]
    @property
    def _constructor(self):
        return Measured
sales = pd.DataFrame({"n": pd.array([1, None], "Int8"), "c": pd.Categorical(["x", "y"])}, index=pd.Index([5, 7]))
sales.attrs["source"] = "gauge"
own = Measured({"a": pd.date_range("2024", periods=2, tz="Europe/Vienna")})
own.unit = "m"
lazy = pl.LazyFrame({"e": pl.Series(["a"], dtype=pl.Enum(["b", "a"]))})
batch = pa.record_batch({"d": pa.array(["x"], pa.dictionary(pa.int8(), pa.string()))})
"""
LOOK = """
print(sales.dtypes.astype(str).tolist(), sales.index.tolist(), sales.attrs)
print(type(own) is Measured, own.unit, own.a.dt.tz)
print(type(lazy).__name__, lazy.collect_schema(), type(batch).__name__, batch.schema.types)
sales.describe(include="all"); own.describe(); repr(sales); sales.values
"""


def test_the_next_cell_finds_frames_as_they_were_and_looking_at_them_writes_nothing(bench: Bench) -> None:
    _, second, third = bench.cells(CELL, LOOK, LOOK)
    assert second.text() == third.text()
    assert second.text().splitlines() == [
        "['Int8', 'category'] [5, 7] {'source': 'gauge'}",
        "True m Europe/Vienna",
        "LazyFrame Schema([('e', Enum(categories=['b', 'a']))]) RecordBatch"
        " [DictionaryType(dictionary<values=string, indices=int8, ordered=0>)]",
    ]
    assert second.writes == {}


def test_a_change_in_the_next_cell_reaches_the_one_after_it(bench: Bench) -> None:
    *_, last = bench.cells(
        CELL, "sales.loc[5, 'n'] = 9\nsales.index.name = 'key'", "print(sales.n[5], sales.index.name)"
    )
    assert last.text() == "9 key\n"


def test_a_spark_frame_comes_back_as_one(bench: Bench, engine: Engine) -> None:
    look = "print(type(numbers).__module__.split('.')[0], sorted(row.id for row in numbers.collect()))"
    _, second = bench.cells("numbers = spark.range(3)", look, spark_url=engine.url)
    assert second.text() == "pyspark [0, 1, 2]\n"
    assert second.writes == {}
