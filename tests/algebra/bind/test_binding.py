"""Names of a query mean what the scope says; what can't be taken apart is kept as text."""

from __future__ import annotations

from tests.algebra.bind.tables import SCOPE
from trailbook.algebra.bind import bind
from trailbook.algebra.expressions import ref
from trailbook.algebra.plan import Filter, Named, Opaque, Plan, Project, Scan, Schema
from trailbook.algebra.show import show
from trailbook.algebra.traversal import bottom_up
from trailbook.model.artifacts import Column

ONE = (Column(name="one", type="int", nullable=False),)


def test_names_of_tables_and_columns_are_found_in_any_case() -> None:
    assert bind("SELECT A FROM T", SCOPE) == Project(Scan("t", SCOPE["t"]), (Named("A", ref("a")),))


def test_a_plan_of_the_scope_stands_for_its_name() -> None:
    view = bind("SELECT a FROM u WHERE z > 10", SCOPE)
    assert bind("SELECT * FROM v", {"v": view}) is view


def test_the_keys_of_a_scan_of_the_scope_are_kept() -> None:
    scan = Scan("u", SCOPE["u"], keys=(frozenset({"a"}),))
    assert bind("SELECT * FROM u", {"u": scan}) is scan


def test_caveat_functions_stay_calls() -> None:
    text = "SELECT caveat(a, 'why') AS x, has_caveat(a) AS y FROM u WHERE caveat_if(a > 1, z > 2, 'if')"
    assert show(bind(text, SCOPE)).splitlines()[:2] == [
        "Project x := caveat(a, 'why'), y := has_caveat(a)",
        "  Filter caveat_if(a > 1, z > 2, 'if')",
    ]


def test_a_chain_of_a_thousand_datasets_is_bound() -> None:
    plan: Plan = Scan("u", SCOPE["u"])
    for number in range(1000):
        plan = bind(f"SELECT a + {number} AS a, z FROM d WHERE z > {number}", {"d": plan})
    assert len(bottom_up(plan)) == 2001
    assert [column.type for column in plan.schema] == ["int", "int"]


def described(plan: Opaque) -> Schema:
    return ONE


def test_only_the_query_that_nobody_understands_is_opaque() -> None:
    text = "SELECT one FROM (WITH RECURSIVE r(n) AS (SELECT a FROM u UNION ALL SELECT n FROM r) SELECT 1 AS one FROM r)"
    plan = bind(text, SCOPE, described)
    opaque = Opaque(
        "WITH RECURSIVE r(n) AS (SELECT a FROM u UNION ALL SELECT n FROM r) SELECT 1 AS one FROM r",
        (("u", Scan("u", SCOPE["u"])),),
        ONE,
    )
    assert plan == opaque


def test_a_common_table_expression_is_an_input_of_an_opaque_query() -> None:
    text = "WITH q AS (SELECT a FROM u WHERE a > 1) SELECT 1 AS x UNION ALL (SELECT rand() AS r, r FROM q)"
    opaque = next(node for node in bottom_up(bind(text, SCOPE, described)) if isinstance(node, Opaque))
    assert opaque.text == "SELECT rand() AS r, r FROM q"
    assert opaque.tables == (("q", bind("SELECT a FROM u WHERE a > 1", SCOPE)),)


def test_a_sample_is_opaque_with_the_columns_of_its_table() -> None:
    plan = bind("SELECT a FROM u TABLESAMPLE (50 PERCENT) WHERE a > 1", SCOPE)
    assert isinstance(plan, Project)
    assert isinstance(plan.input, Filter)
    assert plan.input.input == Opaque(
        "SELECT * FROM u TABLESAMPLE (50 PERCENT)", (("u", Scan("u", SCOPE["u"])),), SCOPE["u"]
    )


def test_an_alias_of_a_random_value_is_not_computed_twice() -> None:
    plan = bind("SELECT rand() AS r, r - r AS zero FROM u", SCOPE, described)
    assert isinstance(plan, Opaque)


def test_nesting_beyond_the_parser_is_left_to_spark() -> None:
    plan = bind("SELECT " + "(" * 5000 + "1" + ")" * 5000, SCOPE, described)
    assert isinstance(plan, Opaque)
    assert plan.columns == ONE
