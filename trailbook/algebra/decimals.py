"""The types of decimal arithmetic, as Spark reckons them: exact while 38 digits are enough."""

from __future__ import annotations

from trailbook.algebra.datatypes import BIGINT, INT, SMALLINT, TINYINT, precision_and_scale

MAX_PRECISION = 38
MIN_SCALE = 6
"""Digits after the point that stay when 38 are not enough."""

DIGITS = {TINYINT: 3, SMALLINT: 5, INT: 10, BIGINT: 20}


def decimal(precision: int, scale: int) -> str:
    """A decimal, cut off at 38 digits."""
    return f"decimal({min(precision, MAX_PRECISION)},{min(scale, MAX_PRECISION)})"


def as_decimal(kind: str) -> tuple[int, int] | None:
    """Precision and scale that hold every value of an exact type."""
    return (DIGITS[kind], 0) if kind in DIGITS else precision_and_scale(kind)


def wider(left: tuple[int, int], right: tuple[int, int]) -> str:
    """The type that both have room in; if 38 digits are not enough, those before the point come first."""
    (p1, s1), (p2, s2) = left, right
    before_point, scale = max(p1 - s1, p2 - s2), max(s1, s2)
    return decimal(before_point + scale, min(scale, MAX_PRECISION - before_point))


def exact_result(operator: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    """Precision and scale that no result outgrows; for `/` that its digits after the point are cut to."""
    (p1, s1), (p2, s2) = left, right
    scale = max(s1, s2)
    match operator:
        case "+" | "-":
            return max(p1 - s1, p2 - s2) + scale + 1, scale
        case "*":
            return p1 + p2 + 1, s1 + s2
        case "%":
            return min(p1 - s1, p2 - s2) + scale, scale
        case "/":
            scale = max(MIN_SCALE, s1 + p2 + 1)
            return p1 - s1 + s2 + scale, scale
        case _:
            raise ValueError(f"{operator} is no operator of decimals.")


def result(operator: str, left: tuple[int, int], right: tuple[int, int]) -> str:
    """The type of an operation on decimals: where 38 digits are not enough, some after the point are given up."""
    precision, scale = exact_result(operator, left, right)
    if precision <= MAX_PRECISION:
        return decimal(precision, scale)
    before_point = precision - scale
    return decimal(MAX_PRECISION, max(MAX_PRECISION - before_point, min(scale, MIN_SCALE)))


def rounded(size: tuple[int, int], digits: int) -> str:
    """The type of a decimal rounded to so many digits after the point, or before it if negative."""
    before_point = size[0] - size[1] + 1
    if digits < 0:
        return decimal(max(before_point, 1 - digits), 0)
    scale = min(size[1], digits)
    return decimal(before_point + scale, scale)


def is_exact(operator: str, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether every result fits, so that none overflows."""
    return exact_result(operator, left, right)[0] <= MAX_PRECISION
