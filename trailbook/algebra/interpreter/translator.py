"""Expressions become Python source: one function for each operator, so that a row costs no calls but those it needs.

The source of an expression is a Python expression for its value, with None for NULL. Python refuses source that is
nested deeply, so every few levels an expression moves into a function of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from types import CodeType
from typing import Any

from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.interpreter.casts import BITS, cast_to, tried
from trailbook.algebra.plan import Schema
from trailbook.algebra.types import UNKNOWN, type_of
from trailbook.errors import InterpreterError

LEVELS = 12
"""How deep an expression is nested before the rest moves out."""

Rule = Callable[["Translator", Any], str]
RULES: dict[type[Expr], Rule] = {}
"""How the value of each kind of expression is computed."""

TRUTHS: dict[type[Expr], Rule] = {}
"""Where there is a shorter way to say whether it is true than to compute its value."""

FALSITIES: dict[type[Expr], Rule] = {}

RUNTIME: dict[str, Any] = {"cast_to": cast_to, "tried": tried}
"""What the source may call."""

INLINE_COMPARED = {"int", "decimal", "string", "boolean", "date", "timestamp"}
"""Families whose values Python compares and hashes as Spark does."""


def rule(*kinds: type[Expr], table: dict[type[Expr], Rule] = RULES) -> Callable[[Rule], Rule]:
    """Register how expressions of these kinds are translated."""

    def register(function: Rule) -> Rule:
        table.update(dict.fromkeys(kinds, function))
        return function

    return register


def runtime(*functions: Callable[..., Any]) -> None:
    """Let the source call these functions by their names."""
    RUNTIME.update({function.__name__: function for function in functions})


def family(kind: str) -> str:
    """The type without what Python's values don't show: width, precision, time zone."""
    if kind in BITS:
        return "int"
    if kind in ("double", "float"):
        return "double"
    return kind.split("(")[0].split("<")[0].removesuffix("_ntz")


class Translator:
    """Translates the expressions of one operator, whose columns are given with their source."""

    def __init__(self, parameters: str, columns: Mapping[str, str], schema: Schema) -> None:
        self.parameters = parameters
        self.columns = columns
        self.schema = schema
        self.definitions: list[str] = []
        self.variables: dict[str, str] = {}
        self._types: dict[int, tuple[Expr, str]] = {}
        self._level = 0
        self._names = 0

    def fresh(self) -> str:
        self._names += 1
        return f"_{self._names}"

    def constant(self, source: str) -> str:
        """A name for what is computed once."""
        name = self.fresh()
        self.definitions.append(f"{name} = {source}")
        return name

    def type(self, expr: Expr) -> str:
        """Spark's type, as far as it is known."""
        # The expression is kept: another one could get its id otherwise.
        if id(expr) not in self._types:
            self._types[id(expr)] = expr, type_of(expr, self.schema)[0]
        return self._types[id(expr)][1]

    def family(self, expr: Expr) -> str:
        return family(self.type(expr))

    def value(self, expr: Expr) -> str:
        return self._translated(expr, _rule_for(expr))

    def truth(self, expr: Expr) -> str:
        """Source that Python takes for true where the expression is true."""
        return self._translated(expr, TRUTHS.get(type(expr)) or _rule_for(expr))

    def falsity(self, expr: Expr) -> str:
        """Source that Python takes for true where the expression is false, not NULL."""
        shorter = FALSITIES.get(type(expr))
        return self._translated(expr, shorter) if shorter else f"({self.value(expr)} is False)"

    def _translated(self, expr: Expr, translate: Rule) -> str:
        if isinstance(expr, exp.Column | exp.Literal):
            return translate(self, expr)
        self._level += 1
        source = translate(self, expr)
        if self._level % LEVELS == 0 and not self.variables:
            source = self._moved_out(source)
        self._level -= 1
        return source

    def _moved_out(self, source: str) -> str:
        name = self.fresh()
        self.definitions.append(f"def {name}({self.parameters}): return {source}")
        return f"{name}({self.parameters})"

    def strict(self, operands: Sequence[Expr], body: Callable[..., str]) -> str:
        """The body over the operands' values, or NULL if one of them is."""
        names, checks = [], []
        for operand in operands:
            source = self.value(operand)
            if source == "None":
                return source
            if isinstance(operand, exp.Literal | exp.Boolean):
                names.append(source)
                continue
            name = source if isinstance(operand, exp.Column) else self.fresh()
            names.append(name)
            checks.append(f"{name} is None" if name == source else f"({name} := {source}) is None")
        return f"(None if {' or '.join(checks)} else {body(*names)})" if checks else f"({body(*names)})"

    def coerced(self, expr: Expr, kind: str) -> str:
        """The value as one of another type, where Python's values of the two differ."""
        source = self.value(expr)
        if not needs_cast(self.type(expr), kind) or source == "None":
            return source
        return f"(None if ({(name := self.fresh())} := {source}) is None else {self.cast(kind)}({name}))"

    def cast(self, kind: str) -> str:
        """The name of the function that casts to a type."""
        return self.constant(f"cast_to({kind!r})")

    def function(self, head: str, body: str, environment: Mapping[str, Any]) -> Callable[..., Any]:
        """The function `made` with that head and body, after all that was defined for it."""
        code = _compiled("\n".join([*self.definitions, f"def made({head}): return {body}"]))
        scope = dict(environment)
        exec(code, scope)
        made: Callable[..., Any] = scope["made"]
        return made


def needs_cast(source: str, target: str) -> bool:
    known = family(source) not in (UNKNOWN, "void") and family(target) not in (UNKNOWN, "void")
    return known and (source != target if family(target) == "decimal" else family(source) != family(target))


def environment(random: Random) -> dict[str, Any]:
    """What the source of one compiled plan sees."""
    return {**RUNTIME, "random": random}


def tuple_of(sources: Iterable[str]) -> str:
    return "(" + "".join(f"{source}, " for source in sources) + ")"


def _rule_for(expr: Expr) -> Rule:
    try:
        return RULES[type(expr)]
    except KeyError:
        raise InterpreterError(f"The interpreter does not know {type(expr).__name__}: {expr.sql('spark')}.") from None


@lru_cache(maxsize=4096)
def _compiled(source: str) -> CodeType:
    return compile(source, "<plan>", "exec")
