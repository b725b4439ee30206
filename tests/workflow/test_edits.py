"""Edits do what an edit of a plain list does, and refuse what makes no sense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailbook.errors import BadEdit, BadParameters
from trailbook.model.edits import CellEdit, DeleteCell, InsertCell, MoveCell, UpdateCell
from trailbook.model.notebook import Cell
from trailbook.workflow.edits import apply_edit, describe_edit

HANDLES = st.sampled_from(["a", "b", "c", "d"])
TEXT = st.sampled_from(["one", "two"])


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
                apply_edit(edit, cells)
        else:
            before, cells = cells, apply_edit(edit, cells)
            assert describe_edit(edit, before, cells)
        assert [(cell.handle, cell.spec.parameters["text"]) for cell in cells] == plain


def test_parameters_left_out_are_filled_in_so_that_equal_cells_have_equal_hashes() -> None:
    (short,) = apply_edit(InsertCell(kind="sql", parameters={"query": "SELECT 1"}), ())
    (full,) = apply_edit(InsertCell(kind="sql", parameters={"name": "result", "query": "SELECT 1"}), ())
    assert short.handle != full.handle
    assert short.spec.hash == full.spec.hash


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadEdit, match="load, markdown, python, sql"):
        apply_edit(InsertCell(kind="cobol", parameters={}), ())


@pytest.mark.parametrize("name", ["", "two words", "1st", "class", "_hidden", "a.b", "a`b"])
def test_a_dataset_needs_a_name_that_every_language_can_spell(name: str) -> None:
    with pytest.raises(BadParameters, match="can't name a dataset"):
        apply_edit(InsertCell(kind="sql", parameters={"query": "SELECT 1", "name": name}), ())


def test_an_unknown_parameter_is_named() -> None:
    with pytest.raises(BadParameters, match="SQL cell: quary"):
        apply_edit(InsertCell(kind="sql", parameters={"quary": "SELECT 1"}), ())
