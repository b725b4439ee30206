"""Operators become functions from the rows of their inputs to rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import singledispatchmethod
from random import Random
from typing import Any

from trailbook.algebra.interpreter import calls, forms, logic  # noqa: F401 (they register their rules)
from trailbook.algebra.interpreter.generators import generated
from trailbook.algebra.interpreter.grouping import compiled_aggregate, is_order_dependent
from trailbook.algebra.interpreter.joins import JOINS, existence
from trailbook.algebra.interpreter.ordering import Ordering
from trailbook.algebra.interpreter.translator import (
    INLINE_COMPARED,
    Translator,
    environment,
    family,
    needs_cast,
    tuple_of,
)
from trailbook.algebra.interpreter.values import Row, hashable
from trailbook.algebra.interpreter.windows import compiled_window
from trailbook.algebra.plan import (
    Aggregate,
    Distinct,
    Existence,
    Filter,
    Generate,
    Join,
    Limit,
    Plan,
    Project,
    Range,
    Scan,
    Schema,
    SetKind,
    SetOperation,
    Sort,
    Union,
    Values,
    Window,
    order_of,
)
from trailbook.errors import InterpreterError

Rows = list[Row]
Tables = Mapping[str, Rows]
Operate = Callable[..., Rows]
"""From the tables and the rows of each input."""


class OperatorCompiler:
    """Compiles single operators. `choose` picks where more than one answer is right."""

    def __init__(self, choose: Random | None) -> None:
        self.choose = choose
        self.environment = environment(choose or Random(0))

    @singledispatchmethod
    def operate(self, plan: Plan) -> Operate:
        raise InterpreterError(f"The interpreter can't evaluate {type(plan).__name__}.")

    @operate.register
    def _scan(self, plan: Scan) -> Operate:
        def scan(tables: Tables) -> Rows:
            try:
                return tables[plan.table]
            except KeyError:
                raise InterpreterError(f"There is no table {plan.table}. Known: {', '.join(tables)}.") from None

        return scan

    @operate.register
    def _values(self, plan: Values) -> Operate:
        to = Translator("", {}, ())
        kinds = [column.type for column in plan.columns]
        rows = (tuple_of(map(to.coerced, row, kinds)) for row in plan.rows)
        return to.function("tables", f"[{', '.join(rows)}]", self.environment)

    @operate.register
    def _range(self, plan: Range) -> Operate:
        return lambda tables: [(number,) for number in range(plan.start, plan.end, plan.step)]

    @operate.register
    def _project(self, plan: Project) -> Operate:
        to = over(plan.input)
        row = tuple_of(to.value(column.expr) for column in plan.columns)
        return to.function("tables, rows", f"[{row} for r in rows]", self.environment)

    @operate.register
    def _filter(self, plan: Filter) -> Operate:
        to = over(plan.input)
        return to.function("tables, rows", f"[r for r in rows if {to.truth(plan.condition)}]", self.environment)

    @operate.register
    def _join(self, plan: Join) -> Operate:
        match, join = self._match(plan), JOINS[plan.kind]
        absent_left, absent_right = (None,) * len(plan.left.names), (None,) * len(plan.right.names)
        return lambda tables, left, right: join(left, right, match, absent_left, absent_right)

    @operate.register
    def _existence(self, plan: Existence) -> Operate:
        match = self._match(plan)
        return lambda tables, left, right: existence(left, right, match)

    def _match(self, plan: Join | Existence) -> Callable[[Row, Row], Any]:
        columns = {
            **{name: f"l[{index}]" for index, name in enumerate(plan.left.names)},
            **{name: f"r[{index}]" for index, name in enumerate(plan.right.names)},
        }
        to = Translator("l, r", columns, (*plan.left.schema, *plan.right.schema))
        return to.function("l, r", to.truth(plan.condition) if plan.condition else "True", self.environment)

    @operate.register
    def _aggregate(self, plan: Aggregate) -> Operate:
        aggregate = compiled_aggregate(plan, over(plan.input), self.environment)
        if is_order_dependent(plan):
            return lambda tables, rows: aggregate(self._shuffled(rows))
        return lambda tables, rows: aggregate(rows)

    def _shuffled(self, rows: Rows) -> Rows:
        """The rows in some order that is legal where none is asked for."""
        return rows if self.choose is None else self.choose.sample(rows, len(rows))

    @operate.register
    def _distinct(self, plan: Distinct) -> Operate:
        identity = _identity(plan.schema)
        return lambda tables, rows: list({identity(row): row for row in reversed(rows)}.values())[::-1]

    @operate.register
    def _union(self, plan: Union) -> Operate:
        casts = [self._recast(part.schema, plan.schema) for part in plan.parts]
        return lambda tables, *parts: [row for cast, rows in zip(casts, parts, strict=True) for row in cast(rows)]

    def _recast(self, source: Schema, target: Schema) -> Callable[[Rows], Rows]:
        """Rows with the types that a set operation gives them."""
        pairs = list(zip(source, target, strict=True))
        if not any(needs_cast(have.type, want.type) for have, want in pairs):
            return lambda rows: rows
        to = Translator("r", {}, ())
        columns = []
        for index, (have, want) in enumerate(pairs):
            cell = f"r[{index}]"
            cast = needs_cast(have.type, want.type)
            columns.append(f"(None if {cell} is None else {to.cast(want.type)}({cell}))" if cast else cell)
        return to.function("rows", f"[{tuple_of(columns)} for r in rows]", self.environment)

    @operate.register
    def _set_operation(self, plan: SetOperation) -> Operate:
        left_cast, right_cast = (self._recast(part.schema, plan.schema) for part in plan.inputs)
        identity, kept = _identity(plan.schema), SET_OPERATIONS[plan.kind, plan.all]

        def operate(tables: Tables, left: Rows, right: Rows) -> Rows:
            others = Counter(map(identity, right_cast(right)))
            return kept([(identity(row), row) for row in left_cast(left)], others)

        return operate

    @operate.register
    def _window(self, plan: Window) -> Operate:
        functions = [compiled_window(f.expr, over(plan.input), self.environment) for f in plan.functions]  # type: ignore[arg-type]

        def operate(tables: Tables, rows: Rows) -> Rows:
            columns = [function.column(rows, self.choose) for function in functions]
            return [(*row, *values) for row, *values in zip(rows, *columns, strict=True)]

        return operate

    @operate.register
    def _sort(self, plan: Sort) -> Operate:
        ordering = Ordering(plan.keys, over(plan.input), self.environment)

        def operate(tables: Tables, rows: Rows) -> Rows:
            keyed = [(ordering.key(row), row) for row in rows]
            ordering.sort(keyed, self.choose)
            return [row for _, row in keyed]

        return operate

    @operate.register
    def _limit(self, plan: Limit) -> Operate:
        end = None if plan.count is None else plan.offset + plan.count
        if order_of(plan.input):
            return lambda tables, rows: rows[plan.offset : end]
        return lambda tables, rows: self._shuffled(rows)[plan.offset : end]

    @operate.register
    def _generate(self, plan: Generate) -> Operate:
        to = over(plan.input)
        made = generated(to, plan.generator, len(plan.columns))
        generate = to.function("r", made, self.environment)
        nothing = [(None,) * len(plan.columns)] if plan.outer else []
        return lambda tables, rows: [row + more for row in rows for more in generate(row) or nothing]


def over(plan: Plan) -> Translator:
    """A translator of expressions over the rows `r` of a plan."""
    return Translator("r", {name: f"r[{index}]" for index, name in enumerate(plan.names)}, plan.schema)


def _identity(schema: Schema) -> Callable[[Row], Any]:
    """What is equal for rows that are."""
    return tuple if all(family(column.type) in INLINE_COMPARED for column in schema) else hashable


Keyed = list[tuple[Any, Row]]


def _intersect(left: Keyed, right: Counter[Any]) -> Rows:
    return list({identity: row for identity, row in left if identity in right}.values())


def _except(left: Keyed, right: Counter[Any]) -> Rows:
    return list({identity: row for identity, row in left if identity not in right}.values())


def _intersect_all(left: Keyed, right: Counter[Any]) -> Rows:
    return [row for matched, row in _matched(left, right) if matched]


def _except_all(left: Keyed, right: Counter[Any]) -> Rows:
    return [row for matched, row in _matched(left, right) if not matched]


def _matched(left: Keyed, right: Counter[Any]) -> list[tuple[bool, Row]]:
    """Each left row, and whether it takes one of the right rows."""
    pairs = []
    for identity, row in left:
        pairs.append((right[identity] > 0, row))
        right[identity] -= 1
    return pairs


SET_OPERATIONS: dict[tuple[SetKind, bool], Callable[[Keyed, Counter[Any]], Rows]] = {
    (SetKind.INTERSECT, False): _intersect,
    (SetKind.INTERSECT, True): _intersect_all,
    (SetKind.EXCEPT, False): _except,
    (SetKind.EXCEPT, True): _except_all,
}
