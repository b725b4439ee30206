"""What is read once is remembered, as long as it can't have changed."""

from __future__ import annotations

import pytest
from sqlalchemy import event

from tests.store.notebook import Notebook
from trailbook.errors import NotFound
from trailbook.model.artifacts import ArtifactState
from trailbook.model.base import PersonId
from trailbook.model.notebook import Person, Spec
from trailbook.model.runs import CellState
from trailbook.store import artifacts, runs, versions
from trailbook.store.memory import Memory
from trailbook.store.store import Store

SPEC = Spec(kind="sql", parameters={"sql": "SELECT 1"})


def test_a_version_is_read_once(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        ref = notebook.add_version(tx, a=SPEC)
    with store.reading() as tx:
        first = versions.get(tx, ref)
    asked: list[str] = []
    with store.reading() as tx:
        event.listen(tx, "before_cursor_execute", lambda *arguments: asked.append(arguments[2]))
        assert versions.get(tx, ref) is first
    assert asked == []


def test_what_was_not_committed_is_not_remembered(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        ref = notebook.add_version(tx, a=SPEC)
        run = notebook.add_run(tx, ref, "a")
        assert len(versions.get(tx, ref).cells) == len(runs.results(tx, ref)) == 1
        tx.rollback()
    with store.reading() as tx:
        assert runs.many(tx, [run.id]) == {}
        with pytest.raises(NotFound):
            versions.get(tx, ref)


def test_a_run_that_goes_on_is_read_anew(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        run = notebook.add_run(tx, notebook.add_version(tx, a=SPEC), "a", state=CellState.RUNNING)
    with store.reading() as tx:
        assert runs.many(tx, [run.id])[run.id].state is CellState.RUNNING
    with store.writing() as tx:
        runs.update(tx, run.model_copy(update={"state": CellState.DONE}))
    with store.reading() as tx:
        assert runs.many(tx, [run.id])[run.id].state is CellState.DONE


def test_an_artifact_that_is_dropped_is_seen_as_dropped(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        id = notebook.add_dataset(tx, [1])
    for state in (ArtifactState.PRESENT, ArtifactState.DROPPED, ArtifactState.PRESENT):
        with store.writing() as tx:
            artifacts.set_state(tx, id, state)
        with store.reading() as tx:
            assert artifacts.many(tx, [id])[id].state is state


def test_what_nobody_asked_for_lately_makes_room() -> None:
    people = [Person(id=PersonId(f"p{i}"), name="Ada") for i in range(3)]
    memory = Memory(room=2 * len(people[0].model_dump_json()))
    memory.keep(0, people[0])
    memory.keep(1, people[1])
    assert memory.recall(0) is people[0]
    memory.keep(2, people[2])
    assert [memory.recall(key) for key in range(3)] == [people[0], None, people[2]]
