"""On Spark, what fits a column's type is read and has no mark; whatever else it holds has a caveat that says why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pytest
from sqlglot import exp

from tests.support.spark_answers import TINY
from trailbook.algebra.expressions import ref
from trailbook.algebra.interpreter import interpret
from trailbook.algebra.plan import Named, Project, Scan
from trailbook.algebra.print_expression import quoted
from trailbook.algebra.spark_frame import frame
from trailbook.algebra.spark_sql import to_sql
from trailbook.caveats.calls import caveat_call, without_caveats
from trailbook.caveats.explain import explain
from trailbook.caveats.instrument import trace
from trailbook.caveats.reasons import Raised
from trailbook.caveats.tables import data
from trailbook.caveats.targets import Target
from trailbook.engine import Engine
from trailbook.lenses.types.choose import choose
from trailbook.lenses.types.counting import counted
from trailbook.lenses.types.decision import Given
from trailbook.lenses.types.expressions import typed, typed_columns
from trailbook.model.artifacts import Column
from trailbook.store.masks import read_bit

PADDING = 100
"""Of the first text of each column, so that what follows is a minority."""


@dataclass(frozen=True)
class Case:
    """A column, in which the first text is repeated, with the values that are wanted: `?` marks those in doubt."""

    texts: Sequence[str | None]
    wanted: Sequence[str]
    said: Sequence[str] = ()
    given: dict[str, Any] = field(default_factory=dict)

    @property
    def column(self) -> list[str | None]:
        return [*self.texts, *[self.texts[0]] * PADDING]


def _odd(usual: str, type: str, *odd: str) -> Case:
    """Texts that a cast would read, or that look like values, and are none."""
    return Case([usual, *odd], [usual, *["None?"] * len(odd)], [f"'{text}' is not {type}" for text in odd])


CASES = {
    "int": Case(
        ["12", " 7 ", "-3", "12O", ".", "N/A", " ", None],
        ["12", "7", "-3", "None?", "None?", "None?", "None?", "None"],
        [
            "'12O' is not an int",
            "'.' stands for a missing value",
            "'N/A' stands for a missing value",
            "a blank stands for a missing value",
        ],
    ),
    "bigint": Case(["3000000000", "x"], ["3000000000", "None?"], ["'x' is not a bigint"]),
    "too_long": Case(["12", "9" * 5000], ["12", "None?"], [f"'{'9' * 5000}' is not an int"], {"type": "int"}),
    "wide": Case(["92233720368547758080"], ["92233720368547758080"]),
    "decimal": Case(
        ["1200.50", "7.25", "1,234.50", "$12.00", "12.25 %", "1.234,50", "1'300.00", "007.50"],
        ["1200.50", "7.25", "1234.50?", "12.00?", "12.25?", "1234.50?", "1300.00?", "7.50?"],
        [
            "'1,234.50' was read as 1234.50, unlike most",
            "'$12.00' was read as 12.00, unlike most",
            "'12.25 %' was read as 12.25, unlike most",
            "'1.234,50' was read as 1234.50, unlike most",
            "'1'300.00' was read as 1300.00, unlike most",
            "'007.50' was read as 7.50, unlike most",
        ],
    ),
    "double": Case(
        ["0.125", "1e3", "-2.5", "-Infinity", "12d", "NaN"],
        ["0.125", "1000.0", "-2.5", "-inf", "None?", "None?"],
        ["'12d' is not a double", "'NaN' stands for a missing value"],
    ),
    "grouped": Case(["1,234,567", "12", "1234"], ["1234567", "12", "1234?"], ["'1234' was read as 1234, unlike most"]),
    "continental": Case(["1.234,5", "12,5", "40"], ["1234.5", "12.5", "40.0"]),
    "percent": Case(["12 %", "7%", "5"], ["12", "7", "5?"], ["'5' was read as 5, unlike most"]),
    "mark": Case(
        ["1,234", "5"], ["1234?", "5"], ["'1,234' was read as 1234: the mark may set off thousands or decimals"]
    ),
    "boolean": Case(
        ["yes", "NO", "t", "1", "maybe"],
        ["True", "False", "True", "True?", "None?"],
        ["'1' was read as true, unlike most", "'maybe' is not a boolean"],
    ),
    "date": Case(
        ["2026-03-31", "2026-4-1", "30.4.2026", "5 May 2026", "2026-06-01 10:00", "2026-02-30", "2026", "2026-07"],
        [
            "2026-03-31",
            "2026-04-01",
            "2026-04-30?",
            "2026-05-05?",
            "2026-06-01?",
            "None?",
            "None?",
            "None?",
        ],
        [
            "'30.4.2026' was read as 2026-04-30, unlike most",
            "'5 May 2026' was read as 2026-05-05, unlike most",
            "'2026-06-01 10:00' was read as 2026-06-01, unlike most",
            "'2026-02-30' is not a date",
            "'2026' is not a date",
            "'2026-07' is not a date",
        ],
        {"type": "date"},
    ),
    "midnight": Case(
        ["2026-03-31", "2026-3-1", "2026-06-01 10:00", "2026-07"],
        ["2026-03-31", "2026-03-01", "2026-06-01?", "None?"],
        ["'2026-06-01 10:00' was read as 2026-06-01, unlike most", "'2026-07' is not a date"],
    ),
    "day_first": Case(
        ["31.3.2026", " 1.4.2026", "2026-04-02"],
        ["2026-03-31", "2026-04-01", "2026-04-02?"],
        ["'2026-04-02' was read as 2026-04-02, unlike most"],
    ),
    "order": Case(
        ["3/4/2026", "5/5/2026", None],
        ["2026-03-04?", "2026-05-05", "None"],
        ["'3/4/2026' was read as 2026-03-04: day and month may be the other way round"],
    ),
    "order_given": Case(["3/4/2026", "5/5/2026"], ["2026-04-03", "2026-05-05"], given={"formats": ["dd/MM/yyyy"]}),
    "century": Case(
        ["31.3.26", None], ["2026-03-31?", "None"], ["'31.3.26' was read as 2026-03-31: the century is a guess"]
    ),
    "timestamp": Case(
        ["2026-03-31 10:00", "2026-03-31T10:00:01.5", "2026-04-01", "3/31/2026 5:04 PM", "10:00"],
        ["2026-03-31 10:00:00", "2026-03-31 10:00:01.500000", "2026-04-01 00:00:00?", "2026-03-31 17:04:00?", "None?"],
        [
            "'2026-04-01' was read as 2026-04-01 00:00:00, unlike most",
            "'3/31/2026 5:04 PM' was read as 2026-03-31 17:04:00, unlike most",
            "'10:00' is not a timestamp",
        ],
    ),
    "moments": Case(
        ["2026-03-31 10:00", "2026-04-01", "2026"],
        ["2026-03-31 10:00:00", "2026-04-01 00:00:00?", "None?"],
        ["'2026-04-01' was read as 2026-04-01 00:00:00, unlike most", "'2026' is not a timestamp"],
    ),
    "zoned": Case(
        ["2026-03-31T10:00:00Z", "2026-03-31 10:00:00+05:30", "2026-03-31T10:00:00 -0100", "2026-03-31 10:00"],
        ["2026-03-31 10:00:00", "2026-03-31 04:30:00", "2026-03-31 11:00:00", "2026-03-31 10:00:00?"],
        ["'2026-03-31 10:00' was read as 2026-03-31 10:00:00, unlike most"],
    ),
    "zoned_minutes": Case(
        [
            "2026-03-31T10:00Z",
            "2026-03-31 10:00 +05:30",
            "2026-3-1T9:05-0100",
            "2026-03-31T10:00:05Z",
            "2026-03-31T24:00Z",
        ],
        ["2026-03-31 10:00:00", "2026-03-31 04:30:00", "2026-03-01 10:05:00", "2026-03-31 10:00:05", "None?"],
        ["'2026-03-31T24:00Z' is not a timestamp"],
    ),
    "odd_dates": _odd(
        "2026-03-31",
        "a date",
        "2026-02-01 (estimated)",
        "12020-01-01",
        "-2020-01-05",
        "+2020-01-01",
        "0012",
        "+2020123",
        "0000-01-01",
        "0000-00-00",
    ),
    "odd_days": Case(
        ["31.3.2026", "1.1.0000", "30.2.2026"],
        ["2026-03-31", "None?", "None?"],
        ["'1.1.0000' is not a date", "'30.2.2026' is not a date"],
    ),
    "odd_timestamps": _odd(
        "2026-03-31 10:00:00",
        "a timestamp",
        "2026-03-31 10:00:00.123456789",
        "2026-03-31 10:00:00 BST",
        "2026-03-31 10:00:00 Europe/Berlin",
        "2026-03-31 10:00:00+5",
        "2026-03-31 24:00",
        "2026-03-31 23:59:60",
        "0000-01-01 10:00",
    ),
    "odd_ints": _odd("12", "an int", "\x0b6", "7\x1f", "١٢"),
    "odd_decimals": _odd("12.50", "a decimal(18,2)", "١٢.٥٠"),
    "digits": Case(
        ["1e5", "0.1234567890123456789", "0.1", "9007199254740993", "1e400", "1e-400", "-0.00", "-inf", "12O"],
        ["100000.0", "0.12345678901234568?", "0.1", "9007199254740992.0?", "inf?", "0.0?", "-0.0", "-inf", "None?"],
        [
            "'0.1234567890123456789' was read as 0.12345678901234568: a double does not hold it exactly",
            "'9007199254740993' was read as 9.007199254740992E15: a double does not hold it exactly",
            "'1e400' was read as Infinity: a double does not hold it exactly",
            "'1e-400' was read as 0.0: a double does not hold it exactly",
            "'12O' is not a double",
        ],
    ),
    "currencies": Case(
        ["$5", "€6", "¥1,700", "-$7"],
        ["5", "6?", "1700?", "-7"],
        ["'€6' was read as 6: others are in $", "'¥1,700' was read as 1700: others are in $"],
    ),
    "labels": Case(["01234", "12345", ".", ""], ["01234", "12345", ".", ""]),
    "numbers_as_codes": Case(
        ["12", "-999", ".", None],
        ["12", "None?", "None?", "None"],
        ["'-999' stands for a missing value", "'.' stands for a missing value"],
        {"codes": ["-999", "."]},
    ),
    "texts_as_codes": Case(
        ["red", "Unknown", None],
        ["red", "None?", "None"],
        ["'Unknown' stands for a missing value"],
        {"codes": ["unknown"]},
    ),
    "room": Case(
        ["1.5", "2.50", "1.25", "1e-2", "1.239e0", "1e2", "1.5e-1000000", "$1.75", "$1.50"],
        ["1.5", "2.5", "None?", "None?", "None?", "100.0", "None?", "None?", "1.5?"],
        [
            "'1.25' is not a decimal(5,1)",
            "'1e-2' is not a decimal(5,1)",
            "'1.239e0' is not a decimal(5,1)",
            "'1.5e-1000000' is not a decimal(5,1)",
            "'$1.75' is not a decimal(5,1)",
            "'$1.50' was read as 1.5, unlike most",
        ],
        {"type": "decimal(5,1)"},
    ),
}


@dataclass(frozen=True)
class Answer:
    values: dict[str, list[str]]
    messages: dict[str, set[str]]


@pytest.fixture(scope="module")
def answer(engine: Engine) -> Answer:
    """All columns at once, as one table."""
    length = max(len(case.column) for case in CASES.values())
    texts = pa.table({name: pa.array(_padded(case.column, length), pa.string()) for name, case in CASES.items()})
    scan = Scan("raw", tuple(Column(name=name, type="string") for name in CASES))
    decisions = {
        name: choose(counted(texts.column(name)), Given.model_validate(case.given)) for name, case in CASES.items()
    }
    traced = trace(Project(scan, typed_columns(scan.columns, decisions)), {})
    with engine.session() as session:
        for key, value in TINY.items():
            session.conf.set(key, value)
        session.createDataFrame(texts).createOrReplaceTempView("raw")
        table = frame(session, data(traced.slots)).toArrow()
        members = [
            f"SELECT '{reason.place}' AS place, message FROM ({to_sql(reason.members, quoted)})"
            for reason in explain(traced, Target(frozenset(CASES)))
            if isinstance(reason, Raised)
        ]
        said = session.sql("\nUNION ALL\n".join(members)).toArrow().to_pylist()
    values = {name: _shown(table, name, position) for position, name in enumerate(CASES)}
    messages = {name: {row["message"] for row in said if row["place"].startswith(f"{name} read as")} for name in CASES}
    return Answer(values, messages)


def _padded(column: list[str | None], length: int) -> list[str | None]:
    return column + [None] * (length - len(column))


def _shown(table: pa.Table, name: str, position: int) -> list[str]:
    marks = read_bit(table, position + 1)
    values = [str(value).removesuffix("+00:00") for value in table.column(name).to_pylist()]
    return [value + "?" * bool(mark) for value, mark in zip(values, marks, strict=True)]


@pytest.mark.parametrize("name", CASES)
def test_what_fits_has_no_mark_and_all_else_has_one(answer: Answer, name: str) -> None:
    case = CASES[name]
    assert answer.values[name][: len(case.column)] == [*case.wanted, *[case.wanted[0]] * PADDING]


@pytest.mark.parametrize("name", CASES)
def test_a_preview_shows_the_same(name: str) -> None:
    case = CASES[name]
    decision = choose(counted(pa.array(case.column, pa.string())), Given.model_validate(case.given))
    value = typed(ref("c"), decision, "c")
    calls = filter(None, map(caveat_call, value.find_all(exp.Anonymous)))
    parts = [value, *(call.condition for call in calls)]
    columns = tuple(Named(str(number), without_caveats(part)) for number, part in enumerate(parts))
    scan = Scan("raw", (Column(name="c", type="string"),))
    rows = interpret(Project(scan, columns), {"raw": [(text,) for text in case.texts]})
    assert [f"{read}{'?' * any(marks)}" for read, *marks in rows] == case.wanted


@pytest.mark.parametrize("name", CASES)
def test_caveats_say_what_was_wrong_or_how_it_was_read(answer: Answer, name: str) -> None:
    assert answer.messages[name] == set(CASES[name].said)
