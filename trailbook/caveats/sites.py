"""The places in an expression where caveats are raised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from trailbook.algebra.expressions import FALSE, TRUE, Expr, both, call, is_true, names_in, negated
from trailbook.caveats.calls import CaveatCall, Texts, caveat_call


@dataclass(frozen=True)
class Site:
    """A call that raises caveats; it is made where `reached` is true."""

    call: CaveatCall
    reached: Expr

    @property
    def columns(self) -> frozenset[str]:
        """What its caveats rest on."""
        return names_in(self.reached) | names_in(self.call.node)

    @property
    def raised(self) -> Expr:
        """Where it raises a caveat."""
        condition = self.call.condition
        return both(self.reached, condition if is_true(condition) else call("coalesce", condition, TRUE))

    def unaccepted(self, texts: Texts) -> Expr:
        """Where it raises a caveat that is none of these."""
        return both(self.raised, negated(self.call.accepts(texts)))

    def accepted(self, texts: Texts) -> Expr:
        return both(self.raised, self.call.accepts(texts))


def sites(expr: Expr, reached: Expr = TRUE) -> Iterator[Site]:
    """The places in this expression, those inside others, too."""
    found = caveat_call(expr)
    if found:
        yield Site(found, reached)
    if isinstance(expr, exp.Case):
        yield from _in_case(expr, reached)
        return
    for child in expr.iter_expressions():
        yield from sites(child, reached)


def _in_case(expr: exp.Case, reached: Expr) -> Iterator[Site]:
    if expr.this is not None:
        yield from sites(expr.this, reached)
    for branch in expr.args["ifs"]:
        condition = branch.this if expr.this is None else exp.EQ(this=expr.this, expression=branch.this)
        taken = call("coalesce", condition, FALSE)
        yield from sites(branch.this, reached)
        yield from sites(branch.args["true"], both(reached, taken))
        reached = both(reached, negated(taken))
    default = expr.args.get("default")
    if default is not None:
        yield from sites(default, reached)
