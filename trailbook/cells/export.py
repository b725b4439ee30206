"""Export: a dataset of the cells above is written to a file, to S3, or to a table of a database."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from trailbook.cells.context import RunContext
from trailbook.cells.kind import CellKind, DatabaseGiven, register
from trailbook.errors import CellFailed
from trailbook.model.base import Digest, Json
from trailbook.model.runs import Outside, Progress
from trailbook.settings import Settings
from trailbook.sinks.report import CaveatReport, report_name
from trailbook.store.outside import file_digest

if TYPE_CHECKING:
    from trailbook.sinks.outgoing import Outgoing
    from trailbook.sinks.targets.files import FileTarget
    from trailbook.sinks.targets.s3 import S3Target


@register
class ExportCell(CellKind):
    kind: ClassVar[str] = "export"
    title: ClassVar[str] = "Export"
    acts_outside: ClassVar[bool] = True

    dataset: str = Field("", description="The dataset that is written.")
    target: str = Field("", description="A path inside the allowed folders, or s3://bucket/path.")
    database: DatabaseGiven = Field(
        "", description="Or a database: its name in the settings, or its URL, without password."
    )
    table: str = Field("", description="The table of the database; schema.table if need be.")
    format: str = Field("auto", description="Of a file; auto goes by its name.")
    options: dict[str, Json] = Field({}, description="How to write the format, or the table.")
    replace: bool = Field(False, description="Replace a file or table that is there.")
    report: bool = Field(True, description="Put a caveat report beside the file if something is in doubt.")

    def is_inert(self) -> bool:
        return not (self.dataset and (self.target or self.database))

    def reads(self) -> frozenset[str]:
        return frozenset({self.dataset})

    def run(self, context: RunContext) -> None:
        from trailbook.sinks.export import watched
        from trailbook.sinks.outgoing import stored

        artifact = context.read(self.dataset)
        stopped = threading.Event()

        def tell(done: int, total: int) -> None:
            context.progress(Progress(label="Rows written", done=done, total=total))

        data = watched(stored(self.dataset, context.files.path(artifact.id), artifact), tell, stopped)
        with context.stopped_by(stopped.set):
            if self.database:
                self._to_table(context, data)
            else:
                self._to_file(context, data, lambda: context.shelf.caveat_report(self.dataset, artifact.id))

    def _to_table(self, context: RunContext, data: Outgoing) -> None:
        from trailbook.cells.capturing import terms_of
        from trailbook.sinks.sink import chosen
        from trailbook.sinks.targets.database import TableOptions, TableTarget
        from trailbook.sources.databases.connections import connection_to
        from trailbook.sources.databases.queries import schema_and_table

        if self.target:
            raise CellFailed("There are two places to write to, a target and a database. Choose one.")
        if not self.table:
            raise CellFailed("A database takes tables: say which.")
        schema, table = schema_and_table(self.table)
        found = connection_to(self.database, context.settings.databases)
        allow_private = found.is_owners or terms_of(context.settings).allow_private
        given: dict[str, Any] = {"if_exists": "replace" if self.replace else "fail", **self.options}
        target = TableTarget(found, table, schema, allow_private)
        notes = target.write(data, chosen(TableOptions, given, "A table"))
        context.outside = Outside(network=(found.host,))
        _tell(context, f"{data.rows:,} rows are in the table {self.table} of {found.name}.", notes)

    def _to_file(self, context: RunContext, data: Outgoing, report: Callable[[], CaveatReport]) -> None:
        from trailbook.sinks.export import export_with_report
        from trailbook.sinks.sink import chosen, sink_for

        target = self._target(context.settings)
        sink = sink_for(self.format, target.name)
        options = chosen(sink.options, dict(self.options), sink.title)
        notes = export_with_report(data, target, sink, options, report, beside=self.report)
        has_report = self.report and not data.doubt.is_none
        beside = report_name(target.name)
        context.outside = _outside(target, beside if has_report else None)
        more = f"Beside it, {beside} says what of it is in doubt, and why."
        _tell(context, f"{data.rows:,} rows are in {target.shown}.", [*([more] if has_report else []), *notes])

    def _target(self, settings: Settings) -> FileTarget | S3Target:
        from trailbook.cells.capturing import terms_of
        from trailbook.sinks.targets.files import FileTarget, path_of
        from trailbook.sinks.targets.s3 import S3Target

        if "://" in self.target:
            return S3Target(self.target, self.replace, anonymously=terms_of(settings).anonymously)
        path = path_of(self.target)
        return FileTarget(path, settings.writable_folders, kept_out=settings.data, replace=self.replace)


def _outside(target: FileTarget | S3Target, report: str | None) -> Outside:
    """What was written, and what a file held then, by which one sees whether it is still so."""
    from trailbook.sinks.targets.s3 import S3Target

    if isinstance(target, S3Target):
        return Outside(network=(target.host,))
    paths = [target.path, *([target.path.with_name(report)] if report else [])]
    digests = {str(path): Digest(digest) for path in paths if (digest := file_digest(str(path)))}
    return Outside(files_written=tuple(map(str, paths)), digests=digests)


def _tell(context: RunContext, done: str, notes: list[str]) -> None:
    for note in (done, *notes):
        context.note(note)
