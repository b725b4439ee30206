"""Branches, versions and the log of head moves."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.store.notebook import LONG_AGO, Notebook
from trailbook.errors import NameTaken, NotFound
from trailbook.model.base import BranchId, CellHandle, new_id
from trailbook.model.edits import InsertCell
from trailbook.model.notebook import Branch, Cell, Spec, Version, VersionRef
from trailbook.store import branches, heads, versions
from trailbook.store.store import Store

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@hypothesis_settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parameters=st.dictionaries(st.text(), JSON, max_size=4))
def test_a_version_comes_back_as_it_was(notebook: Notebook, parameters: dict[str, Any]) -> None:
    cell = Cell(handle=CellHandle("c"), spec=Spec(kind="python", parameters=parameters))
    with notebook.store.writing() as tx:
        last = versions.last_number(tx, notebook.branch)
        version = Version(
            ref=VersionRef(branch=notebook.branch, number=last + 1),
            parents=(VersionRef(branch=notebook.branch, number=last), VersionRef(branch=notebook.branch, number=1)),
            cells=(cell, cell.model_copy(update={"handle": "d"})),
            edit=InsertCell(handle=CellHandle("c"), kind="python", parameters=parameters),
            description="Insert a cell",
            person=notebook.person,
            time=LONG_AGO,
        )
        versions.insert(tx, version)
    with notebook.store.reading() as tx:
        stored = versions.get(tx, version.ref)
    assert stored == version
    assert stored.cells[0].spec.hash == cell.spec.hash


def test_history_is_newest_first_and_pages_by_number(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        for i in range(5):
            notebook.add_version(tx, a=Spec(kind="sql", parameters={"sql": str(i)}))

        def numbers(before: int | None, limit: int) -> list[int]:
            return [version.ref.number for version in versions.history(tx, notebook.branch, before, limit)]

        assert numbers(None, 3) == [6, 5, 4]
        assert numbers(4, 10) == [3, 2, 1]
        assert numbers(1, 10) == numbers(-(10**30), 10) == numbers(None, 0) == []
        assert len(numbers(10**30, 10**30)) == 6


@pytest.mark.parametrize("number", [0, -1, 2, 2**31, 10**30])
def test_a_version_that_does_not_exist_is_named(store: Store, notebook: Notebook, number: int) -> None:
    ref = VersionRef(branch=notebook.branch, number=number)
    with store.reading() as tx, pytest.raises(NotFound, match=str(ref)):
        versions.get(tx, ref)


def test_the_head_is_where_the_last_move_went(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        second = notebook.add_version(tx)
        first = VersionRef(branch=notebook.branch, number=1)
        notebook.move_head(tx, first, "undo")
        assert branches.get(tx, notebook.branch).head == branches.lock(tx, notebook.branch).head == 1
        notebook.move_head(tx, second, "redo")
        assert branches.of_project(tx, notebook.project)[0].head == 2
        log = heads.log(tx, notebook.branch)
        assert [(move.number, move.reason) for move in log] == [(1, "create"), (2, "edit"), (1, "undo"), (2, "redo")]
        assert {move.person for move in log} == {notebook.person}


def test_a_branch_name_is_taken_once_in_a_project(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        main = branches.get(tx, notebook.branch)
        with pytest.raises(NameTaken, match="main"):
            branches.insert(tx, main.model_copy(update={"id": new_id()}))
        branches.rename(tx, main.id, "main")
        branches.rename(tx, main.id, "trunk")
        assert branches.get(tx, main.id).name == "trunk"
        other = Branch(**main.model_dump() | {"id": new_id(), "name": "other"})
        branches.insert(tx, other)
        with pytest.raises(NameTaken, match="other"):
            branches.rename(tx, main.id, "other")


def test_an_unknown_branch_is_named(store: Store) -> None:
    with store.writing() as tx:
        for call in (branches.get, branches.lock):
            with pytest.raises(NotFound, match="nowhere"):
                call(tx, BranchId("nowhere"))
