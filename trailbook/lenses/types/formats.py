"""The ways in which numbers, truth values, dates and timestamps are written."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SPACES = " \u00a0\u202f"
"""A space, one that does not break, and a narrow one."""
APOSTROPHES = "'\u2019"
AROUND = " \t\r\n"
"""What may stand before and after a value, and is no part of it."""
CURRENCIES = "$€£¥"


def whole(shape: str) -> str:
    return f"^[{AROUND}]*(?:{shape})[{AROUND}]*$"


class Kind(StrEnum):
    BOOLEAN = "boolean"
    NUMBER = "number"
    DATE = "date"
    TIMESTAMP = "timestamp"


@dataclass(frozen=True)
class Format:
    """A way of writing values. Its name is an example, or Spark's pattern of dates and times.

    `shape` is what such texts look like, to regular expressions of Python, Java and RE2 alike. If `kept` is given, the
    text is that of a number once the characters in `dropped` are gone, and the one that is `kept` is a point.
    Otherwise the `pattern` reads it, or, if there is none, a cast.
    """

    name: str
    kind: Kind
    shape: str
    pattern: str = ""
    kept: str = ""
    dropped: str = ""

    @property
    def whole_text(self) -> str:
        """The shape of a text that is nothing else, but for what may stand around it."""
        return whole(self.shape)

    @property
    def twin(self) -> str:
        """The same pattern with day and month the other way round."""
        if not self.pattern or "MMM" in self.pattern or self.pattern[0] == "y":
            return ""
        return self.pattern.translate(str.maketrans("dM", "Md"))

    @property
    def guesses_century(self) -> bool:
        return "yy" in self.pattern and "yyyy" not in self.pattern


_SIGN, _WHOLE, _GROUP, _DIGITS = "[+-]?", "(?:0|[1-9][0-9]*)", "[1-9][0-9]{0,2}", "[0-9]+"
_SPACED = f"[{SPACES}{APOSTROPHES}]"
_ENGLISH = f"(?:(?:0|{_GROUP}(?:,[0-9]{{3}})*)(?:[.]{_DIGITS})?)"
_CONTINENTAL = f"(?:(?:{_WHOLE}|{_GROUP}(?:[.][0-9]{{3}})+)(?:,{_DIGITS})?)"
_ANY_ENGLISH = f"(?:{_ENGLISH}|{_WHOLE}(?:[.]{_DIGITS})?)"


def _with_percent(body: str) -> str:
    return f"{_SIGN}{body}[{SPACES}]?%"


def _with_currency(body: str) -> str:
    before = f"{_SIGN}[{CURRENCIES}][{SPACES}]?{_SIGN}{body}"
    return f"{before}|{_SIGN}{body}[{SPACES}]?[{CURRENCIES}]"


def _number(name: str, shape: str, kept: str = "", dropped: str = "") -> Format:
    return Format(name, Kind.NUMBER, shape, kept=kept, dropped=dropped)


PLAIN, EXPONENT, ZEROS, GROUPED, COMMA = "1234.5", "1.2e3", "007", "1,234.5", "1.234,5"
SPACED, SPACED_COMMA = "1 234.5", "1 234,5"
NUMBERS = (
    _number(PLAIN, f"{_SIGN}(?:{_WHOLE}(?:[.][0-9]*)?|[.]{_DIGITS})"),
    _number(EXPONENT, f"{_SIGN}(?:(?:{_WHOLE}(?:[.][0-9]*)?|[.]{_DIGITS})[eE]{_SIGN}{_DIGITS}|(?i:inf(?:inity)?))"),
    _number(GROUPED, f"{_SIGN}{_ENGLISH}", ".", ","),
    _number(COMMA, f"{_SIGN}{_CONTINENTAL}", ",", "."),
    _number(SPACED, f"-?(?:0|{_GROUP}(?:{_SPACED}[0-9]{{3}})*)(?:[.]{_DIGITS})?", ".", SPACES + APOSTROPHES),
    _number(SPACED_COMMA, f"-?(?:0|{_GROUP}(?:{_SPACED}[0-9]{{3}})*)(?:,{_DIGITS})?", ",", SPACES + APOSTROPHES),
    _number("12.5 %", _with_percent(_ANY_ENGLISH), ".", f",%{SPACES}"),
    _number("12,5 %", _with_percent(_CONTINENTAL), ",", f".%{SPACES}"),
    _number("$1,234.5", _with_currency(_ANY_ENGLISH), ".", f",{CURRENCIES}{SPACES}"),
    _number("1.234,5 €", _with_currency(_CONTINENTAL), ",", f".{CURRENCIES}{SPACES}"),
    _number(ZEROS, f"{_SIGN}0[0-9]+(?:[.][0-9]*)?"),
)
"""Those that read a text alike come in the order of preference. Whole numbers below a thousand are of most formats."""

WORDS, BITS = "yes/no", "1/0"
PAIRS = (("true", "false"), ("yes", "no"), ("t", "f"), ("y", "n"))
BOOLEANS = (
    Format(WORDS, Kind.BOOLEAN, "(?i:" + "|".join(word for pair in PAIRS for word in pair) + ")"),
    Format(BITS, Kind.BOOLEAN, "[01]"),
)

_MINUTES = "[0-9]{1,2}:[0-9]{1,2}"
_CLOCK = f"{_MINUTES}(?::[0-9]{{1,2}}(?:[.][0-9]{{1,6}})?)?"
ZONE = " ?(?:Z|UTC|[+-](?:[0-9]{1,2}:|[0-9]{2})[0-9]{2})"
NO_SECONDS = f"([T ]{_MINUTES})({ZONE})"
"""Where a cast needs the seconds that are not written before a zone."""
ISO_DATE, ISO_TIMESTAMP, ISO_ZONED = "yyyy-MM-dd", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-ddTHH:mm:ssZ"
_YEAR = "(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
"""There is no year 0000: it is written where a date is missing."""
_ISO_SHAPE = f"{_YEAR}-[0-9]{{1,2}}-[0-9]{{1,2}}"
ISO = (
    Format(ISO_DATE, Kind.DATE, _ISO_SHAPE),
    Format(ISO_TIMESTAMP, Kind.TIMESTAMP, f"{_ISO_SHAPE}[T ]{_CLOCK}"),
    Format(ISO_ZONED, Kind.TIMESTAMP, f"{_ISO_SHAPE}[T ]{_CLOCK}{ZONE}"),
)

_TIMES = {
    "": "",
    " H:m[:s][.SSSSSS]": f" {_CLOCK}",
    " h:m[:s] a": " [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})? [AaPp][Mm]",
}
_MONTH = "[A-Za-z]{3,9}"
_ORDERS = {"/": ("M/d/", "d/M/"), ".": ("d.M.", "M.d."), "-": ("d-M-", "M-d-")}
"""Where nothing tells day from month, the first of two is taken."""
_DAYS = {
    **{
        order + year: f"[0-9]{{1,2}}[{mark}][0-9]{{1,2}}[{mark}]{shape}"
        for mark, orders in _ORDERS.items()
        for order in orders
        for year, shape in (("yyyy", _YEAR), ("yy", "[0-9]{2}"))
    },
    "yyyy/M/d": f"{_YEAR}/[0-9]{{1,2}}/[0-9]{{1,2}}",
    "yyyy.M.d": f"{_YEAR}[.][0-9]{{1,2}}[.][0-9]{{1,2}}",
    "d [MMMM][MMM] yyyy": f"[0-9]{{1,2}} {_MONTH} {_YEAR}",
    "d-[MMMM][MMM]-yyyy": f"[0-9]{{1,2}}-{_MONTH}-{_YEAR}",
    "[MMMM][MMM] d, yyyy": f"{_MONTH} [0-9]{{1,2}}, {_YEAR}",
}
PATTERNS = tuple(
    Format(day + time, Kind.TIMESTAMP if time else Kind.DATE, shape + clock, pattern=day + time)
    for time, clock in _TIMES.items()
    for day, shape in _DAYS.items()
)

LENGTHS = {PLAIN: (1, 8), ISO_DATE: (8, 10), ISO_TIMESTAMP: (12, 26), ISO_ZONED: (13, 40)}
"""Of the texts that a cast to a date or a timestamp reads, the shortest and the longest."""

FORMATS = {format.name: format for format in (*NUMBERS, *BOOLEANS, *ISO, *PATTERNS)}
AMOUNTS = frozenset(name for name, format in FORMATS.items() if CURRENCIES in format.dropped)
"""Those with a currency."""
