"""Spark's types as it spells them: families of types, and the parts of those that have some."""

from __future__ import annotations

import re

UNKNOWN = "unknown"
"""Of an expression that only Spark can type. Whoever needs the type must assume the worst."""
VOID = "void"
"""Of NULL, before anything says more."""
BOOLEAN, STRING, BINARY = "boolean", "string", "binary"
TINYINT, SMALLINT, INT, BIGINT = "tinyint", "smallint", "int", "bigint"
FLOAT, DOUBLE = "float", "double"
DATE, TIMESTAMP, TIMESTAMP_NTZ = "date", "timestamp", "timestamp_ntz"

INTEGRAL = (TINYINT, SMALLINT, INT, BIGINT)
"""From the narrowest."""
MOMENTS = (DATE, TIMESTAMP, TIMESTAMP_NTZ)
YEAR_MONTH = ("year", "month")
DAY_TIME = ("day", "hour", "minute", "second")

_DECIMAL = re.compile(r"decimal\((\d+),(\d+)\)")
_INTERVAL = re.compile(r"interval (\w+)(?: to (\w+))?")
_ATOMIC = frozenset({BOOLEAN, STRING, BINARY, *INTEGRAL, FLOAT, DOUBLE, *MOMENTS})


def is_integral(kind: str) -> bool:
    return kind in INTEGRAL


def is_decimal(kind: str) -> bool:
    return _DECIMAL.fullmatch(kind) is not None


def is_numeric(kind: str) -> bool:
    return kind in INTEGRAL or kind in (FLOAT, DOUBLE) or is_decimal(kind)


def is_atomic(kind: str) -> bool:
    """Whether it is known, and has no parts: what can be written as a text."""
    return kind in _ATOMIC or is_decimal(kind) or is_interval(kind)


def is_complex(kind: str) -> bool:
    return element_of(kind) is not None or entry_of(kind) is not None or fields_of(kind) is not None


def precision_and_scale(kind: str) -> tuple[int, int] | None:
    """Of a decimal."""
    found = _DECIMAL.fullmatch(kind)
    return (int(found[1]), int(found[2])) if found else None


def is_interval(kind: str) -> bool:
    return interval_units(kind) is not None


def interval_units(kind: str) -> tuple[str, str] | None:
    """The first and the last unit of an interval. One of months and days at once has none."""
    found = _INTERVAL.fullmatch(kind)
    return (found[1], found[2] or found[1]) if found else None


def interval_type(first: str, last: str) -> str:
    return f"interval {first}" if first == last else f"interval {first} to {last}"


def array_of(element: str) -> str:
    return UNKNOWN if element == UNKNOWN else f"array<{element}>"


def map_of(key: str, value: str) -> str:
    return UNKNOWN if UNKNOWN in (key, value) else f"map<{key},{value}>"


def struct_of(fields: list[tuple[str, str]]) -> str:
    """A name that would confuse the spelling makes a type that is not known here."""
    if any(kind == UNKNOWN or set(name) & set("<>,:()") for name, kind in fields):
        return UNKNOWN
    return f"struct<{','.join(f'{name}:{kind}' for name, kind in fields)}>"


def element_of(kind: str) -> str | None:
    """The type of an array's elements."""
    return kind[len("array<") : -1] if kind.startswith("array<") else None


def entry_of(kind: str) -> tuple[str, str] | None:
    """The types of a map's keys and values."""
    if not kind.startswith("map<"):
        return None
    key, *value = _split(kind[len("map<") : -1])
    return key, ",".join(value)


def fields_of(kind: str) -> list[tuple[str, str]] | None:
    """The names and types of a struct's fields."""
    if not kind.startswith("struct<"):
        return None
    parts = [part.partition(":") for part in _split(kind[len("struct<") : -1]) if part]
    return [(name, field) for name, _, field in parts]


def field_of(kind: str, name: str) -> str:
    """The type of `x.name`: of a struct's field, of the fields of an array's structs, of a map's value."""
    if fields := fields_of(kind):
        return next((field for found, field in fields if found.lower() == name.lower()), UNKNOWN)
    if element := element_of(kind):
        return array_of(field_of(element, name))
    return (entry_of(kind) or (UNKNOWN, UNKNOWN))[1]


def _split(text: str) -> list[str]:
    """What stands between commas that are in no bracket."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]
