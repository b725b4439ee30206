"""Calls of `caveat` and `caveat_if`: what they say, where they stand, and what of it is acknowledged."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from trailbook.algebra.expressions import FALSE, TRUE, Expr, call, rewrite, text
from trailbook.algebra.print_expression import sql_of

Texts = frozenset[str | None]
"""Messages that are acknowledged at a place; None stands for all of them."""

UNSAID = "no reason is given"
"""In place of a message that is NULL."""

_NOTE = "acknowledged"
_PLACE = "place"
_ORIGIN = "origin"
_ELSEWHERE = "told elsewhere"
_POSITIONS = {"caveat": (None, 1, 2), "caveat_if": (1, 2, 3)}
"""Where the condition, the message and the id are among the arguments."""


@dataclass(frozen=True)
class CaveatCall:
    """A call that raises a caveat about its value where its condition is not false."""

    node: exp.Anonymous
    value: Expr
    condition: Expr
    message: Expr
    id: Expr | None

    @property
    def is_in_lambda(self) -> bool:
        return self.node.find_ancestor(exp.Lambda) is not None

    @property
    def place(self) -> str:
        """The text that names the place, as long as the query is the same."""
        written = place_of(self.node)
        return f"{written} in a lambda" if self.is_in_lambda else written

    @property
    def origin(self) -> str | None:
        """The named query that the call is of, if it is of one."""
        found: str | None = self.node.meta.get(_ORIGIN)
        return found

    def accepts(self, texts: Texts) -> Expr:
        """Whether a caveat that is raised here is acknowledged, if these texts are."""
        if not texts or None in texts:
            return TRUE if texts else FALSE
        shown = self.shown
        if isinstance(shown, exp.Literal):
            return TRUE if shown.this in texts else FALSE
        return exp.In(this=shown, expressions=[text(one) for one in texts if one is not None])

    @property
    def shown(self) -> Expr:
        """The message as people see it."""
        if isinstance(self.message, exp.Literal):
            return text(self.message.name)
        return call("coalesce", exp.Cast(this=self.message, to=exp.DataType.build("string")), text(UNSAID))


def caveat_call(expr: Expr) -> CaveatCall | None:
    """The call, if this is one."""
    positions = _POSITIONS.get(expr.name.lower()) if isinstance(expr, exp.Anonymous) else None
    if positions is None:
        return None
    assert isinstance(expr, exp.Anonymous)
    condition, message, id = positions
    arguments = expr.expressions
    return CaveatCall(
        node=expr,
        value=arguments[0],
        condition=TRUE if condition is None else arguments[condition],
        message=arguments[message],
        id=arguments[id] if len(arguments) > id else None,
    )


def without_caveats(expr: Expr) -> Expr:
    """The expression with the values that caveats are raised about in place of the calls that raise them."""

    def value(node: Expr) -> Expr:
        found = caveat_call(node)
        return found.value if found else node

    return rewrite(expr, value)


def stands_for(made: Expr, written: str) -> Expr:
    """Something that was put in place of what the query has, whose text names the place."""
    made.meta[_PLACE] = written
    return made


def place_of(node: Expr) -> str:
    """The text that names the place where this stands."""
    return given_place(node) or sql_of(node)


def given_place(node: Expr) -> str | None:
    """The same, if it was said by `stands_for`."""
    written: str | None = node.meta.get(_PLACE)
    return written


def told_elsewhere(expr: Expr) -> Expr:
    """A cast or call that raises nothing where it fails: what is around it knows that, and says more."""
    expr.meta[_ELSEWHERE] = True
    return expr


def is_told_elsewhere(expr: Expr) -> bool:
    return bool(expr.meta.get(_ELSEWHERE))


def belonging_to(name: str, expr: Expr) -> Expr:
    """The expression as one of the query `name`, where it is not of another one already."""
    copy = expr.copy()
    for node in copy.walk():
        node.meta.setdefault(_ORIGIN, name)
    return copy


def accepted(node: Expr) -> Texts:
    """What is acknowledged of the caveats that this call raises, or is in itself."""
    found: Texts = node.meta.get(_NOTE, frozenset())
    return found


def accept(node: Expr, texts: Texts) -> None:
    """Note what is acknowledged. Notes are no part of an expression's text, and copies keep them."""
    node.meta[_NOTE] = texts
