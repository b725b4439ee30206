"""Cells that are queries: a plan over the datasets above, whose result is a dataset, with what is in doubt of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import Field

from trailbook.cells.context import RunContext
from trailbook.cells.kind import CellKind, DatasetName, Question
from trailbook.errors import CellFailed
from trailbook.model.acknowledged import Acknowledged
from trailbook.model.artifacts import Artifact

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

    from trailbook.algebra.plan import Opaque, Plan, Scan, Schema
    from trailbook.caveats.instrument import Traced
    from trailbook.caveats.reasons import Reason
    from trailbook.caveats.slots import Slots
    from trailbook.caveats.targets import Target
    from trailbook.cells.kind import AskSpark
    from trailbook.cells.tables import Inputs

    Describe = Callable[[Opaque], Schema]

STORED_AS_TEXT = ("interval", "unknown", "variant", "void")
"""How the types begin that Parquet does not have, or may not have."""


class DataflowCell(CellKind):
    """A cell that is a plan. What it reads is known from its parameters alone."""

    name: DatasetName = Field("result", description="The dataset it makes.")

    @abstractmethod
    def inputs(self, read: Callable[[str], Artifact], read_if_there: Callable[[str], Artifact | None]) -> Inputs:
        """The datasets it reads."""

    @abstractmethod
    def plan(self, tables: dict[str, Scan], describe: Describe) -> Plan:
        """The query over these tables; `describe` tells the columns of what only Spark understands."""

    def explained(self, error: CellFailed, session: SparkSession) -> CellFailed:
        """An error that Spark raised over the plan, as one of the cell; what Spark read is not what somebody wrote."""
        error.line = error.column = None
        return error

    def writes(self) -> frozenset[str]:
        return frozenset({self.name})

    def trace(self, inputs: Inputs, acknowledged: Collection[Acknowledged], columns: AskSpark) -> Traced:
        """The plan with what is in doubt after each of its operators; `columns` asks Spark what a plan gives."""
        from trailbook.caveats.instrument import trace
        from trailbook.caveats.tables import bare
        from trailbook.cells.tables import doubts, scans

        known = doubts(inputs)

        def describe(opaque: Opaque) -> Schema:
            parts = (bare(trace(part, known, acknowledged).slots) for part in opaque.inputs)
            return columns(opaque.with_inputs(*parts))

        return trace(self.plan(scans(inputs), describe), known, acknowledged)

    def explain(self, question: Question) -> list[Reason]:
        from trailbook.caveats.explain import explain, explain_acknowledged
        from trailbook.caveats.targets import missing
        from trailbook.cells.tables import with_row_names

        inputs = self.inputs(question.reads.__getitem__, question.reads.get)
        traced = self.trace(inputs, () if question.accepted else question.acknowledged, question.columns)
        target = _comparable(question.target, traced.slots) if question.target else missing(traced.slots)
        if question.accepted:
            return explain_acknowledged(traced, question.acknowledged, target, with_row_names(inputs))
        return explain(traced, target, with_row_names(inputs))

    def run(self, context: RunContext) -> None:
        from trailbook.algebra.spark_frame import columns_of, frame
        from trailbook.cells.results import write_slots
        from trailbook.cells.tables import open_views

        inputs = self.inputs(context.read, context.read_if_there)
        with context.session() as session:
            open_views(session, context.files, inputs)

            def columns(plan: Plan) -> Schema:
                with self._errors_told(session):
                    return columns_of(frame(session, plan))

            slots = self.trace(inputs, context.acknowledged, columns).slots
            with self._errors_told(session):
                write_slots(context, session, self.name, slots)

    @contextmanager
    def _errors_told(self, session: SparkSession) -> Iterator[None]:
        from trailbook.engine.errors import spark_errors

        try:
            with spark_errors():
                yield
        except CellFailed as error:
            raise self.explained(error, session) from error


def none_asked(plan: Plan) -> Schema:
    """For plans in which nothing is for Spark alone to understand."""
    return ()


def _comparable(target: Target, slots: Slots) -> Target:
    """The same without conditions on columns that were stored as text and are something else here."""
    from trailbook.caveats.targets import weakened

    kept = (column.name for column in slots.plan.schema if not column.type.startswith(STORED_AS_TEXT))
    return replace(target, where=weakened(target.where, kept))
