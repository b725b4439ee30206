"""Casts as Spark makes them in ANSI mode: what does not fit raises."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import partial
from typing import Any

from trailbook.errors import InterpreterError

EXACT = Context(prec=80, rounding=ROUND_HALF_UP)
BITS = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}
TRUE_TEXTS = {"t", "true", "y", "yes", "1"}
FALSE_TEXTS = {"f", "false", "n", "no", "0"}
SPECIAL_NUMBERS = {"nan": "nan", "inf": "inf", "infinity": "inf"}
DATE = re.compile(r"([+-]?\d{4,7})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ].*)?)?)?")
ZONE = r" ?(Z|UTC|[+-](?:\d{1,2}:|\d\d)\d\d)"
TIME = re.compile(rf"[T ](\d{{1,2}}):(\d{{1,2}})(?::(\d{{1,2}})(?:\.(\d{{1,9}}))?(?:{ZONE})?)?")
FARTHEST_ZONE = timedelta(hours=18)


def refuse(value: Any, target: str) -> InterpreterError:
    return InterpreterError(f"{value!r} can't be cast to {target}.")


def within(value: int, bits: int) -> int:
    """The integer, if that many bits can hold it."""
    if -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        return value
    raise InterpreterError(f"{value} does not fit into {bits} bits.")


def to_integer(value: Any, bits: int = 64) -> int:
    if isinstance(value, str):
        text = value.strip()
        if not re.fullmatch(r"[+-]?0*[0-9]{1,19}", text):
            raise refuse(value, "an integer")
        return within(int(text), bits)
    if isinstance(value, datetime):
        return within(math.floor((value - datetime(1970, 1, 1)).total_seconds()), bits)
    if isinstance(value, date) or (isinstance(value, float) and not math.isfinite(value)):
        raise refuse(value, "an integer")
    return within(int(value), bits)


def to_double(value: Any) -> float:
    if not isinstance(value, str):
        return float(value)
    text = value.strip()
    sign = -1 if text.startswith("-") else 1
    special = SPECIAL_NUMBERS.get(text.lstrip("+-").lower())
    if special:
        return sign * float(special)
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[dDfF]?", text):
        raise refuse(value, "double")
    return float(text.rstrip("dDfF"))


def to_decimal(value: Any, precision: int = 10, scale: int = 0) -> Decimal:
    try:
        number = Decimal(value.strip()) if isinstance(value, str) else Decimal(str(float(value)))
    except (InvalidOperation, ValueError) as error:
        raise refuse(value, f"decimal({precision},{scale})") from error
    return fit(number, precision, scale)


def fit(number: Decimal | int, precision: int, scale: int) -> Decimal:
    """The number rounded to the scale, if the precision can hold it."""
    number = Decimal(number)
    if not number.is_finite():
        raise refuse(number, f"decimal({precision},{scale})")
    try:
        rounded = number.quantize(Decimal(1).scaleb(-scale), context=EXACT)
    except InvalidOperation as error:
        raise refuse(number, f"decimal({precision},{scale})") from error
    if rounded and rounded.adjusted() >= precision - scale:
        raise InterpreterError(f"{number} does not fit into decimal({precision},{scale}).")
    return rounded


def cast_decimal(value: Any, precision: int, scale: int) -> Decimal:
    return fit(value, precision, scale) if isinstance(value, Decimal | int) else to_decimal(value, precision, scale)


def to_boolean(value: Any) -> bool:
    if not isinstance(value, str):
        return bool(value != 0)
    text = value.strip().lower()
    if text not in TRUE_TEXTS | FALSE_TEXTS:
        raise refuse(value, "boolean")
    return text in TRUE_TEXTS


def to_date(value: Any) -> date:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    found = DATE.fullmatch(value.strip()) if isinstance(value, str) else None
    try:
        if found:
            return date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        pass
    raise refuse(value, "date")


def to_timestamp(value: Any) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, int | float | Decimal):
        return datetime(1970, 1, 1) + timedelta(seconds=float(value))
    day = to_date(value)
    rest = re.search(r"\d([T ].*)", value.strip()) if isinstance(value, str) else None
    if not rest:
        return datetime.combine(day, time())
    found = TIME.fullmatch(rest[1])
    if not found:
        raise refuse(value, "timestamp")
    micros = int((found[4] or "0").ljust(6, "0")[:6])
    try:
        moment = datetime.combine(day, time(int(found[1]), int(found[2]), int(found[3] or 0), micros))
        return moment - _offset(found[5] or "Z")
    except (ValueError, OverflowError) as error:
        raise refuse(value, "timestamp") from error


def _offset(zone: str) -> timedelta:
    """Of a zone from UTC."""
    if zone in ("Z", "UTC"):
        return timedelta()
    hours, minutes = int(zone[1:-2].rstrip(":")), int(zone[-2:])
    size = timedelta(hours=hours, minutes=minutes)
    if minutes > 59 or size > FARTHEST_ZONE:
        raise ValueError(f"{zone} is no zone")
    return -size if zone[0] == "-" else size


def to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _java_double(value)
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, datetime):
        return value.isoformat(" ").rstrip("0").rstrip(".") if value.microsecond else value.isoformat(" ")
    if isinstance(value, list):
        return "[" + ", ".join("null" if item is None else to_text(item) for item in value) + "]"
    if isinstance(value, tuple):
        return "{" + ", ".join("null" if item is None else to_text(item) for item in value) + "}"
    return str(value)


def _java_double(value: float) -> str:
    if not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        text = f"{Decimal(repr(value)):f}"
        return text if "." in text else f"{text}.0"
    digits = f"{Decimal(repr(value)).normalize():E}".replace("E+", "E")
    mantissa, exponent = digits.split("E")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}E{exponent}"


def cast_like(text: str, pattern: Any) -> Any:
    """Text as a value of the kind that `pattern` is: what Spark makes of text beside such a value."""
    if isinstance(pattern, bool):
        return to_boolean(text)
    if isinstance(pattern, int):
        return to_integer(text)
    if isinstance(pattern, float | Decimal):
        return type(pattern)(to_double(text))
    if isinstance(pattern, datetime):
        return to_timestamp(text)
    return to_date(text) if isinstance(pattern, date) else text


SIMPLE: dict[str, Callable[[Any], Any]] = {
    "double": to_double,
    "float": to_double,
    "boolean": to_boolean,
    "date": to_date,
    "timestamp": to_timestamp,
    "timestamp_ntz": to_timestamp,
    "string": to_text,
    **{name: partial(to_integer, bits=bits) for name, bits in BITS.items()},
}


def cast_to(kind: str) -> Callable[[Any], Any]:
    """The cast of values that are not NULL to a type, by Spark's name for it."""
    if kind.startswith("decimal"):
        precision, scale = map(int, re.findall(r"\d+", kind) or (10, 0))
        return partial(cast_decimal, precision=precision, scale=scale)
    if kind.startswith("array<"):
        inner = cast_to(kind[6:-1])
        return lambda items: [None if item is None else inner(item) for item in items]
    if kind not in SIMPLE:
        raise InterpreterError(f"The interpreter can't cast to {kind}. It knows {', '.join(sorted(SIMPLE))}, decimal.")
    return SIMPLE[kind]


def tried(cast: Callable[..., Any]) -> Callable[..., Any]:
    """The function that gives NULL where the other one raises."""

    def attempt(*values: Any) -> Any:
        try:
            return cast(*values)
        except InterpreterError:
            return None

    return attempt
