"""Load: a file or a table, from here or elsewhere, becomes a dataset. Whatever is wrong with it is a caveat."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field, field_validator

from trailbook.cells.capturing import Captured, copied, fetched, uploaded
from trailbook.cells.context import RunContext
from trailbook.cells.kind import CellKind, DatabaseGiven, DatasetName, Question, register
from trailbook.cells.published import Taken, take
from trailbook.errors import CellFailed
from trailbook.lenses.types.decision import Given
from trailbook.model.base import ArtifactId, Json
from trailbook.model.publications import MOST_EDITIONS
from trailbook.model.runs import Outside

if TYPE_CHECKING:
    from trailbook.caveats.reasons import Reason
    from trailbook.cells.asked import TableToRead
    from trailbook.cells.raw import FileToRead

SOURCES = ("file", "path", "url", "database", "published")
"""The parameters that say where the data is."""


@register
class LoadCell(CellKind):
    kind: ClassVar[str] = "load"
    title: ClassVar[str] = "Load"

    name: DatasetName = Field(description="The dataset it makes.")
    file: str = Field("", pattern=r"^([0-9a-f]{64})?$", description="The artifact id of an uploaded file.")
    file_name: str = Field("", description="What the uploaded file was called.")
    path: str = Field("", description="A file on the server's machine, inside the allowed folders.")
    url: str = Field("", description="An address of a file: https://, s3://, hdfs://, or of a Google Sheet.")
    database: DatabaseGiven = Field("", description="A database of the setting databases, or a URL without a password.")
    table: str = Field("", description="A table of the database; schema.table if need be.")
    query: str = Field("", description="A SELECT for the database, in place of a table.")
    format: str = Field("auto", description="auto goes by the file's name, and by how it looks.")
    member: str = Field("", description="Which file of a zip archive it is.")
    options: dict[str, Json] = Field({}, description="How to read the format. What is left out is found out.")
    types: dict[str, Given] = Field({}, description="What is settled for a column, and not inferred.")
    key: tuple[str, ...] = Field((), description="Columns that name a row, by which rows are known again on reload.")
    previous: str = Field(
        "", pattern=r"^([0-9a-f]{64})?$", description="The dataset that was loaded before, to be compared with."
    )
    published: str = Field("", description="The name of a dataset that some project published.")
    edition: int = Field(
        0, ge=0, le=MOST_EDITIONS, description="Which edition of it; 0 is the newest when the cell runs."
    )

    @field_validator("url")
    @classmethod
    def _without_secret(cls, value: str) -> str:
        if "@" in value.partition("://")[2].partition("/")[0]:
            raise ValueError("there is a password or a name in the address, and cells are recorded")
        return value

    def is_inert(self) -> bool:
        return not self._sources

    def is_blind(self) -> bool:
        return True

    def writes(self) -> frozenset[str]:
        return frozenset({self.name})

    @property
    def _sources(self) -> list[str]:
        return [name for name in SOURCES if getattr(self, name)]

    def run(self, context: RunContext) -> None:
        if len(self._sources) > 1:
            raise CellFailed(
                f"Data comes from one place, and there are several: {', '.join(self._sources)}. Choose one."
            )
        if self.published:
            self._take(context)
            return
        try:
            self._load(context)
        finally:
            context.outside = Outside(network=tuple(sorted(context.hosts_asked)))

    def _take(self, context: RunContext) -> None:
        from trailbook.cells.reloading.previous import find_previous
        from trailbook.cells.reloading.reloading import compare

        artifact = take(context, self.name, self.published, self.edition)
        if previous := find_previous(context, self.name, self.previous):
            compare(context, previous, artifact, self.key)

    def _load(self, context: RunContext) -> None:
        from trailbook.cells.loading import load, load_again, notes
        from trailbook.cells.reloading.previous import find_previous
        from trailbook.cells.reloading.reloading import reload

        previous = find_previous(context, self.name, self.previous)
        again = load_again(context, self.name, context.twin) if context.twin else None
        directory, loaded = again or load(context, self.name, self._source(context), self.types, previous)
        if previous:
            reload(context, previous, directory, loaded, self.key)
        context.write_dataset(self.name, directory)
        for note in notes(loaded):
            context.note(note)

    def explain(self, question: Question) -> list[Reason]:
        if self.published:
            return Taken.of(question).explain(question)
        from trailbook.cells.loaded import Loaded

        return Loaded.model_validate({"name": self.name, **question.decisions}).explain(question)

    def _source(self, context: RunContext) -> FileToRead | TableToRead:
        from trailbook.cells.asked import TableToRead
        from trailbook.cells.raw import FileToRead

        if self.database:
            return TableToRead(database=self.database, table=self.table, query=self.query)
        path, name = self._captured(context)
        return FileToRead(
            path=path,
            name=name,
            format=self.format,
            options=self.options,
            member=self.member,
            most_bytes=context.settings.upload_limit,
        )

    def _captured(self, context: RunContext) -> Captured:
        if self.file:
            return uploaded(context, ArtifactId(self.file), self.file_name)
        if self.url:
            return fetched(context, self.name, self.url)
        if self.path:
            return copied(context, self.path)
        raise CellFailed("No data yet: upload a file, or name a path, an address, a database or a published dataset.")
