"""The types of PostgreSQL for those of Arrow."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.types as pt
from sqlalchemy import BigInteger, Boolean, Date, Dialect, Double, Integer, Numeric, SmallInteger, Text, Time
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import BYTEA, JSONB, REAL, TIMESTAMP
from sqlalchemy.types import TypeEngine

from trailbook.sinks.texts import is_bytes

_DIALECT: Dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
_PLAIN: dict[pa.DataType, TypeEngine[Any]] = {
    pa.bool_(): Boolean(),
    pa.int8(): SmallInteger(),
    pa.int16(): SmallInteger(),
    pa.int32(): Integer(),
    pa.int64(): BigInteger(),
    pa.uint8(): SmallInteger(),
    pa.uint16(): Integer(),
    pa.uint32(): BigInteger(),
    pa.uint64(): Numeric(20, 0),
    pa.float16(): REAL(),
    pa.float32(): REAL(),
    pa.float64(): Double(),
    pa.date32(): Date(),
    pa.date64(): Date(),
}
_WIDER = {
    "SMALLINT": ("INTEGER", "BIGINT", "NUMERIC"),
    "INTEGER": ("BIGINT", "NUMERIC"),
    "BIGINT": ("NUMERIC",),
    "REAL": ("DOUBLE PRECISION",),
}
_TEXTS = ("TEXT", "VARCHAR")


def spelt(type_: TypeEngine[Any]) -> str:
    """The type as PostgreSQL calls it."""
    return str(type_.compile(dialect=_DIALECT))


def holds(there: str, given: str) -> bool:
    """Whether a column of the one type holds all values of the other as they are.

    >>> holds("BIGINT", "INTEGER"), holds("NUMERIC", "NUMERIC(38, 2)"), holds("NUMERIC(10, 2)", "NUMERIC(38, 2)")
    (True, True, False)
    """
    if there == given or there in _TEXTS or there in _WIDER.get(given, ()):
        return True
    return there == "NUMERIC" and given.startswith("NUMERIC")


def column_type(type_: pa.DataType) -> TypeEngine[Any]:
    """Holds every value of the Arrow type; what is nested becomes JSON, and what is unknown text."""
    if pt.is_dictionary(type_):
        return column_type(type_.value_type)
    if type_ in _PLAIN:
        return _PLAIN[type_]
    if pt.is_decimal(type_):
        return Numeric(type_.precision, type_.scale)
    if pt.is_timestamp(type_):
        return TIMESTAMP(timezone=type_.tz is not None)
    if pt.is_time(type_):
        return Time()
    if is_bytes(type_):
        return BYTEA()
    return JSONB() if pt.is_nested(type_) else Text()
