"""Edits do what an edit of a plain list does, and refuse what makes no sense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailbook.errors import BadEdit, BadParameters
from trailbook.model.base import CellHandle, PersonId, now
from trailbook.model.edits import Acknowledge, CellEdit, DeleteCell, InsertCell, MoveCell, TakeBack, UpdateCell
from trailbook.model.notebook import Cell
from trailbook.workflow.edits import Cells, apply_edit, describe_edit

HANDLES = st.sampled_from(["a", "b", "c", "d"])
TEXT = st.sampled_from(["one", "two"])


PERSON = PersonId("ada")


def applied(edit: CellEdit, cells: Cells) -> Cells:
    return apply_edit(edit, cells, PERSON, now())


def markdown(text: str) -> dict[str, str]:
    return {"text": text}


EDITS = st.one_of(
    st.builds(
        InsertCell, handle=HANDLES, after=st.none() | HANDLES, kind=st.just("markdown"), parameters=TEXT.map(markdown)
    ),
    st.builds(UpdateCell, handle=HANDLES, parameters=TEXT.map(markdown)),
    st.builds(DeleteCell, handle=HANDLES),
    st.builds(MoveCell, handle=HANDLES, after=st.none() | HANDLES),
)


def on_a_list(edit: CellEdit, cells: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same edit on a list of (handle, text); LookupError where it makes no sense."""
    handles = [handle for handle, _ in cells]
    match edit:
        case InsertCell():
            if edit.handle in handles:
                raise LookupError
            index = 0 if edit.after is None else _index(handles, edit.after) + 1
            return [*cells[:index], (str(edit.handle), edit.parameters["text"]), *cells[index:]]
        case UpdateCell():
            _index(handles, edit.handle)
            return [(h, edit.parameters["text"]) if h == edit.handle else (h, t) for h, t in cells]
        case DeleteCell():
            _index(handles, edit.handle)
            return [(h, t) for h, t in cells if h != edit.handle]
        case MoveCell():
            moved = cells[_index(handles, edit.handle)]
            rest = [cell for cell in cells if cell != moved]
            index = 0 if edit.after is None else _index([h for h, _ in rest], edit.after) + 1
            return [*rest[:index], moved, *rest[index:]]
        case _:
            raise AssertionError(f"not an edit of the list: {edit}")


def _index(handles: list[str], handle: str) -> int:
    if handle not in handles:
        raise LookupError
    return handles.index(handle)


@given(st.lists(EDITS, max_size=15))
def test_edits_do_what_they_do_to_a_plain_list(edits: list[CellEdit]) -> None:
    cells: tuple[Cell, ...] = ()
    plain: list[tuple[str, str]] = []
    for edit in edits:
        try:
            plain = on_a_list(edit, plain)
        except LookupError:
            with pytest.raises(BadEdit):
                applied(edit, cells)
        else:
            before, cells = cells, applied(edit, cells)
            assert describe_edit(edit, before, cells)
        assert [(cell.handle, cell.spec.parameters["text"]) for cell in cells] == plain


def test_parameters_left_out_are_filled_in_so_that_equal_cells_have_equal_hashes() -> None:
    (short,) = applied(InsertCell(kind="sql", parameters={"query": "SELECT 1"}), ())
    (full,) = applied(InsertCell(kind="sql", parameters={"name": "result", "query": "SELECT 1"}), ())
    assert short.handle != full.handle
    assert short.spec.hash == full.spec.hash


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadEdit, match="load, markdown, python, sql"):
        applied(InsertCell(kind="cobol", parameters={}), ())


@pytest.mark.parametrize("name", ["", "two words", "1st", "class", "_hidden", "a.b", "a`b"])
def test_a_dataset_needs_a_name_that_every_language_can_spell(name: str) -> None:
    with pytest.raises(BadParameters, match="can't name a dataset"):
        applied(InsertCell(kind="sql", parameters={"query": "SELECT 1", "name": name}), ())


def test_an_unknown_parameter_is_named() -> None:
    with pytest.raises(BadParameters, match="SQL cell: quary"):
        applied(InsertCell(kind="sql", parameters={"quary": "SELECT 1"}), ())


def test_an_acknowledgement_is_part_of_the_cell_until_it_is_taken_back() -> None:
    cells = applied(InsertCell(handle=CellHandle("a"), kind="sql", parameters={"query": "SELECT 1"}), ())
    accepted = applied(Acknowledge(handle=CellHandle("a"), place="here", message="odd", note="seen"), cells)
    (said,) = accepted[0].spec.acknowledged
    assert (said.place, said.message, said.note, said.person) == ("here", "odd", "seen", PERSON)
    assert accepted[0].spec.hash != cells[0].spec.hash
    edited = applied(UpdateCell(handle=CellHandle("a"), parameters={"query": "SELECT 2"}), accepted)
    assert edited[0].spec.acknowledged == (said,)
    assert applied(TakeBack(handle=CellHandle("a"), place="here", message="odd"), accepted) == cells


def test_what_is_acknowledged_is_not_acknowledged_again_and_nothing_else_is_taken_back() -> None:
    cells = applied(InsertCell(handle=CellHandle("a"), kind="sql", parameters={"query": "SELECT 1"}), ())
    accept = Acknowledge(handle=CellHandle("a"), place="here")
    with pytest.raises(BadEdit, match="Acknowledged already: the caveats at here"):
        applied(accept, applied(accept, cells))
    with pytest.raises(BadEdit, match="not acknowledged: “odd”"):
        applied(TakeBack(handle=CellHandle("a"), place="here", message="odd"), applied(accept, cells))


def test_the_history_tells_what_was_acknowledged() -> None:
    cells = applied(InsertCell(handle=CellHandle("a"), kind="sql", parameters={"query": "SELECT 1"}), ())
    told = [
        describe_edit(edit, cells, cells)
        for edit in (
            Acknowledge(handle=CellHandle("a"), place="x" * 90),
            Acknowledge(handle=CellHandle("a"), place="here", message="odd"),
            TakeBack(handle=CellHandle("a"), place="here", message="odd"),
        )
    ]
    assert told == [
        f"Acknowledge the caveats at {'x' * 80}… of cell 1",
        "Acknowledge “odd” of cell 1",
        "Doubt “odd” of cell 1 again",
    ]
