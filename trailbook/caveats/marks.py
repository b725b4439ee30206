"""Which expressions can change when marked values do, under SQL's three-valued logic. A mark is never NULL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from trailbook.algebra.determinism import is_deterministic
from trailbook.algebra.expressions import (
    FALSE,
    TRUE,
    Expr,
    both,
    call,
    is_false,
    is_null,
    is_true,
    names_in,
    negated,
    ref,
    rewrite,
    when,
)
from trailbook.algebra.types import type_of
from trailbook.caveats.bits import any_mark
from trailbook.caveats.calls import CaveatCall, accepted, caveat_call
from trailbook.caveats.strictness import STRICT, is_strict, is_unseen, strict_operands
from trailbook.model.artifacts import Column


@dataclass(frozen=True)
class Marker:
    """The marks of expressions over columns with these marks."""

    marks: Mapping[str, Expr]
    schema: Sequence[Column]

    def mark(self, expr: Expr) -> Expr:
        """A condition that is true wherever the value of `expr` can differ between worlds."""
        if isinstance(expr, exp.Column):
            return self.marks.get(expr.name, FALSE)
        if isinstance(expr, exp.And | exp.Or):
            return self._connective(expr)
        if isinstance(expr, exp.Case):
            return self._case(expr)
        if isinstance(expr, exp.Anonymous):
            return self._call(expr)
        if isinstance(expr, STRICT):
            return self._strict(expr)
        if isinstance(expr, exp.Lambda):
            return self._lambda(expr)
        return self._any(_children(expr))

    def value(self, expr: Expr) -> Expr:
        """The expression as it runs: doubts are not raised in it any more, and `has_caveat` is its mark."""

        def told(node: Expr) -> Expr:
            return self.mark(node.expressions[0]) if function_name(node) == "has_caveat" else node

        def plain(node: Expr) -> Expr:
            value: Expr = node.expressions[0] if function_name(node) in ("caveat", "caveat_if") else node
            return value

        # What is asked about doubts is told first: afterwards none are raised any more.
        return rewrite(rewrite(expr, told), plain) if speaks_of_caveats(expr) else expr

    def possibly(self, condition: Expr) -> Expr:
        """Whether the condition is true in some world; NULL if not, at times."""
        return self._in_some_world(condition, wanted=True)

    def certainly(self, condition: Expr) -> Expr:
        """Whether the condition, which is true here, is so in every world."""
        if isinstance(condition, exp.And):
            return both(self.certainly(condition.this), self.certainly(condition.expression))
        if isinstance(condition, exp.Or):
            sides = (condition.this, condition.expression)
            certain = [both(self.holds(self.value(side)), self.certainly(side)) for side in sides]
            return any_mark(self._rests_on_certain_columns(condition), *certain)
        return negated(self.mark(condition))

    def _rests_on_certain_columns(self, condition: Expr) -> Expr:
        """Which settles most rows sooner than a closer look; unless a doubt is raised in the condition itself."""
        if not is_false(Marker({}, self.schema).mark(condition)):
            return FALSE
        return negated(any_mark(*(self.mark(ref(name)) for name in sorted(names_in(condition)))))

    def _in_some_world(self, condition: Expr, wanted: bool) -> Expr:
        if isinstance(condition, exp.Not):
            return self._in_some_world(condition.this, not wanted)
        if isinstance(condition, exp.And | exp.Or):
            sides = [self._in_some_world(s, wanted) for s in (condition.this, condition.expression)]
            return both(*sides) if isinstance(condition, exp.And) == wanted else any_mark(*sides)
        value, mark = self.value(condition), self.mark(condition)
        if is_true(mark):
            return TRUE
        base = value if wanted else negated(value)
        return base if is_false(mark) else any_mark(mark, base)

    def _connective(self, expr: exp.And | exp.Or) -> Expr:
        """FALSE decides an AND, TRUE an OR, if it is certain."""
        sides = [expr.this, expr.expression]
        marks = [self.mark(side) for side in sides]
        if marks[0] == marks[1]:
            return marks[0]
        decides = (lambda v: self.holds(negated(v))) if isinstance(expr, exp.And) else self.holds
        return self._unless(sides, marks, decides)

    def _strict(self, expr: Expr) -> Expr:
        """A certain NULL decides, however deep it lies."""
        operands = list(dict.fromkeys(strict_operands(expr)))
        marks = [self.mark(operand) for operand in operands]
        if len(set(marks)) == 1:
            return marks[0]
        return self._unless(operands, marks, lambda v: is_null(v) if self.nullable(v) else FALSE)

    def _unless(self, operands: Sequence[Expr], marks: Sequence[Expr], decides: Callable[[Expr], Expr]) -> Expr:
        """Some operand is marked, and none that is not decides the result."""
        found = any_mark(*marks)
        if is_false(found):
            return FALSE
        values = [self.value(operand) for operand in operands]
        decided = [
            both(negated(mark), decides(value))
            for value, mark in zip(values, marks, strict=True)
            if not is_true(mark) and is_deterministic(value)
        ]
        return both(found, *(negated(d) for d in decided))

    def _case(self, expr: exp.Case) -> Expr:
        """The first condition that is in doubt, or else the branch that is taken."""
        searched = _searched(expr)
        if not all(is_deterministic(branch.this) for branch in searched):
            # To ask again might give another answer than the one that the value was chosen by.
            return self._any([part for branch in searched for part in _children(branch)] + _default(expr))
        branches: list[tuple[Expr, Expr]] = []
        for branch in searched:
            branches.append((self.mark(branch.this), TRUE))
            branches.append((self.value(branch.this), self.mark(branch.args["true"])))
        return when(*branches, otherwise=self._any(_default(expr)))

    def _call(self, expr: exp.Anonymous) -> Expr:
        name, arguments = function_name(expr), expr.expressions
        raising = caveat_call(expr)
        if raising:
            return self._caveat(raising)
        if name == "has_caveat":
            return FALSE
        if name == "coalesce":
            return self._coalesce(arguments)
        if is_unseen(expr):
            return TRUE
        return self._strict(expr) if is_strict(expr) else self._any(arguments)

    def _caveat(self, raising: CaveatCall) -> Expr:
        """What is acknowledged marks nothing of its own, also if the doubt is what the value is."""
        accepts = raising.accepts(accepted(raising.node))
        if is_true(accepts):
            return self._any(raising.value.expressions if is_unseen(raising.value) else [raising.value])
        raised = self.value(raising.condition)
        if not is_deterministic(raised):
            raised = TRUE
        elif self.nullable(raised):
            raised = call("coalesce", raised, TRUE)
        raised = any_mark(self.mark(raising.condition), raised)
        if not is_false(accepts):
            raised = when((raised, negated(self.value(accepts))), otherwise=FALSE)
        return any_mark(self.mark(raising.value), raised)

    def _coalesce(self, arguments: Sequence[Expr]) -> Expr:
        if not all(map(is_deterministic, arguments)):
            return self._any(arguments)
        mark = self.mark(arguments[-1])
        for argument in reversed(arguments[:-1]):
            taken = negated(is_null(self.value(argument)))
            mark = when((self.mark(argument), TRUE), (taken, FALSE), otherwise=mark)
        return mark

    def _lambda(self, expr: exp.Lambda) -> Expr:
        """As a whole: what a mark inside says of the lambda's variables means nothing outside."""
        raised = Marker({}, self.schema).mark(expr.this)
        return self._any([ref(name) for name in sorted(names_in(expr))]) if is_false(raised) else TRUE

    def _any(self, exprs: Sequence[Expr]) -> Expr:
        return any_mark(*(self.mark(expr) for expr in exprs))

    def holds(self, condition: Expr) -> Expr:
        """The condition with NULL as false."""
        return call("coalesce", condition, FALSE) if self.nullable(condition) else condition

    def nullable(self, expr: Expr) -> bool:
        """Whether it may be NULL here; an operator that is strict is, if an operand is."""
        if isinstance(expr, STRICT):
            return any(self.nullable(operand) for operand in strict_operands(expr))
        if isinstance(expr, exp.Literal | exp.Boolean | exp.Interval | exp.Lambda):
            return False
        if isinstance(expr, exp.Cast) and not isinstance(expr, exp.TryCast):
            return self.nullable(expr.this)
        if isinstance(expr, exp.And | exp.Or):
            return self.nullable(expr.this) or self.nullable(expr.expression)
        return self.nullable(expr.this) if isinstance(expr, exp.Not) else type_of(expr, self.schema)[1]


def function_name(expr: Expr) -> str:
    """The name of a function that is called, or nothing."""
    return str(expr.this).lower() if isinstance(expr, exp.Anonymous) else ""


def speaks_of_caveats(expr: Expr) -> bool:
    """Whether it raises caveats, or asks for them."""
    return any(function_name(node) in ("caveat", "caveat_if", "has_caveat") for node in expr.find_all(exp.Anonymous))


def _searched(expr: exp.Case) -> list[exp.If]:
    """The branches of CASE x WHEN … as those of CASE WHEN x = …."""
    operand = expr.this
    if operand is None:
        return list(expr.args["ifs"])
    return [
        exp.If(this=exp.EQ(this=operand, expression=branch.this), true=branch.args["true"])
        for branch in expr.args["ifs"]
    ]


def _default(expr: exp.Case) -> list[Expr]:
    return [expr.args["default"]] if expr.args.get("default") else []


def _children(expr: Expr) -> list[Expr]:
    return list(expr.iter_expressions())
