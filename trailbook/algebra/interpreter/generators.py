"""Generators: functions that make any number of rows of one."""

from __future__ import annotations

from typing import Any

from trailbook.algebra.expressions import Expr
from trailbook.algebra.interpreter.aggregates import aggregate_name
from trailbook.algebra.interpreter.translator import Translator, runtime
from trailbook.algebra.interpreter.values import Row
from trailbook.errors import InterpreterError


def explode(items: Any) -> list[Row]:
    """An element a row, or an entry of a map."""
    if items is None:
        return []
    return list(items.items()) if isinstance(items, dict) else [(item,) for item in items]


def posexplode(items: Any) -> list[Row]:
    return [(index, *made) for index, made in enumerate(explode(items))]


def inline(structs: Any) -> list[Row]:
    """A row for each struct of an array; NULL for one that is NULL."""
    width = max((len(struct) for struct in structs or [] if struct is not None), default=0)
    return [(None,) * width if struct is None else struct for struct in structs or []]


def stack(count: int, *values: Any) -> list[Row]:
    width = -(-len(values) // count)
    padded = [*values, *[None] * (count * width - len(values))]
    return [tuple(padded[start : start + width]) for start in range(0, len(padded), width)]


runtime(explode, posexplode, inline, stack)
GENERATORS = {"explode", "posexplode", "inline", "stack"}


def generated(to: Translator, generator: Expr, width: int) -> str:
    """Source for the rows that the generator makes of the row `r`."""
    name = aggregate_name(generator).removesuffix("_outer")
    if name not in GENERATORS:
        raise InterpreterError(f"The interpreter does not know the generator {name}.")
    made = f"{name}({', '.join(map(to.value, generator.expressions))})"
    outer = aggregate_name(generator).endswith("_outer")
    return f"{made} or [{(None,) * width!r}]" if outer else made
