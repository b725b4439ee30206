"""Which expressions may be computed twice, or elsewhere, and still give the same."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.functions import lookup


def is_deterministic(expr: Expr) -> bool:
    """Whether the value follows from the row, or for an aggregate from the rows whatever their order."""
    return all(_is_repeatable(call.name) for call in expr.find_all(exp.Anonymous))


def _is_repeatable(name: str) -> bool:
    function = lookup(name)
    return function is not None and function.deterministic and not function.order_dependent
