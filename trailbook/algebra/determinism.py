"""Which expressions and plans may be computed twice, or elsewhere, and still give the same."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.clock import is_word_of_the_clock
from trailbook.algebra.expressions import Expr
from trailbook.algebra.functions import lookup
from trailbook.algebra.mapping import expressions_of
from trailbook.algebra.plan import Limit, Opaque, Plan, Window
from trailbook.algebra.traversal import bottom_up


def is_deterministic(expr: Expr) -> bool:
    """Whether the value follows from the row, or for an aggregate from the rows whatever their order."""
    return all(map(_is_the_same_twice, expr.find_all(exp.Anonymous, exp.Literal)))


def is_repeatable(plan: Plan) -> bool:
    """Whether the rows are the same each time they are computed, as far as one can see."""
    return all(map(_gives_the_same, bottom_up(plan)))


def _gives_the_same(operator: Plan) -> bool:
    if isinstance(operator, Limit | Opaque | Window):
        return False
    return all(map(is_deterministic, expressions_of(operator)))


def _is_the_same_twice(node: Expr) -> bool:
    if not isinstance(node, exp.Anonymous):
        # Spark looks at the clock once for each of them, wherever it makes a moment of a text.
        return not is_word_of_the_clock(node)
    function = lookup(node.name)
    return function is not None and function.deterministic and not function.order_dependent
