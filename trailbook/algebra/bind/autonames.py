"""What Spark calls a column of a result that has no alias: `sum(a)`, `(a + 1)`, `CAST((a + 1) AS STRING)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from trailbook.algebra.bind.scopes import WRITTEN
from trailbook.algebra.expressions import Expr

CASTS = {"bigint", "binary", "boolean", "date", "decimal", "double", "float", "int", "smallint", "string", "timestamp"}
UPPER = {"ceil", "exp", "floor", "log10", "log2", "power", "sqrt"}
OTHER_NAMES = {"array_agg": "collect_list", "rlike": "RLIKE"}
SHIFTS = {"shiftleft": "<<", "shiftright": ">>", "shiftrightunsigned": ">>>"}
MISSING = {"lag": ("1", "NULL"), "lead": ("1", "NULL"), "substr": ("2147483647",), "substring": ("2147483647",)}
ARITY = {"lag": 3, "lead": 3, "substr": 3, "substring": 3}
ROWS_FRAMES = {"cume_dist", "dense_rank", "ntile", "percent_rank", "rank", "row_number"}


def auto_name(node: Expr) -> str:
    """The name of a column of a SELECT list."""
    if isinstance(node, exp.Paren):
        return auto_name(node.this)
    if isinstance(node, exp.Column):
        return node.name
    if isinstance(node, exp.TryCast) and isinstance(node.this, exp.Column):
        return node.this.name
    if isinstance(node, exp.Anonymous) and node.name.lower() in CASTS and len(node.expressions) == 1:
        return auto_name(exp.TryCast(this=node.expressions[0], to=exp.DataType.build(node.name, dialect="spark")))
    if isinstance(node, exp.Dot):
        return node.expression.name
    return written(node)


def written(node: Expr) -> str:
    """An expression as Spark writes it in names."""
    writer = WRITERS.get(type(node))
    if writer:
        return writer(node)
    if isinstance(node, exp.Binary) and type(node) in OPERATORS:
        return f"({written(node.this)} {OPERATORS[type(node)]} {written(node.expression)})"
    return node.sql("spark")


def _function(node: exp.Anonymous) -> str:
    name = node.name.lower()
    if name in SHIFTS:
        return f"({written(node.expressions[0])} {SHIFTS[name]} {written(node.expressions[1])})"
    if name in CASTS and len(node.expressions) == 1:
        return _cast(exp.TryCast(this=node.expressions[0], to=exp.DataType.build(name, dialect="spark")))
    arguments = [written(argument) for argument in node.expressions]
    if missing := MISSING.get(name):
        arguments += missing[len(arguments) - ARITY[name] :] if len(arguments) < ARITY[name] else ()
    if name in ("first", "last", "first_value", "last_value", "any_value"):
        arguments = arguments[:1]
    called = name.upper() if name in UPPER else OTHER_NAMES.get(name, name)
    return f"{called}({', '.join(arguments)})"


def _cast(node: exp.Cast) -> str:
    if not isinstance(node, exp.TryCast):
        return f"{node.args['to'].sql('spark').upper()} '{node.this.name}'"
    if isinstance(node.this, exp.Literal) and _is_suffixed(node):
        return node.this.name
    word = "TRY_CAST" if node.args.get("safe") else "CAST"
    return f"{word}({written(node.this)} AS {node.args['to'].sql('spark').replace(', ', ',')})"


def _is_suffixed(node: exp.Cast) -> bool:
    """Whether this is a number such as 1L, which the parser makes a cast."""
    return not node.this.is_string and "line" not in node.meta and bool(node.this.meta.get("suffixed"))


def _case(node: exp.Case) -> str:
    subject = f"({written(node.this)} = " if node.this else ""
    close = ")" if node.this else ""
    branches = [f"WHEN {subject}{written(b.this)}{close} THEN {written(b.args['true'])}" for b in node.args["ifs"]]
    default = node.args.get("default")
    return " ".join(["CASE", *branches, *([f"ELSE {written(default)}"] if default else []), "END"])


def _if(node: exp.If) -> str:
    return f"(IF({written(node.this)}, {written(node.args['true'])}, {written(node.args['false'])}))"


def _in(node: exp.In) -> str:
    values = "listquery()" if node.args.get("query") else ", ".join(written(e) for e in node.expressions)
    return f"({written(node.this)} IN ({values}))"


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
    if isinstance(node.expression, exp.Any | exp.All):
        return f"like{type(node.expression).__name__.lower()}({written(node.this)})"
    pair = written(node.this), written(node.expression)
    text = f"ilike({pair[0]}, {pair[1]})" if isinstance(node, exp.ILike) else f"{pair[0]} LIKE {pair[1]}{escape}"
    return f"(NOT {text})" if node.args.get("negate") else text


def _window(node: exp.Window) -> str:
    partition = [written(key) for key in node.args.get("partition_by") or []]
    order = node.args.get("order")
    parts = [f"PARTITION BY {', '.join(partition)}"] if partition else []
    parts += [f"ORDER BY {', '.join(written(key) for key in order.expressions)}"] if order else []
    return f"{written(node.this)} OVER ({' '.join([*parts, _frame(node)])})"


def _frame(node: exp.Window) -> str:
    spec = node.args.get("spec")
    if spec:
        bounds = (f"{_bound(spec.args.get(side))} {spec.args.get(side + '_side') or ''}" for side in ("start", "end"))
        return f"{spec.args['kind'].upper()} BETWEEN {' AND '.join(b.strip().upper() for b in bounds)}"
    function = node.find(exp.Anonymous)
    name = function.name.lower() if function else ""
    if name in ("lag", "lead") and function:
        offset = int(function.expressions[1].name) if len(function.expressions) > 1 else 1
        by = f"{-offset if name == 'lag' else offset} FOLLOWING"
        return f"ROWS BETWEEN {by} AND {by}"
    if name in ROWS_FRAMES:
        return "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
    if node.args.get("order"):
        return "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
    return "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"


def _bound(bound: Any) -> str:
    return written(bound) if isinstance(bound, exp.Expr) else str(bound or "CURRENT ROW")


def _ordered(node: exp.Ordered) -> str:
    nulls = "FIRST" if node.args.get("nulls_first") else "LAST"
    return f"{written(node.this)} {'DESC' if node.args.get('desc') else 'ASC'} NULLS {nulls}"


def _lambda(node: exp.Lambda) -> str:
    variables = ", ".join("namedlambdavariable()" for _ in node.expressions)
    return f"lambdafunction({written(node.this)}, {variables})"


def _literal(node: exp.Literal) -> str:
    return str(float(node.this)) if not node.is_string and "e" in node.this.lower() else node.this


def _trim(node: exp.Trim) -> str:
    position = (node.args.get("position") or "BOTH").upper()
    plain = {"LEADING": "ltrim", "TRAILING": "rtrim", "BOTH": "trim"}[position]
    if not node.expression:
        return f"{plain}({written(node.this)})"
    return f"TRIM({position} {written(node.expression)} FROM {written(node.this)})"


def _interval(node: exp.Interval) -> str:
    unit = node.args.get("unit")
    if isinstance(unit, exp.IntervalSpan):
        return f"INTERVAL '{node.name}' {unit.name.upper()} TO {unit.expression.name.upper()}"
    return f"INTERVAL '{node.name}' {unit.name.upper().removesuffix('S') if unit else ''}"


OPERATORS: dict[type[Expr], str] = {
    exp.Add: "+",
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
    exp.Sub: "-",
}

WRITERS: dict[type[Expr], Callable[[Any], str]] = {
    exp.Alias: lambda node: f"{written(node.this)} AS {node.alias}",
    exp.Anonymous: _function,
    exp.Between: lambda node: f"between({', '.join(written(node.args[k]) for k in ('this', 'low', 'high'))})",
    exp.BitwiseNot: lambda node: f"~{written(node.this)}",
    exp.Boolean: lambda node: "true" if node.this else "false",
    exp.Bracket: lambda node: f"{written(node.this)}[{', '.join(written(e) for e in node.expressions)}]",
    exp.Case: _case,
    exp.Cast: _cast,
    exp.Column: lambda node: node.meta.get(WRITTEN, node.name),
    exp.DPipe: lambda node: f"concat({written(node.this)}, {written(node.expression)})",
    exp.Distinct: lambda node: f"DISTINCT {', '.join(written(e) for e in node.expressions)}",
    exp.Dot: lambda node: f"{written(node.this)}.{node.expression.name}",
    exp.Escape: lambda node: _like(node.this, f" ESCAPE '{node.expression.name}'"),
    exp.Exists: lambda node: "exists()",
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
    exp.Ordered: _ordered,
    exp.Paren: lambda node: written(node.this),
    exp.RegexpLike: lambda node: f"RLIKE({written(node.this)}, {written(node.expression)})",
    exp.Select: lambda node: "scalarsubquery()",
    exp.Star: lambda node: "1",
    exp.Subquery: lambda node: "scalarsubquery()",
    exp.Trim: _trim,
    exp.TryCast: _cast,
    exp.Window: _window,
}
