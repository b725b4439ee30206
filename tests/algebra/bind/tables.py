"""The tables that the queries of these tests read: few rows, NULLs in every column, duplicates."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from trailbook.algebra.plan import Scan
from trailbook.model.artifacts import Column

ROWS: dict[str, list[tuple[Any, ...]]] = {
    "t": [
        (1, "x", Decimal("1.50"), date(2020, 1, 1), (1, "q"), [1, 2], {"k": 1}),
        (2, None, None, None, None, None, None),
        (None, "y", Decimal("2.50"), date(2021, 1, 1), (2, "r"), [], {}),
        (1, "y", Decimal("0.50"), date(2020, 5, 1), (7, None), [3, None], {"z": 3, "k": None}),
    ],
    "u": [(1, 10), (2, 20), (2, None), (None, 30), (3, 40)],
    "w": [(1, "p", 5), (1, "q", 6), (2, "p", 7), (None, "q", 8), (2, "q", None)],
}

COLUMNS = {
    "t": {
        "a": "int",
        "b": "string",
        "c": "decimal(10,2)",
        "d": "date",
        "s": "struct<f:int,g:string>",
        "xs": "array<int>",
        "m": "map<string,int>",
    },
    "u": {"a": "int", "z": "int"},
    "w": {"a": "int", "k": "string", "n": "int"},
}

SCOPE = {
    table: tuple(Column(name=name, type=kind) for name, kind in columns.items()) for table, columns in COLUMNS.items()
}
SCANS = [Scan(table, columns) for table, columns in SCOPE.items()]
