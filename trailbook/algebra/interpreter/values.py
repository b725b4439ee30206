"""Values at run time: how they compare, sort and group. NULL is None, a struct is a tuple, an array a list."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from trailbook.algebra.interpreter.casts import cast_like, to_double
from trailbook.errors import InterpreterError

Row = tuple[Any, ...]


class _NaN:
    """Stands for NaN in comparisons: equal to itself and greater than every number, as Spark has it."""

    def __lt__(self, other: Any) -> bool:
        return False

    def __gt__(self, other: Any) -> bool:
        return other is not self


NAN = _NaN()


def hashable(value: Any) -> Any:
    """What is equal for values of one group: lists are compared by content."""
    if isinstance(value, float) and value != value:
        return NAN
    if isinstance(value, list | tuple):
        return tuple(map(hashable, value))
    if isinstance(value, dict):
        return frozenset((hashable(key), hashable(entry)) for key, entry in value.items())
    return value


def sortable(value: Any) -> Any:
    """What sorts as Spark sorts: NULL within arrays and structs is the least value."""
    if isinstance(value, float):
        return NAN if value != value else value
    if isinstance(value, list | tuple):
        return tuple((item is not None, sortable(item)) for item in value)
    return value


def distinct(values: list[Any]) -> list[Any]:
    """The first of each of the values that are equal."""
    seen: dict[Any, Any] = {}
    for value in values:
        seen.setdefault(hashable(value), value)
    return list(seen.values())


def aligned(left: Any, right: Any) -> tuple[Any, Any]:
    """Two values as Spark compares them: text becomes what it is compared with."""
    if type(left) is type(right):
        return left, right
    if isinstance(left, str):
        return cast_like(left, right), right
    if isinstance(right, str):
        return left, cast_like(right, left)
    if isinstance(left, float) or isinstance(right, float):
        return float(left), float(right)
    return _moment(left), _moment(right)


def _moment(value: Any) -> Any:
    is_day = isinstance(value, date) and not isinstance(value, datetime)
    return datetime.combine(value, time()) if is_day else value


def equal(left: Any, right: Any) -> bool:
    left, right = aligned(left, right)
    return bool(sortable(left) == sortable(right))


def less(left: Any, right: Any) -> bool:
    left, right = aligned(left, right)
    try:
        return bool(sortable(left) < sortable(right))
    except TypeError as error:
        raise InterpreterError(f"{left!r} and {right!r} can't be compared.") from error


def same(left: Any, right: Any) -> bool:
    """`<=>`: NULL equals NULL."""
    if left is None or right is None:
        return left is right
    return equal(left, right)


def number_like(value: Any) -> Any:
    """A number of whatever kind; text counts as a double, as in Spark's arithmetic."""
    if isinstance(value, bool):
        raise InterpreterError(f"{value} is not a number.")
    return to_double(value) if isinstance(value, str) else value


def alike(left: Any, right: Any) -> tuple[Any, Any]:
    """Two numbers that Python can add."""
    left, right = number_like(left), number_like(right)
    if isinstance(left, Decimal) and isinstance(right, float):
        return float(left), right
    if isinstance(left, float) and isinstance(right, Decimal):
        return left, float(right)
    return left, right
