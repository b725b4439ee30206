"""Generators: functions that make rows, such as explode."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from trailbook.algebra.bind.functions import struct_fields
from trailbook.algebra.bind.grouping import is_kind
from trailbook.algebra.bind.problems import Opaqueness, problem
from trailbook.algebra.expressions import Expr, call
from trailbook.algebra.functions import FunctionKind
from trailbook.algebra.plan import Plan, Range, Schema, Values
from trailbook.algebra.types import type_of

ONE_ROW = Values(((),), ())
"""A row without columns."""


def is_generator(node: Expr) -> bool:
    return isinstance(node, exp.Anonymous) and is_kind(node.name, FunctionKind.GENERATOR)


def generated(function: Expr, schema: Schema, names: Sequence[str]) -> tuple[Expr, list[str], bool]:
    """The generator, the columns it makes, and whether it keeps rows of which it makes nothing."""
    if not is_generator(function):
        raise Opaqueness
    keeps = function.name.endswith("_outer")
    generator = call(function.name.removesuffix("_outer"), *function.expressions)
    default = _names(generator, schema)
    if names and default and len(names) != len(default):
        raise problem(f"{function.name} makes {len(default)} columns; there are {len(names)} names for them.")
    if not names and not default:
        raise Opaqueness
    return generator, list(names or default), keeps


def _names(generator: Expr, schema: Schema) -> list[str]:
    """What its columns are called where nobody says; empty if that can't be told."""
    name, arguments = generator.name, generator.expressions
    if name in ("explode", "posexplode"):
        kind, _ = type_of(arguments[0], schema)
        pair = ["key", "value"] if kind.startswith("map") else ["col"] if kind.startswith("array") else []
        return ["pos", *pair] if name == "posexplode" and pair else pair
    if name == "json_tuple":
        return [f"c{i}" for i in range(len(arguments) - 1)]
    if name == "stack":
        rows = int(arguments[0].name)
        return [f"col{i}" for i in range(-(-(len(arguments) - 1) // rows))]
    if name == "inline":
        kind, _ = type_of(arguments[0], schema)
        return struct_fields(kind.removeprefix("array<").removesuffix(">"))
    return []


def number_range(bounds: list[int]) -> Plan:
    """range(end), range(start, end) and range(start, end, step)."""
    start, end, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    if step == 0:
        raise Opaqueness
    return Range(start, end, step)
