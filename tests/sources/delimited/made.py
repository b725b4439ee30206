"""Text tables made at random: well-formed ones, whose values are known, and any other."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from trailbook.sources.delimited.dialect import Dialect, Layout

ALPHABET = (b"a", b",", b'"', b"\n", b"\r", b"#", b"\\", b"\0", "é".encode(), b"\xff")
_CHARACTERS = 'ab,"\n\r\\é#x'


@dataclass(frozen=True)
class Made:
    """A well-formed file and its values."""

    data: bytes
    layout: Layout
    rows: list[list[str | None]]


def well_formed(random: Random) -> Made:
    escape = random.choice([None, "\\"])
    columns = random.randint(2, 4)
    rows = [[_value(random) for _ in range(columns)] for _ in range(random.randint(1, 15))]
    line_end = random.choice(["\n", "\r\n", "\r"])
    lines = [",".join(_written(random, value, escape) for value in row) for row in rows]
    text = line_end.join(lines) + random.choice(["", line_end, 3 * line_end])
    bom = random.choice(["", "\ufeff"])
    return Made((bom + text).encode(), Layout(Dialect(escape=escape), columns), rows)


def _value(random: Random) -> str | None:
    return "".join(random.choices(_CHARACTERS, k=random.choice([0, 1, 2, 3, 9]))) if random.random() < 0.9 else None


def _written(random: Random, value: str | None, escape: str | None) -> str:
    if value is None:
        return ""
    if value and random.random() < 0.5 and not set(value) & set(',"\n\r\\'):
        return value
    if escape:
        value = value.replace(escape, escape + escape)
    return '"' + value.replace('"', random.choice(['""', f'{escape or chr(34)}"'])) + '"'


def mutated(random: Random, data: bytes) -> bytes:
    """With a few bytes put in, replaced or cut off."""
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data) + 1)
        data = data[:at] + random.choice(ALPHABET) + data[at + random.choice([0, 0, 1, 1, 5]) :]
    return data


def any_text(random: Random) -> bytes:
    letters = random.sample(ALPHABET, random.choice([4, 7, 10]))
    return b"".join(random.choices([*letters, b",", b'"', b"\n"], k=random.randint(1, 40)))


def any_layout(random: Random) -> Layout:
    dialect = Dialect(
        quote=random.choice(['"', '"', None]),
        escape=random.choice([None, "\\"]),
        comment=random.choice([None, "#"]),
        encoding=random.choice(["utf-8", "utf-8", "cp1252"]),
    )
    return Layout(dialect, random.randint(1, 4), random.choice([None, 100]), random.choice([True, False]))
