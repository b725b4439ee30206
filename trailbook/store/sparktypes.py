"""Spark's names for the types of columns, from its own schema or from Arrow's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

_SPARK_SHORT = {"byte": "tinyint", "short": "smallint", "integer": "int", "long": "bigint"}

_ARROW = {
    pa.null(): "void",
    pa.bool_(): "boolean",
    pa.int8(): "tinyint",
    pa.int16(): "smallint",
    pa.int32(): "int",
    pa.int64(): "bigint",
    pa.uint8(): "smallint",
    pa.uint16(): "int",
    pa.uint32(): "bigint",
    pa.uint64(): "decimal(20,0)",
    pa.float16(): "float",
    pa.float32(): "float",
    pa.float64(): "double",
    pa.string(): "string",
    pa.large_string(): "string",
    pa.string_view(): "string",
    pa.binary(): "binary",
    pa.large_binary(): "binary",
    pa.binary_view(): "binary",
    pa.date32(): "date",
    pa.date64(): "date",
}


def of_field(field: Mapping[str, Any]) -> str:
    """The name of the type of a field that Spark wrote down; there, collations stand beside the type."""
    return _of_spark(field["type"], field["name"], field.get("metadata", {}).get("__COLLATIONS", {}))


def _of_spark(schema: Any, path: str, collations: Mapping[str, str]) -> str:
    """The name of a type that Spark wrote down as JSON, at this path below its field."""
    if isinstance(schema, str):
        collated = f" collate {collations[path].rpartition('.')[2]}" if path in collations else ""
        return _SPARK_SHORT.get(schema, schema) + collated
    match schema["type"]:
        case "struct":
            return "struct<" + ",".join(f"{f['name']}:{of_field(f)}" for f in schema["fields"]) + ">"
        case "array":
            return f"array<{_of_spark(schema['elementType'], f'{path}.element', collations)}>"
        case "map":
            sides = (_of_spark(schema[f"{side}Type"], f"{path}.{side}", collations) for side in ("key", "value"))
            return f"map<{','.join(sides)}>"
        case "udt":
            return _of_spark(schema["sqlType"], path, collations)
        case other:
            return str(other)


def of_arrow(type_: pa.DataType) -> str:
    """The name of the type that Spark reads an Arrow type as."""
    types = pa.types
    if type_ in _ARROW:
        return _ARROW[type_]
    if types.is_decimal(type_):
        return f"decimal({type_.precision},{type_.scale})"
    if types.is_timestamp(type_):
        return "timestamp" if type_.tz else "timestamp_ntz"
    if types.is_time(type_):
        return "time(6)"
    if types.is_duration(type_):
        return "bigint"
    if types.is_fixed_size_binary(type_):
        return "binary"
    return _of_nested_arrow(type_)


def _of_nested_arrow(type_: pa.DataType) -> str:
    types = pa.types
    if types.is_dictionary(type_):
        return of_arrow(type_.value_type)
    if types.is_struct(type_):
        return "struct<" + ",".join(f"{field.name}:{of_arrow(field.type)}" for field in type_) + ">"
    if types.is_map(type_):
        return f"map<{of_arrow(type_.key_type)},{of_arrow(type_.item_type)}>"
    if types.is_list(type_) or types.is_large_list(type_) or types.is_fixed_size_list(type_):
        return f"array<{of_arrow(type_.value_type)}>"
    return str(type_)
