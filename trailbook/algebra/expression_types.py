"""A walk over an expression that types every part of it, from the leaves up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlglot import exp

from trailbook.algebra.casts import cast_may_null
from trailbook.algebra.coercion import arithmetic_type, common_type
from trailbook.algebra.datatypes import (
    BOOLEAN,
    DATE,
    INT,
    MOMENTS,
    STRING,
    TIMESTAMP_NTZ,
    UNKNOWN,
    VOID,
    field_of,
    is_decimal,
    is_integral,
    is_interval,
    is_numeric,
    precision_and_scale,
    struct_of,
)
from trailbook.algebra.decimals import rounded
from trailbook.algebra.expressions import Expr
from trailbook.algebra.forms import COMPARISONS, CONNECTIVES, MATCHES, OPERATORS, WRAPPERS, call_arguments
from trailbook.algebra.function_types import NEVER_NULL, NULL_ONLY_OF_NULL, result_type
from trailbook.algebra.functions import fits, lookup
from trailbook.algebra.higher_order import LAMBDA_RULES
from trailbook.algebra.literals import interval_literal_type, number_type, spelt_type, written_number
from trailbook.model.artifacts import Column

Typed = tuple[str, bool]
"""A type, and whether there may be NULL."""

NOT_KNOWN: Typed = (UNKNOWN, True)


class Typing:
    """The types of expressions over some columns, and over the variables of the lambdas around them."""

    def __init__(self, schema: Sequence[Column], variables: Mapping[str, str] | None = None) -> None:
        self._schema = schema
        self._variables = variables or {}
        self._known: dict[int, Typed] = {}

    def of(self, expr: Expr) -> Typed:
        """Without recursion, as conditions that were put together by programs are deep."""
        for node in reversed(list(expr.dfs(prune=lambda node: isinstance(node, exp.Lambda | exp.Column)))):
            self._known[id(node)] = self._typed(node)
        return self._known[id(expr)]

    def kind(self, part: Expr) -> str:
        """The type of a part of an expression that was typed before; of a lambda's inside it is unknown."""
        return self._part(part)[0]

    def operand(self, operand: Expr, other: Expr) -> str:
        """The type that an operand counts as: beside a decimal, a whole number that is written out has few digits."""
        number, kind = written_number(operand), self.kind(operand)
        if number and is_integral(kind) and is_decimal(self.kind(other)):
            return f"decimal({len(number.lstrip('-'))},0)"
        return kind

    def _typed(self, node: Expr) -> Typed:
        if isinstance(node, WRAPPERS):
            return self._part(node.this)
        for classes, rule in _RULES:
            if isinstance(node, classes):
                return rule(self, node)
        return NOT_KNOWN

    def _part(self, node: Expr | None) -> Typed:
        return self._known.get(id(node), NOT_KNOWN)

    def _column(self, node: exp.Column) -> Typed:
        name = node.name
        found = next((column for column in self._schema if column.name == name), None)
        return (found.type, found.nullable) if found and not node.table else NOT_KNOWN

    def _variable(self, node: exp.Identifier) -> Typed:
        return self._variables.get(node.name.lower(), UNKNOWN), True

    def _literal(self, node: exp.Literal) -> Typed:
        kind = STRING if node.is_string else number_type(str(node.this))
        return kind, kind == UNKNOWN

    def _negative(self, node: exp.Neg) -> Typed:
        if number := written_number(node):
            return number_type(number), False
        kind, nullable = self._part(node.this)
        return (kind, nullable) if is_numeric(kind) or is_interval(kind) else NOT_KNOWN

    def _comparison(self, node: Expr) -> Typed:
        return BOOLEAN, self._widened([self._part(part) for part in node.iter_expressions()])[1]

    def _match(self, node: Expr) -> Typed:
        return BOOLEAN, any(self._part(part)[1] for part in node.iter_expressions())

    def _connective(self, node: Expr) -> Typed:
        return BOOLEAN, any(self._part(part) != (BOOLEAN, False) for part in node.iter_expressions())

    def _case(self, node: exp.Case) -> Typed:
        default = node.args.get("default")
        values = [self._part(branch.args["true"]) for branch in node.args["ifs"]]
        return self._widened([*values, self._part(default) if default else (VOID, True)])

    def _if(self, node: exp.If) -> Typed:
        otherwise = node.args.get("false")
        return self._widened([self._part(node.args["true"]), self._part(otherwise) if otherwise else (VOID, True)])

    def _widened(self, parts: Sequence[Typed]) -> Typed:
        """Values brought to a common type, which may make some of them NULL."""
        kind = common_type([part for part, _ in parts])
        return kind, any(nullable or cast_may_null(part, kind) for part, nullable in parts)

    def _cast(self, node: exp.Cast) -> Typed:
        target = spelt_type(node.args["to"])
        source, nullable = self._part(node.this)
        return target, nullable or isinstance(node, exp.TryCast) or cast_may_null(source, target)

    def _arithmetic(self, node: Expr) -> Typed:
        operator = OPERATORS[type(node)]
        (left, a), (right, b) = self._part(node.this), self._part(node.expression)
        sides = self.operand(node.this, node.expression), self.operand(node.expression, node.this)
        kind = arithmetic_type(operator, *sides)
        cast = sides != (left, right) or STRING in (left, right) or {DATE, TIMESTAMP_NTZ} == {left, right}
        return kind, a or b or cast or kind == UNKNOWN or operator not in ("+", "-", "*")

    def _bitwise(self, node: Expr) -> Typed:
        kind, nullable = self._widened([self._part(part) for part in node.iter_expressions()])
        return (kind, nullable) if is_integral(kind) else NOT_KNOWN

    def _joined(self, node: exp.DPipe) -> Typed:
        parts = [self._part(node.this), self._part(node.expression)]
        return result_type("concat", [kind for kind, _ in parts]), any(nullable for _, nullable in parts)

    def _member(self, node: exp.Bracket) -> Typed:
        return result_type("get", [self._part(node.this)[0]]), True

    def _field(self, node: exp.Dot) -> Typed:
        return field_of(self._part(node.this)[0], node.expression.name), True

    def _extract(self, node: exp.Extract) -> Typed:
        unit, (kind, _) = node.name.lower(), self._part(node.expression)
        if kind not in (*MOMENTS, STRING) or unit.startswith("sec"):
            return ("decimal(8,6)", True) if kind in MOMENTS and unit == "second" else NOT_KNOWN
        return INT, True

    def _call(self, node: exp.Anonymous) -> Typed:
        name = node.name.lower()
        arguments = call_arguments(node)
        if name in LAMBDA_RULES:
            return self._higher_order(name, arguments)
        if name in ("struct", "named_struct"):
            return self._struct(name, arguments), False
        if name in ("round", "bround") and arguments:
            return self._rounded(*arguments), True
        parts = [self._part(argument) for argument in arguments]
        kinds = [kind for kind, _ in parts]
        if name in ("coalesce", "nvl", "ifnull"):
            kind = common_type(kinds)
            return kind, all(nullable or cast_may_null(part, kind) for part, nullable in parts)
        return result_type(name, kinds), name not in NEVER_NULL and self._may_be_null(name, parts)

    def _rounded(self, value: Expr, *digits: Expr) -> str:
        kind, number = self._part(value)[0], written_number(digits[0]) if digits else "0"
        if size := precision_and_scale(kind):
            return rounded(size, int(number)) if number and number.lstrip("-").isdigit() else UNKNOWN
        return kind if is_numeric(kind) else UNKNOWN

    def _may_be_null(self, name: str, parts: Sequence[Typed]) -> bool:
        if name in ("caveat", "caveat_if"):
            return parts[0][1] if parts else True
        function = lookup(name)
        known = name in NULL_ONLY_OF_NULL and function is not None and fits(function, [kind for kind, _ in parts])
        return not known or any(nullable for _, nullable in parts)

    def _struct(self, name: str, arguments: Sequence[Expr]) -> str:
        if name == "named_struct":
            names, values = [argument.name for argument in arguments[::2]], arguments[1::2]
            if not all(argument.is_string for argument in arguments[::2]) or len(names) != len(values):
                return UNKNOWN
        else:
            names = [argument.alias_or_name or f"col{i}" for i, argument in enumerate(arguments, 1)]
            values = arguments
            if not all(isinstance(argument, exp.Column | exp.Alias) for argument in arguments):
                return UNKNOWN
        return struct_of([(name, self._part(value)[0]) for name, value in zip(names, values, strict=True)])

    def _higher_order(self, name: str, arguments: Sequence[Expr]) -> Typed:
        def body(position: int, *kinds: str) -> str:
            """The type of a lambda's result where its variables have these types."""
            if position >= len(arguments) or not isinstance(arguments[position], exp.Lambda):
                return UNKNOWN
            names = [variable.name.lower() for variable in arguments[position].expressions]
            inner = {**self._variables, **dict(zip(names, kinds, strict=False))}
            return Typing(self._schema, inner).of(arguments[position].this)[0]

        kinds = [self._part(argument)[0] for argument in arguments]
        return LAMBDA_RULES[name](kinds, body), True


_RULES: list[tuple[Any, Callable[[Typing, Any], Typed]]] = [
    (exp.Column, Typing._column),
    (exp.Identifier, Typing._variable),
    (exp.Literal, Typing._literal),
    (exp.Boolean, lambda *_: (BOOLEAN, False)),
    (exp.Null, lambda *_: (VOID, True)),
    (exp.Neg, Typing._negative),
    ((exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ), lambda *_: (BOOLEAN, False)),
    (COMPARISONS, Typing._comparison),
    (MATCHES, Typing._match),
    (CONNECTIVES, Typing._connective),
    (exp.Case, Typing._case),
    (exp.If, Typing._if),
    (exp.Cast, Typing._cast),
    (tuple(OPERATORS), Typing._arithmetic),
    ((exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.BitwiseNot), Typing._bitwise),
    (exp.DPipe, Typing._joined),
    (exp.Bracket, Typing._member),
    (exp.Dot, Typing._field),
    (exp.Extract, Typing._extract),
    (exp.Trim, lambda *_: (STRING, True)),
    (exp.Interval, lambda _, node: (interval_literal_type(node), False)),
    (exp.Anonymous, Typing._call),
]
