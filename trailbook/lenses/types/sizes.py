"""The smallest type that holds all numbers of a column."""

from __future__ import annotations

from decimal import Decimal

from trailbook.lenses.types.decision import MOST_DIGITS
from trailbook.lenses.types.votes import Extent

FIXED_PLACES = 6
"""Numbers that all have the same few decimals are amounts, and exact; others are measured, and doubles if possible."""
ROOM = 18
"""Digits of a decimal where these do: as many as Spark computes with quickly, and more than today's file needs."""
BOUNDS = {"int": 2**31, "bigint": 2**63}


def number_type(extent: Extent, has_exponents: bool) -> str | None:
    """None where a number is larger than any type holds."""
    if not extent.most_places and not has_exponents:
        return _whole(extent)
    has_fixed_places = extent.fewest_places == extent.most_places <= FIXED_PLACES
    has_room = extent.digits + extent.most_places <= MOST_DIGITS and not has_exponents
    is_exact = has_room and (has_fixed_places or extent.exceeds_doubles)
    return decimal_type(extent) if is_exact else "double"


def decimal_type(extent: Extent) -> str:
    digits = extent.digits + extent.most_places
    places = min(extent.most_places, max(MOST_DIGITS - extent.digits, 0))
    return f"decimal({ROOM if digits <= ROOM else MOST_DIGITS},{places})"


def _whole(extent: Extent) -> str | None:
    low, high = extent.low or Decimal(0), extent.high or Decimal(0)
    for type, bound in BOUNDS.items():
        if -bound <= low and high < bound:
            return type
    return f"decimal({MOST_DIGITS},0)" if extent.digits <= MOST_DIGITS else None
