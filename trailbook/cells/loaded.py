"""The query that makes a dataset of a raw table: names, types, and doubts about what was wrong with the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from trailbook.cells.dataflow import DataflowCell
from trailbook.cells.raw import RawColumn, RawTable
from trailbook.cells.reloading.drift import Drift
from trailbook.lenses.types.decision import Decision
from trailbook.model.artifacts import Artifact
from trailbook.model.base import Json
from trailbook.model.runs import CAPTURED
from trailbook.sources.formats.names import unique_names
from trailbook.sources.raw_columns import LEFT_OUT, PROBLEM

if TYPE_CHECKING:
    from trailbook.algebra.expressions import Expr
    from trailbook.algebra.plan import Named, Plan, Scan
    from trailbook.caveats.reasons import Reason
    from trailbook.cells.dataflow import Describe
    from trailbook.cells.kind import Question
    from trailbook.cells.tables import Inputs


class Loaded(DataflowCell):
    """A file that was read: `source` is what it is called, `decisions` are those about its columns of text.

    `load` is what its rows are called by, if there was no load before; `drift` tells how its columns differ from then.
    `as_text` are columns that speak for other types, and are too many for that.
    """

    source: str
    table: RawTable
    decisions: Mapping[str, Decision]
    load: str = ""
    drift: tuple[Drift, ...] = ()
    as_text: tuple[str, ...] = ()
    asked: frozenset[str] | None = None
    """The columns that somebody wants to know about, in lower case; None for all."""

    @property
    def kept(self) -> dict[str, Json]:
        """What has to be known to ask for reasons later."""
        return self.model_dump(mode="json", exclude={"name", "asked"})

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.table.columns]

    @property
    def may_be_doubtful(self) -> bool:
        """Whether values, rows or what is missing may be in doubt, before a record was looked at."""
        is_typed = any(not decision.changes_nothing for decision in self.decisions.values())
        is_lossy = any(column.texts for column in self.table.columns)
        return is_typed or is_lossy or self.table.problems > 0 or self.table.cut_off is not None

    @property
    def needs_query(self) -> bool:
        """Whether there are doubts about more than single texts and lines of a file."""
        return bool(self.drift or self.table.cut_off or any(column.texts for column in self.table.columns))

    def narrowed(self, numbers: Sequence[int]) -> Loaded:
        """The same for a raw table that has only these columns, and after them the position of each record."""
        columns = [self.table.columns[number] for number in numbers]
        names = [column.name for column in columns]
        position = RawColumn(name=unique_names([*names, "position"])[-1], type="bigint", is_text=False)
        return self.model_copy(
            update={
                "table": self.table.model_copy(update={"columns": (*columns, position)}),
                "decisions": {name: self.decisions[name] for name in names if name in self.decisions},
                "drift": tuple(one for one in self.drift if one.now is None or one.column in names),
            }
        )

    @property
    def types(self) -> dict[str, str]:
        """The types of its columns."""
        return {
            column.name: self.decisions[column.name].type if column.name in self.decisions else column.type
            for column in self.table.columns
        }

    def inputs(self, read: Callable[[str], Artifact], read_if_there: Callable[[str], Artifact | None]) -> Inputs:
        return {self._key: read(CAPTURED + self.source)}

    @property
    def _key(self) -> str:
        return (CAPTURED + self.source).lower()

    def plan(self, tables: dict[str, Scan], describe: Describe) -> Plan:
        return self.over(tables[self._key])

    def explain(self, question: Question) -> list[Reason]:
        from trailbook.algebra.expressions import names_in

        target = question.target
        named = target.columns | names_in(target.where) if target else frozenset[str]()
        # Without any column there would be no query.
        asked = {name.lower() for name in (*named, *self.names[:1])}
        return DataflowCell.explain(self.model_copy(update={"asked": frozenset(asked)}), question)

    def _is_asked(self, name: str) -> bool:
        return self.asked is None or name.lower() in self.asked

    def over(self, raw: Scan) -> Plan:
        """The query over the raw table."""
        from trailbook.algebra.plan import Union

        parts = [self._rows(raw)]
        if self.table.left_out:
            parts.append(self._left_out(raw))
        if self.table.cut_off:
            parts.append(self._rest(self.table.cut_off))
        return Union(tuple(parts)) if len(parts) > 1 else parts[0]

    def _rows(self, raw: Plan) -> Plan:
        """The rows, in doubt where something was wrong with them."""
        from trailbook.algebra.expressions import TRUE, both, call, is_null, negated, ref
        from trailbook.algebra.plan import Filter, Named, Project

        is_wrong = negated(is_null(ref(PROBLEM)))
        is_row = negated(ref(LEFT_OUT)) if self.table.left_out else TRUE

        def if_right(value: Expr) -> Expr:
            """The line might mean another row, so that none of its values is sure either."""
            return self._of_lines(call("caveat_if", value, is_wrong, ref(PROBLEM))) if self.table.wrong else value

        gone = (_drifted(TRUE, one) for one in self.drift if one.now is None)
        drifted = {one.column: one for one in self.drift}
        asked = {name: number for number, name in enumerate(self.names) if self._is_asked(name)}
        values = (_drifted(if_right(self.typed(number)), drifted.get(name)) for name, number in asked.items())
        condition = both(is_row, if_right(TRUE), *gone)
        columns = tuple(map(Named, asked, values))
        return Project(raw if condition is TRUE else Filter(raw, condition), columns)

    def typed(self, number: int) -> Expr:
        """A column of the raw table as it was decided."""
        from trailbook.algebra.expressions import call, ref, text
        from trailbook.lenses.types import expressions

        name, value = self.table.columns[number].name, ref(f"c{number}")
        decision = self.decisions.get(name, Decision())
        if self.table.columns[number].texts:
            return self._if_it_fitted(number)
        if decision.type != "string" and self.table.blanks_are_null:
            # A number that is not there may have been forgotten; a text may be empty.
            return expressions.typed(call("coalesce", value, text("")), decision, name)
        return expressions.typed(value, decision, name)

    def _if_it_fitted(self, number: int) -> Expr:
        """A column of a type of its own, NULL where a value has no place in that."""
        from trailbook.algebra.expressions import call, is_null, negated, ref, text
        from trailbook.caveats.calls import stands_for

        column = self.table.columns[number]
        lost = ref(column.texts)
        message = call("concat", lost, text(f" does not fit {column.type}, the type of {column.name}"))
        raised = call("caveat_if", ref(f"c{number}"), negated(is_null(lost)), message)
        return stands_for(raised, f"{column.name} of {self.source}")

    def _left_out(self, raw: Plan) -> Plan:
        """What might be a row, and of which nothing is known then."""
        from trailbook.algebra.expressions import FALSE, TRUE, call, ref
        from trailbook.algebra.plan import Filter, Project

        condition = self._of_lines(call("caveat_if", FALSE, TRUE, ref(PROBLEM)))
        return Project(Filter(Filter(raw, ref(LEFT_OUT)), condition), self._unknown(ref(PROBLEM)))

    def _rest(self, problem: str) -> Plan:
        """What could not be read: any number of rows."""
        from sqlglot import exp

        from trailbook.algebra.expressions import call, number, text
        from trailbook.algebra.plan import Generate, Project, Values
        from trailbook.model.artifacts import Column

        message = text(f"not all of {self.source} could be read: {problem}")
        nothing = exp.Cast(this=call("array"), to=exp.DataType.build("array<int>", dialect="spark"))
        rows = call("explode", self._of_lines(call("caveat", nothing, message)))
        end = Values(((number(1),),), (Column(name="end", type="int", nullable=False),))
        return Project(Generate(end, rows, ("row",)), self._unknown(message))

    def _unknown(self, message: Expr) -> tuple[Named, ...]:
        """The columns of a row of which nothing is known."""
        from sqlglot import exp

        from trailbook.algebra.expressions import NULL, call
        from trailbook.algebra.plan import Named

        def unknown(type: str) -> Expr:
            nothing = exp.Cast(this=NULL, to=exp.DataType.build(type, dialect="spark"))
            return self._of_lines(call("caveat", nothing, message.copy()))

        return tuple(Named(name, unknown(type)) for name, type in self.types.items() if self._is_asked(name))

    def _of_lines(self, raised: Expr) -> Expr:
        from trailbook.caveats.calls import stands_for

        return stands_for(raised, f"lines of {self.source}")


def _drifted(value: Expr, drift: Drift | None) -> Expr:
    """What the drift of a column puts in doubt: its values, or if it is gone, whether rows are what they were."""
    from trailbook.algebra.expressions import call, text
    from trailbook.caveats.calls import stands_for

    return stands_for(call("caveat", value, text(drift.message)), drift.message) if drift else value
