"""Scalar expressions as Spark SQL: nested operators in parentheses, names in backticks where they must be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from sqlglot import exp
from sqlglot.dialects.spark import Spark

from trailbook.algebra.expressions import Expr

ONLY_MESSAGE = "A subquery that stands for a value gave more than one row."

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_ESCAPES = str.maketrans({"\\": r"\\", "'": r"\'", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\0": r"\0"})

_OPERATORS: dict[type[Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "<=>",
    exp.NullSafeNEQ: "IS DISTINCT FROM",
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.IntDiv: "DIV",
    exp.Mod: "%",
    exp.BitwiseAnd: "&",
    exp.BitwiseOr: "|",
    exp.BitwiseXor: "^",
    exp.DPipe: "||",
    exp.And: "AND",
    exp.Or: "OR",
    exp.Is: "IS",
    exp.Like: "LIKE",
    exp.ILike: "ILIKE",
    exp.RegexpLike: "RLIKE",
}
_PREFIXES: dict[type[Expr], str] = {exp.Neg: "-", exp.BitwiseNot: "~", exp.Not: "NOT "}
_COMPOUND = (*_OPERATORS, *_PREFIXES, exp.In, exp.Escape, exp.Between, exp.Collate, exp.AtTimeZone, exp.Lambda)
_NEGATED = {exp.Is: "IS NOT", exp.Like: "NOT LIKE", exp.ILike: "NOT ILIKE", exp.RegexpLike: "NOT RLIKE"}


def sql_of(expr: Expr) -> str:
    """The text of an expression."""
    printer = _PRINTERS.get(type(expr))
    if printer is not None:
        return printer(expr)
    if type(expr) in _OPERATORS:
        return _binary(expr, _OPERATORS[type(expr)])
    return _as_sqlglot_does(expr)


def quoted(name: str) -> str:
    """A name as SQL has it."""
    if _PLAIN_NAME.fullmatch(name) and name.upper() not in _keywords():
        return name
    return f"`{name.replace('`', '``')}`"


def string_literal(value: str) -> str:
    return f"'{value.translate(_ESCAPES)}'"


@cache
def _keywords() -> frozenset[str]:
    return frozenset(word for word in Spark.Tokenizer.KEYWORDS if word.isidentifier())


def operand(expr: Expr) -> str:
    """The text of an expression within another one."""
    return f"({sql_of(expr)})" if isinstance(expr, _COMPOUND) else sql_of(expr)


def _all(exprs: Iterable[Expr]) -> str:
    return ", ".join(sql_of(expr) for expr in exprs)


def _binary(expr: Expr, operator: str) -> str:
    return f"{operand(expr.this)} {operator} {operand(expr.expression)}"


def condition_operand(expr: Expr) -> str:
    """The text of an operand of AND or OR, which bind less than all other operators."""
    return f"({sql_of(expr)})" if isinstance(expr, exp.And | exp.Or) else sql_of(expr)


def _chain(expr: Expr) -> str:
    """A AND B AND C, however deep the tree is."""
    operands: list[str] = []
    waiting = [expr]
    while waiting:
        node = waiting.pop()
        if type(node) is type(expr):
            waiting += [node.expression, node.this]
        else:
            operands.append(condition_operand(node))
    return f" {_OPERATORS[type(expr)]} ".join(operands)


def _prefix(expr: Expr) -> str:
    return f"{_PREFIXES[type(expr)]}{operand(expr.this)}"


def _not(expr: Expr) -> str:
    inner = expr.this
    if isinstance(inner, exp.Escape):
        return _escaped(inner, negated=True)
    if type(inner) in _NEGATED:
        return _binary(inner, _NEGATED[type(inner)])
    return _in(inner, "NOT IN") if isinstance(inner, exp.In) else _prefix(expr)


def _in(expr: Expr, operator: str = "IN") -> str:
    return f"{operand(expr.this)} {operator} ({_all(expr.expressions)})"


def _escaped(expr: Expr, negated: bool = False) -> str:
    return f"{sql_of(exp.Not(this=expr.this.copy()) if negated else expr.this)} ESCAPE {sql_of(expr.expression)}"


def _interval(expr: Expr) -> str:
    unit = expr.args.get("unit")
    return f"INTERVAL {operand(expr.this)}{' ' + unit.sql('spark') if unit else ''}"


def _column(expr: exp.Column) -> str:
    return ".".join(quoted(part.name) for part in expr.parts)


def _literal(expr: Expr) -> str:
    return string_literal(expr.this) if expr.is_string else str(expr.this)


def _call(expr: Expr) -> str:
    name = expr.name
    if _is_only(expr):
        return _only(expr)
    return f"{name if _PLAIN_NAME.fullmatch(name) else quoted(name)}({_all(expr.expressions)})"


def _is_only(expr: Expr) -> bool:
    return isinstance(expr, exp.Anonymous) and expr.name.lower() == "only"


def _only(expr: Expr, condition: str = "") -> str:
    """What Spark has no aggregate for: the value of one row, and an error if there are several."""
    count, value = f"count(*){condition}", f"any_value({sql_of(expr.expressions[0])}){condition}"
    return f"CASE WHEN {count} > 1 THEN raise_error({string_literal(ONLY_MESSAGE)}) ELSE {value} END"


def _filter(expr: Expr) -> str:
    condition = f" FILTER (WHERE {sql_of(expr.expression.this)})"
    return _only(expr.this, condition) if _is_only(expr.this) else f"{sql_of(expr.this)}{condition}"


def _case(expr: Expr) -> str:
    subject = f" {operand(expr.this)}" if expr.this else ""
    branches = "".join(f" WHEN {sql_of(branch.this)} THEN {sql_of(branch.args['true'])}" for branch in expr.args["ifs"])
    default = expr.args.get("default")
    return f"CASE{subject}{branches}{f' ELSE {sql_of(default)}' if default is not None else ''} END"


def _cast(expr: Expr) -> str:
    function = "try_cast" if isinstance(expr, exp.TryCast) else "CAST"
    return f"{function}({sql_of(expr.this)} AS {expr.args['to'].sql('spark')})"


def _bracket(expr: Expr) -> str:
    return f"{_base(expr.this)}[{_all(expr.expressions)}]"


def _dot(expr: Expr) -> str:
    return f"{_base(expr.this)}.{sql_of(expr.expression)}"


def _base(expr: Expr) -> str:
    simple = isinstance(expr, exp.Column | exp.Anonymous | exp.Bracket | exp.Dot | exp.Identifier)
    return sql_of(expr) if simple else f"({sql_of(expr)})"


def _lambda(expr: Expr) -> str:
    names = [sql_of(name) for name in expr.expressions]
    return f"{names[0] if len(names) == 1 else '(' + ', '.join(names) + ')'} -> {sql_of(expr.this)}"


def _ordered(expr: Expr) -> str:
    descending, nulls_first = bool(expr.args.get("desc")), expr.args.get("nulls_first")
    nulls = "" if nulls_first in (None, not descending) else f" NULLS {'FIRST' if nulls_first else 'LAST'}"
    return f"{sql_of(expr.this)}{' DESC' if descending else ''}{nulls}"


def _order(expr: Expr) -> str:
    return f"{f'{sql_of(expr.this)} ' if expr.this else ''}ORDER BY {_all(expr.expressions)}"


def _window(expr: Expr) -> str:
    partition, order, spec = expr.args.get("partition_by"), expr.args.get("order"), expr.args.get("spec")
    parts = [
        f"PARTITION BY {_all(partition)}" if partition else "",
        sql_of(order) if order else "",
        _frame(spec) if spec else "",
    ]
    return f"{sql_of(expr.this)} OVER ({' '.join(part for part in parts if part)})"


def _frame(spec: Expr) -> str:
    start, end = (_bound(spec.args.get(side), spec.args.get(f"{side}_side")) for side in ("start", "end"))
    return f"{spec.args['kind'].upper()} BETWEEN {start} AND {end or 'CURRENT ROW'}"


def _bound(value: Any, side: str | None) -> str:
    printed = operand(value) if isinstance(value, exp.Expr) else (value or "")
    return f"{printed} {(side or '').upper()}".strip()


def _as_sqlglot_does(expr: Expr) -> str:
    """Rare syntax: its operands are printed here, what stands between them by sqlglot."""
    copy = expr.copy()
    for child in list(copy.iter_expressions()):
        if not isinstance(child, exp.Var | exp.Identifier | exp.DataType | exp.IntervalSpan):
            child.replace(exp.Var(this=operand(child)))
    return copy.sql("spark", normalize_functions=False)


_PRINTERS: dict[type[Expr], Callable[[Any], str]] = {
    exp.Column: _column,
    exp.Identifier: lambda expr: quoted(expr.name),
    exp.Literal: _literal,
    exp.Boolean: lambda expr: "TRUE" if expr.this else "FALSE",
    exp.Null: lambda _: "NULL",
    exp.Star: lambda _: "*",
    exp.Var: lambda expr: str(expr.this),
    exp.Paren: lambda expr: f"({sql_of(expr.this)})",
    exp.And: _chain,
    exp.Or: _chain,
    exp.Not: _not,
    exp.Neg: _prefix,
    exp.BitwiseNot: _prefix,
    exp.In: _in,
    exp.Escape: _escaped,
    exp.Interval: _interval,
    exp.Anonymous: _call,
    exp.Case: _case,
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.Bracket: _bracket,
    exp.Dot: _dot,
    exp.Lambda: _lambda,
    exp.Kwarg: lambda expr: f"{sql_of(expr.this)} => {sql_of(expr.expression)}",
    exp.Alias: lambda expr: f"{operand(expr.this)} AS {quoted(expr.alias)}",
    exp.Tuple: lambda expr: f"({_all(expr.expressions)})",
    exp.Distinct: lambda expr: f"DISTINCT {_all(expr.expressions)}",
    exp.Filter: _filter,
    exp.WithinGroup: lambda expr: f"{sql_of(expr.this)} WITHIN GROUP ({sql_of(expr.expression)})",
    exp.IgnoreNulls: lambda expr: f"{sql_of(expr.this)} IGNORE NULLS",
    exp.RespectNulls: lambda expr: f"{sql_of(expr.this)} RESPECT NULLS",
    exp.Ordered: _ordered,
    exp.Order: _order,
    exp.Window: _window,
}
