"""Failures of disk and database, told as Trailbook's own errors."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DataError, DBAPIError

from trailbook.errors import Conflict, Invalid, StoreDamaged, StoreError, StoreFull, TrailbookError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}

# The low byte of SQLite's extended result codes.
_SQLITE_BUSY, _SQLITE_CORRUPT, _SQLITE_FULL, _SQLITE_NOTADB = 5, 11, 13, 26
_SQLITE_DUPLICATE = {1555, 2067}
# What SQLite says of a write that a quota or a limit on the size of files refused.
_SQLITE_IOERR_WRITE = 778

_POSTGRES_DUPLICATE, _POSTGRES_FULL = "23505", "53100"
_POSTGRES_DAMAGED = {"XX001", "XX002"}
_POSTGRES_COLLIDED = {"40001", "40P01"}


@contextmanager
def disk_failures_told(place: str) -> Iterator[None]:
    """Raise Trailbook's errors for what the disk refuses; `place` is named in them."""
    try:
        yield
    except OSError as error:
        raise _of_disk(error, place) from error


@contextmanager
def database_failures_told(place: str) -> Iterator[None]:
    """Raise Trailbook's errors for what the database refuses; `place` is named in them."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise Invalid("A text holds half of a surrogate pair; only whole Unicode characters can be stored.") from error
    except DBAPIError as error:
        known = _of_database(error, place)
        if known is None:
            raise
        raise known from error


def _of_disk(error: OSError, place: str) -> StoreError:
    if error.errno in _FULL:
        return StoreFull(f"No space left in {place}; nothing was changed. Free some, or run `trailbook gc`.")
    return StoreError(f"{place} can't be used: {error.strerror or error} ({error.filename or place}).")


def _of_database(error: DBAPIError, place: str) -> TrailbookError | None:
    sqlite = getattr(error.orig, "sqlite_errorcode", None)
    postgres = getattr(error.orig, "sqlstate", None)
    if sqlite in _SQLITE_DUPLICATE or postgres == _POSTGRES_DUPLICATE or postgres in _POSTGRES_COLLIDED:
        return Conflict("Another client changed the same thing at the same moment; look again and repeat.")
    if isinstance(error, DataError):
        return Invalid(f"The database can't store a text or number of this request: {error.orig}.")
    base = None if sqlite is None else sqlite & 0xFF
    if base == _SQLITE_FULL or sqlite == _SQLITE_IOERR_WRITE or postgres == _POSTGRES_FULL:
        return StoreFull(f"No space left for {place}; nothing was changed. Free some, or run `trailbook gc`.")
    if base in (_SQLITE_CORRUPT, _SQLITE_NOTADB) or postgres in _POSTGRES_DAMAGED:
        return StoreDamaged(f"{place} is damaged: {error.orig}. Restore it from a backup.")
    if base == _SQLITE_BUSY:
        return StoreError(f"{place} stayed locked by another process.")
    # Constraint violations and bad SQL are defects of Trailbook, not of the store: they stay visible as such.
    is_operational = type(error).__name__ in ("OperationalError", "InterfaceError", "InternalError")
    return StoreError(f"{place} can't be used: {error.orig}") if is_operational else None
