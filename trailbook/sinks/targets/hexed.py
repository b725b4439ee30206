"""Bytes as PostgreSQL reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from trailbook.sinks.outgoing import Outgoing
from trailbook.sinks.texts import TEXT, is_bytes


def hexed(data: Outgoing) -> Outgoing:
    """The dataset with its columns of bytes as texts of hexadecimal digits."""
    places = [place for place, one in enumerate(data.schema) if is_bytes(one.type)]
    if not places:
        return data

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in data.batches():
            for place in places:
                batch = batch.set_column(place, data.schema.names[place], _digits(batch.column(place)))
            yield batch

    schema = data.schema
    for place in places:
        schema = schema.set(place, pa.field(schema.names[place], TEXT))
    return replace(data, schema=schema, batches=batches)


def _digits(array: pa.Array) -> pa.Array:
    return pa.array((None if value is None else rf"\x{value.hex()}" for value in array.to_pylist()), TEXT)
