"""What the text says and nobody here reads is left to Spark: nothing is dropped."""

from __future__ import annotations

import pytest

from tests.algebra.bind.tables import SCOPE
from trailbook.algebra.bind import bind
from trailbook.algebra.plan import Opaque, Project

UNREAD = """
    SELECT x:a FROM (SELECT parse_json(b) AS x FROM t)
    SELECT sum(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) FROM u
    SELECT sum(a) OVER (w ROWS 1 PRECEDING) FROM u WINDOW w AS (ORDER BY a)
    SELECT * REPLACE (1 AS a) FROM u
    SELECT * RENAME (a AS b) FROM u
    SELECT * ILIKE 'a%' FROM u
    SELECT DISTINCT ON (a) a FROM u
    SELECT a FROM u GROUP BY a WITH TOTALS
    SELECT a FROM u LIMIT 50 PERCENT
    SELECT a FROM u LIMIT 1, 2
    SELECT a FROM u LIMIT 2 BY a
    SELECT a FROM u FETCH FIRST 1 ROWS WITH TIES
    SELECT a FROM u FETCH FIRST 10 PERCENT ROWS ONLY
    SELECT a FROM u ORDER BY a WITH FILL
    SELECT a FROM u WHERE a BETWEEN SYMMETRIC 2 AND 1
    SELECT u.a FROM u ASOF JOIN w ON u.a >= w.a
    SELECT * FROM u STRAIGHT_JOIN w
    SELECT u.a FROM u OUTER APPLY explode(array(1))
    SELECT u.a FROM u OUTER APPLY (SELECT 1 FROM w) AS x
    SELECT xs[1:2] FROM t
    SELECT TIME'10:00:00'
    SELECT CAST(b AS TIME) FROM t
    SELECT CAST(array(b) AS ARRAY<TIME>) FROM t
    SELECT * EXCEPT (s.f) FROM t
    SELECT a, grouping__id FROM u GROUP BY a WITH CUBE
    SELECT user
"""


@pytest.mark.parametrize("text", [line.strip() for line in UNREAD.strip().splitlines()])
def test_a_query_with_a_part_that_is_not_read_is_opaque(text: str) -> None:
    plan = bind(text, SCOPE)
    assert isinstance(plan, Opaque)
    assert plan.text == text


def test_the_query_around_one_with_a_part_that_is_not_read_is_taken_apart() -> None:
    plan = bind("SELECT a + 1 AS b FROM (SELECT * REPLACE (1 AS a) FROM u)", SCOPE, lambda _: SCOPE["u"])
    assert isinstance(plan, Project)
    assert isinstance(plan.input, Opaque)
    assert plan.input.text == "SELECT * REPLACE (1 AS a) FROM u"
