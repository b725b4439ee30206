"""Avro's types as Arrow has them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from trailbook.errors import CellFailed
from trailbook.sources.formats.names import unique_names
from trailbook.sources.formats.spark_types import MOST_DIGITS

MOST_DEPTH = 32
_PRIMITIVES = {
    "null": pa.string(),
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "long": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "bytes": pa.binary(),
    "string": pa.string(),
    "enum": pa.string(),
    "fixed": pa.binary(),
}
_LOGICAL = {
    ("int", "date"): pa.date32(),
    ("long", "timestamp-millis"): pa.timestamp("us", "UTC"),
    ("long", "timestamp-micros"): pa.timestamp("us", "UTC"),
    ("long", "local-timestamp-millis"): pa.timestamp("us"),
    ("long", "local-timestamp-micros"): pa.timestamp("us"),
    ("int", "time-millis"): pa.string(),
    ("long", "time-micros"): pa.string(),
    ("string", "uuid"): pa.string(),
}
"""Those that values are read as; any other is read as the type that it is of."""
_DECIMAL = (("bytes", "decimal"), ("fixed", "decimal"))
_NUMBERS = ("int", "long", "float", "double")
Schema = Any
"""As JSON has it: a name, a list of alternatives, or an object."""


class Reading:
    """Goes through a schema, and tells in words what becomes text."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self._named: dict[str, Schema] = {}
        self._inside: list[str] = []

    def columns(self, schema: Schema) -> list[tuple[str, pa.DataType]]:
        """The fields of the records of a file."""
        self._named[schema["name"]] = schema
        self._inside.append(schema["name"])
        return [(field["name"], self.kind(field["type"], field["name"])) for field in schema["fields"]]

    def kind(self, schema: Schema, where: str) -> pa.DataType:
        """The type of what stands at `where`."""
        if isinstance(schema, list):
            return self._union(schema, where)
        if isinstance(schema, str):
            if schema in _PRIMITIVES:
                return _PRIMITIVES[schema]
            return self.kind(self._named[schema], where)
        if "name" in schema:
            self._named[schema["name"]] = schema
        if isinstance(schema["type"], (dict, list)):
            return self.kind(schema["type"], where)
        logical = (schema["type"], schema.get("logicalType"))
        if logical in _DECIMAL:
            return _decimal(schema)
        if logical in _LOGICAL:
            return _LOGICAL[logical]
        if schema["type"] == "array":
            return pa.list_(self.kind(schema["items"], where))
        if schema["type"] == "map":
            return pa.map_(pa.string(), self.kind(schema["values"], where))
        return self._record(schema, where)

    def _record(self, schema: Schema, where: str) -> pa.DataType:
        if schema["type"] not in ("record", "error"):
            return self.kind(schema["type"], where)
        if schema["name"] in self._inside or len(self._inside) >= MOST_DEPTH or not schema["fields"]:
            self.told.append(f"{where} has no end or no fields and was read as JSON text")
            return pa.string()
        self._inside.append(schema["name"])
        kinds = [self.kind(field["type"], f"{where}.{field['name']}") for field in schema["fields"]]
        self._inside.pop()
        names = [field["name"] for field in schema["fields"]]
        if unique_names(names) != names:
            self.told.append(f"{where} has names that differ in capitals only and was read as JSON text")
            return pa.string()
        return pa.struct(list(zip(names, kinds, strict=True)))

    def _union(self, schema: list[Schema], where: str) -> pa.DataType:
        others = [each for each in schema if each != "null"]
        if len(others) == 1:
            return self.kind(others[0], where)
        if others and all(each in _NUMBERS for each in others):
            return pa.int64() if set(others) == {"int", "long"} else pa.float64()
        self.told.append(f"{where} may be one of {', '.join(map(_called, others))} and was read as text")
        return pa.string()


def _decimal(schema: Schema) -> pa.DataType:
    """Text, if it has more digits than Spark knows."""
    if "precision" not in schema:
        raise CellFailed("It has decimal numbers of which it does not say how many digits they have (precision).")
    precision, scale = schema["precision"], schema.get("scale", 0)
    return pa.decimal128(precision, scale) if precision <= MOST_DIGITS else pa.string()


def _called(schema: Schema) -> str:
    return schema if isinstance(schema, str) else str(schema.get("name") or schema["type"])
