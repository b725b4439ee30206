"""SQLite: a file, opened to be read. Its columns hold what they hold, so their types are found out first."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from trailbook.errors import NotFetched
from trailbook.sources.databases.answer import FEW, Answer
from trailbook.sources.local import opened

_TYPES = ("integer", "real", "text", "blob")
_KINDS = {
    frozenset[str](): pa.string(),
    frozenset({"integer"}): pa.int64(),
    frozenset({"real"}): pa.float64(),
    frozenset({"integer", "real"}): pa.float64(),
    frozenset({"blob"}): pa.binary(),
}
MOST_LISTED = 20


@contextmanager
def asked(path: Path, select: str) -> Iterator[Answer]:
    """What the statement gives. Nothing can be changed by it. The path has no links in it."""
    try:
        # Closed last: with it, all locks on the file would be gone.
        with (
            _opened(path) as file,
            closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)) as connection,
        ):
            if not _is_open_twice(file):
                raise NotFetched(f"{path.name} was replaced while it was opened.")
            connection.text_factory = _text
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA query_only = ON")
            # What the types are said of is what is read.
            connection.execute("BEGIN")
            try:
                fields = _fields(connection, select)
                cursor = connection.execute(select)
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):
                    raise NotFetched(f"{_line(error)} {_known(connection)}") from error
                raise
            texts = [number for number, (_, kind) in enumerate(fields) if kind == pa.string()]
            rows = iter(lambda: cursor.fetchmany(FEW), [])
            yield Answer(fields, ([_with_texts(row, texts) for row in some] for some in rows))
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise NotFetched(_line(error)) from error


def _opened(path: Path) -> BinaryIO:
    try:
        return opened(path)
    except OSError as error:
        raise NotFetched(f"Unable to open {path.name}: {error.strerror}.") from error


def _is_open_twice(file: BinaryIO) -> bool:
    """Whether the library, which opens a file by its name, has opened this one."""
    same = 0
    for number in map(int, os.listdir("/dev/fd")):
        # The folder itself is among them, and closed by now.
        with suppress(OSError):
            same += os.path.samestat(os.fstat(number), os.fstat(file.fileno()))
    return same > 1


def _fields(connection: sqlite3.Connection, select: str) -> list[tuple[str, pa.DataType]]:
    with closing(connection.execute(f"SELECT * FROM ({select}) LIMIT 0")) as cursor:
        names = [column[0] for column in cursor.description]
    return [(name, kind) for name, kind in zip(names, _kinds(connection, select, len(names)), strict=True)]


def _kinds(connection: sqlite3.Connection, select: str, columns: int) -> list[pa.DataType]:
    names = [f"c{number}" for number in range(columns)]
    asked = ", ".join(f"max(typeof({name}) = '{type}')" for name in names for type in _TYPES)
    found = connection.execute(f"WITH q({', '.join(names)}) AS ({select}) SELECT {asked} FROM q").fetchone()
    kinds = []
    for number in range(columns):
        held = found[number * len(_TYPES) : (number + 1) * len(_TYPES)]
        kinds.append(
            _KINDS.get(frozenset(type for type, there in zip(_TYPES, held, strict=True) if there), pa.string())
        )
    return kinds


class _Bytes:
    """Where texts are expected: they would not be told from a text that looks like them."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __str__(self) -> str:
        return f"x'{self._content.hex()}'"


def _text(content: bytes) -> str | bytes:
    """What is no text stays what it is."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content


def _with_texts(row: tuple[object, ...], texts: list[int]) -> list[object]:
    """In a column of several types, all is written as text."""
    values = list(row)
    for number in texts:
        value = values[number]
        if isinstance(value, bytes):
            values[number] = _Bytes(value)
        elif value is not None and not isinstance(value, str):
            values[number] = repr(value)
    return values


def _known(connection: sqlite3.Connection) -> str:
    found = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
        " ORDER BY name LIMIT ?",
        [MOST_LISTED],
    ).fetchall()
    return f"There are: {', '.join(name for (name,) in found) or 'none'}."


def _line(error: Exception) -> str:
    said = str(error).rstrip(".")
    return f"{said[:1].upper()}{said[1:]}."
