"""SQL: a query over the datasets above, whose result is a dataset."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from trailbook.cells.context import RunContext
from trailbook.cells.kind import CellKind, DatasetName, register
from trailbook.cells.query import Query, read_query
from trailbook.cells.results import write_frame
from trailbook.errors import CellFailed


@register
class SqlCell(CellKind):
    kind: ClassVar[str] = "sql"
    title: ClassVar[str] = "SQL"

    query: str = Field("", description="One Spark SQL query.")
    name: DatasetName = Field("result", description="The dataset it makes.")

    def reads(self) -> frozenset[str] | None:
        try:
            return read_query(self.query).tables
        except CellFailed:
            return frozenset()

    def writes(self) -> frozenset[str]:
        return frozenset({self.name})

    def run(self, context: RunContext) -> None:
        query = read_query(self.query)
        with context.session() as session:
            # Otherwise a quoted path in FROM would read any file that the server can.
            session.conf.set("spark.sql.runSQLOnFiles", "false")
            for name in sorted(_tables(query, context)):
                session.read.parquet(str(context.read(name))).createOrReplaceTempView(f"`{name}`")
            write_frame(context, session, self.name, session.sql(query.text))


def _tables(query: Query, context: RunContext) -> frozenset[str]:
    return frozenset(context.scope.artifacts) if query.tables is None else query.tables
