"""Datasets to be written, and what is in the files."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from trailbook.sinks.outgoing import Outgoing, held
from trailbook.sinks.sink import SINKS
from trailbook.store.masks import MASK


def dataset(columns: dict[str, Any], marks: Iterable[int] = (), name: str = "sales") -> Outgoing:
    """A dataset of these columns; each row has a mask, if there are any."""
    masks = list(marks)
    table = pa.table(columns)
    return held(name, table.append_column(MASK, pa.array(masks, pa.int64())) if masks else table, may_miss_rows=False)


def written(format: str, data: Outgoing, **options: Any) -> tuple[bytes, list[str]]:
    """The file, and what is said of it."""
    sink = SINKS.get(format)
    target = io.BytesIO()
    notes = sink.write(data, target, sink.options.model_validate(options))
    return target.getvalue(), notes
