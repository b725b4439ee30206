"""Which casts can fail: CAST raises on some value, and try_cast gives NULL."""

from __future__ import annotations

from trailbook.algebra.datatypes import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    INTEGRAL,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    UNKNOWN,
    VOID,
    element_of,
    entry_of,
    fields_of,
    is_atomic,
    is_decimal,
    is_integral,
    precision_and_scale,
)
from trailbook.algebra.decimals import DIGITS, as_decimal

SAFE_DIGITS = {TINYINT: 2, SMALLINT: 4, INT: 9, BIGINT: 18}
"""Numbers of so many digits fit, whatever they are."""
SECONDS_DIGITS = 14
"""Of a timestamp as a number, with room for rounding up."""


def cast_may_fail(source: str, target: str) -> bool:
    """Whether CAST of some value of one type to the other raises."""
    if UNKNOWN in (source, target):
        return True
    if source in (target, VOID):
        return False
    if is_atomic(source) and is_atomic(target):
        return not _never_fails(source, target)
    return _parts_may_fail(source, target)


def cast_may_null(source: str, target: str) -> bool:
    """Whether Spark takes the result of a cast to be nullable, though the source is not."""
    if cast_may_fail(source, target) or {source, target} == {DATE, TIMESTAMP_NTZ}:
        return True
    room, size = precision_and_scale(target), as_decimal(source)
    if room and source != VOID:
        return size is None or size[1] > room[1]
    return is_decimal(source) and is_integral(target)


def _never_fails(source: str, target: str) -> bool:
    if target == STRING:
        return True
    if source == STRING:
        return target == BINARY
    if source in (DATE, TIMESTAMP, TIMESTAMP_NTZ):
        return _from_moment(source, target)
    digits = _digits_before_point(source)
    if digits is not None:
        return _from_exact(source, digits, target)
    return source in (FLOAT, DOUBLE) and target in (FLOAT, DOUBLE, BOOLEAN)


def _from_moment(source: str, target: str) -> bool:
    if target in (TIMESTAMP, TIMESTAMP_NTZ, DATE):
        return source != DATE
    room = _digits_before_point(target) if precision_and_scale(target) else None
    return source == TIMESTAMP and (target in (BIGINT, FLOAT, DOUBLE) or (room or 0) >= SECONDS_DIGITS)


def _digits_before_point(kind: str) -> int | None:
    if kind == BOOLEAN:
        return 1
    size = precision_and_scale(kind)
    return size[0] - size[1] if size else DIGITS.get(kind)


def _from_exact(source: str, digits: int, target: str) -> bool:
    if target in (FLOAT, DOUBLE, BOOLEAN):
        return True
    if source in INTEGRAL and target in INTEGRAL:
        return INTEGRAL.index(source) <= INTEGRAL.index(target)
    if target in INTEGRAL:
        return digits <= SAFE_DIGITS[target]
    size = precision_and_scale(target)
    if size is None:
        return target == TIMESTAMP and source in INTEGRAL and source != BIGINT
    scale = (precision_and_scale(source) or (0, 0))[1]
    rounding = 1 if size[1] < scale else 0
    return size[0] - size[1] >= digits + rounding


def _parts_may_fail(source: str, target: str) -> bool:
    if target == STRING:
        return False
    if (a := element_of(source)) and (b := element_of(target)):
        return cast_may_fail(a, b)
    if (m := entry_of(source)) and (n := entry_of(target)):
        return cast_may_fail(m[0], n[0]) or cast_may_fail(m[1], n[1])
    s, t = fields_of(source), fields_of(target)
    if s and t and len(s) == len(t):
        return any(cast_may_fail(x, y) for (_, x), (_, y) in zip(s, t, strict=True))
    return True
