"""What a rewrite must not move or repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from sqlglot import exp

from trailbook.algebra.determinism import is_deterministic
from trailbook.algebra.expressions import Expr

CAVEATS = ("caveat", "caveat_if", "has_caveat")


def is_movable(expr: Expr) -> bool:
    """Whether the expression may be computed elsewhere: it gives the same there, and raises no caveat."""
    return is_deterministic(expr) and not speaks_of_caveats(expr)


def speaks_of_caveats(expr: Expr) -> bool:
    # What has_caveat says depends on how precise the marks are, and that may differ from place to place.
    return any(call.name.lower() in CAVEATS for call in expr.find_all(exp.Anonymous))


def is_plain(expr: Expr) -> bool:
    """Whether computing it costs nothing: a column or a constant."""
    return isinstance(expr, exp.Column | exp.Literal | exp.Boolean | exp.Null)


def can_inline(columns: Mapping[str, Expr], exprs: Sequence[Expr]) -> bool:
    """Whether the columns can be replaced by what they stand for, without computing anything twice."""
    uses = Counter(column.name for expr in exprs for column in expr.find_all(exp.Column))
    return all(
        is_plain(columns[name]) or (count == 1 and is_movable(columns[name])) for name, count in uses.items()
    ) and not any(speaks_of_caveats(expr) for expr in exprs)
