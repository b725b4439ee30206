"""Intervals of calendar time and what they do to dates."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from trailbook.errors import InterpreterError

MONTHS = {"month": 1, "quarter": 3, "year": 12}
UNITS = {
    "week": timedelta(days=7),
    "day": timedelta(days=1),
    "hour": timedelta(hours=1),
    "minute": timedelta(minutes=1),
    "second": timedelta(seconds=1),
    "millisecond": timedelta(milliseconds=1),
    "microsecond": timedelta(microseconds=1),
}


@dataclass(frozen=True)
class Interval:
    """Months, whose length depends on the date, and a fixed time."""

    months: int = 0
    rest: timedelta = timedelta()

    @staticmethod
    def parsed(text: str) -> Interval:
        """Of "1 day", "2 months 3 hours"."""
        result = Interval()
        for amount, unit in re.findall(r"([+-]?\d+)\s*([A-Za-z]+)", text):
            result = result.plus(Interval.of(int(amount), unit.lower().removesuffix("s")))
        return result

    @staticmethod
    def of(amount: int, unit: str) -> Interval:
        if unit in MONTHS:
            return Interval(amount * MONTHS[unit])
        if unit not in UNITS:
            raise InterpreterError(f"{unit} is no unit of time. Known: {', '.join([*MONTHS, *UNITS])}.")
        return Interval(0, amount * UNITS[unit])

    def plus(self, other: Interval) -> Interval:
        return Interval(self.months + other.months, self.rest + other.rest)

    def times(self, factor: int) -> Interval:
        return Interval(self.months * factor, self.rest * factor)


def add_months(day: date, months: int) -> date:
    """The same day of another month, or its last day. Works on a datetime too."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return day.replace(year=year, month=month + 1, day=min(day.day, last))


def shifted(moment: date, interval: Interval) -> date:
    """The moment later by the interval: a date stays one if only days are added."""
    moved = add_months(moment, interval.months)
    if interval.rest % timedelta(days=1) and not isinstance(moved, datetime):
        moved = datetime.combine(moved, time())
    return moved + interval.rest
