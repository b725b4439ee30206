"""What the tests of kernels share: a way to run code as a cell and look at what it did."""

from __future__ import annotations

import hashlib
import itertools
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trailbook.errors import EngineUnavailable
from trailbook.kernels.enclosure import Enclosure
from trailbook.kernels.limits import Limits
from trailbook.kernels.names import (
    Given,
    GivenDataset,
    GivenPending,
    GivenUnavailable,
    GivenValue,
    Made,
    MadeDataset,
    MadeRenamed,
    MadeUnavailable,
    MadeValue,
    Wanted,
)
from trailbook.kernels.python import PythonOutcome, PythonRequest, PythonRun
from trailbook.kernels.screen import BinaryDisplay, Update
from trailbook.kernels.zygote import Zygote
from trailbook.model.runs import (
    CellError,
    DisplayMessage,
    Message,
    NoteMessage,
    Progress,
    TextMessage,
    UpdateMessage,
    heard,
)


def no_spark() -> str:
    raise EngineUnavailable("Spark is not started in this test.")


def nothing_pending(name: str) -> Given | None:
    raise AssertionError(name)


def nothing_created(wanted: Wanted, over: threading.Event) -> Path:
    raise AssertionError(wanted)


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
        names: Mapping[str, Given] | None = None,
        resolve_name: Callable[[str], Given | None] = nothing_pending,
        watch_natively: bool = True,
        enclosure: Enclosure | None = None,
        create: Callable[[Wanted, threading.Event], Path] = nothing_created,
    ) -> Attempt:
        scratch = self.folder / f"scratch-{next(self.numbers)}"
        scratch.mkdir()
        given: dict[str, Given] = {name: GivenDataset(str(path), path) for name, path in (datasets or {}).items()}
        given |= {name: GivenUnavailable(reason) for name, reason in (unavailable or {}).items()}
        known = {**given, **(names or {})}
        request = PythonRequest(code, known, scratch, limits, watch_natively=watch_natively, enclosure=enclosure)
        return Attempt(request, self.zygote, spark_url, resolve_name, create)

    def run(self, code: str, *arguments: Any, **options: Any) -> Attempt:
        return self.prepare(code, *arguments, **options).run()

    def cells(self, *codes: str, **options: Any) -> list[Attempt]:
        """Run cells that see what those before them left, none of which may fail."""
        book = Book(self)
        return [book.run(code, **options) for code in codes]


@dataclass
class Book:
    """Cells in a row: what one leaves behind is given to the next."""

    bench: Bench
    names: dict[str, Given] = field(default_factory=dict)

    def run(self, code: str, **options: Any) -> Attempt:
        attempt = self.bench.run(code, names=self.names, **options)
        assert attempt.outcome
        assert attempt.outcome.error is None, attempt.outcome.error
        self.names = {name: given for name, given in self.names.items() if name not in attempt.outcome.deletes}
        self.names |= {name: given(made) for name, made in attempt.outcome.writes.items()}
        return attempt

    def fail(self, code: str, **options: Any) -> Attempt:
        attempt = self.bench.run(code, names=self.names, **options)
        assert attempt.error
        return attempt

    def pending(self, *names: str) -> Mapping[str, Given]:
        return {**self.names, **dict.fromkeys(names, GivenPending())}


def given(made: Made) -> Given:
    """What is made by one cell as it is given to another."""
    match made:
        case MadeDataset(path):
            return GivenDataset(str(path), path)
        case MadeValue(source):
            content = source if isinstance(source, bytes) else source.read_bytes()
            return GivenValue(hashlib.sha256(content).hexdigest(), source)
        case MadeUnavailable(reason):
            return GivenUnavailable(reason)
        case MadeRenamed():
            raise AssertionError("only a notebook knows what it is a new name of")


class Attempt:
    """One run and all it said."""

    def __init__(
        self,
        request: PythonRequest,
        zygote: Zygote,
        spark_url: Callable[[], str],
        resolve_name: Callable[[str], Given | None],
        create: Callable[[Wanted, threading.Event], Path],
    ) -> None:
        self.messages: list[Any] = []
        self.progress: list[Progress] = []
        self.outcome: PythonOutcome | None = None
        self.python = PythonRun(
            request,
            zygote,
            on_message=self.messages.append,
            on_progress=self.progress.append,
            on_read=lambda name: None,
            spark_url=spark_url,
            resolve_name=resolve_name,
            create=create,
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
    def made(self) -> dict[str, Made]:
        assert self.outcome
        assert self.outcome.error is None, self.outcome.error
        return self.outcome.writes

    @property
    def writes(self) -> dict[str, pa.Table]:
        """The datasets that were written."""
        return {name: pq.read_table(one.path) for name, one in self.made.items() if isinstance(one, MadeDataset)}

    @property
    def values(self) -> set[str]:
        """The names of the values that were written."""
        return {name for name, one in self.made.items() if isinstance(one, MadeValue)}

    @property
    def deletes(self) -> frozenset[str]:
        assert self.outcome
        return self.outcome.deletes

    @property
    def reads(self) -> frozenset[str]:
        """The names that were read, without those for the state of libraries."""
        assert self.outcome
        return frozenset(name for name in self.outcome.reads if not name.startswith("@"))

    @property
    def state_reads(self) -> frozenset[str]:
        assert self.outcome
        return self.outcome.reads - self.reads

    def text(self, stream: str = "stdout") -> str:
        return "".join(m.text for m in self.messages if isinstance(m, TextMessage) and m.stream == stream)

    @property
    def notes(self) -> list[str]:
        return [m.text for m in self.messages if isinstance(m, NoteMessage)]

    @property
    def shown(self) -> list[DisplayMessage | BinaryDisplay]:
        return [m for m in self.messages if isinstance(m, (DisplayMessage, BinaryDisplay))]

    @property
    def seen(self) -> list[Message]:
        """What is there to be seen at the end, if it is text."""
        seen: list[Message] = []
        for telling in self.messages:
            if isinstance(telling, Update):
                assert isinstance(telling.shown, DisplayMessage)
                seen = heard(seen, UpdateMessage(display=telling.shown))
            else:
                seen = heard(seen, telling)
        return seen


@pytest.fixture
def bench(tmp_path: Path, zygote: Zygote) -> Bench:
    return Bench(tmp_path, zygote)
