"""The types of JSON values, merged over a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

import pyarrow as pa
from pyarrow import types as T

from trailbook.sources.formats.format import refuse_many
from trailbook.sources.formats.names import unique_names
from trailbook.sources.formats.spark_types import MOST_DIGITS

MOST_DEPTH = 32
MOST_FIELDS = 1_000
"""Names in one nested object: one with more is no record but a dictionary, and kept as text."""
_MISFITS = (pa.ArrowException, OverflowError, TypeError, ValueError)
_BIG = pa.decimal128(MOST_DIGITS, 0)


class Kinds:
    """The types of columns so far. Where values have no type in common they become text, and `told` says so."""

    def __init__(self) -> None:
        self._kinds: dict[str, pa.DataType] = {}
        self._told: dict[str, str] = {}

    def add(self, records: Sequence[dict[str, Any]]) -> None:
        for name in dict.fromkeys(chain.from_iterable(records)):
            values = [record.get(name) for record in records]
            kind = self._kind_of_all(values, name)
            self._kinds[name] = self._merged(self._kinds.get(name, pa.null()), kind, name)
        refuse_many(len(self._kinds))

    def fields(self) -> list[tuple[str, pa.DataType]]:
        """In the order in which the names first came up."""
        return [(name, self._final(kind, name, 0)) for name, kind in self._kinds.items()]

    def told(self) -> list[str]:
        return [f"{where} {what}" for where, what in self._told.items()]

    def _kind_of_all(self, values: Sequence[Any], where: str) -> pa.DataType:
        with suppress(*_MISFITS):
            kind = pa.array(values).type
            # To Arrow, a truth value among such numbers is one of them.
            if "double" not in str(kind) or not any(map(_has_booleans, values)):
                return kind
        return self._merge_all((self._kind_of(value, where, 0) for value in values), where)

    def _merge_all(self, kinds: Iterable[pa.DataType], where: str) -> pa.DataType:
        merged = pa.null()
        for kind in kinds:
            if kind != merged:
                merged = self._merged(merged, kind, where)
        return merged

    def _kind_of(self, value: Any, where: str, depth: int) -> pa.DataType:
        if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**63:
            return _BIG if abs(value) < 10**MOST_DIGITS else self._text(where, "has numbers beyond 38 digits")
        if isinstance(value, (dict, list)) and depth >= MOST_DEPTH:
            return pa.string()
        if isinstance(value, dict):
            inner = [(name, self._kind_of(each, f"{where}.{name}", depth + 1)) for name, each in value.items()]
            return pa.struct(inner)
        if isinstance(value, list):
            return pa.list_(self._merge_all((self._kind_of(each, where, depth + 1) for each in value), where))
        return pa.infer_type(["" if isinstance(value, str) else value])

    def _merged(self, one: pa.DataType, other: pa.DataType, where: str) -> pa.DataType:
        if one == other or T.is_null(other):
            return one
        if T.is_null(one):
            return other
        if T.is_struct(one) and T.is_struct(other):
            return self._merged_structs(one, other, where)
        if T.is_list(one) and T.is_list(other):
            return pa.list_(self._merged(one.value_type, other.value_type, where))
        if _is_number(one) and _is_number(other):
            return pa.float64() if pa.float64() in (one, other) else _BIG
        return self._text(where, "has values of several types")

    def _merged_structs(self, one: pa.DataType, other: pa.DataType, where: str) -> pa.DataType:
        kinds = {field.name: field.type for field in one}
        for field in other:
            kinds[field.name] = self._merged(kinds.get(field.name, pa.null()), field.type, f"{where}.{field.name}")
        return pa.struct(list(kinds.items()))

    def _text(self, where: str, why: str) -> pa.DataType:
        self._told[where] = f"{why}, so they are kept as text"
        return pa.string()

    def _final(self, kind: pa.DataType, where: str, depth: int) -> pa.DataType:
        """Without what Spark can't hold: objects without names, or with too many, or nested too deeply."""
        if T.is_null(kind):
            return pa.string()
        if T.is_list(kind):
            return pa.list_(self._final(kind.value_type, where, depth + 1))
        if not T.is_struct(kind):
            return kind
        names = [field.name for field in kind]
        if depth >= MOST_DEPTH or len(names) > MOST_FIELDS or unique_names(names) != names:
            return self._text(where, "has objects that are nested too deeply or whose names are too many or too alike")
        if not names:
            return pa.string()
        return pa.struct([(each.name, self._final(each.type, f"{where}.{each.name}", depth + 1)) for each in kind])


def _has_booleans(value: Any, depth: int = 0) -> bool:
    """As far as objects and lists are not kept as text."""
    if isinstance(value, (list, dict)) and depth < MOST_DEPTH:
        return any(_has_booleans(each, depth + 1) for each in (value if isinstance(value, list) else value.values()))
    return isinstance(value, bool)


def _is_number(kind: pa.DataType) -> bool:
    return bool(T.is_int64(kind) or T.is_float64(kind) or T.is_decimal(kind))
