"""Functions that make nothing of their arguments give NULL and say so, and raise nothing where they succeed."""

from __future__ import annotations

import pyarrow as pa
import pytest

from trailbook.engine import Engine
from trailbook.library import Database

CASES = [
    ("from_json(x, 'a INT')", '{"a": 1}', "{bad", "from_json can't read '{bad'"),
    ("from_json(x, 'a INT')", '{"b": 1}', '{"a": "x"}', """from_json can't read '{"a": "x"}'"""),
    ("from_json(x, 'struct<a: INT>')", '{"a": 1}', "bad", "from_json can't read 'bad'"),
    ("from_json(x, 'a INT', map('allowComments', 'true'))", "{} /* */", "{'a'", "from_json can't read '{'a''"),
    ("from_json(x, 'a INT, _corrupt_record STRING')", "{}", "bad", "from_json can't read 'bad'"),
    ("from_json(x, 'ARRAY<INT>')", "[1]", "[1", "from_json can't read '[1'"),
    ("from_csv(x, 'a INT, b STRING')", "1,x", "one,x", "from_csv can't read 'one,x'"),
    ("from_xml(x, 'a INT')", "<p><a>1</a></p>", "<p><a>x</a></p>", "from_xml can't read '<p><a>x</a></p>'"),
    ("get_json_object(x, '$.a')", '{"b": 1}', "bad", "get_json_object can't read 'bad'"),
    ("json_array_length(x)", "[1]", "bad", "json_array_length can't read 'bad'"),
    ("json_object_keys(x)", "{}", "bad", "json_object_keys can't read 'bad'"),
    ("CAST(x AS timestamp)", "2026-01-01 10:00", "10:00", "'10:00' is another moment each day"),
    ("to_timestamp(x)", "2026-01-01 10:00", "10:00", "'10:00' is another moment each day"),
    ("unhex(x)", "1f", "zz", "unhex can't read 'zz'"),
    ("pmod(10, CAST(x AS int))", "3", "0", "division by zero"),
    ("1 / CAST(x AS decimal(4,2))", "3", "0", "division by zero"),
    ("CAST(9e37 AS decimal(38,0)) / CAST(x AS decimal(38,18))", "10000000", "1", "the quotient is too large"),
    ("CAST(INTERVAL 178956970 YEAR / CAST(x AS decimal(4,3)) AS string)", "1", "0.001", "the quotient is too large"),
    ("mod(10, CAST(x AS int))", "3", "0", "division by zero"),
    ("make_date(2026, 2, CAST(x AS int))", "28", "30", "make_date can't make a value of 2026, 2, 30"),
    ("try_add(9223372036854775807, CAST(x AS int))", "-1", "1", "try_add can't make a value of 9223372036854775807, 1"),
    ("element_at(array(1, 2), CAST(x AS int))", "2", "3", "element_at can't make a value of [1, 2], 3"),
]


@pytest.fixture(scope="module")
def db(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Database:
    return Database(engine, tmp_path_factory.mktemp("failures"))


def test_a_call_that_fails_is_marked_and_says_what_it_failed_on(db: Database) -> None:
    for number, (call, good, bad, message) in enumerate(CASES):
        db.create(f"t{number}", pa.table({"x": [good, bad, None]}))
        query = db.sql(f"SELECT {call} AS y FROM t{number}")
        assert query.fetch().marked.column("y").to_pylist() == [False, True, False], call
        assert [one.message for one in query.caveats(column="y")] == [message]


def test_a_schema_that_is_not_written_out_leaves_all_in_doubt(db: Database) -> None:
    db.create("known", pa.table({"x": ['{"a": 1}', None]}))
    query = db.sql("SELECT from_json(x, schema_of_csv('1')) AS y FROM known")
    assert query.fetch().marked.column("y").to_pylist() == [True, False]


def test_what_arrow_has_no_type_for_is_fetched_as_text(db: Database) -> None:
    db.create("raw", pa.table({"x": ['{"a":1}', "bad", None]}))
    query = db.sql("SELECT parse_json(x) AS y, make_interval(1, 2) AS z FROM raw")
    result = query.fetch()
    assert result.table.to_pylist() == [{"y": y, "z": "1 years 2 months"} for y in ('{"a":1}', None, None)]
    assert result.marked.column("y").to_pylist() == [False, True, False]
    assert [one.message for one in query.caveats(row=1, column="y")] == ["parse_json can't read 'bad'"]
