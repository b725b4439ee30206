"""The tables of a database by their names, and how plans over them run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from trailbook.algebra.mapping import map_expressions
from trailbook.algebra.plan import Opaque, Plan, Scan, Schema
from trailbook.algebra.spark_frame import columns_of, frame
from trailbook.algebra.traversal import bottom_up, transform
from trailbook.caveats.calls import belonging_to
from trailbook.caveats.instrument import Traced, trace
from trailbook.caveats.tables import bare
from trailbook.engine.errors import spark_errors
from trailbook.errors import NotFound
from trailbook.library.tables import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.connect.session import SparkSession


class Catalog:
    """What queries are bound to and run on. A name stands for a scan of a table, or for the plan of a query."""

    def __init__(self, session: Callable[[], SparkSession]) -> None:
        self.session = session
        self._plans: dict[str, Plan] = {}
        self._tables: dict[str, Table] = {}
        self._views: dict[str, str] = {}

    @property
    def scope(self) -> Mapping[str, Plan]:
        return self._plans

    def spelt(self, name: str) -> str | None:
        """The name as it was given; SQL does not tell upper from lower case."""
        return next((known for known in self._plans if known.lower() == name.lower()), None)

    def new_view(self, name: str) -> str:
        """A name for a table's view. It is never used again, so that no query ever reads another table instead."""
        number, view = 1, f"__{name}"
        while view.lower() in self._views:
            number, view = number + 1, f"__{name}_{number + 1}"
        self._views[view.lower()] = name
        return view

    def add(self, table: Table) -> None:
        self._plans[table.name] = table.scan
        self._tables[table.scan.table] = table

    def add_loaded(self, table: Table, plan: Plan) -> None:
        """Name a query over a table that has no name of its own."""
        self._tables[table.scan.table] = table
        self.add_query(table.name, plan)

    def add_query(self, name: str, plan: Plan) -> None:
        """Name a query, also as the origin of what it raises."""
        self._plans[name] = transform(plan, lambda part: map_expressions(part, partial(belonging_to, name)))

    def remove(self, name: str) -> Table | None:
        """Forget a name; the table that it stood for, if it was one."""
        del self._plans[name]
        table = next((table for table in self._tables.values() if table.name == name), None)
        return self._tables.pop(table.scan.table) if table else None

    def table(self, view: str) -> Table:
        return self._tables[view]

    def traced(self, plan: Plan) -> Traced:
        """The plan with the slots of every operator."""
        return trace(plan, {view: table.doubt for view, table in self._tables.items()})

    def frame(self, plan: Plan) -> DataFrame:
        """The result of a plan as Spark computes it: one that was instrumented before."""
        for operator in bottom_up(plan):
            if isinstance(operator, Scan) and operator.table not in self._tables:
                raise NotFound(f"The query reads {self._views[operator.table.lower()]}, which was dropped since.")
        with spark_errors():
            return frame(self.session(), plan)

    def fetch(self, plan: Plan, limit: int | None = None) -> pa.Table:
        """The rows of such a plan; the first ones only, if a limit is given."""
        found = self.frame(plan)
        with spark_errors():
            return (found if limit is None else found.limit(limit)).toArrow()

    def describe(self, opaque: Opaque) -> Schema:
        """The columns of a query that only Spark can read."""
        inputs = (bare(self.traced(part).slots) for part in opaque.inputs)
        return self.columns(opaque.with_inputs(*inputs))

    def columns(self, plan: Plan) -> Schema:
        """The columns that Spark says a plan has."""
        described = self.frame(plan)
        with spark_errors():
            return columns_of(described)
