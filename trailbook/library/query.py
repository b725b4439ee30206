"""Queries: lazy, with the doubts of what they read carried through."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from trailbook.algebra.expressions import TRUE
from trailbook.algebra.plan import Limit, Named, Plan, Project, Schema
from trailbook.algebra.spark_sql import to_sql
from trailbook.algebra.types import UNKNOWN
from trailbook.caveats.slots import Slots
from trailbook.caveats.tables import data, data_columns, phantoms
from trailbook.engine.errors import spark_errors
from trailbook.errors import Invalid
from trailbook.library.catalog import Catalog
from trailbook.library.result import Result, read_result

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Query:
    """A query of a database. Nothing is computed before it is fetched."""

    def __init__(self, catalog: Catalog, plan: Plan) -> None:
        self.catalog = catalog
        self.plan = plan

    @cached_property
    def slots(self) -> Slots:
        """The plan with its marks."""
        return self.catalog.slots(self.plan)

    @cached_property
    def columns(self) -> Schema:
        """The columns of the result; of those that only Spark can type, the types that it says."""
        if all(column.type != UNKNOWN for column in self.plan.schema):
            return self.plan.schema
        return data_columns(self.catalog.columns(data(self.slots)))

    def spark(self) -> DataFrame:
        """The frame that is fetched: the data, and masks after it if something may be in doubt.

        Bit 0 of `__mask` says that the row is in doubt, bit i + 1 that the value of column i is.
        """
        return self.catalog.frame(data(self.slots))

    def sql_text(self) -> str:
        """What Spark is asked."""
        return to_sql(data(self.slots))

    def fetch(self, limit: int | None = None) -> Result:
        """Run the query. `limit` takes the first rows of the result, which puts nothing in doubt, as LIMIT would."""
        if limit is not None and limit < 0:
            raise Invalid(f"limit = {limit} is no number of rows: it should be 0 or more.")
        frame = self.spark()
        with spark_errors():
            fetched = (frame if limit is None else frame.limit(limit)).toArrow()
        return read_result(fetched, self.plan.names, self._has_phantoms)

    def _has_phantoms(self) -> bool:
        found = phantoms(self.slots)
        if found is None:
            return False
        frame = self.catalog.frame(Limit(Project(found, (Named("found", TRUE),)), 1))
        with spark_errors():
            return bool(frame.toArrow().num_rows)
