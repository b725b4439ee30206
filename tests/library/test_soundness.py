"""The guarantee, through the front door and on Spark: what is not marked holds in every world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from tests.caveats.cases import Case, random_table
from tests.caveats.forms import FORMS, Maker
from tests.caveats.worlds import Row, Slot, Table, read_slots, violation
from tests.support.spark_answers import TINY, comparable, spark_answers
from trailbook import Caveat
from trailbook.algebra.interpreter import compile_plan
from trailbook.algebra.plan import Limit, Plan, Scan, Window
from trailbook.algebra.spark_sql import to_sql
from trailbook.caveats.tables import data, phantoms
from trailbook.engine import Engine
from trailbook.library import Database, Query

SEEDS = range(3)
WORLDS = 12
AT_ONCE = 6
COLUMNS = {"r": "abc", "s": "de", "t": "fg"}


@dataclass(frozen=True)
class Asked:
    """A query of some form: as a case of possible worlds, and as the front door has it."""

    form: str
    case: Case
    query: Query

    @property
    def has_one_answer(self) -> bool:
        """Rows that tie may come in any order, and so be numbered or left out in any way."""
        return not any(isinstance(operator, Limit | Window) for operator in self.case.plan.walk())

    def slots(self, run: Callable[[Plan], Counter[Any]]) -> list[Slot]:
        """The marked result, by whoever runs plans."""
        late = phantoms(self.query.slots)
        found = self._read(run(data(self.query.slots)), phantom=False)
        return found + (self._read(run(late), phantom=True) if late else [])

    def _read(self, rows: Counter[Any], phantom: bool) -> list[Slot]:
        width = len(self.case.plan.names)
        exact = [(*row[:width], *map(int, row[width:])) for row in rows.elements()]
        return read_slots(exact, width, phantom)


@pytest.fixture(params=SEEDS)
def asked(request: pytest.FixtureRequest, engine: Engine) -> Iterator[list[Asked]]:
    """A query of each form over a random database."""
    random = Random(request.param)
    with Database(engine) as db:
        for key, value in TINY.items():
            db.spark.conf.set(key, value)
        tables = tuple(_create(db, random_table(random, name, columns)) for name, columns in COLUMNS.items())
        catalog = db.sql("SELECT 1 AS one").catalog
        plans = {form: Maker(random, [table.scan for table in tables], depth=1).plan(form) for form in FORMS}
        yield [Asked(form, Case(tables, plan), Query(catalog, plan, form)) for form, plan in plans.items()]


def _create(db: Database, made: Table) -> Table:
    """The table in the database; and as its worlds know it, under the name that plans read."""
    there = tuple(slot for slot in made.slots if not slot.phantom)
    values = {column.name: [slot.values[i] for slot in there] for i, column in enumerate(made.columns)}
    table = pa.table({name: pa.array(column, pa.int32()) for name, column in values.items()})
    db.create(made.name, table, [caveat for row, slot in enumerate(there) for caveat in _caveats(row, slot, made)])
    scan = db.sql(f"SELECT * FROM {made.name}").plan
    assert isinstance(scan, Scan)
    return Table(scan.table, scan.columns, there)


def _caveats(row: int, slot: Slot, table: Table) -> Iterator[Caveat]:
    if slot.row:
        yield Caveat("it may not be there", row)
    for column, marked in zip(table.columns, slot.marks, strict=True):
        if marked:
            yield Caveat("it may be another value", row, column.name)


def test_on_spark_the_slots_are_those_of_the_interpreter_and_cover_every_world(asked: list[Asked]) -> None:
    on_spark = _runner_on_spark(asked)
    for question in asked:
        slots = question.slots(on_spark)
        if question.has_one_answer:
            assert Counter(slots) == Counter(question.slots(_in_python(question.case))), _told(question)
        for world in question.case.worlds(Random(question.form), WORLDS):
            assert violation(slots, world) is None, f"{_told(question)}\n{slots}\n{world}"


def test_what_is_fetched_is_what_the_plain_query_gives(asked: list[Asked]) -> None:
    for question in asked[::4]:
        fetched = question.query.fetch()
        plain = question.case.plain()
        if plain is not None:
            rows = [tuple(row.values()) for row in fetched.table.to_pylist()]
            assert comparable(rows) == comparable(plain), _told(question)
        late = phantoms(question.query.slots)
        assert fetched.rows_may_be_missing == bool(late and _in_python(question.case)(late)), _told(question)


def _runner_on_spark(asked: list[Asked]) -> Callable[[Plan], Counter[Any]]:
    """All that will be asked, answered at once."""
    plans = [
        plan for question in asked for plan in (data(question.query.slots), phantoms(question.query.slots)) if plan
    ]
    texts = [to_sql(plan) for plan in plans]
    session = asked[0].query.catalog.session()
    answers: dict[str, Counter[Any]] = {}
    for start in range(0, len(texts), AT_ONCE):
        part = texts[start : start + AT_ONCE]
        answers |= zip(part, spark_answers(session, part), strict=True)
    return lambda plan: answers[to_sql(plan)]


def _in_python(case: Case) -> Callable[[Plan], Counter[Any]]:
    stored: dict[str, list[Row]] = {}
    for table in case.tables:
        stored |= table.stored()
    return lambda plan: comparable(compile_plan(plan)(stored))


def _told(question: Asked) -> str:
    return f"{question.form}\n{question.case}"
