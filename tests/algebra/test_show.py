"""The tree of each operator."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.support.small_tables import SCOPE
from trailbook.algebra.bind import bind
from trailbook.algebra.expressions import TRUE
from trailbook.algebra.plan import Filter, Opaque, Plan, Scan, Union
from trailbook.algebra.show import show

TREES = [
    (
        "SELECT a + 1 AS x, b FROM t WHERE a IN (1, 2) ORDER BY x DESC LIMIT 3 OFFSET 1",
        """
        Limit 3 after 1
          Sort x DESC
            Project x := a + 1, b
              Filter a IN (1, 2)
                Scan t(a, b, c)
        """,
    ),
    (
        "SELECT a, sum(b) AS s FROM t GROUP BY ROLLUP (a)",
        """
        Aggregate by a in sets (a), () of s := sum(b)
          Scan t(a, b, c)
        """,
    ),
    (
        "SELECT a, EXISTS (SELECT 1 FROM u WHERE d = a) OR c AS found FROM t",
        """
        Project a, found := `exists` OR c
          Existence `exists` on d = a
            Scan t(a, b, c)
            Project `1` := 1, d
              Scan u(d, e)
        """,
    ),
    (
        "SELECT a FROM t EXCEPT ALL SELECT d FROM u",
        """
        Except all
          Project a
            Scan t(a, b, c)
          Project d
            Scan u(d, e)
        """,
    ),
    (
        "SELECT a, x FROM t LATERAL VIEW OUTER explode(array(a, b)) AS x",
        """
        Project a, x
          Generate outer x := explode(array(a, b))
            Scan t(a, b, c)
        """,
    ),
    (
        "SELECT DISTINCT x FROM (VALUES (1), (NULL)) AS v(x)",
        """
        Distinct
          Project x := col1
            Values(col1) (1), (NULL)
        """,
    ),
]


@pytest.mark.parametrize(("query", "tree"), TREES, ids=[query for query, _ in TREES])
def test_a_query_is_shown_as(query: str, tree: str) -> None:
    assert show(bind(query, SCOPE)) == dedent(tree).strip()


def test_what_is_used_twice_is_shown_once() -> None:
    twice = Filter(Scan("t", SCOPE["t"]), TRUE)
    assert show(Union((twice, twice))) == "Union\n  #1 Filter TRUE\n    Scan t(a, b, c)\n  #1 again"


def test_the_text_of_an_opaque_query_is_on_its_line() -> None:
    plan = Opaque("SELECT *\nFROM t", (("t", Scan("t", SCOPE["t"])),), SCOPE["t"])
    assert show(plan) == "Opaque(t) SELECT * FROM t\n  Scan t(a, b, c)"


def test_a_plan_of_any_depth_can_be_shown() -> None:
    plan: Plan = Scan("t", SCOPE["t"])
    for _ in range(2000):
        plan = Filter(plan, TRUE)
    assert show(plan).count("Filter") == 2000
