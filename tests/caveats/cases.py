"""One possible-worlds case: a marked database, a query, and many worlds to hold its result against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from sqlglot import exp

from tests.caveats.forms import Maker
from tests.caveats.worlds import Row, Slot, Table, read_slots, violation
from trailbook.algebra.expressions import NULL, TRUE, Expr, call, number, rewrite, when
from trailbook.algebra.interpreter import compile_plan
from trailbook.algebra.mapping import map_expressions
from trailbook.algebra.plan import Plan
from trailbook.algebra.show import show
from trailbook.algebra.traversal import transform
from trailbook.caveats.instrument import instrument
from trailbook.caveats.marks import function_name
from trailbook.caveats.tables import data, phantoms
from trailbook.errors import InterpreterError
from trailbook.model.artifacts import Column

INT = exp.DataType.build("int")


@dataclass(frozen=True)
class Case:
    """A query over a marked database."""

    tables: tuple[Table, ...]
    plan: Plan

    def slots(self) -> list[Slot]:
        """The marked result."""
        slots = instrument(self.plan, {table.name: table.doubt for table in self.tables})
        stored: dict[str, list[Row]] = {}
        for table in self.tables:
            stored |= table.stored()
        width = len(self.plan.names)
        found = read_slots(compile_plan(data(slots))(stored), width, phantom=False)
        late = phantoms(slots)
        return found + (read_slots(compile_plan(late)(stored), width, phantom=True) if late else [])

    def plain(self) -> list[Row] | None:
        """The rows that the plain query gives; None if it may give others."""
        data = {table.name: table.plain() for table in self.tables}
        answers = [compile_plan(self.plan, choose)(data) for choose in (None, Random(1), Random(2), Random(3))]
        texts = {tuple(sorted(map(repr, rows))) for rows in answers}
        return answers[0] if len(texts) == 1 else None

    def worlds(self, random: Random, count: int) -> Iterator[list[Row]]:
        """The query's answers in some worlds; those in which it raises an error have none."""
        domains: Mapping[str, list[object]] = {"int": self._domain()}
        plan = transform(self.plan, lambda operator: map_expressions(operator, self._as_it_may_be))
        for turn in range(count):
            answer = compile_plan(plan, Random(random.random()) if turn % 2 or plan is not self.plan else None)
            world = {table.name: table.world(random, domains) for table in self.tables}
            try:
                yield answer(world)
            except InterpreterError:
                continue

    def _as_it_may_be(self, expr: Expr) -> Expr:
        """With any value where a caveat is raised."""

        def change(node: Expr) -> Expr:
            if function_name(node) != "caveat_if":
                return node
            value, condition = node.expressions[:2]
            domain = [NULL if v is None else number(v) for v in self._domain()]
            place = exp.Cast(this=exp.Mul(this=call("rand"), expression=number(len(domain))), to=INT)
            anything = call("element_at", call("array", *domain), exp.Add(this=place, expression=number(1)))
            return when((call("coalesce", condition, TRUE), anything), otherwise=value)

        return rewrite(expr, change) if expr.find(exp.Anonymous) else expr

    def _domain(self) -> list[Any]:
        """Values that bite: those of the data and the query, their neighbours, NULL, and extremes."""
        values: set[int] = {0, 1, 2, 3}
        for operator in self.plan.walk():
            for expr in vars(operator).values():
                if isinstance(expr, exp.Expr):
                    values |= {int(n.this) for n in expr.find_all(exp.Literal) if not n.is_string}
        near = {v + d for v in values for d in (-1, 0, 1)}
        return [None, None, *sorted(near), 100, -100]

    def __str__(self) -> str:
        lines = [show(self.plan)]
        for table in self.tables:
            lines.append(f"{table.name}({', '.join(column.name for column in table.columns)})")
            lines += [f"  {_text(slot)}" for slot in table.slots]
        return "\n".join(lines)


def _text(slot: Slot) -> str:
    values = ", ".join(f"{value}{'*' if mark else ''}" for value, mark in zip(slot.values, slot.marks, strict=True))
    kind = ("open phantom" if slot.row else "phantom") if slot.phantom else ("in doubt" if slot.row else "")
    return f"({values}) {kind}".rstrip()


def random_table(
    random: Random,
    name: str,
    columns: str,
    rates: Sequence[float] = (0.0, 0.1, 0.3, 0.4),
    phantoms: Sequence[int] = (0, 0, 0, 1, 2),
) -> Table:
    """Few rows of few values, some of it in doubt, at times nothing."""
    rate = random.choice(rates)
    slots = []
    for _ in range(random.randint(0, 4)):
        values = tuple(random.choice((None, 0, 1, 1, 2, 2, 3)) for _ in columns)
        slots.append(Slot(values, tuple(random.random() < rate for _ in columns), random.random() < rate))
    for _ in range(random.choice(phantoms) if rate else 0):
        values = tuple(random.choice((None, 0, 1, 2, 3)) for _ in columns)
        marks = tuple(random.random() < 0.3 for _ in columns)
        slots.append(Slot(values, marks, random.random() < 0.3, phantom=True))
    return Table(name, tuple(Column(name=column, type="int") for column in columns), tuple(slots))


def keyed_table(random: Random, name: str, columns: str) -> Table:
    """A table whose first column is a key: no mark on it, no phantoms."""
    table = random_table(random, name, columns, phantoms=(0,))
    slots = tuple(
        replace(slot, values=(place, *slot.values[1:]), marks=(False, *slot.marks[1:]))
        for place, slot in enumerate(table.slots)
    )
    return replace(table, slots=slots, keys=(frozenset(columns[0]),))


def random_case(seed: int, form: str | None = None, depth: int = 1) -> Case:
    """The case of this number."""
    random = Random(seed)
    free = tuple(random_table(random, name, columns) for name, columns in (("r", "abc"), ("s", "de"), ("t", "fg")))
    tables = (*free, keyed_table(random, "u", "hi"))
    maker = Maker(random, [table.scan for table in tables], depth)
    return Case(tables, maker.plan(form))


def problem(case: Case, seed: int, worlds: int = 30) -> str | None:
    """What is wrong with the marked result, if something is."""
    random = Random(seed)
    slots = case.slots()
    plain = case.plain()
    if plain is not None and (violation(_as_data(slots), plain) or len(_as_data(slots)) != len(plain)):
        return f"the data is not {plain} but {[slot.values for slot in _as_data(slots)]}"
    for rows in case.worlds(random, worlds):
        found = violation(slots, rows)
        if found:
            listed = "\n".join(f"  {_text(slot)}" for slot in slots)
            return f"{found}\nslots:\n{listed}\nworld: {rows}"
    return None


def _as_data(slots: list[Slot]) -> list[Slot]:
    """The rows of the data as if nothing were in doubt."""
    return [Slot(slot.values, (False,) * len(slot.values)) for slot in slots if not slot.phantom]


def shrunk(case: Case, seed: int, worlds: int = 60) -> Case:
    """A smaller case that fails, too."""
    changed = True
    while changed:
        changed = False
        for smaller in _smaller(case):
            if problem(smaller, seed, worlds):
                case, changed = smaller, True
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    for index, table in enumerate(case.tables):
        for position, slot in enumerate(table.slots):
            yield _with(case, index, (*table.slots[:position], *table.slots[position + 1 :]))
            plainer = [
                replace(slot, marks=(*slot.marks[:i], False, *slot.marks[i + 1 :]))
                for i, m in enumerate(slot.marks)
                if m
            ]
            plainer += [replace(slot, row=False)] if slot.row else []
            for simple in plainer:
                yield _with(case, index, (*table.slots[:position], simple, *table.slots[position + 1 :]))


def _with(case: Case, index: int, slots: tuple[Slot, ...]) -> Case:
    table = replace(case.tables[index], slots=slots)
    return replace(case, tables=(*case.tables[:index], table, *case.tables[index + 1 :]))
