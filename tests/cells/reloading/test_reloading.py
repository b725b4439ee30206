"""A source that is loaded anew: rows are found again, keep their names, and what changed is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cells.conftest import Desk
from trailbook.cells.context import RunContext
from trailbook.cells.reloading import matching
from trailbook.cells.reloading.changes import MEDIA_TYPE, Changes
from trailbook.cells.reloading.naming import positions_of, with_row_names
from trailbook.errors import CellFailed
from trailbook.model.artifacts import Artifact
from trailbook.model.runs import DisplayMessage, NoteMessage

OPTIONS = {"header": True, "delimiter": ",", "quote": '"', "escape": "", "comment": "", "encoding": "utf-8"}


class Source:
    """A file that is loaded again and again, always compared with the load before."""

    def __init__(self, desk: Desk, path: Path) -> None:
        self._desk = desk
        self._path = path
        self._names: dict[str, str] = {}
        self.context: RunContext | None = None

    @property
    def id(self) -> str:
        return self.context.writes["data"] if self.context else ""

    @property
    def artifact(self) -> Artifact:
        assert self.context
        return self._desk.described(self.context.writes["data"])

    def load(self, text: str, **parameters: object) -> Changes | None:
        """What changed since the load before."""
        self._path.write_text(text)
        context = self._desk.context()
        given = {"options": OPTIONS, "previous": self.id, **parameters}
        self._desk.run(context, "load", name="data", path=str(self._path), **given)
        self.context = context
        told = [message for message in self._desk.said if isinstance(message, DisplayMessage)]
        if not given["previous"] or not told:
            return None
        return Changes.model_validate(json.loads(self._desk.files.path(told[-1].artifacts[MEDIA_TYPE]).read_bytes()))

    def rows(self) -> list[dict[str, object]]:
        assert self.context
        return self._desk.rows(self.context, "data")

    def names(self) -> list[str]:
        """The names of the rows, in order."""
        assert self.context
        with self.context.session() as session:
            named = with_row_names(session, self._desk.files, self.artifact)
            return [row["__row"] for row in named.orderBy("__position").collect()]

    def positions(self, *names: str) -> dict[str, int]:
        assert self.context
        with self.context.session() as session:
            return positions_of(session, self._desk.files, self.artifact, names)


@pytest.fixture
def source(desk: Desk, tmp_path: Path) -> Source:
    return Source(desk, tmp_path / "data.csv")


def counts(changes: Changes | None) -> tuple[int, int, int, int]:
    assert changes
    return changes.added, changes.removed, changes.altered, changes.same


PEOPLE = "id,name,city,age\n1,Ann,Bonn,31\n2,Bob,Kiel,45\n3,Cy,Bonn,27\n4,Di,Ulm,62\n"


def test_rows_added_removed_and_altered_are_told_apart(source: Source) -> None:
    source.load(PEOPLE)
    before = source.names()
    changed = source.load("id,name,city,age\n4,Di,Ulm,63\n2,Bob,Kiel,45\n5,Ed,Trier,19\n1,Ann,Bonn,31\n")
    assert changed
    assert counts(changed) == (1, 1, 1, 2)
    assert changed.altered_values == {"age": 1}
    (altered,) = changed.altered_rows
    assert (altered.row, altered.values, altered.before) == (0, ("4", "Di", "Ulm", "63"), {"age": "62"})
    assert [row.values for row in changed.added_rows] == [("5", "Ed", "Trier", "19")]
    assert [row.values for row in changed.removed_rows] == [("3", "Cy", "Bonn", "27")]
    assert changed.words == "Reloaded: 1 row added, 1 removed, 1 altered (age 1), 2 as before."
    assert source.names()[0] == before[3]
    assert source.names()[1::2] == [before[1], before[0]]
    assert source.names()[2] not in before
    assert source.positions(*before) == {before[0]: 3, before[1]: 1, before[3]: 0}


def test_names_last_over_many_loads_and_are_never_given_twice(source: Source) -> None:
    source.load("id,name\n1,Ann\n2,Bob\n3,Cy\n")
    first = source.names()
    source.load("id,name\n0,Zoe\n1,Ann\n3,Cy\n")
    second = source.names()
    assert second[1:] == [first[0], first[2]]
    assert source.load("id,name\n3,Cy\n1,Ann\n2,Bob\n0,Zoe\n9,New\n")
    third = source.names()
    assert third[:2] == [first[2], first[0]]
    assert third[3] == second[0]
    # One that was gone and comes back may be another one.
    assert not {third[2], third[4]} & {*first, *second}
    assert source.positions("nobody:7", first[2]) == {first[2]: 0}


def test_what_did_not_change_is_the_same_dataset(source: Source) -> None:
    source.load(PEOPLE)
    first = source.id
    assert counts(source.load(PEOPLE)) == (0, 0, 0, 4)
    assert source.id == first
    source.load(PEOPLE + "5,Ed,Trier,19\n")
    second, names = source.id, source.names()
    again = source.load(PEOPLE + "5,Ed,Trier,19\n")
    assert again
    assert again.words == "Reloaded: the rows are as before."
    assert (source.id, source.names()) == (second, names)


def test_another_order_is_no_change_and_equal_rows_are_matched_in_order(source: Source) -> None:
    source.load("a,b\n1,x\n2,\n1,x\n1,x\n,\n")
    before = source.names()
    changed = source.load("a,b\n,\n1,x\n1,x\n1,x\n2,\n")
    assert changed
    assert changed.words == "Reloaded: the rows are as before, in another order."
    assert source.names() == [before[4], before[0], before[2], before[3], before[1]]
    assert counts(source.load("a,b\n1,x\n1,x\n2,\n2,\n")) == (1, 2, 0, 3)


def test_a_row_that_agrees_in_what_tells_the_most_is_the_same_row(source: Source) -> None:
    source.load("id,kind\n101,x\n102,x\n103,y\n104,y\n")
    before = source.names()
    # 102 has another kind now; 105 has a kind that 101 had, which says little.
    changed = source.load("id,kind\n102,z\n103,y\n104,y\n105,x\n")
    assert counts(changed) == (1, 1, 1, 2)
    assert source.names()[:3] == before[1:]


def test_a_key_says_which_row_is_which(source: Source) -> None:
    text = "id,name,city\n1,Ann,Bonn\n2,Bob,Kiel\n3,Cy,Ulm\n4,Di,Ulm\n4,Ed,Ulm\n,Flo,Rom\n"
    source.load(text, key=["id"])
    before = source.names()
    changed = source.load(
        # All of 1 but its key is another; 7 has all of 2 but the key; of the two 4, one is altered.
        "id,name,city\n7,Bob,Kiel\n1,Tom,Trier\n4,Ed,Ulm\n4,Di,Jena\n3,Cy,Ulm\n,Flo,Pisa\n",
        key=["id"],
    )
    assert counts(changed) == (1, 1, 3, 2)
    assert changed
    assert changed.altered_values == {"city": 3, "name": 1}
    assert [row.values[0] for row in (*changed.added_rows, *changed.removed_rows)] == ["7", "2"]
    assert source.names()[1:] == [before[0], before[4], before[3], before[2], before[5]]


def test_a_key_that_is_no_column_is_refused_and_one_that_is_gone_counts_for_nothing(desk: Desk, source: Source) -> None:
    source.load(PEOPLE)
    with pytest.raises(CellFailed, match=r"There is no column nr to know rows by\. There are: id, name"):
        source.load(PEOPLE, key=["nr"])
    assert counts(source.load(PEOPLE.replace("id,", "no,"), key=["id"])) == (0, 0, 0, 4)
    assert NoteMessage(text="Rows can't be known by id, which only one of the two loads has.") in desk.said


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ("a\n1\n2\n", "b\n1\n2\n", (2, 2, 0, 0)),
        ("a,b\n", "a,b\n1,2\n", (1, 0, 0, 0)),
        ("a,b\n1,2\n", "a,b\n", (0, 1, 0, 0)),
        ("a.b,a,`\n1,2,3\n4,5,6\n", "a.b,a,`\n4,5,6\n1,2,4\n", (0, 0, 1, 1)),
    ],
    ids=["nothing in common", "was empty", "is empty", "odd names"],
)
def test_odd_loads_are_compared_too(source: Source, before: str, now: str, expected: tuple[int, int, int, int]) -> None:
    source.load(before)
    assert counts(source.load(now)) == expected


def test_rows_that_come_back_after_all_were_gone_are_new(source: Source) -> None:
    source.load(PEOPLE)
    before = source.names()
    assert counts(source.load("id,name,city,age\n")) == (0, 4, 0, 0)
    assert counts(source.load(PEOPLE)) == (4, 0, 0, 0)
    assert len({*before, *source.names()}) == 8


def test_too_many_rows_that_differ_count_as_removed_and_added(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MOST_VALUES", 3)
    source.load(PEOPLE)
    changed = source.load(PEOPLE.replace("31", "32"))
    assert counts(changed) == (1, 1, 0, 3)
    assert changed
    assert changed.words.endswith("without a key they count as removed and added.")


def test_columns_that_drift_are_doubted_until_they_are_settled(source: Source) -> None:
    source.load("id,name,zip\n1,Ann,10\n2,Bob,20\n3,Cy,30\n")
    drifted = "id,zip,mail\n1,10,a@b\n2,2o,c@d\n3,three,e@f\n"
    # What is said of a column that is gone stops nobody.
    changed = source.load(drifted, types={"name": {"type": "string"}})
    assert changed
    # As texts, 10 is still 10.
    assert (counts(changed), changed.altered_values) == ((0, 0, 2, 1), {"zip": 2})
    assert {(one.column, one.change) for one in changed.drift} == {
        ("name", "is gone"),
        ("zip", "was int and is string"),
        ("mail", "is new"),
    }
    doubt = source.artifact.doubt
    assert (doubt.values, doubt.rows) == ({"zip": 3, "mail": 3}, 3)
    # Loading the same once more is no answer.
    assert source.load(drifted)
    assert source.artifact.doubt == doubt
    settled = {name: {"type": "string"} for name in ("zip", "mail")}
    assert source.load(drifted, types=settled)
    assert (source.artifact.doubt.values, source.artifact.doubt.rows) == ({}, 3)
    assert source.load("id,name,zip,mail\n1,Ann,10,a@b\n2,Bob,2o,c@d\n3,Cy,three,e@f\n")
    assert source.artifact.doubt.is_none


@pytest.mark.parametrize("previous", ["0" * 64, "a file"], ids=["unknown", "a file"])
def test_what_is_no_dataset_is_not_compared_with(desk: Desk, source: Source, tmp_path: Path, previous: str) -> None:
    if previous == "a file":
        context = desk.context()
        (tmp_path / "notes").write_text("no dataset")
        previous = context.keep_file(tmp_path / "notes", "text/plain")
        desk.made |= {artifact.id: (artifact, content) for artifact, content in context.made}
    assert source.load(PEOPLE, previous=previous) is None
    assert len(source.rows()) == 4
    assert any(isinstance(one, NoteMessage) and "no longer in the store" in one.text for one in desk.said)
