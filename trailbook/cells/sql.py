"""SQL: a query over the datasets above, whose result is a dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from trailbook.cells.dataflow import DataflowCell
from trailbook.cells.kind import register
from trailbook.errors import CellFailed
from trailbook.model.artifacts import Artifact

if TYPE_CHECKING:
    # Its parser takes half a second to import, which the first query can wait for, and the server can't.
    from pyspark.sql.connect.session import SparkSession

    from trailbook.algebra.plan import Plan, Scan
    from trailbook.algebra.query import Query
    from trailbook.cells.dataflow import Describe
    from trailbook.cells.tables import Inputs


@register
class SqlCell(DataflowCell):
    kind: ClassVar[str] = "sql"
    title: ClassVar[str] = "SQL"

    query: str = Field("", description="One Spark SQL query.")

    def is_inert(self) -> bool:
        return not self.query.strip()

    def reads(self) -> frozenset[str] | None:
        from trailbook.algebra.query import read_query

        try:
            query = read_query(self.query)
            return query.tables | query.mentions
        except CellFailed:
            return frozenset()

    def inputs(self, read: Callable[[str], Artifact], read_if_there: Callable[[str], Artifact | None]) -> Inputs:
        from trailbook.algebra.query import read_query

        query = read_query(self.query)
        found = {name: _read(query, read, name) for name in sorted(query.tables)}
        found |= {name: artifact for name in sorted(query.mentions) if (artifact := read_if_there(name))}
        inputs: dict[str, Artifact] = {}
        for name, artifact in found.items():
            if inputs.setdefault(name.lower(), artifact).id != artifact.id:
                raise CellFailed(
                    f"{name} is two datasets here, since SQL does not tell upper from lower case. Rename one."
                )
        return inputs

    def plan(self, tables: dict[str, Scan], describe: Describe) -> Plan:
        from trailbook.algebra.bind import bind

        return bind(self.query, tables, describe)

    def explained(self, error: CellFailed, session: SparkSession) -> CellFailed:
        from trailbook.algebra.query import read_query
        from trailbook.algebra.spark_reading import placed

        return placed(error, read_query(self.query).text, session)


def _read(query: Query, read: Callable[[str], Artifact], name: str) -> Artifact:
    try:
        return read(name)
    except CellFailed as error:
        error.line, error.column = query.places.get(name, (None, None))
        raise
