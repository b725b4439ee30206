"""Results of queries, written to files and databases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from trailbook.errors import Invalid
from trailbook.library.reasons import CaveatSet
from trailbook.model.base import now
from trailbook.sinks.export import OnProgress, export_with_report, watched
from trailbook.sinks.outgoing import Outgoing, held
from trailbook.sinks.report import CaveatReport, ReportedSet
from trailbook.sinks.sink import chosen, sink_for
from trailbook.sinks.targets.database import TableOptions, TableTarget
from trailbook.sinks.targets.files import FileTarget, path_of
from trailbook.sinks.targets.s3 import S3Target
from trailbook.sources.databases.connections import connection_of_program

if TYPE_CHECKING:
    from trailbook.library.query import Query

MOST_COLUMNS = 20
"""Columns of which each is asked about by itself."""


@dataclass(frozen=True)
class Exported:
    """The result of a query, on its way out."""

    query: Query
    fetched: pa.Table
    may_miss_rows: bool

    on_progress: OnProgress

    def to(self, target: str, format: str, *, replace: bool, report: bool, options: dict[str, Any]) -> list[str]:
        """Write it; what a reader should know."""
        if target.startswith(("postgresql:", "postgresql+psycopg:")):
            return self._to_table(target, options)
        return self._to_file(_target(target, replace), format, report=report, options=options)

    def _to_table(self, url: str, options: dict[str, Any]) -> list[str]:
        table, schema = options.pop("table", None), options.pop("schema", None)
        if not table:
            raise Invalid("A database takes tables: say which, as table='sales'.")
        target = TableTarget(connection_of_program(url, {}), table, schema, allow_private=True)
        return target.write(self._outgoing(table), chosen(TableOptions, options, "A table"))

    def _to_file(
        self, target: FileTarget | S3Target, format: str, *, report: bool, options: dict[str, Any]
    ) -> list[str]:
        sink = sink_for(format, target.name)
        wanted = chosen(sink.options, options, sink.title)
        data = self._outgoing(PurePath(target.name).stem)
        return export_with_report(data, target, sink, wanted, lambda: self._report(data), beside=report)

    def _outgoing(self, name: str) -> Outgoing:
        return watched(held(name, self.fetched, self.may_miss_rows), self.on_progress)

    def _report(self, data: Outgoing) -> CaveatReport:
        return CaveatReport(
            dataset=data.name,
            origin=self.query.text,
            time=now(),
            rows=data.rows,
            columns=tuple(data.schema.names),
            doubt=data.doubt,
            sets=tuple(self._sets(list(data.doubt.values))),
        )

    def _sets(self, columns: list[str]) -> Iterator[ReportedSet]:
        found = self.query.caveats()
        behind: dict[str, list[CaveatSet]] = {}
        if len(found) == 1:
            behind = dict.fromkeys(columns, found)
        elif len(columns) <= MOST_COLUMNS:
            behind = {name: self.query.caveats(column=name) for name in columns}
        for one in found:
            about = tuple(name for name, sets in behind.items() if one in sets)
            yield ReportedSet(
                message=one.message,
                place=one.place or one.message,
                cell=one.cell,
                count=one.count,
                examples=tuple(example.message for example in one.examples),
                columns=about,
            )


def _target(text: str, replace: bool) -> FileTarget | S3Target:
    if text.startswith("s3:"):
        return S3Target(text, replace)
    if "://" in text:
        raise Invalid(f"{text} can't be written to: give a path, s3://bucket/path, or postgresql://… with a table.")
    path = path_of(text)
    return FileTarget(path, (path.parent,), replace=replace)
