"""What a running cell may use: its scope, the engine, a place to write, and somebody to tell."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.cells.scope import Scope
from trailbook.engine import Engine, EngineState
from trailbook.engine.shared_root import check_shared_root
from trailbook.errors import CellCancelled, CellFailed, EngineUnavailable
from trailbook.kernels.zygote import Zygote
from trailbook.model.artifacts import Artifact, ArtifactKind, ArtifactState
from trailbook.model.base import ArtifactId, RunId, now
from trailbook.model.caveats import Acknowledged
from trailbook.model.runs import CASELESS_READ, Message, NoteMessage, Progress, Run
from trailbook.settings import Settings
from trailbook.store.files import ArtifactFiles

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

INTERRUPT_SECONDS = 0.1
PARQUET = "application/vnd.apache.parquet"


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
        zygote: Zygote,
        files: ArtifactFiles,
        on_message: Callable[[Message], None],
        on_progress: Callable[[Progress], None],
        record: Callable[[Artifact], None],
        known: Callable[[ArtifactId], Artifact],
        await_name: Callable[[str], Scope],
        acknowledged: Collection[Acknowledged] = (),
        twin: Run | None = None,
    ) -> None:
        self.run = run
        self.twin = twin
        self.acknowledged = acknowledged
        self.scope = scope
        self.settings = settings
        self.engine = engine
        self.zygote = zygote
        self.files = files
        self.say = on_message
        self.progress = on_progress
        self._record = record
        self._known = known
        self._await_name = await_name
        self.reads: dict[str, str | None] = {}
        self.writes: dict[str, ArtifactId] = {}
        self.deletes: set[str] = set()
        self.made: list[Artifact] = []
        self.waited = 0.0
        self._cancelled = threading.Event()
        self._stop: Callable[[], object] | None = None
        self._staged: list[Path] = []

    def note(self, text: str) -> None:
        self.say(NoteMessage(text=text))

    def read(self, name: str) -> Artifact:
        """The dataset called `name`, in any spelling; the read is recorded, also if there is none."""
        spelt = self._looked_up(name)
        if spelt and spelt in self.scope.artifacts:
            return self._known(self.scope.artifacts[spelt])
        if spelt:
            raise CellFailed(f"{name} can't be read: {self.scope.failed[spelt].reason}.")
        known = ", ".join(sorted(self.scope.artifacts)) or "none; load one in a cell above"
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

    def stage(self) -> Path:
        """A directory of its own to write into, gone after the run."""
        staged = self.files.stage()
        self._staged.append(staged)
        return staged

    def holds_data_of(self, name: str, id: ArtifactId) -> bool:
        """Whether the dataset above of that name has the data of this one."""
        above = self.scope.artifacts.get(name)
        return above is not None and self._known(above).data == self._known(id).data

    def copy_of_data(self, id: ArtifactId) -> Path:
        """A staged dataset with the same data and masks, but neither phantoms nor doubt as a whole."""
        directory = self.stage() / "dataset"
        directory.mkdir()
        for part in self.files.path(id).glob("*.parquet"):
            os.link(part, directory / part.name)
        return directory

    def write_dataset(self, name: str, directory: Path) -> None:
        """Take over a directory of Parquet files, with doubts as in `store.masks`, as the dataset `name`."""
        from trailbook.store.parquet import describe

        content = self.files.adopt_directory(directory)
        described = describe(self.files.path(content.id))
        self._made(content.id, ArtifactKind.DATASET, content.size, PARQUET, **vars(described))
        self.writes[name] = content.id

    def keep_file(self, path: Path, media_type: str) -> ArtifactId:
        """Take over a file as an artifact. It is recorded at once: it may be looked at while the cell runs."""
        content = self.files.adopt_file(path)
        self._record(self._made(content.id, ArtifactKind.FILE, content.size, media_type))
        return content.id

    def _made(self, id: ArtifactId, kind: ArtifactKind, size: int, media_type: str, **more: object) -> Artifact:
        facts = {"id": id, "kind": kind, "size": size, "media_type": media_type, "run": self.run, **more}
        artifact = Artifact.model_validate({**facts, "state": ArtifactState.PRESENT, "created": now()})
        self.made.append(artifact)
        return artifact

    @contextmanager
    def session(self) -> Iterator[SparkSession]:
        """A Spark session for this run, interrupted if the run is cancelled."""
        self._await_engine()
        ended = threading.Event()
        with self.engine.session() as session, self.stopped_by(lambda: _start_interrupting(session, ended)):
            try:
                yield session
            finally:
                ended.set()

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
        self._stop = stop
        try:
            self.check_cancelled()
            yield
        except Exception:
            self.check_cancelled()
            raise
        finally:
            self._stop = None

    def cancel(self) -> None:
        """Called from another thread."""
        self._cancelled.set()
        stop = self._stop
        if stop:
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


def _start_interrupting(session: SparkSession, ended: threading.Event) -> None:
    """Again and again: an interrupt reaches only what runs at that moment, and a cell may be between two queries."""

    def interrupt() -> None:
        while not ended.is_set():
            # A session that is gone has nothing to stop.
            with suppress(Exception):
                session.interruptAll()
            ended.wait(INTERRUPT_SECONDS)

    threading.Thread(target=interrupt, name="interrupt", daemon=True).start()


@cache
def _require_shared_files(engine: Engine, folder: Path) -> None:
    """Asked once for each remote Spark; a refusal is not remembered."""
    check_shared_root(engine, folder)
