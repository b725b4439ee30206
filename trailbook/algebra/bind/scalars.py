"""Expressions of the text made into expressions of plans: names resolved, one form for each meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from sqlglot import exp

from trailbook.algebra.bind.doubt_calls import check_condition, check_doubt_call
from trailbook.algebra.bind.functions import bind_function
from trailbook.algebra.bind.problems import Opaqueness, problem, require_known
from trailbook.algebra.bind.scopes import TYPE, Scope, placed
from trailbook.algebra.bind.stars import is_star, starred
from trailbook.algebra.dialect import SUFFIXED
from trailbook.algebra.expressions import NULL, Expr, both, call, either, negated, text
from trailbook.algebra.types import type_of

Windows = Mapping[str, exp.Window]


class Subqueries(Protocol):
    """Where subqueries go: an expression only has a call that stands for one."""

    def scalar(self, query: Expr, scope: Scope) -> Expr: ...
    def exists(self, query: Expr, scope: Scope) -> Expr: ...
    def member(self, operands: list[Expr], query: Expr, scope: Scope) -> Expr: ...


class Scalars:
    """Binds the expressions of one clause."""

    def __init__(self, scope: Scope, subqueries: Subqueries, windows: Windows | None = None) -> None:
        self.scope = scope
        self._subqueries = subqueries
        self._windows = windows or {}
        self._variables: list[str] = []

    def bind(self, node: Expr) -> Expr:
        handler = HANDLERS.get(type(node))
        return handler(self, node) if handler else self.rebuilt(node)

    def all(self, nodes: list[Expr]) -> list[Expr]:
        """The arguments of a function, with `*` and `t.*` as the columns they stand for."""
        return [bound for node in nodes for bound in self._spread(node)]

    def rebuilt(self, node: Expr) -> Expr:
        """The same kind of node over bound ones."""
        return type(node)(**{key: self._bound(value) for key, value in node.args.items() if value is not None})

    def _spread(self, node: Expr) -> list[Expr]:
        return [expr for _, expr in starred(node, self.scope)] if is_star(node) else [self.bind(node)]

    def _bound(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._bound(item) for item in value]
        return self.bind(value) if isinstance(value, exp.Expr) else value

    def _column(self, node: exp.Column) -> Expr:
        if is_star(node):
            raise problem(f"{node.sql()} is more than one value.", node)
        parts = node.parts
        if parts[0].name.lower() in self._variables:
            found: Expr = exp.Identifier(this=parts[0].name, quoted=False)
            for part in parts[1:]:
                found = exp.Dot(this=found, expression=exp.Identifier(this=part.name, quoted=True))
            return found
        return self.scope.resolve(node)

    def _function(self, node: exp.Anonymous) -> Expr:
        name = node.name.lower()
        check_doubt_call(name, node)
        if name == "count" and any(isinstance(argument, exp.Star) for argument in node.expressions):
            return placed(call("count", exp.Star()), node)
        bound = bind_function(name, node.expressions, self.all)
        if name == "caveat_if":
            check_condition(type_of(bound.expressions[1], self.scope.relation.plan.schema)[0], node)
        return placed(bound, node)

    def _sum(self, node: exp.Add | exp.Sub) -> Expr:
        bound = self.rebuilt(node)
        node.meta[TYPE] = type_of(bound, self.scope.relation.plan.schema)[0]
        return bound

    def _strings(self, node: exp.Concat) -> Expr:
        """'a' 'b' is one text."""
        return text("".join(part.name for part in node.expressions))

    def _cast(self, node: exp.TryCast) -> Expr:
        kind = exp.TryCast if node.args.get("safe") else exp.Cast
        return kind(this=self.bind(node.this), to=node.args["to"].copy())

    def _negative(self, node: exp.Neg) -> Expr:
        """The sign is part of a number with a suffix: without it, the smallest one would be too large."""
        inner = node.this
        if inner.meta.get(SUFFIXED) and not inner.this.is_string:
            return exp.Cast(this=exp.Neg(this=inner.this.copy()), to=inner.args["to"].copy())
        return self.rebuilt(node)

    def _case(self, node: exp.Case) -> Expr:
        subject = self.bind(node.this) if node.this else None
        ifs = []
        for branch in node.args["ifs"]:
            condition = self.bind(branch.this)
            condition = exp.EQ(this=subject.copy(), expression=condition) if subject else condition
            ifs.append(exp.If(this=condition, true=self.bind(branch.args["true"])))
        default = node.args.get("default")
        return exp.Case(ifs=ifs, default=self.bind(default) if default else NULL.copy())

    def _if(self, node: exp.If) -> Expr:
        return self._case(exp.Case(ifs=[node], default=node.args.get("false")))

    def _between(self, node: exp.Between) -> Expr:
        value = self.bind(node.this)
        low, high = self.bind(node.args["low"]), self.bind(node.args["high"])
        return both(exp.GTE(this=value, expression=low), exp.LTE(this=value.copy(), expression=high))

    def _like(self, node: exp.Like | exp.ILike) -> Expr:
        pattern = node.expression
        patterns = pattern.this.expressions if isinstance(pattern.this, exp.Tuple) else [pattern.this]
        if not isinstance(pattern, exp.Any | exp.All):
            patterns = [pattern]
        value, kind = self.bind(node.this), type(node)
        likes: list[Expr] = [kind(this=value.copy(), expression=self.bind(unwrapped(p))) for p in patterns]
        if node.args.get("negate"):
            likes = [negated(like) for like in likes]
        return both(*likes) if isinstance(pattern, exp.All) else either(*likes)

    def _escape(self, node: exp.Escape) -> Expr:
        like = self.bind(node.this)
        if isinstance(like, exp.Not):
            return exp.Not(this=exp.Escape(this=like.this, expression=node.expression.copy()))
        return exp.Escape(this=like, expression=node.expression.copy())

    def _in(self, node: exp.In) -> Expr:
        query = node.args.get("query")
        if query is None and not node.expressions:
            raise Opaqueness
        if query is None:
            return exp.In(this=self.bind(node.this), expressions=[self.bind(e) for e in node.expressions])
        subject = unwrapped(node.this)
        operands = subject.expressions if isinstance(subject, exp.Tuple) else [subject]
        return self._subqueries.member([self.bind(o) for o in operands], query, self.scope)

    def _tuple(self, node: exp.Tuple) -> Expr:
        return bind_function("struct", node.expressions, self.all)

    def _window(self, node: exp.Window) -> Expr:
        window = self.rebuilt(self._named_window(node))
        window.set("over", "OVER")
        return window

    def _frame(self, node: exp.WindowSpec) -> Expr:
        """ROWS or RANGE, in capitals and with both ends."""
        parts = {key: self._bound(value) for key, value in node.args.items() if value}
        parts = {key: value.upper() if isinstance(value, str) else value for key, value in parts.items()}
        return exp.WindowSpec(**{"end": "CURRENT ROW", **parts})

    def _ordered(self, node: exp.Ordered) -> Expr:
        descending, nulls_first = bool(node.args.get("desc")), bool(node.args.get("nulls_first"))
        return exp.Ordered(this=self.bind(node.this), desc=descending, nulls_first=nulls_first)

    def _named_window(self, node: exp.Window) -> exp.Window:
        """`OVER w`, with what w says written out."""
        name = node.args.get("alias")
        if name is None:
            return node
        require_known(node, ("this", "alias", "over"))
        named = self._windows.get(name.name.lower())
        if named is None:
            raise problem(f"There is no window {name.name} here. Known: {', '.join(self._windows) or 'none'}.", name)
        return exp.Window(**{**self._named_window(named).args, "this": node.this, "alias": None})

    def _ignore_nulls(self, node: exp.IgnoreNulls) -> Expr:
        function = self.bind(node.this)
        if isinstance(function, exp.Anonymous) and function.name in TAKE_IGNORE_NULLS:
            return call(function.name, *function.expressions[:1], exp.Boolean(this=True))
        return exp.IgnoreNulls(this=function)

    def _lambda(self, node: exp.Lambda) -> Expr:
        with self._with_variables([variable.name.lower() for variable in node.expressions]):
            return self.rebuilt(node)

    @contextmanager
    def _with_variables(self, names: list[str]) -> Iterator[None]:
        self._variables.extend(names)
        yield
        del self._variables[-len(names) :]

    def _extract(self, node: exp.Extract) -> Expr:
        return call("date_part", text(node.name.lower()), self.bind(node.expression))

    def _trim(self, node: exp.Trim) -> Expr:
        value, position = self.bind(node.this), (node.args.get("position") or "").upper()
        side = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(position)
        if not node.expression:
            return call(side or "trim", value)
        removed = self.bind(node.expression)
        return call(side, removed, value) if side else call("btrim", value, removed)

    def _subquery(self, node: Expr) -> Expr:
        return self._subqueries.scalar(node, self.scope)

    def _exists(self, node: exp.Exists) -> Expr:
        return self._subqueries.exists(node.this, self.scope)


TAKE_IGNORE_NULLS = {"any_value", "first", "first_value", "last", "last_value"}

HANDLERS: dict[type[Expr], Callable[[Scalars, Any], Expr]] = {
    exp.Add: Scalars._sum,
    exp.Alias: lambda self, node: self.bind(node.this),
    exp.Anonymous: Scalars._function,
    exp.Between: Scalars._between,
    exp.Case: Scalars._case,
    exp.Column: Scalars._column,
    exp.Concat: Scalars._strings,
    exp.Neg: Scalars._negative,
    exp.DPipe: lambda self, node: exp.DPipe(this=self.bind(node.this), expression=self.bind(node.expression)),
    exp.Div: lambda self, node: exp.Div(this=self.bind(node.this), expression=self.bind(node.expression)),
    exp.Escape: Scalars._escape,
    exp.Except: Scalars._subquery,
    exp.Exists: Scalars._exists,
    exp.Extract: Scalars._extract,
    exp.ILike: Scalars._like,
    exp.If: Scalars._if,
    exp.IgnoreNulls: Scalars._ignore_nulls,
    exp.In: Scalars._in,
    exp.Intersect: Scalars._subquery,
    exp.Lambda: Scalars._lambda,
    exp.Like: Scalars._like,
    exp.NullSafeNEQ: lambda self, node: negated(
        exp.NullSafeEQ(this=self.bind(node.this), expression=self.bind(node.expression))
    ),
    exp.Ordered: Scalars._ordered,
    exp.Paren: lambda self, node: self.bind(node.this),
    exp.RawString: lambda self, node: text(node.name),
    exp.RegexpLike: lambda self, node: call("rlike", self.bind(node.this), self.bind(node.expression)),
    exp.RespectNulls: lambda self, node: self.bind(node.this),
    exp.Select: Scalars._subquery,
    exp.Sub: Scalars._sum,
    exp.Subquery: Scalars._subquery,
    exp.Trim: Scalars._trim,
    exp.TryCast: Scalars._cast,
    exp.Tuple: Scalars._tuple,
    exp.Union: Scalars._subquery,
    exp.Window: Scalars._window,
    exp.WindowSpec: Scalars._frame,
}


def unwrapped(node: Expr) -> Expr:
    """Without the parentheses around it."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node
