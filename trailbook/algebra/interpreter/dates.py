"""Spark's functions of dates and times in plain Python. None of them sees NULL."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

from trailbook.algebra.interpreter.casts import to_date, to_timestamp, tried
from trailbook.algebra.interpreter.intervals import add_months
from trailbook.algebra.interpreter.patterns import parsed
from trailbook.errors import InterpreterError

EPOCH = date(1970, 1, 1)
PATTERNS = {"yyyy": "%Y", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M", "ss": "%S", "EEEE": "%A", "MMM": "%b"}


def days_later(day: Any, days: int) -> date:
    return to_date(day) + timedelta(days=days)


def days_earlier(day: Any, days: int) -> date:
    return to_date(day) - timedelta(days=days)


def last_day(day: Any) -> date:
    return add_months(to_date(day).replace(day=1), 1) - timedelta(days=1)


def truncated(moment: Any, unit: str) -> date | None:
    """The first day of the year, quarter, month or week."""
    day, unit = to_date(moment), unit.lower()
    if unit in ("year", "yyyy", "yy"):
        return day.replace(month=1, day=1)
    if unit == "quarter":
        return day.replace(month=day.month - (day.month - 1) % 3, day=1)
    if unit in ("month", "mon", "mm"):
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if unit == "week" else None


def truncated_moment(unit: str, moment: Any) -> datetime | None:
    """The like for date_trunc, whose arguments come in the other order, and which knows hours."""
    moment, unit = to_timestamp(moment), unit.lower()
    parts = {"day": 0, "dd": 0, "hour": 1, "minute": 2, "second": 3}
    if unit in parts:
        kept = (moment.hour, moment.minute, moment.second)[: parts[unit]]
        return datetime.combine(moment.date(), time(*kept))
    day = truncated(moment, unit)
    return None if day is None else datetime.combine(day, time())


def formatted(moment: Any, pattern: str) -> str:
    return to_timestamp(moment).strftime(_strftime(pattern))


def _strftime(pattern: str) -> str:
    def code(found: re.Match[str]) -> str:
        if found[0] not in PATTERNS:
            raise InterpreterError(f"The interpreter knows {', '.join(PATTERNS)} in a pattern, not {found[0]}.")
        return PATTERNS[found[0]]

    return re.sub(r"[A-Za-z]+", code, pattern)


def date_of(value: Any, pattern: str | None = None) -> date:
    return parsed(value, pattern).date() if pattern else to_date(value)


def timestamp_of(value: Any, pattern: str | None = None) -> datetime:
    return parsed(value, pattern) if pattern else to_timestamp(value)


def make_date(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError as error:
        raise InterpreterError(f"{year}-{month}-{day} is no date.") from error


def next_day(day: Any, name: str) -> date:
    names = ["mo", "tu", "we", "th", "fr", "sa", "su"]
    ahead = (names.index(name.lower()[:2]) - to_date(day).weekday() - 1) % 7 + 1
    return to_date(day) + timedelta(days=ahead)


PARTS: dict[str, Callable[[Any], Any]] = {
    "year": lambda day: to_date(day).year,
    "quarter": lambda day: (to_date(day).month + 2) // 3,
    "month": lambda day: to_date(day).month,
    "week": lambda day: to_date(day).isocalendar().week,
    "weekofyear": lambda day: to_date(day).isocalendar().week,
    "day": lambda day: to_date(day).day,
    "dayofmonth": lambda day: to_date(day).day,
    "dayofweek": lambda day: to_date(day).isoweekday() % 7 + 1,
    "dayofyear": lambda day: to_date(day).timetuple().tm_yday,
    "weekday": lambda day: to_date(day).weekday(),
    "hour": lambda moment: to_timestamp(moment).hour,
    "minute": lambda moment: to_timestamp(moment).minute,
    "second": lambda moment: to_timestamp(moment).second,
}
"""What EXTRACT knows."""


def part_of(name: str, moment: Any) -> Any:
    """EXTRACT, and date_part."""
    part = name.lower().removesuffix("s")
    if part not in PARTS:
        raise InterpreterError(f"The interpreter can't extract {part}. It knows {', '.join(PARTS)}.")
    return PARTS[part](moment)


DATES: dict[str, Callable[..., Any]] = {
    **PARTS,
    "add_months": lambda day, months: add_months(to_date(day), months),
    "date_add": days_later,
    "date_diff": lambda end, start: (to_date(end) - to_date(start)).days,
    "date_format": formatted,
    "date_part": part_of,
    "datepart": part_of,
    "date_from_unix_date": lambda days: EPOCH + timedelta(days=days),
    "date_sub": days_earlier,
    "date_trunc": truncated_moment,
    "dateadd": days_later,
    "datediff": lambda end, start: (to_date(end) - to_date(start)).days,
    "last_day": last_day,
    "make_date": make_date,
    "next_day": next_day,
    "to_date": date_of,
    "to_timestamp": timestamp_of,
    "trunc": truncated,
    "try_to_date": tried(date_of),
    "try_to_timestamp": tried(timestamp_of),
    "unix_date": lambda day: (to_date(day) - EPOCH).days,
}
