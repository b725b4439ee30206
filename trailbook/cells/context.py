"""What a running cell may use: its scope, the engine, a place to write, and somebody to tell."""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
import time
from collections import UserDict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from trailbook.cells.scope import Scope
from trailbook.engine import Engine, EngineState
from trailbook.engine.shared_root import check_shared_root
from trailbook.errors import CellCancelled, CellFailed, EngineUnavailable
from trailbook.kernels.child.values.packed import DOUBTFUL
from trailbook.kernels.environments.environments import Environments, Lease
from trailbook.kernels.names import Given, GivenDataset, GivenUnavailable, GivenValue
from trailbook.model.acknowledged import Acknowledged
from trailbook.model.artifacts import About, Artifact, ArtifactKind, ArtifactState, Doubt
from trailbook.model.base import ArtifactId, RunId, now
from trailbook.model.packages import NO_PACKAGES, Packages
from trailbook.model.publications import Publication
from trailbook.model.runs import (
    ALL_NAMES,
    CAPTURED,
    CASELESS_READ,
    DOUBT_OF,
    CellError,
    LiveMessage,
    NoteMessage,
    Outside,
    Progress,
    Run,
    artifacts_among,
)
from trailbook.settings import Settings
from trailbook.sinks.report import CaveatReport
from trailbook.store.files import ArtifactFiles, digest_of_file
from trailbook.store.masks import is_form

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

INTERRUPT_SECONDS = 0.1
PARQUET = "application/vnd.apache.parquet"
PACKED = "application/vnd.trailbook.value"


class Shelf(Protocol):
    """Where artifacts are described, and small ones kept."""

    def artifacts(self, ids: Collection[ArtifactId]) -> dict[ArtifactId, Artifact]: ...

    def contents(self, ids: Collection[ArtifactId]) -> dict[ArtifactId, bytes]: ...

    def publication(self, name: str, edition: int) -> Publication:
        """An edition of what is published under a name; 0 is the newest."""

    def caveat_report(self, name: str, id: ArtifactId) -> CaveatReport:
        """What is in doubt of a dataset, which the running cell met under that name, and why."""


class Reads(UserDict[str, str | None]):
    """What was read, with the identity that it had; told to somebody as soon as it is put down."""

    def __init__(self, tell: Callable[[str, str | None], None]) -> None:
        super().__init__()
        self._tell = tell

    def __setitem__(self, name: str, identity: str | None) -> None:
        super().__setitem__(name, identity)
        self._tell(name, identity)


class RunContext:
    """One run of one cell. Collects what the cell read, made and said.

    `twin` is an earlier run of the cell that read the same data with other doubts.
    """

    def __init__(
        self,
        *,
        run: RunId,
        scope: Scope,
        settings: Settings,
        engine: Engine,
        environments: Environments,
        packages: Packages = NO_PACKAGES,
        files: ArtifactFiles,
        on_message: Callable[[LiveMessage], None],
        on_progress: Callable[[Progress], None],
        record: Callable[[Artifact], None],
        shelf: Shelf,
        await_name: Callable[[str], Scope],
        on_read: Callable[[str, str | None], None] = lambda name, identity: None,
        acknowledged: Collection[Acknowledged] = (),
        twin: Run | None = None,
        may_change: frozenset[str] | None = frozenset(),
    ) -> None:
        self.run = run
        self.twin = twin
        self.may_change = may_change
        """The names that its code might change, with the functions of the cells above; None for any."""
        self.acknowledged = acknowledged
        self.scope = scope
        self.settings = settings
        self.engine = engine
        self._environments = environments
        self._packages = packages
        self.files = files
        self.say = on_message
        self.progress = on_progress
        self._record = record
        self.shelf = shelf
        self._await_name = await_name
        self.reads = Reads(on_read)
        self.writes: dict[str, ArtifactId] = {}
        self.deletes: set[str] = set()
        self.outside = Outside()
        self.doubtful_created: set[str] = set()
        """Datasets that were created of files which had something wrong."""
        self.hosts_asked: set[str] = set()
        """Other machines that were asked for data on the cell's behalf."""
        self.expected_error: CellError | None = None
        """Why it failed, if it was meant to: what it made stands."""
        self.made: list[tuple[Artifact, bytes | None]] = []
        """Each with its content, where that is kept in the record."""
        self.waited = 0.0
        self._cancelled = threading.Event()
        self._stops: list[Callable[[], object]] = []
        self._staged: list[Path] = []

    def note(self, text: str) -> None:
        self.say(NoteMessage(text=text))

    def read(self, name: str) -> Artifact:
        """The dataset called `name`, in any spelling; the read is recorded, also if there is none."""
        spelt = self._looked_up(name)
        if spelt and spelt in self.scope.artifacts:
            return self._dataset(name, self.scope.artifacts[spelt])
        if spelt:
            raise CellFailed(f"{name} can't be read: {self.scope.failed[spelt].reason}.")
        self.reads[ALL_NAMES] = self.scope.identity(ALL_NAMES)
        kinds = self.shelf.artifacts(self.scope.artifacts.values())
        datasets = [name for name, id in self.scope.artifacts.items() if kinds[id].kind is ArtifactKind.DATASET]
        known = ", ".join(sorted(datasets)) or "none; load one in a cell above"
        raise CellFailed(f"There is no dataset {name} above this cell. Known: {known}.", name=name)

    def read_if_there(self, name: str) -> Artifact | None:
        """The same for a name that need not mean a dataset."""
        return self.read(name) if self._looked_up(name) else None

    def _looked_up(self, name: str) -> str | None:
        """The name as it is spelt in the scope."""
        self.reads[name] = self.scope.identity(name)
        spelt = self.scope.find(name)
        if spelt != name:
            self.reads[CASELESS_READ + name] = self.scope.identity(CASELESS_READ + name)
        if spelt:
            self.reads[spelt] = self.scope.identity(spelt)
        return spelt

    def _dataset(self, name: str, id: ArtifactId) -> Artifact:
        artifact = self.known(id)
        if artifact.kind is not ArtifactKind.DATASET:
            what = artifact.about[name].type if name in artifact.about else "value"
            raise CellFailed(f"{name} is no dataset, but a value of a Python cell ({what}).", name=name)
        return artifact

    def known(self, id: ArtifactId) -> Artifact:
        return self.shelf.artifacts([id])[id]

    def given(self, names: Mapping[str, ArtifactId]) -> dict[str, Given]:
        """What names mean, for a process that is to read them."""
        known = self.shelf.artifacts(names.values())
        small = self.shelf.contents([id for id, artifact in known.items() if artifact.kind is ArtifactKind.VALUE])
        return {name: self._given(name, known[id], small.get(id)) for name, id in names.items()}

    def _given(self, name: str, artifact: Artifact, content: bytes | None) -> Given:
        if artifact.kind is ArtifactKind.DATASET:
            return GivenDataset(artifact.id, self.files.path(artifact.id))
        if name in artifact.about and (reason := artifact.about[name].reason):
            return GivenUnavailable(reason)
        source = self.files.path(artifact.id) if content is None else content.removesuffix(DOUBTFUL)
        return GivenValue(artifact.data or artifact.id, source)

    @cached_property
    def pending(self) -> frozenset[str]:
        """The names that code has to wait for, since a cell above is to write them."""
        return frozenset(name for name in self.scope.may_be_written if self.scope.writer(name))

    def saw_read(self, name: str) -> None:
        """Code looked a name up. What it has to wait for is read once that is there."""
        if name not in self.pending:
            self.reads[name] = self.scope.identity(name)

    def doubtful_reads(self) -> list[str]:
        """The names that were read and hold something in doubt; not what was taken in, which is a dataset first."""
        read = {name: id for name, id in artifacts_among(self.reads).items() if not name.startswith(CAPTURED)}
        known = self.shelf.artifacts(read.values())
        return sorted({name.removeprefix(DOUBT_OF) for name, id in read.items() if not known[id].doubt.is_none})

    def await_name(self, name: str) -> Given | None:
        """What a name means that a cell above was still to write; waits until it has."""
        scope = self._await_name(name)
        self.reads[name] = scope.identity(name)
        if failed := scope.failed.get(name):
            return GivenUnavailable(failed.reason)
        return self.given({name: scope.artifacts[name]})[name] if name in scope.artifacts else None

    def stage(self) -> Path:
        """A directory of its own to write into, gone after the run."""
        staged = self.files.stage()
        self._staged.append(staged)
        return staged

    def holds_data_of(self, name: str, id: ArtifactId) -> bool:
        """Whether the dataset above of that name has the data of this one."""
        above = self.scope.artifacts.get(name)
        if above is None or above == id:
            return above == id
        data = self.known(above).data
        return data is not None and data == self.known(id).data

    def copy_of_data(self, id: ArtifactId) -> Path:
        """A staged dataset with the same data and masks, but neither phantoms nor doubt as a whole."""
        directory = self.stage() / "dataset"
        directory.mkdir()
        for part in self.files.path(id).iterdir():
            if part.suffix == ".parquet" or is_form(part.name):
                os.link(part, directory / part.name)
        return directory

    def write_dataset(self, name: str, directory: Path) -> None:
        """Take over a directory of Parquet files, with doubts as in `store.masks`, as the dataset `name`."""
        self.writes[name] = self._dataset_of(directory).id

    def capture(self, name: str, directory: Path) -> Artifact:
        """Take over a directory of Parquet files as what was taken in from elsewhere, there called `name`, and read."""
        artifact = self._dataset_of(directory)
        self.reads[CAPTURED + name] = artifact.id
        return artifact

    def _dataset_of(self, directory: Path) -> Artifact:
        from trailbook.store.parquet import describe

        content = self.files.adopt_directory(directory)
        described = describe(self.files.path(content.id))
        return self._made(content.id, ArtifactKind.DATASET, content.size, PARQUET, **vars(described))

    def write_value(self, names: Mapping[str, About], source: Path | bytes, *, doubtful: bool) -> None:
        """Take over a packed value, in a file or as its content, that these names hold."""
        marker = DOUBTFUL if doubtful else b""
        if isinstance(source, bytes):
            content: bytes | None = source + marker
            data = hashlib.sha256(source).hexdigest()
            id, size = ArtifactId(hashlib.sha256(source + marker).hexdigest()), len(source + marker)
        else:
            content = None
            data = digest_of_file(source) if doubtful else ""
            with source.open("ab") as file:
                file.write(marker)
            kept = self.files.adopt_file(source)
            id, size = kept.id, kept.size
        facts = {"doubt": Doubt(coarse=doubtful), "data": data or id, "about": dict(names)}
        self._made(id, ArtifactKind.VALUE, size, PACKED, content, **facts)
        self.writes.update(dict.fromkeys(names, id))

    def content_of(self, id: ArtifactId) -> Path | bytes:
        """A packed value once more, without its doubts: staged, or as its content."""
        content = self.shelf.contents([id]).get(id)
        if content is not None:
            return content.removesuffix(DOUBTFUL)
        copy = self.stage() / "value"
        shutil.copyfile(self.files.path(id), copy)
        if self.known(id).doubt.coarse:
            os.truncate(copy, copy.stat().st_size - len(DOUBTFUL))
        return copy

    def keep_file(self, path: Path, media_type: str) -> ArtifactId:
        """Take over a file as an artifact. It is recorded at once: it may be looked at while the cell runs."""
        content = self.files.adopt_file(path)
        self._record(self._made(content.id, ArtifactKind.FILE, content.size, media_type))
        return content.id

    def _made(
        self,
        id: ArtifactId,
        kind: ArtifactKind,
        size: int,
        media_type: str,
        content: bytes | None = None,
        **more: object,
    ) -> Artifact:
        facts = {"id": id, "kind": kind, "size": size, "media_type": media_type, "run": self.run, **more}
        artifact = Artifact.model_validate({**facts, "state": ArtifactState.PRESENT, "created": now()})
        self.made.append((artifact, content))
        return artifact

    @contextmanager
    def environment(self) -> Iterator[Lease]:
        """The interpreter with the notebook's packages; waits until it is built, or the run is cancelled."""
        start = time.monotonic()

        def on_step(step: str) -> None:
            self.progress(Progress(label=f"Building the environment: {step}", done=0))
            self.check_cancelled()

        with self._environments.lease(self._packages, on_step) as lease:
            self.waited += time.monotonic() - start
            yield lease

    @contextmanager
    def session(self) -> Iterator[SparkSession]:
        """A Spark session for this run, interrupted if the run is cancelled."""
        self._await_engine()
        ended = threading.Event()
        with (
            self.engine.session() as session,
            self.stopped_by(lambda: _start_interrupting(session.interruptAll, ended)),
        ):
            try:
                yield session
            finally:
                ended.set()

    @contextmanager
    def workers(self) -> Iterator[SparkSession]:
        """A session for Python in Spark's tasks; what this run does in it is interrupted if the run is cancelled."""
        self._await_engine()
        ended = threading.Event()
        with self.engine.workers() as session:
            session.addTag(self.run)
            interrupt = partial(session.interruptTag, self.run)
            try:
                with self.stopped_by(lambda: _start_interrupting(interrupt, ended)):
                    yield session
            finally:
                ended.set()
                session.removeTag(self.run)

    @contextmanager
    def session_url(self) -> Iterator[str]:
        """The same for another process."""
        self._await_engine()
        with self.engine.lease() as url:
            yield url

    def _await_engine(self) -> None:
        """Wait until Spark has started, or the run is cancelled; `waited` is not the cell's own time."""
        start = time.monotonic()
        while self.engine.status.state is EngineState.STARTING and self.waited < self.settings.engine_wait:
            self.progress(Progress(label="Waiting for Spark to start", done=0))
            with suppress(EngineUnavailable):
                self.engine.url(wait=0.5)
            self.check_cancelled()
            self.waited = time.monotonic() - start
        if self.settings.spark:
            _require_shared_files(self.engine, self.files.staging)

    @contextmanager
    def stopped_by(self, stop: Callable[[], object]) -> Iterator[None]:
        """While inside, cancelling calls `stop`."""
        self._stops.append(stop)
        try:
            self.check_cancelled()
            yield
        except Exception:
            self.check_cancelled()
            raise
        finally:
            self._stops.remove(stop)

    def cancel(self) -> None:
        """Called from another thread."""
        self._cancelled.set()
        for stop in list(self._stops):
            stop()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def check_cancelled(self) -> None:
        if self.is_cancelled:
            raise CellCancelled("The cell was cancelled.")

    def close(self) -> None:
        """Discard what was staged and not taken over."""
        for staged in self._staged:
            self.files.discard(staged)


def _start_interrupting(stop: Callable[[], object], ended: threading.Event) -> None:
    """Again and again: an interrupt reaches only what runs at that moment, and a cell may be between two queries."""

    def interrupt() -> None:
        while not ended.is_set():
            # A session that is gone has nothing to stop.
            with suppress(Exception):
                stop()
            ended.wait(INTERRUPT_SECONDS)

    threading.Thread(target=interrupt, name="interrupt", daemon=True).start()


@cache
def _require_shared_files(engine: Engine, folder: Path) -> None:
    """Asked once for each remote Spark; a refusal is not remembered."""
    check_shared_root(engine, folder)
