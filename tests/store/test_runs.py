"""Runs and results."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.store.notebook import ENVIRONMENT, LONG_AGO, Notebook
from trailbook.errors import NotFound
from trailbook.model.base import ArtifactId, CellHandle, Digest
from trailbook.model.notebook import Spec
from trailbook.model.runs import CellError, CellState, DisplayMessage, NoteMessage, TextMessage
from trailbook.store import runs
from trailbook.store.runs import Result
from trailbook.store.store import Store

SPEC = Spec(kind="sql", parameters={"sql": "SELECT 1"})


def test_a_run_comes_back_as_it_was_and_as_it_ended(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        ref = notebook.add_version(tx, a=SPEC)
        run = notebook.add_run(tx, ref, "a", state=CellState.RUNNING, reads={"x": None, "file:/a b": "d" * 64})
        assert runs.get(tx, run.id) == run
        assert runs.running(tx) == [run]
        ended = run.model_copy(
            update={
                "state": CellState.ERROR,
                "finished": LONG_AGO + timedelta(microseconds=1),
                "writes": {"y": ArtifactId("f" * 64)},
                "messages": (
                    TextMessage(stream="stdout", text="NUL \0 and 🏞"),
                    DisplayMessage(data={"text/plain": "x"}, artifacts={"image/png": ArtifactId("f" * 64)}),
                    NoteMessage(text="cut"),
                ),
                "error": CellError(code="cell_failed", message="No", line=3),
            }
        )
        runs.update(tx, ended)
        assert runs.get(tx, run.id) == ended
        assert runs.running(tx) == []


def test_candidates_are_the_good_runs_of_these_specs_in_this_environment_newest_first(
    store: Store, notebook: Notebook
) -> None:
    other = Spec(kind="sql", parameters={"sql": "SELECT 2"})
    with store.writing() as tx:
        ref = notebook.add_version(tx, a=SPEC, b=other)
        old = notebook.add_run(tx, ref, "a")
        new = notebook.add_run(tx, ref, "a", started=LONG_AGO + timedelta(seconds=1))
        notebook.add_run(tx, ref, "a", state=CellState.ERROR)
        notebook.add_run(tx, ref, "a", environment=Digest("f" * 64))
        of_other = notebook.add_run(tx, ref, "b", started=LONG_AGO + timedelta(seconds=2))
        found = runs.candidates(tx, [SPEC.hash, other.hash], ENVIRONMENT, notebook.project)
        assert found == {SPEC.hash: [new, old], other.hash: [of_other]}


def test_a_cell_of_a_version_has_one_result_or_none(store: Store, notebook: Notebook) -> None:
    handle = CellHandle("a")
    with store.writing() as tx:
        first, second = notebook.add_version(tx, a=SPEC), notebook.add_version(tx, a=SPEC)
        old = notebook.add_run(tx, first, "a")
        new = notebook.add_run(tx, first, "a")
        runs.set_result(tx, second, handle, old.id, current=False)
        assert runs.results(tx, first) == {"a": Result(new, current=True)}
        assert runs.results(tx, second) == {"a": Result(old, current=False)}
        runs.clear_result(tx, first, handle)
        runs.clear_result(tx, first, handle)
        assert runs.results(tx, first) == {}
        assert runs.results(tx, second) == {"a": Result(old, current=False)}


def test_one_run_can_be_the_result_of_two_cells(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        ref = notebook.add_version(tx, a=SPEC, b=SPEC)
        run = notebook.add_run(tx, ref, "a")
        runs.set_result(tx, ref, CellHandle("b"), run.id)
        assert runs.results(tx, ref) == {"a": Result(run, current=True), "b": Result(run, current=True)}


@pytest.mark.parametrize("current", [True, False])
def test_results_are_carried_to_the_cells_that_are_still_there(store: Store, notebook: Notebook, current: bool) -> None:
    with store.writing() as tx:
        first, second = notebook.add_version(tx, a=SPEC, b=SPEC), notebook.add_version(tx, b=SPEC, c=SPEC)
        notebook.add_run(tx, first, "a")
        run = notebook.add_run(tx, first, "b")
        runs.carry_results(tx, first, second, current=current)
        assert runs.results(tx, second) == {"b": Result(run, current=current)}


def test_an_unknown_run_is_named(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        run = notebook.add_run(tx, notebook.add_version(tx, a=SPEC), "a").model_copy(update={"id": "other"})
        with pytest.raises(NotFound, match="other"):
            runs.get(tx, run.id)
        with pytest.raises(NotFound, match="other"):
            runs.update(tx, run)
