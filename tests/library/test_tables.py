from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest

from trailbook import Caveat
from trailbook.engine import Engine
from trailbook.errors import Invalid
from trailbook.library import Database
from trailbook.model.artifacts import Column

TYPED = pa.table(
    {
        "tiny": pa.array([1, None], pa.int8()),
        "big": pa.array([2**62, None], pa.int64()),
        "real": pa.array([0.1, None], pa.float32()),
        "double": pa.array([float("inf"), None], pa.float64()),
        "money": pa.array([Decimal("12.30"), None], pa.decimal128(12, 2)),
        "flag": pa.array([True, None], pa.bool_()),
        "text": pa.array(["ä\n'\\", None], pa.string()),
        "bytes": pa.array([b"\0\xff", None], pa.binary()),
        "day": pa.array([date(1900, 1, 1), None], pa.date32()),
        "moment": pa.array([datetime(2024, 2, 29, 1, 2, 3, 4, UTC), None], pa.timestamp("us", "UTC")),
        "local": pa.array([datetime(2024, 2, 29, 1, 2, 3, 4), None], pa.timestamp("us")),
        "list": pa.array([[1, None], None], pa.list_(pa.int64())),
        "record": pa.array([{"x": 1, "y": [b"z"]}, None], pa.struct([("x", pa.int32()), ("y", pa.list_(pa.binary()))])),
        "map": pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int64())),
    }
)


@pytest.fixture(params=["through files", "over the connection"])
def either(request: pytest.FixtureRequest, engine: Engine, tmp_path: Path) -> Iterator[Database]:
    with Database(engine, tmp_path if request.param == "through files" else None) as database:
        yield database


@pytest.mark.parametrize("rows", [2, 1, 0])
def test_every_type_comes_back_as_it_was(rows: int, either: Database) -> None:
    given = TYPED.slice(0, rows)
    either.create("r", given, [Caveat("all of it", column="list")])
    result = either.sql("SELECT * FROM r").fetch()
    assert [(field.name, field.type) for field in result.table.schema] == [
        (field.name, field.type) for field in given.schema
    ]
    assert result.table.to_pylist() == given.to_pylist()
    assert result.marked.column("list").to_pylist() == [True] * rows


def test_more_columns_than_bits_are_marked(either: Database) -> None:
    names = [f"c{number}" for number in range(130)]
    table = pa.table({name: [number, number] for number, name in enumerate(names)})
    doubtful = ["c0", "c60", "c61", "c62", "c123", "c124", "c129"]
    either.create("r", table, [*(Caveat("?", 1, name) for name in doubtful), Caveat("seen twice", 0)])
    result = either.sql("SELECT * FROM r").fetch()
    assert [name for name, marked in result.marked.to_pylist()[1].items() if marked] == doubtful
    assert not any(result.marked.to_pylist()[0].values())
    assert result.row_marked == [True, False]


def test_rows_keep_the_order_they_were_given_in(db: Database) -> None:
    numbers = list(range(300_000))
    db.create("r", pa.table({"a": numbers}), [Caveat("?", 200_000, "a")])
    result = db.sql("SELECT a FROM r").fetch()
    assert result.table.column("a").to_pylist() == numbers
    assert result.marked.column("a").to_pylist().index(True) == 200_000


def test_a_column_without_nulls_is_known_to_have_none(db: Database) -> None:
    db.create("r", pa.table({"a": [1, 2], "b": [1, None]}))
    assert db.tables["r"] == (
        Column(name="a", type="bigint", nullable=False),
        Column(name="b", type="bigint", nullable=True),
    )


def test_only_columns_with_marks_are_computed_as_if_in_doubt(db: Database) -> None:
    db.create("r", pa.table({"a": [1], "b": [1]}), [Caveat("?", 0, "a")])
    assert "__mask" in db.sql("SELECT a FROM r").sql_text()
    assert "__mask" not in db.sql("SELECT b FROM r").sql_text()


def test_a_key_saves_marks(db: Database) -> None:
    people = pa.table({"id": [1, 2], "name": ["Ada", "Bob"]})
    db.create("orders", pa.table({"person": [1, 2]}))
    db.create("plain", people, [Caveat("misspelt?", 0, "name")])
    db.create("keyed", people, [Caveat("misspelt?", 0, "name")], keys=["ID"])
    assert db.sql("SELECT * FROM keyed").plan.keys == (frozenset({"id"}),)  # type: ignore[attr-defined]
    result = db.sql("SELECT person, name FROM orders JOIN keyed ON person = id ORDER BY person").fetch()
    assert result.marked.to_pylist() == [{"person": False, "name": True}, {"person": False, "name": False}]


def test_a_key_that_is_none_is_refused_with_an_example(db: Database) -> None:
    table = pa.table({"a": [1, 1, 2], "b": ["x", "x", "x"]})
    with pytest.raises(Invalid, match=r"a, b can't be a key of r: more than one row has a = 1, b = 'x'"):
        db.create("r", table, keys=[("b", "a")])
    with pytest.raises(Invalid, match="There is no column c here"):
        db.create("r", table, keys=["c"])
    with pytest.raises(Invalid, match="A key without columns"):
        db.create("r", table, keys=[()])
    assert not db.tables
    assert not list(db.spark.catalog.listTables())
