"""Files and tables from elsewhere, loaded as in the app: a raw table, and a query over it that raises the doubts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from trailbook.cells.asked import TableToRead, order_for, raw_table
from trailbook.cells.jdbc import read_jdbc
from trailbook.cells.loaded import Loaded
from trailbook.cells.loading import loaded_as
from trailbook.cells.raw import FileToRead, RawTable, all_votes, read_raw
from trailbook.engine import Engine
from trailbook.engine.tasks import Workers, on_workers
from trailbook.errors import Invalid
from trailbook.lenses.types.decision import Given
from trailbook.lenses.types.votes import Votes
from trailbook.model.misfits import misfits
from trailbook.settings import Settings
from trailbook.sources.databases.asking import Asking
from trailbook.sources.databases.connections import Connection, System, connection_of_program
from trailbook.sources.local import copy_file
from trailbook.sources.remote import Fetch, Terms

ELSEWHERE = ("http://", "https://", "s3://", "hdfs://")
GivenTypes = Mapping[str, str | Mapping[str, Any] | Given]


@dataclass(frozen=True)
class Loader:
    """What loads for a program, into an empty `folder`. A Spark `elsewhere` does not see that folder."""

    engine: Engine
    settings: Settings
    folder: Path
    elsewhere: bool

    @property
    def raw(self) -> Path:
        """Where the raw table is, once it is loaded."""
        return self.folder / "raw"

    def table(self, name: str, wanted: TableToRead) -> Loaded:
        """A table or query of a database."""
        connection = connection_of_program(wanted.database, self.settings.databases)
        self.raw.mkdir()
        if connection.system is System.JDBC:
            told = self._by_spark(connection, wanted)
        else:
            order = order_for(connection, wanted, self.raw, self.settings.upload_limit, allow_private=True)
            told = Asking(connection, order, lambda rows: None).to_file()
        return loaded_as(name, wanted.table or "the query", raw_table(connection, told), {}, {})

    def _by_spark(self, connection: Connection, wanted: TableToRead) -> dict[str, Any]:
        if self.elsewhere:
            raise Invalid("A jdbc: URL needs the Spark that `connect()` starts; with another one, read it by db.spark.")
        with self.engine.session() as session:
            limit = self.settings.upload_limit
            return read_jdbc(session, connection, wanted.table, wanted.query, self.raw, limit)

    def file(
        self, name: str, source: str, format: str, member: str, types: GivenTypes, options: Mapping[str, Any]
    ) -> Loaded:
        """A file of this machine, or at an address."""
        path, called = self._captured(source)
        limit = self.settings.upload_limit
        file = FileToRead(path=path, name=called, format=format, options=options, member=member, most_bytes=limit)
        self.raw.mkdir()
        if self.elsewhere:
            table, votes = self._read(_here, file)
        else:
            with self.engine.workers() as session:
                table, votes = self._read(partial(on_workers, session), file)
        self._leave_only_raw()
        return loaded_as(name, called, table, votes, {column: _given(column, said) for column, said in types.items()})

    def _leave_only_raw(self) -> None:
        for part in self.folder.iterdir():
            if part != self.raw:
                part.unlink()

    def _captured(self, source: str) -> tuple[Path, str]:
        target = self.folder / "file"
        if source.startswith(ELSEWHERE):
            terms = Terms(self.settings.upload_limit, allow_private=True)
            return target, Fetch(source, terms, lambda done, total: None).to_file(target).name
        path = Path(source).expanduser().absolute()
        copy_file(path.resolve(), target, lambda done, total: None)
        return target, path.name

    def _read(self, workers: Workers, file: FileToRead) -> tuple[RawTable, Mapping[int, Votes]]:
        table, votes = read_raw(workers, file, self.folder, self.raw, lambda progress: None)
        if table.is_sampled:
            return table.model_copy(update={"is_sampled": False}), all_votes(workers, self.raw, table)
        return table, votes


def _here(work: Any, pieces: Sequence[Any]) -> list[Any]:
    return [work(piece) for piece in pieces]


def _given(column: str, said: str | Mapping[str, Any] | Given) -> Given:
    try:
        return Given.model_validate({"type": said} if isinstance(said, str) else said)
    except ValidationError as error:
        problem = misfits(error.errors())[0]
        raise Invalid(f"What is said of the column {column} makes no sense: {problem.what}.") from error
