"""Columns, literals, comparisons, three-valued logic and CASE."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

from sqlglot import exp

from trailbook.algebra.expressions import Expr, either
from trailbook.algebra.interpreter.translator import (
    FALSITIES,
    INLINE_COMPARED,
    TRUTHS,
    Translator,
    rule,
    runtime,
    tuple_of,
)
from trailbook.algebra.interpreter.values import equal, less, same

runtime(equal, less, same, Decimal)

OPERATORS: dict[type[Expr], str] = {exp.EQ: "==", exp.NEQ: "!=", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}
GENERAL: dict[type[Expr], str] = {
    exp.EQ: "equal({0}, {1})",
    exp.NEQ: "not equal({0}, {1})",
    exp.LT: "less({0}, {1})",
    exp.LTE: "not less({1}, {0})",
    exp.GT: "less({1}, {0})",
    exp.GTE: "not less({0}, {1})",
}


@rule(exp.Column)
def column(to: Translator, expr: exp.Column) -> str:
    return to.columns[expr.name]


@rule(exp.Identifier)
def variable(to: Translator, expr: exp.Identifier) -> str:
    return to.variables[expr.name]


@rule(exp.Null)
def null(to: Translator, expr: exp.Null) -> str:
    return "None"


@rule(exp.Boolean)
def boolean(to: Translator, expr: exp.Boolean) -> str:
    return str(bool(expr.this))


@rule(exp.Literal)
def literal(to: Translator, expr: exp.Literal) -> str:
    text = str(expr.this)
    if expr.is_string:
        return repr(text)
    if text.isdigit():
        return str(int(text))
    if "e" in text.lower():
        return repr(float(text))
    return to.constant(f"Decimal({text!r})")


@rule(exp.Paren)
def parenthesis(to: Translator, expr: exp.Paren) -> str:
    return to.value(expr.this)


@rule(*OPERATORS)
def comparison(to: Translator, expr: exp.Binary) -> str:
    return to.strict([expr.this, expr.expression], partial(_compared, to, expr))


def _compared(to: Translator, expr: exp.Binary, left: str, right: str) -> str:
    if _inline(to, expr.this, expr.expression):
        return f"{left} {OPERATORS[type(expr)]} {right}"
    return GENERAL[type(expr)].format(left, right)


def _inline(to: Translator, left: Expr, right: Expr) -> bool:
    return to.family(left) == to.family(right) and to.family(left) in INLINE_COMPARED


@rule(exp.NullSafeEQ)
def null_safe_equal(to: Translator, expr: exp.NullSafeEQ) -> str:
    left, right = to.value(expr.this), to.value(expr.expression)
    return f"({left} == {right})" if _inline(to, expr.this, expr.expression) else f"same({left}, {right})"


@rule(exp.NullSafeNEQ)
def null_safe_unequal(to: Translator, expr: exp.NullSafeNEQ) -> str:
    return f"(not {null_safe_equal(to, expr)})"


@rule(exp.Is)
def is_constant(to: Translator, expr: exp.Is) -> str:
    # With a name between them Python does not warn of literals.
    return f"(({to.fresh()} := {to.value(expr.this)}) is {to.value(expr.expression)})"


@rule(exp.And)
def conjunction(to: Translator, expr: exp.And) -> str:
    return _connected(to, expr, "False")


@rule(exp.Or)
def disjunction(to: Translator, expr: exp.Or) -> str:
    return _connected(to, expr, "True")


def _connected(to: Translator, expr: exp.Connector, winner: str) -> str:
    """One operand that is `winner` decides; else one that is NULL does."""
    operands = [(to.fresh(), to.value(operand)) for operand in _operands(expr)]
    decided = " or ".join(f"({name} := {source}) is {winner}" for name, source in operands)
    unknown = " or ".join(f"{name} is None" for name, _ in operands)
    return f"({winner} if {decided} else None if {unknown} else {winner == 'False'})"


def _operands(expr: Expr) -> list[Expr]:
    """The operands of a nest of one connector. Long ones lean to the left: no recursion on that side."""
    found, node = [], expr
    while type(node) is type(expr):
        found.append(node.expression)
        node = node.this
    return [node, *reversed(found)]


@rule(exp.Not)
def negation(to: Translator, expr: exp.Not) -> str:
    if isinstance(expr.this, exp.Is | exp.NullSafeEQ):
        return f"(not {to.value(expr.this)})"
    return to.strict([expr.this], "not {}".format)


@rule(exp.And, table=TRUTHS)
def all_true(to: Translator, expr: exp.And) -> str:
    return "(" + " and ".join(map(to.truth, _operands(expr))) + ")"


@rule(exp.Or, table=TRUTHS)
def one_true(to: Translator, expr: exp.Or) -> str:
    return "(" + " or ".join(map(to.truth, _operands(expr))) + ")"


@rule(exp.Not, table=TRUTHS)
def not_true(to: Translator, expr: exp.Not) -> str:
    return to.falsity(expr.this)


@rule(exp.And, table=FALSITIES)
def one_false(to: Translator, expr: exp.And) -> str:
    return "(" + " or ".join(map(to.falsity, _operands(expr))) + ")"


@rule(exp.Or, table=FALSITIES)
def all_false(to: Translator, expr: exp.Or) -> str:
    return "(" + " and ".join(map(to.falsity, _operands(expr))) + ")"


@rule(exp.Not, table=FALSITIES)
def not_false(to: Translator, expr: exp.Not) -> str:
    return to.truth(expr.this)


@rule(exp.Case)
def case(to: Translator, expr: exp.Case) -> str:
    kind = to.type(expr)
    branches = [
        f"{to.coerced(branch.args['true'], kind)} if {to.truth(_condition(expr, branch))}"
        for branch in expr.args["ifs"]
    ]
    default = expr.args.get("default")
    return f"({' else '.join([*branches, to.coerced(default, kind) if default else 'None'])})"


def _condition(expr: exp.Case, branch: exp.If) -> Expr:
    condition: Expr = branch.this
    return exp.EQ(this=expr.this.copy(), expression=condition.copy()) if expr.this else condition


@rule(exp.In)
def membership(to: Translator, expr: exp.In) -> str:
    members: list[Expr] = expr.expressions
    known = [member for member in members if not isinstance(member, exp.Null)]
    if not all(isinstance(member, exp.Literal) and _inline(to, expr.this, member) for member in known):
        return to.value(either(*(exp.EQ(this=expr.this.copy(), expression=member.copy()) for member in members)))
    values = tuple_of(map(to.value, known))
    otherwise = "False" if len(known) == len(members) else "None"
    return to.strict([expr.this], lambda value: f"True if {value} in {values} else {otherwise}")
