from __future__ import annotations

from datetime import UTC, datetime

import pyarrow as pa
import pytest

from tests.support.golden_plans import rows_of
from trailbook import Caveat, CaveatSet
from trailbook.errors import CellFailed, Invalid
from trailbook.library import Database
from trailbook.model.artifacts import Column

TABLE = pa.table({"a": [1, 2, 3, 4, 5, 6], "b": ["x", "x", "y", "y", "z", "z"]})
TYPED, TWICE = Caveat("typed by hand", row=3, column="a"), Caveat("seen twice", row=5)


@pytest.fixture
def db(db: Database) -> Database:
    db.create("r", TABLE, [TYPED, TWICE])
    return db


def test_marks_follow_the_data_through_a_query(db: Database) -> None:
    result = db.sql("SELECT b, sum(a) AS s FROM r GROUP BY b ORDER BY b").fetch()
    assert result.table.to_pylist() == [{"b": "x", "s": 3}, {"b": "y", "s": 7}, {"b": "z", "s": 11}]
    assert result.marked.column("s").to_pylist() == [False, True, True]
    assert result.marked.column("b").to_pylist() == [False, False, False]
    assert result.row_marked == [False, False, False]
    assert not result.rows_may_be_missing


def test_a_row_left_out_in_doubt_may_be_missing_whatever_is_fetched(db: Database) -> None:
    query = db.sql("SELECT a FROM r WHERE a > 4")
    assert query.fetch().rows_may_be_missing
    assert query.fetch(limit=0).rows_may_be_missing
    assert not db.sql("SELECT a FROM r WHERE a > 3 OR b = 'y'").fetch().rows_may_be_missing


def test_fetching_some_rows_puts_none_of_them_in_doubt(db: Database) -> None:
    query = db.sql("SELECT b FROM r WHERE a < 4 ORDER BY a DESC")
    result = query.fetch(limit=2)
    assert result.table.column("b").to_pylist() == ["y", "x"]
    assert result.row_marked == [False, False]
    assert all(db.sql("SELECT b FROM r LIMIT 2").fetch().row_marked)
    with pytest.raises(Invalid, match="limit = -1 is no number of rows"):
        query.fetch(limit=-1)


def test_a_clean_query_runs_as_it_was_written(db: Database) -> None:
    query = db.sql("SELECT upper(b) AS u FROM r WHERE b > 'x' AND b < 'z'")
    db.create("clean", TABLE)
    assert "__mask" not in db.sql("SELECT a FROM clean WHERE a > 1").sql_text()
    assert query.columns == (Column(name="u", type="string", nullable=False),)
    assert query.fetch().table.column("u").to_pylist() == ["Y", "Y"]


def test_the_frame_of_a_query_is_what_its_text_gives(db: Database) -> None:
    query = db.sql("SELECT a + 1 AS c FROM r")
    frame = query.spark()
    assert frame.columns == ["c", "__mask"]
    assert frame.toArrow().to_pylist() == db.spark.sql(query.sql_text()).toArrow().to_pylist()
    assert [row["__mask"] for row in frame.toArrow().to_pylist()] == [0, 0, 0, 2, 0, 1]


def test_a_query_that_only_spark_can_read_runs_with_all_of_it_in_doubt(db: Database) -> None:
    query = db.sql("SELECT b, count(*) AS n FROM r TABLESAMPLE (100 PERCENT) GROUP BY b")
    assert query.columns[1] == Column(name="n", type="bigint", nullable=False)
    result = query.fetch()
    assert sorted(row["n"] for row in result.table.to_pylist()) == [2, 2, 2]
    assert all(result.row_marked)
    assert result.rows_may_be_missing


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("WITH RECURSIVE s(n) AS (SELECT min(a) FROM r UNION ALL SELECT n + 1 FROM s WHERE n < 3) SELECT n FROM s", 3),
        ("WITH q AS (SELECT a FROM r) SELECT a, i.id FROM q, LATERAL range(2) AS i", 12),
        ("SELECT a, i.id FROM r, LATERAL range(2) AS i ORDER BY a LIMIT 5", 5),
        ("SELECT b FROM r CLUSTER BY b LIMIT 2", 2),
        ("SELECT window.start AS day, count(*) AS n FROM days GROUP BY window(day, '1 day')", 2),
        ("SELECT rand() AS x, x - x AS zero FROM r", 6),
        ("SELECT a, i.id FROM r, LATERAL range(1) AS i UNION ALL (SELECT a, a FROM r TABLESAMPLE (100 PERCENT))", 12),
        ("SELECT s.n, r.b FROM (SELECT b AS n FROM r SORT BY b LIMIT 1) AS s JOIN r ON s.n = r.b -- done", 2),
    ],
)
def test_whatever_only_spark_can_read_runs(db: Database, text: str, rows: int) -> None:
    db.create("days", pa.table({"day": [datetime(2026, 3, 1), datetime(2026, 3, 2)]}))
    result = db.sql(text).fetch()
    assert result.table.num_rows == rows
    assert all(result.row_marked)
    assert result.rows_may_be_missing


def test_an_error_in_the_data_is_spark_s_own(db: Database) -> None:
    with pytest.raises(CellFailed, match="overflow"):
        db.sql("SELECT a + 9223372036854775807 AS c FROM r").fetch()


def test_a_cast_that_fails_is_null_and_in_doubt(db: Database) -> None:
    query = db.sql("SELECT CAST(b AS int) AS n FROM r ORDER BY b")
    result = query.fetch()
    assert result.table.column("n").to_pylist() == [None] * 6
    assert result.marked.column("n").to_pylist() == [True] * 6
    reasons = query.caveats(row=0, column="n")
    assert "'x' is not an int" in [caveat.message for one in reasons for caveat in one.examples]


def test_what_spark_reads_by_the_clock_unasked_is_in_doubt(db: Database) -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    db.create("shifts", [{"begins": noon, "until": "18:00"}, {"begins": noon, "until": "2026-01-01 18:00"}])
    query = db.sql("SELECT begins < until AS open FROM shifts WHERE begins < 'tomorrow'")
    result = query.fetch()
    assert result.table.to_pylist() == [{"open": True}] * 2
    assert result.marked.column("open").to_pylist() == [True, False]
    assert result.row_marked == [True, True]
    said = {"'18:00' is another moment each day", "'tomorrow' is another moment each day"}
    assert {reason.message for reason in query.caveats()} == said


def test_a_marked_value_has_its_reasons_and_a_clean_one_has_none(db: Database) -> None:
    query = db.sql("SELECT b, sum(a) AS s FROM r GROUP BY b ORDER BY b")
    query.fetch()
    assert query.caveats(row=0, column="s") == []
    assert query.caveats(row=1, column="S") == [CaveatSet("typed by hand", "r", 1, (TYPED,))]
    assert query.caveats(row=2) == [CaveatSet("seen twice", "r", 1, (TWICE,))]
    assert query.caveats(column="b") == []
    assert {one.message for one in query.caveats(column="s")} == {"typed by hand", "seen twice"}
    assert {one.message for one in query.caveats()} == {"typed by hand", "seen twice"}


def test_rows_left_out_in_doubt_have_reasons(db: Database) -> None:
    query = db.sql("SELECT b FROM r WHERE a > 4 AND b = 'y'")
    assert not query.fetch().table.num_rows
    assert "typed by hand" in [one.message for one in query.caveats()]


def test_reasons_raised_in_the_text_are_counted_and_shown(db: Database) -> None:
    query = db.sql("SELECT caveat_if(a, a > 2, concat('large: ', a)) AS a FROM r WHERE b < 'z' ORDER BY a")
    (found,) = query.caveats(row=2, column="a")
    assert (found.message, found.cell, found.count) == ("large: 3", None, 1)
    assert {one.count for one in query.caveats(column="a")} >= {2}


def test_a_row_or_column_that_is_not_there_is_refused(db: Database) -> None:
    query = db.sql("SELECT a FROM r")
    with pytest.raises(Invalid, match="There is no row 6: the result has 6 rows, counted from 0"):
        query.caveats(row=6)
    with pytest.raises(Invalid, match="There is no row -1: rows are counted from 0"):
        query.caveats(row=-1)
    with pytest.raises(Invalid, match=r"There is no column z here\. Known: a"):
        query.caveats(column="z")


def test_a_name_that_columns_with_marks_have_is_refused(db: Database) -> None:
    with pytest.raises(Invalid, match="The column __mask needs another name"):
        db.sql("SELECT a AS __mask FROM r")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT x FROM floats WHERE x IN (SELECT n FROM wholes WHERE v > 1)",
        "SELECT x FROM floats WHERE x IN (SELECT n FROM wholes GROUP BY n HAVING sum(v) > 1)",
        "SELECT x FROM floats WHERE NOT EXISTS (SELECT 1 FROM wholes WHERE n = x AND v > 5)",
        "SELECT x, n FROM floats LEFT JOIN (SELECT DISTINCT n FROM wholes WHERE v > 5) ON n = x",
        "SELECT i FROM numbers WHERE i IN (SELECT s FROM texts)",
    ],
)
def test_a_row_that_equals_several_values_of_another_type_is_there_once(db: Database, query: str) -> None:
    db.create("floats", pa.table({"x": [2.0**53, 2.0]}))
    db.create("wholes", pa.table({"n": [2**53, 2**53 + 1], "v": [5, 6]}), [Caveat("smudged", 0, "v")])
    db.create("numbers", pa.table({"i": [1, 2]}))
    db.create("texts", pa.table({"s": ["1", "01"]}), [Caveat("seen twice", 0)])
    assert rows_of(db.sql(query).fetch().table) == rows_of(db.spark.sql(query).toArrow())


@pytest.mark.parametrize("keys", [(), ("s",)])
def test_a_row_whose_match_of_another_type_may_be_absent_is_in_doubt(db: Database, keys: tuple[str, ...]) -> None:
    db.create("numbers", pa.table({"i": [1]}))
    db.create("texts", pa.table({"s": ["01", "1"]}), [Caveat("seen twice", 1)], keys=keys)
    result = db.sql("SELECT i, s FROM numbers LEFT JOIN texts ON s = i ORDER BY s").fetch()
    assert result.table.column("s").to_pylist() == ["01", "1"]
    assert result.row_marked == [False, True]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) AS x FROM r WHERE b <> 'z'", 2.5),
        ("SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY a DESC) FILTER (WHERE a < 6) AS x FROM r", 3.0),
        ("SELECT listagg(b) WITHIN GROUP (ORDER BY a DESC) AS x FROM r", "zzyyxx"),
        ("SELECT mode() WITHIN GROUP (ORDER BY b) AS x FROM r WHERE b < 'y'", "x"),
        ("SELECT max(x) AS x FROM (SELECT percentile_cont(1) WITHIN GROUP (ORDER BY a) OVER () AS x FROM r)", 6.0),
    ],
)
def test_what_orders_a_group_is_looked_at(db: Database, text: str, value: object) -> None:
    result = db.sql(text).fetch()
    assert result.table.to_pylist() == [{"x": value}]
    assert result.marked.to_pylist() == [{"x": True}]


def test_a_group_ordered_by_what_is_certain_is_certain(db: Database) -> None:
    result = db.sql(
        "SELECT b, percentile_cont(0.5) WITHIN GROUP (ORDER BY a) AS x FROM r GROUP BY b ORDER BY b"
    ).fetch()
    assert result.marked.column("x").to_pylist() == [False, True, True]
    over = "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) OVER (PARTITION BY b) AS x FROM r ORDER BY b"
    assert db.sql(over).fetch().marked.column("x").to_pylist() == [False, False, True, True, True, True]


def test_a_mistake_that_spark_finds_has_its_place_in_the_text(db: Database) -> None:
    with pytest.raises(CellFailed, match="Syntax error at or near 'r'") as caught:
        db.sql("SELECT a\nFORM r")
    assert (caught.value.line, caught.value.column) == (2, 6)
    with pytest.raises(CellFailed, match="Unsupported data type") as caught:
        db.sql("SELECT a,\n  CAST(b AS nothing) AS n FROM r;").fetch()
    assert (caught.value.line, caught.value.column) == (2, 13)


def test_a_mistake_that_comes_up_late_has_its_place_where_the_text_has_the_same_part_once(db: Database) -> None:
    part = "id+9223372036854775807"
    with pytest.raises(CellFailed, match="overflow") as caught:
        db.sql(f"SELECT id,\n {part} AS n\nFROM range(1, 2)").fetch()
    assert (caught.value.line, caught.value.column) == (2, 2)
    with pytest.raises(CellFailed, match="overflow") as caught:
        db.sql(f"SELECT {part} AS n, {part} AS m FROM range(1, 2)").fetch()
    assert (caught.value.line, caught.value.column) == (None, None)


def test_what_a_named_query_raises_names_it(db: Database) -> None:
    db.create("typed", db.sql("SELECT CAST(b AS int) AS n, a FROM r"))
    query = db.sql("SELECT n + 1 AS m, caveat(a, 'so it seems') AS a FROM typed WHERE a < 3")
    origins = {one.message: one.cell for one in query.caveats() if one.place}
    assert origins == {"'x' is not an int": "typed", "so it seems": None}
    db.create("again", query)
    assert {one.cell for one in db.sql("SELECT m, a FROM again").caveats() if one.place} == {"typed", "again"}


def test_the_caveats_of_a_column_are_one_set(db: Database) -> None:
    given = [Caveat(f"note {row}", row=row, column="a") for row in range(6)]
    db.create("noted", TABLE, [*given, Caveat("seen twice", row=0)])
    query = db.sql("SELECT a FROM noted")
    assert query.caveats(column="a") == [CaveatSet("note 0", "noted", 6, tuple(given[:3]))]
    assert [one.count for one in query.caveats()] == [6, 1]


def test_a_caveat_without_a_message_says_so(db: Database) -> None:
    query = db.sql("SELECT caveat(b, NULL) AS x FROM r WHERE b = 'x'")
    assert [one.message for one in query.caveats(column="x")] == ["no reason is given"]


def test_queries_results_and_databases_show_what_they_are(db: Database) -> None:
    query = db.sql("SELECT a FROM r WHERE a = 6;")
    assert repr(query) == "Query('SELECT a FROM r WHERE a = 6')"
    assert repr(query.fetch()) == "Result(1 row × 1 column, 1 row in doubt)"
    assert repr(db) == "Database(r)"
