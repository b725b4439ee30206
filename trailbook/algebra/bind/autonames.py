"""What Spark calls a column of a result that has no alias: `sum(a)`, `(a + 1)`, `CAST((a + 1) AS STRING)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from trailbook.algebra.bind.call_names import call_name, is_cast
from trailbook.algebra.bind.scopes import ARGUMENTS, TYPE, WRITTEN
from trailbook.algebra.bind.window_names import frame
from trailbook.algebra.dialect import SUFFIXED
from trailbook.algebra.expressions import Expr


def auto_name(node: Expr) -> str:
    """The name of a column of a SELECT list."""
    if isinstance(node, exp.Paren):
        return auto_name(node.this)
    if isinstance(node, exp.Column):
        return str(node.name)
    if isinstance(node, exp.TryCast) and isinstance(node.this, exp.Column):
        return str(node.this.name)
    if isinstance(node, exp.Anonymous) and is_cast(node.name.lower(), len(node.expressions)):
        return auto_name(node.expressions[0])
    if isinstance(node, exp.Dot):
        return str(node.expression.name)
    return written(node)


def written(node: Expr) -> str:
    """An expression as Spark writes it in names."""
    writer = WRITERS.get(type(node))
    if writer:
        return writer(node)
    if type(node) in OPERATORS:
        return f"({written(node.this)} {OPERATORS[type(node)]} {written(node.expression)})"
    return node.sql("spark")


def _listed(nodes: list[Expr]) -> str:
    return ", ".join(written(node) for node in nodes)


def _function(node: exp.Anonymous) -> str:
    return call_name(node.name.lower(), [written(argument) for argument in node.expressions])


def _cast(node: exp.Cast) -> str:
    if not isinstance(node, exp.TryCast):
        return f"{node.args['to'].sql('spark').upper()} '{node.this.name}'"
    if node.meta.get(SUFFIXED):
        return str(node.this.name)
    word = "TRY_CAST" if node.args.get("safe") else "CAST"
    return f"{word}({written(node.this)} AS {node.args['to'].sql('spark').replace(', ', ',')})"


def _case(node: exp.Case) -> str:
    subject = f"({written(node.this)} = " if node.this else ""
    close = ")" if node.this else ""
    branches = [f"WHEN {subject}{written(b.this)}{close} THEN {written(b.args['true'])}" for b in node.args["ifs"]]
    default = node.args.get("default")
    return " ".join(["CASE", *branches, *([f"ELSE {written(default)}"] if default else []), "END"])


def _if(node: exp.If) -> str:
    otherwise = node.args.get("false")
    return f"(IF({written(node.this)}, {written(node.args['true'])}, {written(otherwise) if otherwise else 'NULL'}))"


def _in(node: exp.In) -> str:
    query = node.args.get("query")
    return f"({written(node.this)} IN ({_subquery('listquery', query) if query else _listed(node.expressions)}))"


def _subquery(name: str, node: Expr) -> str:
    while isinstance(node, exp.Subquery):
        node = node.this
    return f"{name}({', '.join(node.meta.get(ARGUMENTS, []))})"


def _not(node: exp.Not) -> str:
    inner = node.this
    if isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null):
        return f"({written(inner.this)} IS NOT NULL)"
    return f"(NOT {written(inner)})"


def _is(node: exp.Is) -> str:
    if isinstance(node.expression, exp.Null):
        return f"({written(node.this)} IS NULL)"
    return f"({written(node.this)} <=> {written(node.expression)})"


def _like(node: exp.Like | exp.ILike, escape: str = "") -> str:
    negative = bool(node.args.get("negate"))
    if isinstance(node.expression, exp.Any | exp.All):
        word = type(node.expression).__name__.lower()
        return f"{'not' if negative else ''}like{word}({written(node.this)})"
    value, pattern = written(node.this), written(node.expression)
    text = f"ilike({value}, {pattern})" if isinstance(node, exp.ILike) else f"{value} LIKE {pattern}{escape}"
    return f"(NOT {text})" if negative else text


def _sum(node: exp.Add | exp.Sub) -> str:
    """Dates and timestamps are added to in functions of their own."""
    left, right, sign = written(node.this), written(node.expression), "-" if isinstance(node, exp.Sub) else "+"
    kind = str(node.meta.get(TYPE, ""))
    interval = isinstance(node.expression, exp.Interval)
    if kind == "date" and interval and right.endswith("DAY"):
        days = f"extractansiintervaldays({right})"
        return f"date_add({left}, {days if sign == '+' else f'(- {days})'})"
    if interval and (kind == "date" or kind.startswith("timestamp")):
        return f"{left} {sign} {right}"
    if kind == "date":
        return f"{'date_add' if sign == '+' else 'date_sub'}({left}, {right})"
    return f"({left} {sign} {right})"


def _window(node: exp.Window) -> str:
    partition, order = node.args.get("partition_by") or [], node.args.get("order")
    parts = [f"PARTITION BY {_listed(partition)}"] if partition else []
    parts += [f"ORDER BY {_listed(order.expressions)}"] if order else []
    return f"{written(node.this)} OVER ({' '.join([*parts, frame(node, written)])})"


def _within_group(node: exp.WithinGroup) -> str:
    keys = node.expression.expressions
    if node.this.name.lower().startswith("percentile"):
        shown = ", ".join(f"{written(key.this)}{' DESC' if key.args.get('desc') else ''}" for key in keys)
    else:
        shown = _listed(keys)
    return f"{written(node.this)} WITHIN GROUP (ORDER BY {shown})"


def _ordered(node: exp.Ordered) -> str:
    nulls = "FIRST" if node.args.get("nulls_first") else "LAST"
    return f"{written(node.this)} {'DESC' if node.args.get('desc') else 'ASC'} NULLS {nulls}"


def _lambda(node: exp.Lambda) -> str:
    variables = ", ".join("namedlambdavariable()" for _ in node.expressions)
    return f"lambdafunction({written(node.this)}, {variables})"


def _literal(node: exp.Literal) -> str:
    return str(float(node.this)) if not node.is_string and "e" in node.this.lower() else str(node.this)


def _trim(node: exp.Trim) -> str:
    position = (node.args.get("position") or "BOTH").upper()
    plain = {"LEADING": "ltrim", "TRAILING": "rtrim", "BOTH": "trim"}[position]
    if not node.expression:
        return f"{plain}({written(node.this)})"
    return f"TRIM({position} {written(node.expression)} FROM {written(node.this)})"


def _tuple(node: exp.Tuple) -> str:
    fields = []
    for position, member in enumerate(node.expressions):
        name = auto_name(member) if isinstance(member, exp.Column) else f"col{position + 1}"
        fields.append(f"{name}, {written(member)}")
    return f"named_struct({', '.join(fields)})"


def _interval(node: exp.Interval) -> str:
    unit = node.args.get("unit")
    if isinstance(unit, exp.IntervalSpan):
        return f"INTERVAL '{node.name}' {unit.name.upper()} TO {unit.expression.name.upper()}"
    word = unit.name.upper().removesuffix("S") if unit else ""
    if word == "WEEK" and node.name.isdigit():
        return f"INTERVAL '{int(node.name) * 7}' DAY"
    amount = node.name.rjust(2, "0") if word in ("HOUR", "MINUTE", "SECOND") else node.name
    return f"INTERVAL '{amount}' {word}"


OPERATORS: dict[type[Expr], str] = {
    exp.And: "AND",
    exp.BitwiseAnd: "&",
    exp.BitwiseOr: "|",
    exp.BitwiseXor: "^",
    exp.Div: "/",
    exp.EQ: "=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.IntDiv: "div",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.Mod: "%",
    exp.Mul: "*",
    exp.NullSafeEQ: "<=>",
    exp.Or: "OR",
}

WRITERS: dict[type[Expr], Callable[[Any], str]] = {
    exp.Add: _sum,
    exp.Alias: lambda node: f"{written(node.this)} AS {node.alias}",
    exp.Anonymous: _function,
    exp.Between: lambda node: f"between({_listed([node.this, node.args['low'], node.args['high']])})",
    exp.BitwiseNot: lambda node: f"~{written(node.this)}",
    exp.Boolean: lambda node: "true" if node.this else "false",
    exp.Bracket: lambda node: f"{written(node.this)}[{_listed(node.expressions)}]",
    exp.Case: _case,
    exp.Cast: _cast,
    exp.Column: lambda node: node.meta.get(WRITTEN, node.name),
    exp.Concat: lambda node: "".join(part.name for part in node.expressions),
    exp.DPipe: lambda node: f"concat({_listed([node.this, node.expression])})",
    exp.Distinct: lambda node: f"DISTINCT {_listed(node.expressions)}",
    exp.Dot: lambda node: f"{written(node.this)}.{node.expression.name}",
    exp.Escape: lambda node: _like(node.this, f" ESCAPE '{node.expression.name}'"),
    exp.Exists: lambda node: _subquery("exists", node.this),
    exp.Extract: lambda node: f"extract({node.name.lower()} FROM {written(node.expression)})",
    exp.Filter: lambda node: f"{written(node.this)} FILTER (WHERE {written(node.expression.this)})",
    exp.HexString: lambda node: f"X'{node.name.upper()}'",
    exp.ILike: _like,
    exp.Identifier: lambda node: "namedlambdavariable()",
    exp.If: _if,
    exp.IgnoreNulls: lambda node: written(node.this),
    exp.In: _in,
    exp.Interval: _interval,
    exp.Is: _is,
    exp.Lambda: _lambda,
    exp.Like: _like,
    exp.Literal: _literal,
    exp.NEQ: lambda node: f"(NOT ({written(node.this)} = {written(node.expression)}))",
    exp.Neg: lambda node: f"-{written(node.this)}" if node.this.is_number else f"(- {written(node.this)})",
    exp.Not: _not,
    exp.Null: lambda node: "NULL",
    exp.NullSafeNEQ: lambda node: f"(NOT ({written(node.this)} <=> {written(node.expression)}))",
    exp.Ordered: _ordered,
    exp.Paren: lambda node: written(node.this),
    exp.RawString: lambda node: node.name,
    exp.RegexpLike: lambda node: f"RLIKE({_listed([node.this, node.expression])})",
    exp.Select: lambda node: _subquery("scalarsubquery", node),
    exp.Star: lambda node: "1",
    exp.Sub: _sum,
    exp.Subquery: lambda node: _subquery("scalarsubquery", node),
    exp.Trim: _trim,
    exp.TryCast: _cast,
    exp.Tuple: _tuple,
    exp.Window: _window,
    exp.WithinGroup: _within_group,
}
