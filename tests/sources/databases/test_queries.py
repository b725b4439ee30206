"""What a database is asked is one table, or one query that changes nothing."""

from __future__ import annotations

import pytest

from trailbook.errors import CellFailed
from trailbook.sources.databases.connections import System
from trailbook.sources.databases.queries import named, one_query, select_of

PG = System.POSTGRESQL


@pytest.mark.parametrize(
    ("table", "written"),
    [
        ("sales", '"sales"'),
        ("Sales 2026", '"Sales 2026"'),
        ("public.sales", '"public"."sales"'),
        ('"a.b"', '"a.b"'),
        ('public."say ""hi"""', '"public"."say ""hi"""'),
        ("x; DROP TABLE y", '"x; DROP TABLE y"'),
        ("x' OR 1=1 --", '"x\' OR 1=1 --"'),
    ],
)
def test_a_name_is_a_name_whatever_is_in_it(table: str, written: str) -> None:
    assert named(table) == written


def test_another_quote_is_doubled_as_well() -> None:
    assert named("a`b", "`") == "`a``b`"


@pytest.mark.parametrize("table", ["", ".", "a.", 'a"b', '"', '"a', 'x"; DROP TABLE y; --', "a\0b", '""'])
def test_what_is_no_name_is_refused(table: str) -> None:
    with pytest.raises(CellFailed, match="is no name of a table"):
        named(table)


def test_a_table_or_a_query_not_both() -> None:
    assert select_of("t", "", PG) == 'SELECT * FROM "t"'
    assert select_of("", "SELECT 1 -- one", PG) == "SELECT * FROM (\nSELECT 1 -- one\n) q"
    for table, query in (("", ""), ("t", "SELECT 1")):
        with pytest.raises(CellFailed, match="either a table or a query"):
            select_of(table, query, PG)


@pytest.mark.parametrize(
    "query",
    ["SELECT 1", " select 1 ; ", "WITH a AS (SELECT 1) SELECT * FROM a", "SELECT 1 UNION SELECT 2", "(SELECT 1)"],
)
def test_one_query_is_taken_as_it_is(query: str) -> None:
    assert one_query(query, PG) == query.strip().rstrip(";").rstrip()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT 1; SELECT 2", "has 2 statements"),
        ("SELECT 1; DROP TABLE x", "has 2 statements"),
        (";", "has 0 statements"),
        ("DELETE FROM x", "DELETE is not allowed"),
        ("UPDATE x SET a = 1", "UPDATE is not allowed"),
        ("INSERT INTO x SELECT 1", "INSERT is not allowed"),
        ("DROP TABLE x", "DROP is not allowed"),
        ("TRUNCATE x", "TRUNCATE is not allowed"),
        ("COPY x TO '/tmp/x'", "COPY is not allowed"),
        ("SET role postgres", "SET is not allowed"),
        ("SELECT 1 INTO x", "INTO is not allowed"),
        ("WITH a AS (DELETE FROM x RETURNING *) SELECT * FROM a", "DELETE is not allowed"),
    ],
)
def test_what_is_no_query_is_refused(query: str, said: str) -> None:
    with pytest.raises(CellFailed, match=said):
        one_query(query, PG)
