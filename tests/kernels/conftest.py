"""What the tests of kernels share: a way to run code as a cell and look at what it did."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trailbook.errors import EngineUnavailable
from trailbook.kernels.limits import Limits
from trailbook.kernels.python import BinaryDisplay, PythonOutcome, PythonRequest, PythonRun
from trailbook.kernels.zygote import Zygote
from trailbook.model.runs import CellError, DisplayMessage, NoteMessage, Progress, TextMessage


def no_spark() -> str:
    raise EngineUnavailable("Spark is not started in this test.")


@dataclass
class Bench:
    """Runs cells one after the other, each in a scratch directory of its own."""

    folder: Path
    zygote: Zygote
    numbers: itertools.count[int] = field(default_factory=itertools.count)

    def dataset(self, table: pa.Table, parts: int = 1) -> Path:
        directory = self.folder / f"dataset-{next(self.numbers)}"
        directory.mkdir()
        size = -(-table.num_rows // parts)
        for part in range(parts):
            pq.write_table(table.slice(part * size, size), directory / f"part-{part:05}.parquet")
        return directory

    def prepare(
        self,
        code: str,
        datasets: Mapping[str, Path] | None = None,
        unavailable: Mapping[str, str] | None = None,
        limits: Limits = Limits(1_000_000),  # noqa: B008 - never changed
        spark_url: Callable[[], str] = no_spark,
    ) -> Attempt:
        scratch = self.folder / f"scratch-{next(self.numbers)}"
        scratch.mkdir()
        return Attempt(PythonRequest(code, datasets or {}, unavailable or {}, scratch, limits), self.zygote, spark_url)

    def run(self, code: str, *arguments: Any, **options: Any) -> Attempt:
        return self.prepare(code, *arguments, **options).run()


class Attempt:
    """One run and all it said."""

    def __init__(self, request: PythonRequest, zygote: Zygote, spark_url: Callable[[], str]) -> None:
        self.messages: list[Any] = []
        self.progress: list[Progress] = []
        self.outcome: PythonOutcome | None = None
        self.python = PythonRun(
            request, zygote, on_message=self.messages.append, on_progress=self.progress.append, spark_url=spark_url
        )

    def run(self) -> Attempt:
        self.outcome = self.python.run()
        return self

    @property
    def error(self) -> CellError:
        assert self.outcome
        assert self.outcome.error, self.messages
        return self.outcome.error

    @property
    def writes(self) -> dict[str, pa.Table]:
        assert self.outcome
        assert self.outcome.error is None, self.outcome.error
        return {name: pq.read_table(directory) for name, directory in self.outcome.writes.items()}

    @property
    def reads(self) -> frozenset[str]:
        assert self.outcome
        return self.outcome.reads

    def text(self, stream: str = "stdout") -> str:
        return "".join(m.text for m in self.messages if isinstance(m, TextMessage) and m.stream == stream)

    @property
    def notes(self) -> list[str]:
        return [m.text for m in self.messages if isinstance(m, NoteMessage)]

    @property
    def shown(self) -> list[DisplayMessage | BinaryDisplay]:
        return [m for m in self.messages if isinstance(m, (DisplayMessage, BinaryDisplay))]


@pytest.fixture
def bench(tmp_path: Path, zygote: Zygote) -> Bench:
    return Bench(tmp_path, zygote)
