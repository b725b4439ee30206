"""SQL: a query over the datasets above, whose result is a dataset."""

from __future__ import annotations

from pathlib import Path
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
            query = read_query(self.query)
            return query.tables | query.mentions
        except CellFailed:
            return frozenset()

    def writes(self) -> frozenset[str]:
        return frozenset({self.name})

    def run(self, context: RunContext) -> None:
        query = read_query(self.query)
        with context.session() as session:
            # Otherwise a quoted path in FROM would read any file that the server can.
            session.conf.set("spark.sql.runSQLOnFiles", "false")
            # Otherwise ${env:HOME} would be put in after the text was checked.
            session.conf.set("spark.sql.variable.substitute", "false")
            for name, path in _views(query, context).items():
                session.read.parquet(str(path)).createOrReplaceTempView(f"`{name}`")
            write_frame(context, session, self.name, session.sql(query.text))


def _views(query: Query, context: RunContext) -> dict[str, Path]:
    """The datasets that the query reads, by their names in lower case, as Spark knows them."""
    found = {name: context.read(name) for name in sorted(query.tables)}
    found |= {name: path for name in sorted(query.mentions) if (path := context.read_if_there(name))}
    views: dict[str, Path] = {}
    for name, path in found.items():
        if views.setdefault(name.lower(), path) != path:
            raise CellFailed(f"{name} is two datasets here, since SQL does not tell upper from lower case. Rename one.")
    return views
