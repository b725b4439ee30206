"""The query that makes a dataset of a raw table: names, types, and doubts about what was wrong with the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from trailbook.cells.dataflow import DataflowCell
from trailbook.cells.raw import RawColumn, RawTable
from trailbook.lenses.types.decision import Decision
from trailbook.model.artifacts import Artifact
from trailbook.model.base import Json
from trailbook.model.runs import CAPTURED
from trailbook.sources.raw_columns import LEFT_OUT, PROBLEM

if TYPE_CHECKING:
    from trailbook.algebra.expressions import Expr
    from trailbook.algebra.plan import Plan, Scan
    from trailbook.cells.dataflow import Describe
    from trailbook.cells.tables import Inputs


class Loaded(DataflowCell):
    """A file that was read: `source` is what it is called, `decisions` are those about its columns of text."""

    source: str
    table: RawTable
    decisions: Mapping[str, Decision]

    @property
    def kept(self) -> dict[str, Json]:
        """What has to be known to ask for reasons later."""
        return self.model_dump(mode="json", include={"source", "table", "decisions"})

    def inputs(self, read: Callable[[str], Artifact], read_if_there: Callable[[str], Artifact | None]) -> Inputs:
        return {self._key: read(CAPTURED + self.source)}

    @property
    def _key(self) -> str:
        return (CAPTURED + self.source).lower()

    def plan(self, tables: dict[str, Scan], describe: Describe) -> Plan:
        from trailbook.algebra.plan import Union

        raw = tables[self._key]
        rows = self._rows(raw)
        return Union((rows, self._left_out(raw))) if self.table.left_out else rows

    def _rows(self, raw: Plan) -> Plan:
        """The rows, in doubt where something was wrong with them."""
        from trailbook.algebra.expressions import TRUE, both, call, is_null, negated, ref
        from trailbook.algebra.plan import Filter, Named, Project

        is_wrong = negated(is_null(ref(PROBLEM)))
        is_row = negated(ref(LEFT_OUT)) if self.table.left_out else TRUE
        stays = self._of_lines(call("caveat_if", TRUE, is_wrong, ref(PROBLEM))) if self.table.wrong else TRUE
        columns = (Named(column.name, self._typed(number)) for number, column in enumerate(self.table.columns))
        condition = both(is_row, stays)
        return Project(raw if condition is TRUE else Filter(raw, condition), tuple(columns))

    def _typed(self, number: int) -> Expr:
        from trailbook.algebra.expressions import call, ref, text
        from trailbook.lenses.types.expressions import typed

        name, value = self.table.columns[number].name, ref(f"c{number}")
        decision = self.decisions.get(name, Decision())
        if decision.type != "string" and self.table.blanks_are_null:
            # A number that is not there may have been forgotten; a text may be empty.
            return typed(call("coalesce", value, text("")), decision, name)
        return typed(value, decision, name)

    def _left_out(self, raw: Plan) -> Plan:
        """What might be a row, and of which nothing is known then."""
        from sqlglot import exp

        from trailbook.algebra.expressions import FALSE, NULL, TRUE, call, ref
        from trailbook.algebra.plan import Filter, Named, Project

        condition = self._of_lines(call("caveat_if", FALSE, TRUE, ref(PROBLEM)))

        def unknown(column: RawColumn) -> Expr:
            type = self.decisions[column.name].type if column.name in self.decisions else column.type
            nothing = exp.Cast(this=NULL, to=exp.DataType.build(type, dialect="spark"))
            return self._of_lines(call("caveat", nothing, ref(PROBLEM)))

        columns = (Named(column.name, unknown(column)) for column in self.table.columns)
        return Project(Filter(Filter(raw, ref(LEFT_OUT)), condition), tuple(columns))

    def _of_lines(self, raised: Expr) -> Expr:
        from trailbook.caveats.calls import stands_for

        return stands_for(raised, f"lines of {self.source}")
