"""SQL: a query over the datasets above, whose result is a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from trailbook.cells.context import RunContext
from trailbook.cells.kind import CellKind, DatasetName, register
from trailbook.cells.results import write_frame
from trailbook.errors import CellFailed

if TYPE_CHECKING:
    # Its parser takes half a second to import, which the first query can wait for, and the server can't.
    from trailbook.algebra.query import Query


@register
class SqlCell(CellKind):
    kind: ClassVar[str] = "sql"
    title: ClassVar[str] = "SQL"

    query: str = Field("", description="One Spark SQL query.")
    name: DatasetName = Field("result", description="The dataset it makes.")

    def is_inert(self) -> bool:
        return not self.query.strip()

    def reads(self) -> frozenset[str] | None:
        from trailbook.algebra.query import read_query

        try:
            query = read_query(self.query)
            return query.tables | query.mentions
        except CellFailed:
            return frozenset()

    def writes(self) -> frozenset[str]:
        return frozenset({self.name})

    def run(self, context: RunContext) -> None:
        from trailbook.algebra.query import read_query

        query = read_query(self.query)
        with context.session() as session:
            # Otherwise a quoted path in FROM would read any file that the server can.
            session.conf.set("spark.sql.runSQLOnFiles", "false")
            # Otherwise ${env:HOME} would be put in after the text was checked.
            session.conf.set("spark.sql.variable.substitute", "false")
            for name, path in _views(query, context).items():
                session.read.parquet(str(path)).createOrReplaceTempView(f"`{name}`")
            write_frame(context, session, self.name, session.sql(query.text))


def _read(query: Query, context: RunContext, name: str) -> Path:
    try:
        return context.read(name)
    except CellFailed as error:
        error.line = query.lines.get(name)
        raise


def _views(query: Query, context: RunContext) -> dict[str, Path]:
    """The datasets that the query reads, by their names in lower case, as Spark knows them."""
    found = {name: _read(query, context, name) for name in sorted(query.tables)}
    found |= {name: path for name in sorted(query.mentions) if (path := context.read_if_there(name))}
    views: dict[str, Path] = {}
    for name, path in found.items():
        if views.setdefault(name.lower(), path) != path:
            raise CellFailed(f"{name} is two datasets here, since SQL does not tell upper from lower case. Rename one.")
    return views
