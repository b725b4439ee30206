"""What one may ask about: values of columns, the presence of rows; of all slots of a result, or of some."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from trailbook.algebra.expressions import (
    FALSE,
    NULL,
    TRUE,
    Expr,
    both,
    call,
    conjuncts,
    either,
    is_false,
    names_in,
    negated,
    number,
    ref,
    text,
)
from trailbook.caveats.slots import Slots

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Target:
    """What is asked about: the values of these columns, and whether the presence of rows is meant, too.

    `where` says of which slots, over the result's columns.
    """

    columns: frozenset[str]
    rows: bool = False
    where: Expr = TRUE


def missing(slots: Slots) -> Target:
    """The rows that may be missing."""
    return Target(frozenset(), rows=True, where=negated(slots.present))


def values_of(row: pa.Table) -> dict[str, Any]:
    """The values of the one row of a table, but for those that Python can't hold: Spark knows more years."""
    values: dict[str, Any] = {}
    for name in row.column_names:
        with suppress(OverflowError, ValueError):
            values[name] = row.column(name)[0].as_py()
    return values


def is_row(values: Mapping[str, Any]) -> Expr:
    """A condition that holds for a row with these values, as they were fetched, and perhaps for some others."""
    known = {name: constant for name, value in values.items() if (constant := _constant(value)) is not None}
    return both(*(exp.NullSafeEQ(this=ref(name), expression=constant) for name, constant in known.items()))


def _constant(value: Any) -> Expr | None:
    """The value in SQL; None if there is no way to write it that is sure to be equal to it."""
    match value:
        case None:
            return NULL
        case bool():
            return TRUE if value else FALSE
        case int():
            return number(value)
        case str():
            return text(value)
        case float():
            return _cast(_spelt(value), "double")
        case Decimal() if value.is_finite():
            return _cast(format(value, "f"), _decimal_type(value))
        case datetime():
            # One with a zone is a moment, whatever the zone of the session.
            return _cast(value.isoformat(sep=" "), "timestamp" if value.tzinfo else "timestamp_ntz")
        case date():
            return _cast(value.isoformat(), "date")
        case bytes():
            return call("unhex", text(value.hex()))
    return None


def _cast(written: str, kind: str) -> Expr:
    return exp.Cast(this=text(written), to=exp.DataType.build(kind, dialect="spark"))


def _spelt(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return repr(value) if math.isfinite(value) else f"{'-' if value < 0 else ''}Infinity"


def _decimal_type(value: Decimal) -> str:
    _, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    scale = max(-exponent, 0)
    return f"decimal({max(len(digits) + max(exponent, 0), scale, 1)}, {scale})"


def weakened(where: Expr, names: Iterable[str]) -> Expr:
    """A condition over these columns only, that holds wherever `where` does."""
    known = frozenset(names)
    if isinstance(where, exp.And):
        return both(weakened(where.this, known), weakened(where.expression, known))
    if isinstance(where, exp.Or):
        return either(weakened(where.this, known), weakened(where.expression, known))
    return where if names_in(where) <= known else TRUE


def transferred(where: Expr, condition: Expr, left: Slots, right: Slots) -> Expr:
    """What a known value on the left says of the right side, by an equality between the two."""
    known = _known_values(where)
    return both(
        *(
            either(exp.NullSafeEQ(this=theirs, expression=known[ours.name]), right.mark(theirs.name))
            for ours, theirs in _equalities(condition, left, right)
            if ours.name in known and is_false(left.mark(ours.name))
        )
    )


def agreed(where: Expr, condition: Expr, left: Slots, right: Slots) -> Expr:
    """What a known key of a pair says of both sides: where no key is in doubt, no other rows have a say."""
    known = {name: value for name, value in _known_values(where).items() if value != NULL}
    keys = [
        (ours, theirs, known.get(ours.name) or known.get(theirs.name))
        for ours, theirs in _equalities(condition, left, right)
        if is_false(left.mark(ours.name)) and is_false(right.mark(theirs.name))
    ]
    return both(*(exp.NullSafeEQ(this=side, expression=key) for *sides, key in keys if key for side in sides))


def _equalities(condition: Expr, left: Slots, right: Slots) -> Iterator[tuple[exp.Column, exp.Column]]:
    """The columns of both sides that have to be equal."""
    for part in conjuncts(condition):
        if not isinstance(part, exp.EQ):
            continue
        for ours, theirs in ((part.this, part.expression), (part.expression, part.this)):
            columns = isinstance(ours, exp.Column) and isinstance(theirs, exp.Column)
            if columns and ours.name in left.columns and theirs.name in right.columns:
                yield ours, theirs


def _known_values(where: Expr) -> dict[str, Expr]:
    return {part.this.name: part.expression for part in conjuncts(where) if _is_known(part)}


def _is_known(part: Expr) -> bool:
    return isinstance(part, exp.NullSafeEQ) and isinstance(part.this, exp.Column) and not names_in(part.expression)
