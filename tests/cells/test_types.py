"""A Types cell reads texts as what they are, and keeps what it decided for those who ask for reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.cells.conftest import Desk
from trailbook.algebra.spark_frame import frame
from trailbook.caveats.reasons import Raised
from trailbook.caveats.targets import Target
from trailbook.cells.context import RunContext
from trailbook.cells.kind import Question, parse
from trailbook.cells.tables import open_views
from trailbook.engine import Engine
from trailbook.errors import CellFailed
from trailbook.kernels.zygote import Zygote
from trailbook.model.artifacts import Doubt
from trailbook.model.base import ArtifactId
from trailbook.model.notebook import Spec
from trailbook.model.runs import NoteMessage
from trailbook.store.decisions import read_decisions

PARAMETERS = {"dataset": "Raw", "name": "typed"}


@dataclass(frozen=True)
class Typed:
    """A run over a messy dataset."""

    desk: Desk
    raw: ArtifactId
    context: RunContext

    @property
    def made(self) -> ArtifactId:
        return self.context.writes["typed"]


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory, engine: Engine, zygote: Zygote) -> Typed:
    desk = Desk(tmp_path_factory.mktemp("desk"), engine, zygote)
    raw = desk.dataset(
        id=list(range(23)),
        amount=[*map(str, range(10, 30)), "12O", ".", ""],
        day=[*["2026-03-31"] * 21, "31.3.2026", None],
        note=["fine", "n/a", *["so so"] * 21],
    )
    context = desk.context(raw=raw)
    desk.run(context, "types", **PARAMETERS)
    return Typed(desk, raw, context)


def test_columns_of_text_get_their_types_and_others_stay(typed: Typed) -> None:
    made = typed.desk.described(typed.made)
    types = {column.name: column.type for column in made.columns}
    assert types == {"id": "bigint", "amount": "int", "day": "date", "note": "string"}
    assert made.doubt == Doubt(values={"amount": 3, "day": 1})
    amounts = [row["amount"] for row in typed.desk.rows(typed.context, "typed")]
    assert amounts == [*range(10, 30), None, None, None]


def test_the_user_is_told_what_was_decided(typed: Typed) -> None:
    assert [message.text for message in typed.desk.said if isinstance(message, NoteMessage)] == [
        "amount is int: 95.2 % of 21 values fit; "
        "misfits: 1, such as '12O'; codes for missing values: 1 (.); blanks: 1.",
        "day is date: all 22 values fit; not written like yyyy-MM-dd: 1.",
        "note is text. May stand for a missing value: n/a.",
    ]


def test_reasons_are_looked_up_by_the_decisions_that_were_kept(typed: Typed) -> None:
    desk, source = typed.desk, typed.desk.described(typed.raw)
    decisions = read_decisions(desk.files.path(typed.made))
    target = Target(frozenset({"amount", "day"}))
    question = Question({"Raw": source}, (), target, _unasked, decisions=decisions)
    reasons = parse(Spec(kind="types", parameters=PARAMETERS)).explain(question)
    raised = [reason for reason in reasons if isinstance(reason, Raised)]
    assert len(raised) == len(reasons)
    assert {reason.place for reason in raised} == {"amount read as int", "day read as date"}
    with desk.context().session() as session:
        open_views(session, desk.files, {"raw": source}, name_rows=True)
        said = [row["message"] for reason in raised for row in frame(session, reason.members).collect()]
    assert sorted(said) == [
        "'.' stands for a missing value",
        "'12O' is not an int",
        "'31.3.2026' was read as 2026-03-31, unlike most",
        "a blank stands for a missing value",
    ]


def test_marks_of_the_dataset_go_on_and_what_is_settled_is_not_inferred(typed: Typed) -> None:
    desk = typed.desk
    first = desk.context(raw=typed.raw)
    query = "SELECT caveat_if(amount, id = 3, 'typed by hand') AS amount, day FROM raw"
    desk.run(first, "sql", query=query, name="marked")
    second = desk.context(marked=first.writes["marked"])
    settled = {"amount": {"type": "double"}, "day": {"type": "string"}}
    desk.run(second, "types", dataset="marked", name="marked", columns=settled)
    made = desk.described(second.writes["marked"])
    assert [column.type for column in made.columns] == ["double", "string"]
    assert made.doubt == Doubt(values={"amount": 4})


@pytest.mark.parametrize("column", ["id", "none"])
def test_only_columns_of_text_can_be_settled(typed: Typed, column: str) -> None:
    context = typed.desk.context(raw=typed.raw)
    with pytest.raises(CellFailed, match=f"no column of text called {column}. It has: amount, day, note"):
        typed.desk.run(context, "types", **PARAMETERS, columns={column: {"type": "int"}})


def test_a_cell_that_names_no_dataset_does_nothing() -> None:
    assert parse(Spec(kind="types", parameters={})).is_inert()


def _unasked(plan: object) -> Any:
    raise AssertionError("Spark is not asked for columns.")
