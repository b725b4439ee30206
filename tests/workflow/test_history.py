"""Versions are never lost, undo and redo behave as an editor's, and the loser of a race is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailbook.errors import HeadMoved, NeedsBranchName, NothingToUndo
from trailbook.model.base import BranchId, PersonId, now
from trailbook.model.edits import InsertCell
from trailbook.model.notebook import Branch, VersionRef
from trailbook.settings import Settings
from trailbook.store import branches, heads, persons, versions
from trailbook.store.heads import HeadMove
from trailbook.store.store import Store
from trailbook.workflow import history

NOTE = InsertCell(kind="markdown", parameters={"text": "note"})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(Settings(data=tmp_path))
    yield store
    store.close()


@pytest.fixture
def me(store: Store) -> PersonId:
    with store.writing() as tx:
        return persons.local_person(tx, "me").id


@pytest.fixture
def branch(store: Store, me: PersonId) -> Branch:
    with store.writing() as tx:
        return history.create_project(tx, "Project", me)


def edit(store: Store, branch: BranchId, number: int, me: PersonId, **options: object) -> VersionRef:
    with store.writing() as tx:
        return history.edit(tx, VersionRef(branch=branch, number=number), NOTE, me, **options).ref  # type: ignore[arg-type]


def test_an_edit_of_the_head_makes_the_next_version(store: Store, branch: Branch, me: PersonId) -> None:
    ref = edit(store, branch.id, 1, me)
    with store.reading() as tx:
        version = versions.get(tx, ref)
        assert branches.get(tx, branch.id).head == ref.number == 2
    assert version.parents == (VersionRef(branch=branch.id, number=1),)
    assert (version.person, version.description) == (me, "Insert Markdown cell 1")


def test_the_loser_of_a_race_is_told_where_the_head_is(store: Store, branch: Branch, me: PersonId) -> None:
    edit(store, branch.id, 1, me)
    with pytest.raises(HeadMoved) as caught:
        edit(store, branch.id, 1, me, at_head=True)
    assert caught.value.details == {"head": 2}


def test_an_old_version_is_edited_only_under_a_branch_name(store: Store, branch: Branch, me: PersonId) -> None:
    edit(store, branch.id, 1, me)
    with pytest.raises(NeedsBranchName):
        edit(store, branch.id, 1, me)
    ref = edit(store, branch.id, 1, me, branch_name="other")
    assert ref.branch != branch.id
    assert ref.number == 1
    with store.reading() as tx:
        assert versions.get(tx, ref).parents == (VersionRef(branch=branch.id, number=1),)
        assert branches.get(tx, branch.id).head == 2


def test_an_edit_after_undo_keeps_what_was_undone(store: Store, branch: Branch, me: PersonId) -> None:
    undone = edit(store, branch.id, 1, me)
    with store.writing() as tx:
        history.step(tx, branch.id, 2, "undo", me)
    ref = edit(store, branch.id, 1, me, at_head=True)
    assert ref.number == 3
    with store.reading() as tx:
        assert len(versions.get(tx, undone).cells) == 1
    with store.writing() as tx, pytest.raises(NothingToUndo):
        history.step(tx, branch.id, 3, "redo", me)


@given(st.lists(st.sampled_from(["edit", "undo", "redo"]), max_size=30))
def test_undo_and_redo_are_an_editors_two_stacks(actions: list[str]) -> None:
    log = [_move(1, "create")]
    past: list[int] = []
    future: list[int] = []
    head = last = 1
    for action in actions:
        back, forward = history.possible_steps(log)
        assert (back, forward) == (past, future)
        if action == "edit":
            last += 1
            past, head, future = [*past, head], last, []
        elif action == "undo" and past:
            past, head, future = past[:-1], past[-1], [*future, head]
        elif action == "redo" and future:
            past, head, future = [*past, head], future[-1], future[:-1]
        else:
            continue
        log.append(_move(head, action))


def _move(number: int, reason: str) -> HeadMove:
    values = {"branch": "b", "number": number, "reason": reason, "person": "p", "time": now()}
    return HeadMove.model_validate(values)


def test_the_log_of_head_moves_only_grows(store: Store, branch: Branch, me: PersonId) -> None:
    edit(store, branch.id, 1, me)
    with store.writing() as tx:
        history.step(tx, branch.id, 2, "undo", me)
        history.step(tx, branch.id, 1, "redo", me)
    with store.reading() as tx:
        log = [(move.number, move.reason) for move in heads.log(tx, branch.id)]
    assert log == [(1, "create"), (2, "edit"), (1, "undo"), (2, "redo")]
