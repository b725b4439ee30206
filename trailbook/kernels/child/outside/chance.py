"""Notes when the cell's code draws random numbers from the system, itself or through a library that computes.

The kernel would tell of native code that draws, too, but Polars and DuckDB do so whenever they start, for hash tables.
"""

from __future__ import annotations

import functools
import os
import random
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from trailbook.kernels.child.outside.notes import Notes

INCIDENTAL = frozenset(
    {
        *("asyncio", "email", "http", "importlib", "multiprocessing", "tempfile"),
        *("duckdb", "grpc", "matplotlib", "pandas", "pyspark"),
    }
)
"""Packages that draw names and keys, which no result depends on; likewise what modules draw when they are imported."""


def note_chance(notes: Notes, installed: list[str]) -> None:
    """Wrap what `secrets`, `uuid` and numpy's generators rest on, and the seeding of Python's own generators."""
    libraries = ("<frozen", *installed)

    def note(caller: FrameType) -> None:
        if not _is_incidental(caller, libraries):
            notes.add("Drew")

    # `random` took hold of it when it was imported.
    os.urandom = random._urandom = _drawing(os.urandom, note)  # type: ignore[attr-defined]
    random.Random.seed = _seeding(random.Random.seed, 1, note)  # type: ignore[method-assign]
    random.seed = _seeding(random.seed, 0, note)


def _drawing(plain: Callable[[int], bytes], note: Callable[[FrameType], None]) -> Callable[[int], bytes]:
    @functools.wraps(plain)
    def urandom(size: int, /) -> bytes:
        note(sys._getframe(1))
        return plain(size)

    return urandom


def _seeding(plain: Callable[..., None], seed_at: int, note: Callable[[FrameType], None]) -> Callable[..., None]:
    """`seed_at` is the place of the seed among the arguments."""

    @functools.wraps(plain)
    def seed(*arguments: Any, **named: Any) -> None:
        given = arguments[seed_at] if len(arguments) > seed_at else named.get("a")
        if given is None:
            note(sys._getframe(1))
        plain(*arguments, **named)

    return seed


def _is_incidental(frame: FrameType | None, libraries: tuple[str, ...]) -> bool:
    """Whether one of these stands between the user's code and the call."""
    while frame and frame.f_code.co_filename.startswith(libraries):
        if str(frame.f_globals.get("__name__")).partition(".")[0] in INCIDENTAL:
            return True
        frame = frame.f_back
    return False
