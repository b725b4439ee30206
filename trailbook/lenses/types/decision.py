"""What a column is taken for, and what somebody may say about it."""

from __future__ import annotations

import re
from enum import StrEnum

from pydantic import Field, field_validator, model_validator

from trailbook.lenses.types.formats import FORMATS, Kind
from trailbook.model.base import Value

TYPES = ("int", "bigint", "decimal", "double", "boolean", "date", "timestamp", "string")
MOST_DIGITS = 38
"""Of a decimal in Spark."""

_MOMENTS = {Kind.DATE, Kind.TIMESTAMP}
_KINDS = {"boolean": Kind.BOOLEAN, "date": Kind.DATE, "timestamp": Kind.TIMESTAMP}
_READ_AS = {"string": set[Kind](), "boolean": {Kind.BOOLEAN}, "date": _MOMENTS, "timestamp": _MOMENTS}
"""The kinds of formats that can be read as a type; for all others, those of numbers."""
_DECIMAL = re.compile(r"decimal\((\d+),(\d+)\)")


def formats_of(type: str) -> tuple[str, ...]:
    """Those whose values can be read as a type."""
    kinds = _READ_AS.get(type, {Kind.NUMBER})
    return tuple(name for name, format in FORMATS.items() if format.kind in kinds)


class Guess(StrEnum):
    """What nothing in the column settles."""

    ORDER = "order"
    """Which of two numbers of a date is the day."""
    CENTURY = "century"
    """Of a year with two digits."""
    MARK = "mark"
    """Whether a comma or point in a number sets off thousands or decimals."""
    CURRENCY = "currency"
    """What amounts of different currencies have to do with each other."""
    DIGITS = "digits"
    """Whether it matters what a double does not hold of a number."""


class Guard(StrEnum):
    """What is looked at where a cast would read more in a column than what is written in the usual way."""

    NONE = "none"
    LENGTH = "length"
    """The length of the text, which is cheap, tells it apart."""
    SHAPE = "shape"
    DIGITS = "digits"
    """The shape, and whether no digit got lost."""


class Given(Value):
    """What is settled for a column; what is left out is inferred."""

    type: str = Field("", description=f"{', '.join(TYPES)}; with digits, decimal(18,2).")
    formats: tuple[str, ...] = Field((), description="How values are written, the usual way first.")
    codes: tuple[str, ...] | None = Field(None, description="Texts that stand for a missing value.")

    @field_validator("type")
    @classmethod
    def _known_type(cls, value: str) -> str:
        plain = re.sub(r"\s", "", value.lower())
        if sizes := _DECIMAL.fullmatch(plain):
            if not int(sizes[2]) <= int(sizes[1]) <= MOST_DIGITS:
                raise ValueError(f"{plain} has no room: at most {MOST_DIGITS} digits, of which some are decimals")
        elif plain and plain not in TYPES:
            raise ValueError(f"{value!r} is no type of a column: use {', '.join(TYPES)} or decimal(18,2)")
        return plain

    @field_validator("formats")
    @classmethod
    def _known_formats(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        names = tuple(name if name in FORMATS else re.sub("dd", "d", re.sub(r"\bMM\b", "M", name)) for name in value)
        for name in names:
            if name not in FORMATS:
                raise ValueError(f"{name!r} is no format of values: use one of {', '.join(FORMATS)}")
        return names

    @model_validator(mode="after")
    def _formats_of_the_type(self) -> Given:
        readable = formats_of(self.type)
        for name in self.formats if self.type else ():
            if name not in readable:
                raise ValueError(f"{name!r} is a format of a {FORMATS[name].kind}, so it can't be read as {self.type}")
        return self

    @property
    def is_settled(self) -> bool:
        """Whether the kind of values is given, by a type or by a format."""
        return bool(self.type or self.formats)

    @property
    def kind(self) -> Kind | None:
        """None for text."""
        if self.type == "string":
            return None
        return _KINDS.get(self.type, Kind.NUMBER) if self.type else FORMATS[self.formats[0]].kind


NOTHING_GIVEN = Given.model_validate({})


class Counts(Value):
    """How many values of a column are what."""

    nulls: int = 0
    blanks: int = 0
    codes: int = 0
    usual: int = 0
    """Written as most are."""
    unusual: int = 0
    """Written in another way that can be read."""
    misfits: int = 0

    @property
    def share(self) -> float:
        """The part that fits the type, of what is neither blank nor a code."""
        fits = self.usual + self.unusual
        return fits / (fits + self.misfits) if fits else 0.0


class Decision(Value):
    """A type as Spark spells it, and how texts are read as such; the first of the formats is the usual one."""

    type: str = "string"
    formats: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    """In lower case."""
    proposed: tuple[str, ...] = ()
    """Texts that may stand for a missing value, and are read as what they say."""
    guesses: tuple[Guess, ...] = ()
    currency: str = ""
    """The one of most values, if there are several."""
    guard: Guard = Guard.NONE
    counts: Counts = Counts()
    misfits: tuple[str, ...] = ()
    """Some of those."""

    @property
    def changes_nothing(self) -> bool:
        return self.type == "string" and not self.codes
