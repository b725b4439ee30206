"""Scalar expressions: sqlglot's, treated as immutable values.

Inside a plan a column is a quoted name without a table, a function that has no syntax of its own is an `Anonymous`
call, and there are no subqueries. The constructors here keep to that, and fold what is known to be true or false.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce

from sqlglot import exp

Expr = exp.Expr

TRUE = exp.Boolean(this=True)
FALSE = exp.Boolean(this=False)
NULL = exp.Null()


def ref(name: str) -> exp.Column:
    """A column of the input."""
    return exp.Column(this=exp.Identifier(this=name, quoted=True))


def call(name: str, *arguments: Expr) -> exp.Anonymous:
    """A call of a function by its name."""
    return exp.Anonymous(this=name, expressions=list(arguments))


def number(value: int) -> Expr:
    return exp.Neg(this=number(-value)) if value < 0 else exp.Literal(this=str(value), is_string=False)


def text(value: str) -> exp.Literal:
    return exp.Literal(this=value, is_string=True)


def is_null(expr: Expr) -> Expr:
    return exp.Is(this=expr, expression=exp.Null())


def is_true(expr: Expr) -> bool:
    """Whether this is the constant true, as far as one can see."""
    return isinstance(expr, exp.Boolean) and bool(expr.this)


def is_false(expr: Expr) -> bool:
    return isinstance(expr, exp.Boolean) and not expr.this


def both(*operands: Expr) -> Expr:
    """AND. The folding is right for NULL too: FALSE wins, TRUE is neutral."""
    kept = list(dict.fromkeys(operand for operand in operands if not is_true(operand)))
    if any(is_false(operand) for operand in kept):
        return FALSE
    return reduce(lambda a, b: exp.And(this=a, expression=b), kept) if kept else TRUE


def either(*operands: Expr) -> Expr:
    """OR."""
    kept = list(dict.fromkeys(operand for operand in operands if not is_false(operand)))
    if any(is_true(operand) for operand in kept):
        return TRUE
    return reduce(lambda a, b: exp.Or(this=a, expression=b), kept) if kept else FALSE


def negated(operand: Expr) -> Expr:
    """NOT."""
    if isinstance(operand, exp.Boolean):
        return FALSE if operand.this else TRUE
    return operand.this if isinstance(operand, exp.Not) else exp.Not(this=operand)


def when(*cases: tuple[Expr, Expr], otherwise: Expr) -> Expr:
    """CASE, without the branches that are never taken."""
    kept: list[exp.If] = []
    for condition, value in cases:
        if is_true(condition):
            otherwise = value
            break
        if not is_false(condition):
            kept.append(exp.If(this=condition, true=value))
    while kept and kept[-1].args["true"] == otherwise:
        kept.pop()
    return exp.Case(ifs=kept, default=otherwise) if kept else otherwise


def conjuncts(expr: Expr | None) -> list[Expr]:
    """The operands of a nest of ANDs."""
    if expr is None or is_true(expr):
        return []
    return [*conjuncts(expr.this), *conjuncts(expr.expression)] if isinstance(expr, exp.And) else [expr]


def names_in(expr: Expr) -> frozenset[str]:
    """The columns that the expression reads."""
    return frozenset(column.name for column in expr.find_all(exp.Column))


def substitute(expr: Expr, columns: Mapping[str, Expr]) -> Expr:
    """The expression with columns replaced by expressions."""

    def replaced(node: Expr) -> Expr:
        return columns.get(node.name, node) if isinstance(node, exp.Column) else node

    return rewrite(expr, replaced)


def rewrite(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Every node, bottom up, as `change` wants it; `expr` itself stays as it is."""
    return rewrite_knowing(expr, lambda node, _: change(node))


def rewrite_knowing(expr: Expr, change: Callable[[Expr, Expr], Expr]) -> Expr:
    """The same, where `change` is also told what the node was before anything below it changed."""
    copy = expr.copy()
    pairs = zip(copy.dfs(prune=lambda _: False), expr.dfs(prune=lambda _: False), strict=True)
    for node, before in list(pairs)[::-1]:
        parent, key, index = node.parent, node.arg_key, node.index
        changed = change(node, before)
        if changed is node:
            continue
        if parent is None or key is None:
            copy = changed.copy()
        else:
            # What wraps the node has become its parent.
            parent.set(key, changed.copy(), index)
    return copy
