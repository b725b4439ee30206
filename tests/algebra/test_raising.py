from __future__ import annotations

from random import Random

import pytest

from tests.algebra.sampling import ENDS, FORMS, described, ends_of, failing, filled, parsed
from tests.algebra.test_types import SCHEMA
from trailbook.algebra.print_expression import sql_of
from trailbook.algebra.raising import may_raise
from trailbook.algebra.types import UNKNOWN, cast_may_fail
from trailbook.engine.engine import Engine
from trailbook.model.artifacts import Column


def test_casts_that_never_fail_do_not_fail(engine: Engine) -> None:
    """At the ends of each type."""
    targets = [*ENDS, "smallint", "decimal(20,0)"]
    wrong = []
    with engine.session() as spark:
        for source in ENDS:
            casts = [f"CAST(a AS {target})" for target in targets if not cast_may_fail(source, target)]
            wrong += failing(spark, described(spark, casts, ends_of(source)), ends_of(source))
    assert wrong == []


@pytest.mark.parametrize(
    ("source", "target", "fails"),
    [
        ("string", "int", True),
        ("string", "string", False),
        ("int", "bigint", False),
        ("bigint", "int", True),
        ("int", "decimal(12,2)", False),
        ("int", "decimal(11,2)", True),
        ("decimal(4,2)", "decimal(3,1)", True),
        ("decimal(4,2)", "decimal(4,1)", False),
        ("decimal(4,2)", "int", False),
        ("double", "int", True),
        ("double", "float", False),
        ("void", "int", False),
        (UNKNOWN, "string", True),
        ("array<int>", "array<tinyint>", True),
        ("map<string,int>", "map<string,bigint>", False),
        ("struct<a:int>", "struct<b:string>", False),
    ],
)
def test_cast(source: str, target: str, fails: bool) -> None:
    assert cast_may_fail(source, target) is fails


def test_what_never_raises_does_not_raise(engine: Engine) -> None:
    """Random expressions over the ends of three types."""
    random, wrong, tried = Random(5), [], 0
    with engine.session() as spark:
        for _ in range(6):
            kinds = random.sample(list(ENDS), 3)
            schema = [Column(name=name, type=kind) for name, kind in zip("abc", kinds, strict=True)]
            exprs = [parsed(filled(form, lambda: random.choice(["a", "b", "c", "1", "'x'"]))) for form in FORMS * 2]
            printed = {sql_of(expr) for expr in exprs if not may_raise(expr, schema)}
            silent = described(spark, sorted(text for text in printed if "flag" not in text), ends_of(*kinds))
            tried += len(silent)
            wrong += failing(spark, silent, ends_of(*kinds))
    assert wrong == []
    assert tried > 100


@pytest.mark.parametrize(
    ("sql", "raises"),
    [
        ("i + 1", True),
        ("-i", True),
        ("price + price", False),
        ("price * price * price * price", True),
        ("CAST(i AS double) * 2", False),
        ("i / 2", False),
        ("i / n", True),
        ("i % 3", False),
        ("i = n", False),
        ("i = s", True),
        ("CAST(s AS int)", True),
        ("try_cast(s AS int)", False),
        ("DATE'2020-01-31' - INTERVAL '90' DAY", False),
        ("d > DATE'2020-01-31'", False),
        ("CAST('2021-02-29' AS date)", True),
        ("CAST(10 AS tinyint)", False),
        ("CASE WHEN i > 1 THEN i ELSE n END", False),
        ("CASE WHEN i > 1 THEN i ELSE 'x' END", True),
        ("coalesce(i, n, 0)", False),
        ("coalesce(i, s)", True),
        ("upper(s) LIKE '%x%' AND i IN (1, 2)", False),
        ("s RLIKE '['", True),
        ("s AND i > 1", True),
        ("year(d) > 2000", False),
        ("year(s) > 2000", True),
        ("sum(i)", True),
        ("sum(CAST(i AS double))", False),
        ("count(*) FILTER (WHERE i > 1)", False),
        ("max(price) OVER (PARTITION BY i ORDER BY d)", False),
        ("items[0]", True),
        ("items[0].id", True),
        ("somebodys_own(i)", True),
        ("only(i)", True),
    ],
)
def test_expression(sql: str, raises: bool) -> None:
    assert may_raise(parsed(sql), SCHEMA) is raises
