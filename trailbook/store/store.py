"""The store of one data directory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from sqlalchemy import URL, Connection, func, insert, select

from trailbook.errors import StoreError
from trailbook.model.base import new_id
from trailbook.settings import Settings
from trailbook.store import tables
from trailbook.store.database import database_url, engines
from trailbook.store.failures import database_failures_told, disk_failures_told
from trailbook.store.files import ArtifactFiles, sync
from trailbook.store.lock import DirectoryLock
from trailbook.store.schema import migrate, require_current
from trailbook.store.turns import Turns

_ADVISORY_KEY = 0x7472_6169_6C


class Store:
    """Metadata in a database, artifacts in files; what is committed survives a crash at any instant.

    The modules beside this one (`projects`, `versions`, `runs`…) are functions over an open transaction:

        with store.writing() as tx:
            projects.insert(tx, project)
    """

    def __init__(self, data: Path, url: URL, lock: DirectoryLock | None) -> None:
        self._data = data
        self.files = ArtifactFiles(data)
        self.place = url.database if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)
        self._engines = engines(url)
        self._lock = lock
        # SQLite has one writer: threads of this process queue up in order, rather than poll the file for its lock.
        self._turns = Turns() if url.get_backend_name() == "sqlite" else None

    @classmethod
    def open(cls, settings: Settings) -> Store:
        """Make or lock the directory, bring the database up to date, sweep what a crash left in staging."""
        with disk_failures_told(str(settings.data)):
            settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = DirectoryLock(settings.data)
        try:
            store = cls(settings.data, database_url(settings), lock)
            with disk_failures_told(str(settings.data)):
                store.files.prepare()
            with store.writing(alone=True) as tx:
                migrate(tx)
                _recognise(tx, settings.data)
        except BaseException:
            lock.release()
            raise
        return store

    @classmethod
    def visit(cls, settings: Settings) -> Store:
        """Open an existing store beside a server that may be using it: no lock, no migration."""
        url = database_url(settings)
        if not settings.data.is_dir() or (url.get_backend_name() == "sqlite" and not Path(str(url.database)).exists()):
            raise StoreError(f"There is no store in {settings.data}. `trailbook serve --data …` makes one.")
        store = cls(settings.data, url, None)
        with store.reading() as tx:
            require_current(tx)
        return store

    def identity(self) -> str:
        """The id that the database has in common with its data directory; any other directory is refused."""
        with self.reading() as tx:
            recorded: str = tx.execute(select(tables.stores.c.id)).scalar_one()
        _require_own(self._data, recorded)
        return recorded

    def close(self) -> None:
        self._engines.reader.dispose()
        self._engines.writer.dispose()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    @contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[Connection]:
        """One transaction: committed at the end, undone on any error. With `alone`, nobody else writes meanwhile."""
        turn = self._turns.taken() if self._turns else nullcontext()
        with turn, database_failures_told(str(self.place)), self._engines.writer.begin() as tx:
            if tx.dialect.name == "postgresql":
                # SQLite has one writer anyway. Here writers run side by side, and gc waits for all of them.
                lock = func.pg_advisory_xact_lock if alone else func.pg_advisory_xact_lock_shared
                tx.execute(select(lock(_ADVISORY_KEY)))
            yield tx

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A snapshot of the database that stays the same until the end."""
        with database_failures_told(str(self.place)), self._engines.reader.connect() as tx:
            yield tx


def _recognise(tx: Connection, data: Path) -> None:
    """Refuse a database whose artifacts are in another directory."""
    path = data / "store.id"
    recorded = tx.execute(select(tables.stores.c.id)).scalar()
    if recorded is None:
        recorded = new_id()
        path.write_text(recorded + "\n", "ascii")
        sync(path)
        sync(data)
        tx.execute(insert(tables.stores).values(id=recorded))
    else:
        _require_own(data, recorded)


def _require_own(data: Path, recorded: str) -> None:
    path = data / "store.id"
    if not path.exists() or path.read_text("ascii").strip() != recorded:
        raise StoreError(
            f"The artifacts of this database are not in {data}: its store.id is not {recorded}. "
            "Use the data directory that belongs to the database."
        )
