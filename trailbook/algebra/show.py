"""Plans as text for people: a line for each operator, its inputs below it and further in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.plan import (
    Aggregate,
    Distinct,
    Existence,
    Filter,
    Generate,
    Join,
    Leaf,
    Limit,
    Named,
    Opaque,
    Plan,
    Project,
    Range,
    Scan,
    SetOperation,
    Sort,
    Union,
    Values,
    Window,
)
from trailbook.algebra.print_expression import quoted, sql_of
from trailbook.algebra.traversal import bottom_up


def show(plan: Plan) -> str:
    """The tree. What is used twice is written out once, with a number."""
    uses = Counter(id(child) for node in bottom_up(plan) for child in node.inputs)
    numbers: dict[int, int] = {}
    lines: list[str] = []
    waiting: list[tuple[Plan, int]] = [(plan, 0)]
    while waiting:
        node, depth = waiting.pop()
        indent = "  " * depth
        if id(node) in numbers:
            lines.append(f"{indent}#{numbers[id(node)]} again")
            continue
        if uses[id(node)] > 1 and not isinstance(node, Leaf):
            numbers[id(node)] = len(numbers) + 1
            indent += f"#{numbers[id(node)]} "
        lines.append(indent + describe(node))
        waiting.extend((child, depth + 1) for child in reversed(node.inputs))
    return "\n".join(lines)


def describe(node: Plan) -> str:
    """One operator, without its inputs."""
    match node:
        case Scan():
            return f"Scan {quoted(node.table)}({_names(node.names)})"
        case Values():
            rows = ", ".join(f"({', '.join(map(sql_of, row))})" for row in node.rows)
            return f"Values({_names(node.names)}) {rows}".rstrip()
        case Range():
            return f"Range {node.start} to {node.end} by {node.step}"
        case Project():
            return f"Project {_columns(node.columns)}".rstrip()
        case Filter():
            return f"Filter {sql_of(node.condition)}"
        case Aggregate():
            return _aggregate(node)
        case Window():
            return f"Window {_columns(node.functions)}"
        case Sort():
            return f"Sort {', '.join(map(sql_of, node.keys))}"
        case _:
            return _rarer(node)


def _rarer(node: Plan) -> str:
    match node:
        case Join():
            return f"Join {node.kind}{_on(node.condition)}"
        case Existence():
            return f"Existence {quoted(node.name)}{_on(node.condition)}"
        case Limit():
            count = "all" if node.count is None else node.count
            return f"Limit {count}{f' after {node.offset}' if node.offset else ''}"
        case Generate():
            return f"Generate{' outer' if node.outer else ''} {_names(node.columns)} := {sql_of(node.generator)}"
        case SetOperation():
            return f"{node.kind.capitalize()}{' all' if node.all else ''}"
        case Opaque():
            return f"Opaque({_names(name for name, _ in node.tables)}) {' '.join(node.text.split())}"
        case Union() | Distinct():
            return type(node).__name__
        case _:
            raise TypeError(f"{type(node).__name__} can't be shown.")


def _aggregate(node: Aggregate) -> str:
    parts = [f"by {_columns(node.keys)}"] if node.keys else []
    if node.sets is not None:
        parts.append(f"in sets {', '.join(f'({_names(names)})' for names in node.sets)}")
    if node.aggregates:
        parts.append(f"of {_columns(node.aggregates)}" if parts else _columns(node.aggregates))
    return " ".join(["Aggregate", *parts])


def _columns(columns: Iterable[Named]) -> str:
    return ", ".join(_column(column) for column in columns)


def _column(column: Named) -> str:
    same = isinstance(column.expr, exp.Column) and column.expr.name == column.name
    return quoted(column.name) if same else f"{quoted(column.name)} := {sql_of(column.expr)}"


def _on(condition: Expr | None) -> str:
    return "" if condition is None else f" on {sql_of(condition)}"


def _names(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))
