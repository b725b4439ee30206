"""What is read plainly is read as the query reads it, value by value and mark by mark."""

from __future__ import annotations

from random import Random

import pyarrow as pa
import pytest

from tests.support.seeds import FRESH
from tests.support.spark_answers import TINY
from trailbook.algebra.plan import Project, Scan
from trailbook.algebra.spark_frame import frame
from trailbook.caveats.instrument import trace
from trailbook.caveats.tables import data
from trailbook.engine import Engine
from trailbook.lenses.types.ballots import ballot_of
from trailbook.lenses.types.decision import Decision, Guard, Guess
from trailbook.lenses.types.electing import companions
from trailbook.lenses.types.expressions import typed_columns
from trailbook.lenses.types.formats import EXPONENT, ISO_DATE, ISO_TIMESTAMP, PLAIN
from trailbook.lenses.types.plain import plain_type, read_plainly
from trailbook.model.artifacts import Column
from trailbook.store.masks import read_bit

DECISIONS = {
    "int": Decision(type="int", formats=(PLAIN,)),
    "int_coded": Decision(type="int", formats=(PLAIN,), codes=(".", "n/a")),
    "bigint": Decision(type="bigint", formats=(PLAIN,), guard=Guard.SHAPE),
    "decimal": Decision(type="decimal(6,2)", formats=(PLAIN,)),
    "guarded_decimal": Decision(type="decimal(6,2)", formats=(PLAIN,), guard=Guard.SHAPE),
    "all_decimals": Decision(type="decimal(2,2)", formats=(PLAIN,)),
    "no_decimals": Decision(type="decimal(38,0)", formats=(PLAIN,)),
    "double": Decision(type="double", formats=(PLAIN,)),
    "guarded_double": Decision(type="double", formats=(PLAIN,), guard=Guard.SHAPE),
    "date": Decision(type="date", formats=(ISO_DATE,), guard=Guard.SHAPE),
    "any_date": Decision(type="date", formats=(ISO_DATE,)),
    "timestamp": Decision(type="timestamp", formats=(ISO_TIMESTAMP,), guard=Guard.SHAPE),
    "any_timestamp": Decision(type="timestamp", formats=(ISO_TIMESTAMP,)),
}
SEEDS = [
    "12",
    "-7",
    "0.5",
    "1234.25",
    "99999",
    "3000000000",
    "2026-03-31",
    "2026-03-31 10:00:00",
    "2026-03-31T23:59:59.5",
]
ODD = ["", " ", "\t", ".", "-", "n/a", "N/A", "nan", "NaN", "inf", "-Infinity", "now", "today", "epoch", "null", "12O"]
ODD += ["1e3", "1E-2", "12d", "0x1p3", "1,234", "$5", "5 %", "١٢", "½", "1\u00a0", "+5", "007", ".5", "5.", "--5", "-0"]
ODD += [
    "1500-01-01",
    "0000-01-01",
    "9999-12-31",
    "2026-02-30",
    "2026-3-1",
    "2026-03-31 24:00:00",
    "2026-03-31T10:00",
    "10:00",
]
ODD += ["2026-02-01 (estimated)", "2026-02-02 or later", "12020-01-01", "-2020-01-05", "+2020-01-01", "0012", "2026-03"]
ODD += [f"2026-03-31 10:00:00{rest}" for rest in (".123456789", " BST", " Europe/Berlin", "+5", "+05:30", "Z", " UTC")]
ODD += ["\x0b6", "7\x1f", "١٢.٥٠", "１２", "€6", "¥700", "+41791234567", "1e400", "1e-400", "1e-3", "1.239e0"]
ODD += [
    "0.1234567890123456789",
    "12345678901234.123456789",
    "12345678901234567891",
    "9007199254740993",
    "1" * 400 + ".5",
]
ODD += ["0.10000000000000001", "0.30000000000000004", "9007199254740992", "0.5" + "0" * 70]
SIGNS = "0123456789+-.eEdf,:/ $%TZx\t\n\x0b\u00a0١é"
RANDOM = 4000


def texts() -> list[str]:
    """Values as they should be, and some that were changed here and there."""
    chance = Random(FRESH)
    changed = [_changed(chance, chance.choice(SEEDS + ODD)) for _ in range(RANDOM)]
    return sorted({*SEEDS, *ODD, *(f" {text} " for text in SEEDS + ODD), *changed})


def _changed(chance: Random, text: str) -> str:
    for _ in range(chance.randint(1, 3)):
        place = chance.randint(0, len(text))
        text = text[:place] + chance.choice(["", chance.choice(SIGNS)]) + text[place + chance.randint(0, 1) :]
    return text


@pytest.fixture(scope="module")
def answer(engine: Engine) -> pa.Table:
    """What the query reads, of all texts in all ways."""
    table = pa.table(dict.fromkeys(DECISIONS, pa.array(texts())))
    scan = Scan("raw", tuple(Column(name=name, type="string") for name in DECISIONS))
    traced = trace(Project(scan, typed_columns(scan.columns, DECISIONS)), {})
    with engine.session() as session:
        for key, value in TINY.items():
            session.conf.set(key, value)
        session.createDataFrame(table).createOrReplaceTempView("raw")
        return frame(session, data(traced.slots)).toArrow()


@pytest.mark.parametrize("name", DECISIONS)
def test_a_text_is_read_as_by_the_query_or_left_to_it(answer: pa.Table, name: str) -> None:
    kind = plain_type(DECISIONS[name])
    marks = read_bit(answer, answer.column_names.index(name) + 1)
    wanted = answer.column(name).combine_chunks().cast(kind)
    read = 0
    for position, text in enumerate(texts()):
        found = read_plainly(pa.array([text]), kind, blanks_are_null=True)
        if found:
            read += 1
            assert found.values.equals(wanted.slice(position, 1)), text
            assert (found.doubtful is not None) == marks[position], text
    assert read > RANDOM / 20


@pytest.mark.parametrize("name", [name for name, decision in DECISIONS.items() if decision.guard is Guard.SHAPE])
def test_what_a_guard_lets_through_has_spoken_for_the_format(answer: pa.Table, name: str) -> None:
    usual = DECISIONS[name].formats[0]
    marks = read_bit(answer, answer.column_names.index(name) + 1)
    unmarked = [text for text, is_marked in zip(texts(), marks, strict=True) if not is_marked]
    assert unmarked
    assert [text for text in unmarked if not {usual, *companions(usual)} & {*ballot_of(text)}] == []


@pytest.mark.parametrize("text", ["0.1234567890123456789", "9007199254740993", "1" * 400 + ".5"])
def test_what_a_double_does_not_hold_is_left_to_the_query(text: str) -> None:
    assert read_plainly(pa.array(["0.5", text]), pa.float64(), blanks_are_null=True) is None


def test_blanks_and_what_is_no_value_are_doubtful_among_others() -> None:
    column = pa.array(["1", " 22", "", None, "x"])
    read = read_plainly(column, pa.int32(), blanks_are_null=True)
    assert read
    assert read.values.to_pylist() == [1, 22, None, None, None]
    assert read.doubtful
    assert read.doubtful.to_pylist() == [False, False, True, True, True]
    nulls = read_plainly(column, pa.int32(), blanks_are_null=False)
    assert nulls
    assert nulls.doubtful
    assert nulls.doubtful.to_pylist() == [False, False, True, False, True]


@pytest.mark.parametrize(
    "decision",
    [
        Decision(codes=("unknown",)),
        Decision(type="int", formats=(PLAIN, EXPONENT)),
        Decision(type="int", formats=(PLAIN,), codes=("-999",)),
        Decision(type="date", formats=("M/d/yyyy",), guesses=(Guess.ORDER,)),
        Decision(type="boolean", formats=("yes/no",)),
        Decision(type="date", formats=(ISO_DATE,), guard=Guard.LENGTH),
        Decision(type="double", formats=(PLAIN,), guesses=(Guess.DIGITS,)),
        Decision(type="decimal(18,2)", formats=(PLAIN,), guard=Guard.DIGITS),
    ],
    ids=lambda decision: f"{decision.type}-{'-'.join(decision.formats).replace('/', '_')}",
)
def test_what_needs_a_judgement_is_left_to_the_query(decision: Decision) -> None:
    assert plain_type(decision) is None
