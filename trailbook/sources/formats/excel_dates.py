"""Dates and times as Excel has them: numbers of days, shown as dates by the format of the cell."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

_TEXT_IN_FORMAT = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
_DAY_IN_FORMAT = re.compile(r"[yd]", re.IGNORECASE)
_DATE_IN_FORMAT = re.compile(r"[ymdhs]", re.IGNORECASE)
_MONTH_ALONE = re.compile(r"^[^hs]*m[^hs]*$", re.IGNORECASE)
_LAST = 2_958_466
"""Days to the end of the year 9999."""
_DAY = 86_400_000
"""Milliseconds: Excel has no shorter times, and its numbers are not exact beyond them."""
_NO_DAY = 60
"""29 February 1900, which Excel has, and the calendar has not."""


def is_date_format(code: str) -> bool:
    """Does it show a number as a date or time?"""
    shown = _TEXT_IN_FORMAT.sub("", code.split(";")[0])
    return "general" not in shown.lower() and bool(_DATE_IN_FORMAT.search(shown))


class Dates:
    """Days count from the end of 1899, or from 1904 in workbooks that come from old Macs."""

    def __init__(self, is_1904: bool) -> None:
        self._is_1904 = is_1904

    def of(self, days: float, format: str) -> date | datetime | str:
        """The date, the time with a date, or for a format without days the time as text."""
        shown = _TEXT_IN_FORMAT.sub("", format)
        if not _DAY_IN_FORMAT.search(shown) and not _MONTH_ALONE.match(shown):
            return duration(days)
        if not 0 <= days < _LAST:
            raise ValueError("it is outside the years 1900 to 9999")
        if int(days) == _NO_DAY and not self._is_1904:
            raise ValueError("it stands for 29 February 1900, a day that did not exist")
        moment = self._epoch(days) + timedelta(milliseconds=round(days * _DAY))
        return moment if moment.time() != time() or re.search("h", shown, re.IGNORECASE) else moment.date()

    def _epoch(self, days: float) -> datetime:
        if self._is_1904:
            return datetime(1904, 1, 1)
        return datetime(1899, 12, 30) if days >= _NO_DAY else datetime(1899, 12, 31)

    def written(self, text: str) -> date | datetime:
        """One that is written as text; without a zone, which cells don't have."""
        moment = datetime.fromisoformat(text)
        if moment.utcoffset():
            raise ValueError(f"{text} has a zone")
        return moment.replace(tzinfo=None) if "T" in text or " " in text else moment.date()


def duration(days: float) -> str:
    """As hours, minutes and seconds."""
    seconds, millis = divmod(round(abs(days) * _DAY), 1_000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    fraction = f".{millis:03}" if millis else ""
    return f"{'-' if days < 0 else ''}{hour:02}:{minute:02}:{second:02}{fraction}"
