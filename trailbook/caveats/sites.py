"""The places in an expression where caveats are raised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from trailbook.algebra.expressions import FALSE, TRUE, Expr, both, call, negated
from trailbook.caveats.marks import function_name


@dataclass(frozen=True)
class Site:
    """A call of `caveat` or `caveat_if`; it is made where `reached` is true."""

    call: exp.Anonymous
    reached: Expr

    @property
    def raised(self) -> Expr:
        """Where it raises a caveat."""
        if function_name(self.call) == "caveat":
            return self.reached
        return both(self.reached, call("coalesce", self.call.expressions[1], TRUE))

    @property
    def message(self) -> Expr:
        at = 1 if function_name(self.call) == "caveat" else 2
        message: Expr = self.call.expressions[at]
        return message

    @property
    def id(self) -> Expr | None:
        at = 2 if function_name(self.call) == "caveat" else 3
        return self.call.expressions[at] if len(self.call.expressions) > at else None


def sites(expr: Expr, reached: Expr = TRUE) -> Iterator[Site]:
    """The places in this expression, those inside others, too."""
    if function_name(expr) in ("caveat", "caveat_if"):
        assert isinstance(expr, exp.Anonymous)
        yield Site(expr, reached)
    if isinstance(expr, exp.Case):
        yield from _in_case(expr, reached)
        return
    for child in expr.iter_expressions():
        yield from sites(child, reached)


def _in_case(expr: exp.Case, reached: Expr) -> Iterator[Site]:
    for branch in expr.args["ifs"]:
        condition = branch.this if expr.this is None else exp.EQ(this=expr.this, expression=branch.this)
        taken = call("coalesce", condition, FALSE)
        yield from sites(branch.this, reached)
        yield from sites(branch.args["true"], both(reached, taken))
        reached = both(reached, negated(taken))
    default = expr.args.get("default")
    if default is not None:
        yield from sites(default, reached)
