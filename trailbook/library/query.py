"""Queries: lazy, with the doubts about what they read carried through."""

from __future__ import annotations

import os
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from trailbook.algebra.expressions import TRUE, Expr, both, ref
from trailbook.algebra.plan import Limit, Named, Plan, Project, Schema
from trailbook.algebra.spark_reading import errors_about
from trailbook.algebra.spark_sql import to_sql
from trailbook.algebra.types import UNKNOWN
from trailbook.caveats.bits import any_mark
from trailbook.caveats.explain import explain
from trailbook.caveats.given import spelt
from trailbook.caveats.instrument import Traced
from trailbook.caveats.slots import Slots
from trailbook.caveats.tables import data, data_columns, phantoms
from trailbook.caveats.targets import Target, is_row, values_of
from trailbook.errors import Invalid
from trailbook.library.catalog import Catalog
from trailbook.library.reasons import CaveatSet, caveat_sets
from trailbook.library.result import Result, read_result

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from trailbook.sinks.export import OnProgress

ONLY_SPARK_HAS = ("interval", "variant")
"""Types of columns that are fetched as text."""


class Query:
    """A query of a database. Nothing is computed before it is fetched."""

    def __init__(self, catalog: Catalog, plan: Plan, text: str) -> None:
        self.catalog = catalog
        self.plan = plan
        self.text = text
        self._fetched: Result | None = None

    def __repr__(self) -> str:
        return f"Query({self.text!r})"

    @cached_property
    def columns(self) -> Schema:
        """The columns of the result."""
        if all(column.type != UNKNOWN for column in self.plan.schema):
            return self.plan.schema
        with errors_about(self.text, self.catalog.session()):
            return data_columns(self.catalog.columns(data(self.slots)))

    def fetch(self, limit: int | None = None) -> Result:
        """Run the query. `limit` fetches the first rows only, which puts nothing in doubt: it is no LIMIT."""
        if limit is not None and limit < 0:
            raise Invalid(f"limit = {limit} is no number of rows: it should be 0 or more.")
        with errors_about(self.text, self.catalog.session()):
            fetched = self.catalog.fetch(self._fetchable, limit)
        self._fetched = read_result(fetched, self.plan.names, self._may_miss_rows)
        return self._fetched

    def caveats(self, row: int | None = None, column: str | None = None) -> list[CaveatSet]:
        """Why something is in doubt: a value, a row, a column; or anything that is there, or missing.

        `row` is the position in what was fetched last.
        """
        name = None if column is None else spelt(column, self.plan.names)
        columns = frozenset(self.plan.names if name is None else [name])
        where: Expr = TRUE
        if row is None:
            marked = self._has_marks(name)
        else:
            result = self._with_row(row)
            known = result.table.slice(row, 1).drop_columns(self._as_text)
            marked, where = result.is_marked(row, name), is_row(values_of(known))
        if not marked:
            return []
        sets = caveat_sets(self.catalog, explain(self._traced, Target(columns, name is None, where)))
        # Two doubts may put together what neither does alone; then all that could have a part in it are listed.
        return sets or caveat_sets(self.catalog, explain(self._traced, Target(columns, name is None)))

    @cached_property
    def _as_text(self) -> list[str]:
        """The columns of types that Arrow does not have."""
        return [column.name for column in self.columns if column.type in ONLY_SPARK_HAS]

    @property
    def _fetchable(self) -> Plan:
        """The data and its masks, in types that Arrow has."""
        found = data(self.slots)
        if not self._as_text:
            return found
        texts = {name: exp.Cast(this=ref(name), to=exp.DataType.build("string")) for name in self._as_text}
        return Project(found, tuple(Named(name, texts.get(name, ref(name))) for name in found.names))

    def export(
        self,
        target: str | PathLike[str],
        format: str = "auto",
        *,
        replace: bool = False,
        report: bool = True,
        on_progress: OnProgress = lambda done, total: None,
        **options: Any,
    ) -> list[str]:
        """Run the query and write all of its result; what a reader of it should know.

        `target` is a path, an address on S3 (`s3://bucket/path`), or a database (`postgresql://…`, with a `table`). If
        something is in doubt, a `report` of it goes beside the file. The options are those of the format. `on_progress`
        is told how many rows are written, and of how many; if it raises an error, nothing is left of what was written.
        """
        from trailbook.library.exporting import Exported

        with errors_about(self.text, self.catalog.session()):
            fetched = self.catalog.fetch(self._fetchable)
        exported = Exported(self, fetched, self._may_miss_rows(), on_progress)
        return exported.to(os.fspath(target), format, replace=replace, report=report, options=options)

    def spark(self) -> DataFrame:
        """What is fetched, as a frame: the data, and masks after it if something may be in doubt.

        Bit 0 of `__mask` says that the row is in doubt, bit i + 1 that the value of column i is.
        """
        with errors_about(self.text, self.catalog.session()):
            return self.catalog.frame(data(self.slots))

    def sql_text(self) -> str:
        """The SQL that runs."""
        return to_sql(data(self.slots))

    @property
    def slots(self) -> Slots:
        """The plan with its marks."""
        return self._traced.slots

    @cached_property
    def _traced(self) -> Traced:
        return self.catalog.traced(self.plan)

    def _has_marks(self, column: str | None) -> bool:
        slots = self.slots
        marks = [slots.mark(column)] if column else [*slots.marks.values(), slots.doubt]
        there = slots.where(both(slots.present, any_mark(*marks))).plan
        return self._finds(there) or (column is None and self._may_miss_rows())

    def _may_miss_rows(self) -> bool:
        found = phantoms(self.slots)
        return found is not None and self._finds(found)

    def _finds(self, plan: Plan) -> bool:
        """Whether the plan has a row."""
        found = self.catalog.fetch(Project(Limit(plan, 1), (Named("found", TRUE),)))
        return bool(found.num_rows)

    def _with_row(self, row: int) -> Result:
        """What was fetched last, if it has the row."""
        if row < 0:
            raise Invalid(f"There is no row {row}: rows are counted from 0.")
        fetched = self._fetched
        if fetched is None or row >= fetched.table.num_rows:
            fetched = self.fetch(limit=row + 1)
        if row >= fetched.table.num_rows:
            raise Invalid(f"There is no row {row}: the result has {fetched.table.num_rows} rows, counted from 0.")
        return fetched
