"""How large numbers are that are written as texts, told for whole arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from trailbook.lenses.types.codes import NUMBER_CODES
from trailbook.lenses.types.doubles import SURE_DIGITS, doubles_hold
from trailbook.lenses.types.formats import AROUND, EXPONENT, Format
from trailbook.lenses.types.votes import Extent

MOST_EXACT = 2**53
"""Doubles hold all whole numbers up to this one."""

_NUMBER_CODES = pa.array(sorted(NUMBER_CODES))


@dataclass(frozen=True)
class Numbers:
    """Plain numbers as texts."""

    texts: pa.StringArray
    have_exponents: bool = False

    @cached_property
    def lengths(self) -> pa.Int32Array:
        return pc.binary_length(self.texts)

    @cached_property
    def points(self) -> pa.Int32Array:
        """Where each has its point, or -1."""
        return pc.find_substring(self.texts, ".")

    @cached_property
    def have_point(self) -> pa.BooleanArray:
        return pc.greater_equal(self.points, 0)

    @cached_property
    def values(self) -> pa.Array:
        """As exactly as may be."""
        if not pc.any(self.have_point).as_py():
            try:
                return self.texts.cast(pa.int64())
            except pa.ArrowInvalid:
                # One is too large, or has a sign that Arrow does not read in whole numbers.
                pass
        return self.texts.cast(pa.float64())

    @cached_property
    def are_small(self) -> pa.BooleanArray:
        """Below a thousand, where groups of digits begin."""
        return pc.less(pc.abs(self.values), 1000)

    @cached_property
    def are_grouped(self) -> pa.BooleanArray:
        """Those whose point may set off thousands."""
        have_three_places = pc.and_(self.have_point, pc.equal(pc.subtract(self.lengths, self.points), 4))
        is_led = pc.greater_equal(pc.abs(self.values), 1)
        return pc.and_(pc.and_(have_three_places, self.are_small), is_led)

    def extent(self) -> Extent:
        """Those that may be codes set no bounds."""
        places = pc.subtract(self.lengths, pc.add(self.points, 1)).filter(self.have_point)
        fewest, most = pc.min_max(places).as_py().values()
        bounds = pc.min_max(self.values.filter(pc.invert(pc.is_in(self.texts, value_set=_NUMBER_CODES)))).as_py()
        low, high = (None if bound is None else Decimal(repr(bound)) for bound in bounds.values())
        return Extent(low, high, self._digits(), fewest, most or 0, not self._fit_doubles())

    def _digits(self) -> int:
        have_sign = pc.or_(pc.starts_with(self.texts, "-"), pc.starts_with(self.texts, "+"))
        before = pc.if_else(self.have_point, self.points, self.lengths)
        return int(pc.max(pc.subtract(before, have_sign.cast(pa.int32()))).as_py())

    def _fit_doubles(self) -> bool:
        if self.have_exponents:
            return doubles_hold(self.texts)
        if pa.types.is_floating(self.values.type):
            return doubles_hold(self.texts.filter(pc.greater(self.lengths, SURE_DIGITS)))
        return doubles_hold(self.texts.filter(pc.greater(pc.abs(self.values), MOST_EXACT)))


def plain_numbers(texts: Iterable[str], format: Format) -> Numbers:
    """Numbers of this format as others would write them."""
    translation: dict[int, str | None] = {ord(mark): None for mark in format.dropped}
    if format.kept:
        translation[ord(format.kept)] = "."
    plain = pa.array([text.strip(AROUND).translate(translation) for text in texts])
    return Numbers(plain, have_exponents=format.name == EXPONENT)
