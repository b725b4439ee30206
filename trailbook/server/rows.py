"""Pages of datasets on the wire."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

# The largest integer that a JavaScript number holds exactly.
SAFE_INTEGER = 2**53 - 1


ARROW = "application/vnd.apache.arrow.stream"
JSON_RANGES = ("application/json", "application/*", "*/*")


def prefers_arrow(accept: str) -> bool:
    """Whether an Accept header names Arrow, and JSON as no more welcome than that."""
    weights = dict(map(_weight, accept.lower().split(",")))
    json = next((weights[range] for range in JSON_RANGES if range in weights), 0.0)
    return weights.get(ARROW, 0.0) > 0 and weights[ARROW] >= json


def _weight(accepted: str) -> tuple[str, float]:
    media_type, *parameters = (part.strip() for part in accepted.split(";"))
    weight = next((value for name, _, value in (p.partition("=") for p in parameters) if name == "q"), "1")
    return media_type, float(weight) if re.fullmatch(r"[01](\.\d{0,3})?", weight) else 0.0


def arrow_stream(table: pa.Table) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def json_rows(table: pa.Table) -> list[list[Any]]:
    from trailbook.sinks.texts import as_json, plain_values

    columns = [[as_json(value, SAFE_INTEGER) for value in plain_values(column)] for column in table.columns]
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in range(table.num_rows)]
