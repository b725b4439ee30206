"""What the values of a column speak for: counts that can be added up, small whatever the column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from heapq import nsmallest
from typing import Any

BLANK, CODE, TEXT = "blank", "code", "text"
"""What a value may speak for besides formats."""

Ballot = tuple[str, ...]
"""All the formats that could have written a text, in their order of preference; or one of the words above."""

MOST_SAMPLES = 5
"""Texts of one ballot that are kept to be shown."""


@dataclass(frozen=True)
class Extent:
    """How large the numbers of one format are, those aside that may be codes."""

    low: Decimal | None = None
    high: Decimal | None = None
    digits: int = 0
    """Before the point, at most."""
    fewest_places: int | None = None
    """After the point, of those that have one."""
    most_places: int = 0
    exceeds_doubles: bool = False
    """Whether a double would not give back what is written."""

    def __or__(self, other: Extent) -> Extent:
        lows = [low for low in (self.low, other.low) if low is not None]
        highs = [high for high in (self.high, other.high) if high is not None]
        places = [fewest for fewest in (self.fewest_places, other.fewest_places) if fewest is not None]
        return Extent(
            min(lows, default=None),
            max(highs, default=None),
            max(self.digits, other.digits),
            min(places, default=None),
            max(self.most_places, other.most_places),
            self.exceeds_doubles or other.exceeds_doubles,
        )

    def as_json(self) -> list[Any]:
        bounds = (None if bound is None else str(bound) for bound in (self.low, self.high))
        return [*bounds, self.digits, self.fewest_places, self.most_places, self.exceeds_doubles]

    @classmethod
    def of_json(cls, found: list[Any]) -> Extent:
        low, high, *sizes = found
        return cls(None if low is None else Decimal(low), None if high is None else Decimal(high), *sizes)


@dataclass(frozen=True)
class Votes:
    """The ballots of a column's values.

    `watched` has the exact numbers of a few texts, codes and truth values, and of amounts in each currency. `samples`
    has some texts of each ballot.
    """

    nulls: int = 0
    counts: Mapping[Ballot, int] = field(default_factory=dict)
    extents: Mapping[str, Extent] = field(default_factory=dict)
    watched: Mapping[str, int] = field(default_factory=dict)
    samples: Mapping[Ballot, tuple[str, ...]] = field(default_factory=dict)

    @property
    def values(self) -> int:
        return sum(self.counts.values())

    @property
    def telling(self) -> int:
        """How many values speak for something; others say that one is missing."""
        return sum(number for ballot, number in self.counts.items() if ballot not in ((BLANK,), (CODE,)))

    def __or__(self, other: Votes) -> Votes:
        """The votes of both parts of a column."""
        return Votes(
            self.nulls + other.nulls,
            Counter(self.counts) + Counter(other.counts),
            _merged(self.extents, other.extents),
            Counter(self.watched) + Counter(other.watched),
            {
                ballot: few((*self.samples.get(ballot, ()), *other.samples.get(ballot, ())))
                for ballot in {**self.samples, **other.samples}
            },
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "nulls": self.nulls,
            "counts": [[*ballot, count] for ballot, count in self.counts.items()],
            "extents": {name: extent.as_json() for name, extent in self.extents.items()},
            "watched": dict(self.watched),
            "samples": [[ballot, texts] for ballot, texts in self.samples.items()],
        }

    @classmethod
    def of_json(cls, found: Mapping[str, Any]) -> Votes:
        return cls(
            found["nulls"],
            {tuple(ballot): count for *ballot, count in found["counts"]},
            {name: Extent.of_json(extent) for name, extent in found["extents"].items()},
            found["watched"],
            {tuple(ballot): tuple(texts) for ballot, texts in found["samples"]},
        )


def few(texts: Iterable[str]) -> tuple[str, ...]:
    """Some of the texts, the same whatever order they come in."""
    return tuple(nsmallest(MOST_SAMPLES, set(texts), key=lambda text: (len(text), text)))


def _merged(some: Mapping[str, Extent], others: Mapping[str, Extent]) -> dict[str, Extent]:
    return {name: some.get(name, Extent()) | others.get(name, Extent()) for name in {**some, **others}}
