"""Which reasons a Python cell gives for what is in doubt of a dataset, by what its code said of it."""

from __future__ import annotations

from typing import Any

import pytest

from trailbook.algebra.expressions import TRUE
from trailbook.caveats.reasons import Inherent, Raised, Stored
from trailbook.caveats.targets import Target
from trailbook.cells.given import VIEW, is_acknowledged, place_of
from trailbook.cells.kind import Question
from trailbook.cells.python import PLACE, PythonCell
from trailbook.model.acknowledged import Acknowledged
from trailbook.model.artifacts import Artifact, Column, Doubt
from trailbook.model.base import now
from trailbook.model.caveat import Caveat
from trailbook.store.remarks import Remarks

CAVEATS = (Caveat("typed by hand", row=1, column="a"), Caveat("seen twice", row=1), Caveat("old", column="b"))
ALL = Target(frozenset({"a", "b", "__caveat"}), rows=True)
CELL = PythonCell(code="", may_fail=False)
A, B, ROWS = place_of("x", "a"), place_of("x", "b"), place_of("x", None)


def dataset(*, coarse: bool = False) -> Artifact:
    columns = tuple(Column(name=name, type="int") for name in ("a", "b", "__caveat"))
    facts = {"id": "0" * 64, "kind": "dataset", "state": "present", "size": 0, "media_type": "", "created": now()}
    return Artifact.model_validate({**facts, "columns": columns, "doubt": Doubt(coarse=coarse)})


def reasons(remarks: Remarks, *, coarse: bool = False, **asked: Any) -> list[str]:
    """Places, and tables that are passed on to."""
    told = {"reads": {"t": dataset(), "u": dataset()}, "acknowledged": (), "target": ALL, "columns": lambda plan: ()}
    question = Question(**{**told, "name": "x", "made": dataset(coarse=coarse), "remarks": remarks, **asked})
    return [one.table if isinstance(one, Stored) else one.place for one in CELL.explain(question)]


def test_caveats_are_a_set_for_each_column_and_one_for_rows() -> None:
    assert reasons(Remarks(CAVEATS)) == [A, B, ROWS]
    assert reasons(Remarks(CAVEATS), target=Target(frozenset({"b"}))) == [B]
    assert reasons(Remarks(CAVEATS), target=Target(frozenset(), rows=True)) == [ROWS]
    assert reasons(Remarks(CAVEATS), target=None) == []


def test_what_is_in_doubt_as_a_whole_rests_on_what_it_depends_on() -> None:
    assert reasons(Remarks(), coarse=True) == [PLACE, "__t", "__u"]
    assert reasons(Remarks(CAVEATS, depends_on=frozenset({"u"})), coarse=True) == [A, B, ROWS, PLACE, "__u"]
    assert reasons(Remarks(renamed="t", looked=True), coarse=True) == [PLACE, "__t", "__u"]


def test_of_a_renamed_dataset_the_same_is_asked_as_of_what_it_was() -> None:
    asked = Question({"t": dataset()}, (), ALL, lambda plan: (), False, "x", dataset(), Remarks(renamed="t"))
    assert CELL.explain(asked) == [Stored("__t", ALL.columns, True, TRUE)]
    assert reasons(Remarks(renamed="t"), target=None) == ["__t"]


def test_what_is_acknowledged_is_told_apart() -> None:
    some = [
        Acknowledged(place=A, message="typed by hand"),
        Acknowledged(place=ROWS),
        Acknowledged(place=B, message="?"),
    ]
    assert [is_acknowledged("x", caveat, some) for caveat in CAVEATS] == [True, True, False]
    assert not is_acknowledged("y", CAVEATS[0], some)
    assert reasons(Remarks(), acknowledged=[Acknowledged(place=PLACE)], accepted=True) == [PLACE, "__t", "__u"]


@pytest.mark.parametrize("accepted", [False, True])
def test_members_are_found_beside_the_data_under_names_of_their_own(accepted: bool) -> None:
    asked = Question({}, (), ALL, lambda plan: (), accepted, "x", dataset(), Remarks(CAVEATS))
    for reason in CELL.explain(asked):
        assert isinstance(reason, Raised)
        assert not isinstance(reason, Inherent)
        assert reason.acknowledged == accepted
        assert reason.stored == {VIEW}
        assert reason.named_members.names == ("row", "id", "message")
        assert "__caveat__id" in reason.found.names
