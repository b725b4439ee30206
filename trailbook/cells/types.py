"""Types: columns of text become numbers, truth values, dates; what does not fit is a caveat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from trailbook.cells.context import RunContext
from trailbook.cells.dataflow import DataflowCell, none_asked
from trailbook.cells.kind import CellKind, DatasetName, Question, register
from trailbook.errors import CellFailed
from trailbook.lenses.types.decision import NOTHING_GIVEN, Decision, Given
from trailbook.model.artifacts import Artifact
from trailbook.model.base import Json

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

    from trailbook.algebra.plan import Plan, Scan
    from trailbook.caveats.reasons import Reason
    from trailbook.cells.dataflow import Describe
    from trailbook.cells.tables import Inputs

Decisions = Mapping[str, Decision]


@register
class TypesCell(CellKind):
    kind: ClassVar[str] = "types"
    title: ClassVar[str] = "Types"

    dataset: str = Field("", description="The dataset whose columns of text are read.")
    name: DatasetName = Field("result", description="The dataset it makes; it may be the same name.")
    columns: dict[str, Given] = Field({}, description="What is settled for a column, and not inferred.")

    def is_inert(self) -> bool:
        return not self.dataset

    def reads(self) -> frozenset[str]:
        return frozenset({self.dataset} if self.dataset else ())

    def writes(self) -> frozenset[str]:
        return frozenset({self.name})

    def run(self, context: RunContext) -> None:
        from trailbook.cells.results import stage_slots
        from trailbook.cells.tables import open_views
        from trailbook.engine.errors import spark_errors
        from trailbook.lenses.types.telling import told
        from trailbook.store.decisions import write_decisions

        source = context.read(self.dataset)
        inputs = {self.dataset.lower(): source}
        with context.session() as session, spark_errors():
            open_views(session, context.files, inputs)
            decisions = self._decided(session, source)
            typing = self._typing(decisions)
            directory = stage_slots(context, session, typing.trace(inputs, context.acknowledged, none_asked).slots)
        write_decisions(directory, {column: decision.model_dump(mode="json") for column, decision in decisions.items()})
        context.write_dataset(self.name, directory)
        for column, decision in decisions.items():
            if not decision.changes_nothing or decision.proposed:
                context.note(told(column, decision))

    def explain(self, question: Question) -> list[Reason]:
        return self._typing(_read(question.decisions)).explain(question)

    def _decided(self, session: SparkSession, source: Artifact) -> dict[str, Decision]:
        """What the data says, over which the cell's parameters go."""
        from trailbook.lenses.types.choose import choose
        from trailbook.lenses.types.gather import votes_of

        texts = [column.name for column in source.columns if column.type == "string"]
        for column in self.columns:
            if column not in texts:
                known = ", ".join(texts) or "none"
                raise CellFailed(f"{self.dataset} has no column of text called {column}. It has: {known}.")
        votes = votes_of(session.table(self.dataset), texts)
        return {column: choose(votes[column], self.columns.get(column, NOTHING_GIVEN)) for column in texts}

    def _typing(self, decisions: Decisions) -> Typing:
        return Typing(name=self.name, dataset=self.dataset, decisions=decisions)


class Typing(DataflowCell):
    """The query that a Types cell is once it is decided."""

    dataset: str
    decisions: Decisions

    def inputs(self, read: Callable[[str], Artifact], read_if_there: Callable[[str], Artifact | None]) -> Inputs:
        return {self.dataset.lower(): read(self.dataset)}

    def plan(self, tables: dict[str, Scan], describe: Describe) -> Plan:
        from trailbook.algebra.plan import Project
        from trailbook.lenses.types.expressions import typed_columns

        scan = tables[self.dataset.lower()]
        return Project(scan, typed_columns(scan.columns, self.decisions))


def _read(decisions: Mapping[str, Json]) -> dict[str, Decision]:
    return {column: Decision.model_validate(decision) for column, decision in decisions.items()}
