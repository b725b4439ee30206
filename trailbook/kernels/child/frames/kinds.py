"""Tells data frames from other values, without importing the libraries they come from."""

from __future__ import annotations

import sys
from enum import Enum
from typing import Any


class Kind(Enum):
    """The libraries whose frames are datasets."""

    PANDAS = "pandas"
    POLARS = "polars"
    ARROW = "pyarrow"
    SPARK = "pyspark.sql"


_CLASSES = {
    Kind.PANDAS: ("DataFrame",),
    Kind.POLARS: ("DataFrame", "LazyFrame"),
    Kind.ARROW: ("Table", "RecordBatch"),
    Kind.SPARK: ("DataFrame",),
}


def kind_of(value: Any) -> Kind | None:
    """The library that a frame belongs to; nothing for any other value."""
    for kind, classes in _CLASSES.items():
        module = sys.modules.get(kind.value)
        if module and isinstance(value, tuple(getattr(module, name) for name in classes)):
            return kind
    return None
