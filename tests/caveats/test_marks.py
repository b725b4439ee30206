"""The marks of expressions that the interpreter of plans does not run."""

from __future__ import annotations

import pytest
from sqlglot import exp

from trailbook.algebra.bind import bind
from trailbook.algebra.expressions import FALSE, is_null, negated, ref
from trailbook.algebra.plan import Project, Scan
from trailbook.caveats.marks import Marker
from trailbook.caveats.raising import raise_caveats
from trailbook.model.artifacts import Column

TABLE = Scan("t", (Column(name="a", type="int"), Column(name="b", type="int"), Column(name="s", type="string")))


def mark(expression: str) -> exp.Expr:
    """Where b is marked, as the column `doubt` says."""
    plan = raise_caveats(bind(f"SELECT {expression} AS x FROM t", {"t": TABLE}))
    assert isinstance(plan, Project)
    return Marker({"b": ref("doubt")}, TABLE.schema).mark(plan.columns[0].expr)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("transform(array(1, 2), x -> x + b)", ref("doubt")),
        ("filter(array(1, 2), x -> x > b AND x > a)", ref("doubt")),
        ("transform(array(a, 2), x -> x + a)", FALSE),
        ("transform(split(s, ','), x -> CAST(x AS int))", negated(is_null(ref("s")))),
    ],
)
def test_a_lambda_is_marked_as_a_whole(expression: str, expected: exp.Expr) -> None:
    assert mark(expression) == expected
