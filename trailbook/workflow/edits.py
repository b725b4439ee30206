"""What each edit does to the cells of a version, and how it is told in the history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from trailbook.cells.kind import KINDS, parse
from trailbook.errors import BadEdit, NotFound
from trailbook.model.acknowledged import Acknowledgement
from trailbook.model.base import CellHandle, PersonId, new_id
from trailbook.model.edits import (
    Acknowledge,
    CellEdit,
    DeleteCell,
    FreezeCells,
    InsertCell,
    MoveCell,
    SetPackages,
    TakeBack,
    UpdateCell,
)
from trailbook.model.notebook import Cell, Spec

Cells = tuple[Cell, ...]
LONGEST_SHOWN = 80
"""Characters of a text that somebody wrote, in the history."""


def apply_edit(edit: CellEdit, cells: Cells, person: PersonId, time: datetime) -> Cells:
    """The cells after the edit. Refuses handles that are not there and parameters that don't fit."""
    match edit:
        case InsertCell():
            return _place(_new_cell(edit, cells), edit.after, cells)
        case UpdateCell():
            index = _find(edit.handle, cells)
            before = cells[index].spec
            spec = _checked(edit.kind or before.kind, edit.parameters, before.acknowledged)
            return _replaced(index, spec, cells)
        case DeleteCell():
            index = _find(edit.handle, cells)
            return cells[:index] + cells[index + 1 :]
        case MoveCell():
            index = _find(edit.handle, cells)
            if edit.after == edit.handle:
                raise BadEdit("A cell can't be moved after itself.")
            return _place(cells[index], edit.after, cells[:index] + cells[index + 1 :])
        case FreezeCells():
            return _with_frozen(edit, cells)
        case Acknowledge():
            index = _find(edit.handle, cells)
            said = Acknowledgement(place=edit.place, message=edit.message, note=edit.note, person=person, time=time)
            return _replaced(index, _acknowledging(cells[index].spec, said), cells)
        case TakeBack():
            index = _find(edit.handle, cells)
            return _replaced(index, _without(cells[index].spec, edit), cells)
        case SetPackages():
            return cells


def describe_edit(edit: CellEdit, before: Cells, after: Cells) -> str:
    """One line for the history, in the numbers people see."""
    match edit:
        case InsertCell():
            (new,) = {cell.handle for cell in after} - {cell.handle for cell in before}
            return f"Insert {_title(edit.kind)} cell {_find(new, after) + 1}"
        case UpdateCell():
            number = _find(edit.handle, after) + 1
            return f"Change {_title(after[number - 1].spec.kind)} cell {number}"
        case DeleteCell():
            number = _find(edit.handle, before) + 1
            return f"Delete {_title(before[number - 1].spec.kind)} cell {number}"
        case MoveCell():
            return f"Move cell {_find(edit.handle, before) + 1} to {_find(edit.handle, after) + 1}"
        case FreezeCells():
            numbers = [_find(handle, after) + 1 for handle in edit.handles]
            which = f"cell {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} cells"
            return f"{'Freeze' if edit.frozen else 'Thaw'} {which}"
        case Acknowledge():
            return f"Acknowledge {_caveats(edit)} of cell {_find(edit.handle, after) + 1}"
        case TakeBack():
            return f"Doubt {_caveats(edit)} of cell {_find(edit.handle, after) + 1} again"
        case SetPackages():
            return _shortened(f"Use the packages {', '.join(edit.packages)}" if edit.packages else "Use no packages")


def _new_cell(edit: InsertCell, cells: Cells) -> Cell:
    if any(cell.handle == edit.handle for cell in cells):
        raise BadEdit(f"There is already a cell {edit.handle}.")
    return Cell(handle=edit.handle or CellHandle(new_id()), spec=_checked(edit.kind, edit.parameters))


def _with_frozen(edit: FreezeCells, cells: Cells) -> Cells:
    chosen = {_find(handle, cells) for handle in edit.handles}
    return tuple(
        cell.model_copy(update={"frozen": edit.frozen}) if index in chosen else cell for index, cell in enumerate(cells)
    )


def _acknowledging(spec: Spec, said: Acknowledgement) -> Spec:
    if any(_is_same(one, said) for one in spec.acknowledged):
        raise BadEdit(f"Acknowledged already: {_caveats(said)}.")
    return Spec(kind=spec.kind, parameters=spec.parameters, acknowledged=(*spec.acknowledged, said))


def _without(spec: Spec, edit: TakeBack) -> Spec:
    left = tuple(one for one in spec.acknowledged if not _is_same(one, edit))
    if left == spec.acknowledged:
        raise BadEdit(f"Nothing to take back, since not acknowledged: {_caveats(edit)}.")
    return Spec(kind=spec.kind, parameters=spec.parameters, acknowledged=left)


def _is_same(one: Acknowledgement, other: Acknowledgement | TakeBack) -> bool:
    return (one.place, one.message) == (other.place, other.message)


def _caveats(edit: Acknowledge | TakeBack | Acknowledgement) -> str:
    text = edit.place if edit.message is None else edit.message
    shown = _shortened(text)
    return f"the caveats at {shown}" if edit.message is None else f"“{shown}”"


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _replaced(index: int, spec: Spec, cells: Cells) -> Cells:
    return (*cells[:index], cells[index].model_copy(update={"spec": spec}), *cells[index + 1 :])


def _title(kind: str) -> str:
    return KINDS.get(kind).title


def _checked(kind: str, parameters: dict[str, object], acknowledged: tuple[Acknowledgement, ...] = ()) -> Spec:
    """The spec with its defaults filled in, so that the same cell has the same hash however it was sent."""
    try:
        cell = parse(Spec(kind=kind, parameters=parameters))
    except NotFound as error:
        raise BadEdit(error.message, **error.details) from error
    return Spec(kind=kind, parameters=cell.model_dump(mode="json"), acknowledged=acknowledged)


def _find(handle: CellHandle, cells: Sequence[Cell]) -> int:
    for index, cell in enumerate(cells):
        if cell.handle == handle:
            return index
    raise BadEdit(f"There is no cell {handle} in this version.", handles=[cell.handle for cell in cells])


def _place(cell: Cell, after: CellHandle | None, others: Cells) -> Cells:
    index = 0 if after is None else _find(after, others) + 1
    return (*others[:index], cell, *others[index:])
