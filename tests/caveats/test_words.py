"""A place is told in the words of the query: the same while its text and source are, another one if they differ."""

from __future__ import annotations

import re

import pytest

from tests.caveats.test_acknowledged import listed
from trailbook.algebra.bind import bind
from trailbook.caveats.instrument import trace
from trailbook.model.acknowledged import Acknowledged
from trailbook.model.artifacts import Column

T = (
    Column(name="id", type="int", nullable=False),
    Column(name="v", type="string"),
    Column(name="w", type="string"),
    Column(name="n", type="int"),
    Column(name="items", type="array<string>"),
)
SCOPE = {"t": T, "u": T}


def places(query: str, *acknowledged: Acknowledged) -> list[str]:
    plan = bind(query, SCOPE, lambda opaque: T)
    return [one.place for one in listed(trace(plan, {}, acknowledged), plan)]


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("SELECT CAST(v AS int) AS x FROM t", "CAST(t.v AS INT)"),
        ("SELECT CAST(max(v) AS int) AS x FROM t", "CAST(max(t.v) AS INT)"),
        ("SELECT sum(id) / sum(n - n) AS x FROM t", "sum(t.id) / sum(t.n - t.n)"),
        ("SELECT caveat(sum(id), 'm') AS x FROM t GROUP BY v", "caveat(sum(t.id) BY t.v, 'm')"),
        ("SELECT CAST(x AS int) AS y FROM (SELECT concat(v, w) AS x FROM t)", "CAST(concat(t.v, t.w) AS INT)"),
        ("SELECT CAST(x AS int) AS y FROM (SELECT caveat(v, 'm') AS x FROM t)", "CAST(t.v AS INT)"),
        ("SELECT CAST(v AS int) AS y FROM (SELECT v FROM t UNION ALL SELECT w FROM u)", "CAST((t.v or u.w) AS INT)"),
        ("SELECT CAST(x AS int) AS y FROM t LATERAL VIEW explode(items) e AS x", "CAST(explode(t.items) AS INT)"),
        ("SELECT CAST(x AS int) AS y FROM VALUES ('1'), ('b') AS s(x)", "CAST(VALUES ('1', 'b') AS INT)"),
        ("SELECT 1 / (id - 1) AS y FROM range(3)", "1 / (range(0, 3, 1) - 1)"),
        ("SELECT CAST((SELECT max(v) FROM u WHERE u.id = t.id) AS int) AS y FROM t", "CAST(max(u.v) BY u.id AS INT)"),
        ("SELECT 1 / CAST((EXISTS (SELECT 1 FROM u)) AS int) AS y FROM t", "1 / CAST(EXISTS (u) AS INT)"),
        (
            "SELECT 1 / CAST((EXISTS (SELECT 1 FROM u WHERE n > 3)) AS int) AS y FROM t",
            "1 / CAST(EXISTS (u.n > 3) AS INT)",
        ),
        ("SELECT 1 / x AS y FROM (SELECT id AS x FROM t EXCEPT SELECT n FROM u)", "1 / (t.id EXCEPT u.n)"),
        ("SELECT (n / n) / id AS y FROM t", "(t.n / t.n) / t.id"),
        ("SELECT first(CAST(v AS int)) AS y FROM t", "first(CAST(t.v AS INT)) depends on the order of rows"),
        ("SELECT id FROM t LIMIT 1", "LIMIT 1 without ORDER BY takes any rows of t"),
        (
            "SELECT id FROM t JOIN u USING (id) LIMIT 1",
            "LIMIT 1 without ORDER BY takes any rows of t, u WHERE t.id = u.id",
        ),
        (
            "SELECT id FROM t ORDER BY CAST(v AS int) DESC LIMIT 1",
            "rows that tie for the last place of ORDER BY CAST(t.v AS INT) DESC LIMIT 1",
        ),
        (
            "SELECT row_number() OVER (PARTITION BY v ORDER BY 1 / n) AS y FROM t",
            "row_number() OVER (PARTITION BY t.v ORDER BY 1 / t.n) may order rows that tie in any way",
        ),
        (
            "SELECT * FROM t TABLESAMPLE (50 PERCENT)",
            "the query can't be seen through: SELECT * FROM t TABLESAMPLE (50 PERCENT)",
        ),
    ],
)
def test_a_place_is_told_with_the_tables_that_it_is_about(query: str, place: str) -> None:
    assert place in places(query)


@pytest.mark.parametrize(
    ("query", "other"),
    [
        ("SELECT CAST(v AS int) AS x FROM t", "SELECT CAST(v AS int) AS x FROM u"),
        ("SELECT CAST(max(v) AS int) AS x FROM t", "SELECT CAST(max(w) AS int) AS x FROM t"),
        ("SELECT sum(id) / sum(n - n) AS x FROM t", "SELECT sum(n) / sum(id - id) AS x FROM t"),
        ("SELECT caveat(sum(id), 'm') AS x FROM t", "SELECT caveat(sum(n), 'm') AS x FROM t"),
        (
            "SELECT CAST(t.v AS int) AS x FROM t JOIN u ON t.id = u.id",
            "SELECT CAST(u.v AS int) AS x FROM u JOIN t ON t.id = u.id",
        ),
        ("SELECT id FROM t LIMIT 1", "SELECT id FROM u LIMIT 1"),
        ("SELECT id FROM t ORDER BY v LIMIT 1", "SELECT id FROM u ORDER BY v LIMIT 1"),
        ("SELECT first(v) AS x FROM t", "SELECT first(v) AS x FROM u"),
        ("SELECT id FROM t WHERE n > 1 ORDER BY v LIMIT 1", "SELECT id FROM t ORDER BY v LIMIT 1"),
        ("SELECT id FROM t WHERE n > 1 LIMIT 1", "SELECT id FROM t WHERE n > 2 LIMIT 1"),
        (
            "SELECT 1 / x AS y FROM (SELECT id AS x FROM t UNION ALL SELECT n FROM u)",
            "SELECT 1 / x AS y FROM (SELECT id AS x FROM t INTERSECT SELECT n FROM u)",
        ),
        (
            "SELECT caveat(EXISTS (SELECT 1 FROM u), 'm') AS x FROM t",
            "SELECT caveat(EXISTS (SELECT 1 FROM u WHERE u.id > 3), 'm') AS x FROM t",
        ),
        (
            "SELECT CAST((SELECT max(v) FROM u) AS int) AS x FROM t",
            "SELECT CAST((SELECT max(v) FROM u WHERE w = 'x') AS int) AS x FROM t",
        ),
        (
            "SELECT CAST((SELECT max(v) FROM u) AS int) AS x FROM t",
            "SELECT CAST((SELECT max(v) FROM u WHERE u.id = t.id) AS int) AS x FROM t",
        ),
        (
            f"SELECT 1 / x AS y FROM (SELECT CASE WHEN v = '{'a' * 100}' THEN n ELSE 1 END AS x FROM t)",
            f"SELECT 1 / x AS y FROM (SELECT CASE WHEN v = '{'a' * 100}' THEN n ELSE 2 END AS x FROM t)",
        ),
    ],
)
def test_another_source_is_another_place(query: str, other: str) -> None:
    acknowledged = [Acknowledged(place=place) for place in places(query)]
    assert acknowledged
    assert not places(query, *acknowledged)
    assert places(other, *acknowledged) == places(other)


@pytest.mark.parametrize(
    "other",
    [
        "select cast( v as INT ) as y from T",
        "SELECT t.id, CAST(u.w AS int) AS w, CAST(t.v AS int) AS x FROM u JOIN t ON t.id = u.id WHERE t.n > 1",
        "WITH q AS (SELECT v AS word FROM t AS a) SELECT id, CAST(word AS int) AS x FROM q CROSS JOIN u",
        "SELECT sum(CAST(v AS int)) AS x FROM t GROUP BY w",
    ],
)
def test_a_place_stays_the_same_when_other_parts_of_the_query_change(other: str) -> None:
    assert "CAST(t.v AS INT)" in places(other)


def test_a_frame_of_all_rows_has_no_order_that_could_matter() -> None:
    frame = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
    assert places(f"SELECT sum(caveat(n, 'm')) OVER (ORDER BY id {frame}) AS x FROM t") == ["caveat(t.n, 'm')"]


def test_what_is_long_is_told_by_a_name_and_a_digest() -> None:
    text = "v"
    for _ in range(6):
        text = f"concat({text}, {text})"
    (place,) = places(f"SELECT CAST(x AS int) AS y FROM (SELECT max({text}) AS x FROM t)")
    assert re.fullmatch(r"CAST\(x~[0-9a-f]{8} AS INT\)", place)
