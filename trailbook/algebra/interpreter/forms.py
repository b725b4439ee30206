"""Expressions with a syntax of their own: casts, patterns, parts of dates, elements of arrays and structs."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.interpreter.dates import part_of
from trailbook.algebra.interpreter.numbers import concatenated
from trailbook.algebra.interpreter.texts import located
from trailbook.algebra.interpreter.translator import Translator, rule, runtime, tuple_of
from trailbook.errors import InterpreterError

runtime(concatenated, located, part_of)


@rule(exp.Cast)
def cast(to: Translator, expr: exp.Cast) -> str:
    kind = spark_type(expr.to)
    return to.strict([expr.this], f"{to.cast(kind)}({{}})".format)


@rule(exp.TryCast)
def try_cast(to: Translator, expr: exp.TryCast) -> str:
    attempt = to.constant(f"tried(cast_to({spark_type(expr.to)!r}))")
    return to.strict([expr.this], f"{attempt}({{}})".format)


def spark_type(kind: Expr) -> str:
    return kind.sql("spark").lower().replace(" ", "").split("varchar")[0].split("char(")[0] or "string"


@rule(exp.DPipe)
def concatenation(to: Translator, expr: exp.DPipe) -> str:
    return to.strict([expr.this, expr.expression], "concatenated({}, {})".format)


@rule(exp.Like)
def like(to: Translator, expr: exp.Like) -> str:
    return _matched(to, expr, "like")


@rule(exp.ILike)
def ilike(to: Translator, expr: exp.ILike) -> str:
    return _matched(to, expr, "ilike")


@rule(exp.RegexpLike)
def rlike(to: Translator, expr: exp.RegexpLike) -> str:
    return to.strict([expr.this, expr.expression], "rlike({}, {})".format)


def _matched(to: Translator, expr: exp.Binary, function: str) -> str:
    pattern = expr.expression
    if not isinstance(pattern, exp.Any | exp.All):
        return to.strict([expr.this, pattern], f"{function}({{}}, {{}})".format)
    kind = exp.Or if isinstance(pattern, exp.Any) else exp.And
    listed = pattern.this.expressions if isinstance(pattern.this, exp.Tuple) else [pattern.this.this]
    nest: Expr = type(expr)(this=expr.this.copy(), expression=listed[0].copy())
    for other in listed[1:]:
        nest = kind(this=nest, expression=type(expr)(this=expr.this.copy(), expression=other.copy()))
    return to.value(nest)


@rule(exp.Escape)
def escaped(to: Translator, expr: exp.Escape) -> str:
    pattern, function = expr.this, "ilike" if isinstance(expr.this, exp.ILike) else "like"
    operands = [pattern.this, pattern.expression, expr.expression]
    return to.strict(operands, f"{function}({{}}, {{}}, {{}})".format)


@rule(exp.Trim)
def trim(to: Translator, expr: exp.Trim) -> str:
    side = {"LEADING": "lstrip", "TRAILING": "rstrip"}.get(str(expr.args.get("position") or "").upper(), "strip")
    characters = expr.expression or exp.Literal.string(" ")
    return to.strict([expr.this, characters], f"{{}}.{side}({{}})".format)


@rule(exp.Extract)
def extract(to: Translator, expr: exp.Extract) -> str:
    return to.strict([expr.expression], f"part_of({expr.this.name!r}, {{}})".format)


@rule(exp.StrPosition)
def position(to: Translator, expr: exp.StrPosition) -> str:
    return to.strict([expr.args["substr"], expr.this], "located({}, {})".format)


@rule(exp.Bracket)
def element(to: Translator, expr: exp.Bracket) -> str:
    return to.strict([expr.this, expr.expressions[0]], "item({}, {})".format)


@rule(exp.Dot)
def struct_field(to: Translator, expr: exp.Dot) -> str:
    """The position of the field is in the struct's type."""
    fields = _fields(to.type(expr.this))
    name = expr.expression.name.lower()
    if name not in fields:
        raise InterpreterError(f"The struct has no field {name}. Known: {', '.join(fields)}.")
    return to.strict([expr.this], f"{{}}[{fields.index(name)}]".format)


def _fields(kind: str) -> list[str]:
    built = exp.DataType.build(kind, dialect="spark")
    return [field.name.lower() for field in built.expressions]


@rule(exp.Tuple)
def struct(to: Translator, expr: exp.Tuple) -> str:
    return tuple_of(map(to.value, expr.expressions))
