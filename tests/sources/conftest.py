"""Reading bytes as a source does, on a real Spark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql.connect.session import SparkSession

from trailbook.engine import Engine
from trailbook.sources.source import ReadOptions, SourceFile, source_for


@dataclass(frozen=True)
class Loaded:
    """What came of a file."""

    columns: list[str]
    types: list[str]
    rows: list[tuple[Any, ...]]
    findings: list[str]


class Reader:
    def __init__(self, folder: Path, session: SparkSession) -> None:
        self._folder = folder
        self._session = session

    def __call__(self, name: str, content: bytes, format: str = "auto", **options: Any) -> Loaded:
        # As in the store, the name of the file tells nothing.
        path = self._folder / "0123abcd"
        path.write_bytes(content)
        file = SourceFile(path, name)
        source = source_for(format, file)
        source.check(file)
        reading = source.read(self._session, file, ReadOptions(**options))
        rows = [tuple(row) for row in reading.frame.collect()]
        types = [kind for _, kind in reading.frame.dtypes]
        return Loaded(reading.frame.columns, types, rows, reading.findings())


@pytest.fixture
def read(tmp_path: Path, engine: Engine) -> Iterator[Reader]:
    with engine.session() as session:
        yield Reader(tmp_path, session)
