"""What garbage collection removes, and what it must not."""

from __future__ import annotations

import threading
from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sqlalchemy import Connection, update

from tests.store.notebook import Notebook
from trailbook.errors import Dropped
from trailbook.model.artifacts import ArtifactState
from trailbook.model.base import ArtifactId, CellHandle, now
from trailbook.model.notebook import Spec, VersionRef
from trailbook.model.publications import Publication
from trailbook.model.runs import CellState, DisplayMessage
from trailbook.store import artifacts, projects, publications, runs, tables, versions
from trailbook.store.doctor import doctor
from trailbook.store.gc import GcReport, gc
from trailbook.store.store import Store

GRACE = 3600.0
LATER = timedelta(hours=2)
SQL = Spec(kind="sql", parameters={"sql": "SELECT v + 1 AS v FROM x"})


def collect(store: Store, **options: bool) -> GcReport:
    """Collect garbage two hours from now, so that all that exists is older than the grace period."""
    report = gc(store, now() + LATER, GRACE, **options)
    assert doctor(store, now(), GRACE, deep=True).healthy
    return report


def add_result(notebook: Notebook, tx: Connection, ref: VersionRef, cell: str, value: int, **reads: str) -> ArtifactId:
    """A run of a cell that made a dataset."""
    run = notebook.add_run(tx, ref, cell, reads=reads)
    id = notebook.add_dataset(tx, [value], run)
    runs.update(tx, run.model_copy(update={"writes": {cell: id}}))
    return id


def test_what_nothing_reaches_is_removed_and_its_record_stays(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        id = notebook.add_dataset(tx, [1])
    report = collect(store)
    assert report.gone == (id,)
    assert report.freed > 0
    assert not store.files.has(id)
    assert notebook.state(id) is ArtifactState.GONE


def test_what_is_younger_than_the_grace_period_stays(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        id = notebook.add_dataset(tx, [1])
    assert gc(store, now(), GRACE).gone == ()
    assert notebook.state(id) is ArtifactState.PRESENT


def test_a_dry_run_says_the_same_and_changes_nothing(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        id = notebook.add_dataset(tx, [1])
    promised = collect(store, dry_run=True)
    assert notebook.state(id) is ArtifactState.PRESENT
    assert store.files.has(id)
    assert collect(store) == promised.model_copy(update={"dry_run": False})


def test_everything_that_a_version_of_the_log_can_reach_stays(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        loaded = notebook.add_file(tx, "a file that a cell names")
        previous = notebook.add_dataset(tx, [9])
        load = Spec(kind="load", parameters={"file": loaded, "previous": previous})
        ref = notebook.add_version(tx, load=load, a=SQL)
        captured, shown = notebook.add_file(tx, "captured"), notebook.add_file(tx, "shown")
        read, written = notebook.add_dataset(tx, [1]), notebook.add_dataset(tx, [2])
        notebook.add_run(
            tx,
            ref,
            "a",
            reads={"x": read, "none": None, "file:/a": captured},
            writes={"y": written},
            messages=[DisplayMessage(artifacts={"image/png": shown})],
        )
        uploaded = notebook.add_file(tx, "uploaded", upload=True)
        pinned = notebook.add_dataset(tx, [3])
        artifacts.pin(tx, pinned, notebook.person)
        notebook.add_version(tx)
        notebook.move_head(tx, VersionRef(branch=notebook.branch, number=1), "undo")
    report = collect(store)
    assert report.gone == report.dropped == ()
    for id in (loaded, previous, captured, shown, read, written, uploaded, pinned):
        assert store.files.has(id)


def test_what_a_running_cell_may_read_or_has_made_stays_until_it_ends(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        file = notebook.add_file(tx, "v\n1\n", upload=True)
        ref = notebook.add_version(tx, load=Spec(kind="load", parameters={"file": file}), a=Spec(kind="python"))
        read = add_result(notebook, tx, ref, "load", 1)
        tx.exec_driver_sql("UPDATE artifacts SET registered = '2001-01-01 00:00:00'")
        run = notebook.add_run(tx, ref, "a", state=CellState.RUNNING, started=now())
        runs.clear_result(tx, ref, CellHandle("a"))
        head = notebook.add_version(tx)
        tx.execute(update(tables.head_moves).where(tables.head_moves.c.number == head.number).values(time=now()))
        shown = notebook.add_file(tx, "registered at once")
        staged = store.files.stage() / "x"
        staged.write_text("adopted, registered at the end")
        adopted = store.files.adopt_file(staged).id
    report = collect(store, drop_recomputable=True)
    assert (report.gone, report.dropped, report.surplus) == ((), (), ())
    with store.writing() as tx:
        runs.update(tx, run.model_copy(update={"state": CellState.CANCELLED}))
    report = collect(store, drop_recomputable=True)
    assert (report.gone, report.dropped, report.surplus) == ((shown,), (read,), (adopted,))


def test_a_replaced_result_stays_for_the_grace_period_after_it_was_replaced(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        ref = notebook.add_version(tx, a=Spec(kind="python"))
        old = add_result(notebook, tx, ref, "a", 1)
        tx.exec_driver_sql("UPDATE artifacts SET registered = '2001-01-01 00:00:00'")
        new = add_result(notebook, tx, ref, "a", 2)
    assert gc(store, now(), GRACE).gone == ()
    assert collect(store).gone == (old,)
    assert store.files.has(new)


def test_a_deleted_project_keeps_its_artifacts_for_the_grace_period(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        id = notebook.add_file(tx, "uploaded", upload=True)
        tx.exec_driver_sql("UPDATE artifacts SET registered = '2001-01-01 00:00:00'")
        projects.set_deleted(tx, notebook.project, now())
    assert gc(store, now(), GRACE).gone == ()
    assert collect(store).gone == (id,)


def test_what_was_published_stays_with_what_its_reasons_are_asked_of(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        ref = notebook.add_version(tx, a=SQL, b=SQL, c=SQL)
        first = add_result(notebook, tx, ref, "a", 1)
        second = add_result(notebook, tx, ref, "b", 2, a=first)
        later = notebook.add_version(tx, a=SQL)
        other = add_result(notebook, tx, later, "a", 3)
        publications.add(
            tx,
            Publication(
                name="rivers",
                edition=1,
                artifact=second,
                project=notebook.project,
                made=ref,
                cell=CellHandle("b"),
                dataset="b",
                person=notebook.person,
                time=now(),
            ),
        )
        projects.set_deleted(tx, notebook.project, now())
    report = collect(store)
    assert (*report.gone, *report.dropped) == (other,)


def test_surplus_files_go_after_the_grace_period_and_strange_ones_never(store: Store, notebook: Notebook) -> None:
    staged = store.files.stage() / "x"
    staged.write_text("adopted, never recorded")
    id = store.files.adopt_file(staged).id
    stranger = store.files.path(id).parent / "notes.txt"
    stranger.write_text("not Trailbook's")
    assert gc(store, now(), GRACE).surplus == ()
    assert collect(store).surplus == (id,)
    assert not store.files.has(id)
    assert stranger.exists()


def test_datasets_that_can_be_made_again_are_dropped_on_request_unless_a_head_shows_them(
    store: Store, notebook: Notebook
) -> None:
    with store.writing() as tx:
        file = notebook.add_file(tx, "v\n1\n", upload=True)
        load = Spec(kind="load", parameters={"file": file})
        old = notebook.add_version(tx, load=load, a=SQL, p=Spec(kind="python"))
        loaded = add_result(notebook, tx, old, "load", 1)
        derived = add_result(notebook, tx, old, "a", 2, x=loaded)
        by_python = add_result(notebook, tx, old, "p", 3)
        head = notebook.add_version(tx, a=SQL)
        shown = add_result(notebook, tx, head, "a", 4)
    assert collect(store).dropped == ()
    report = collect(store, drop_recomputable=True)
    assert set(report.dropped) == {loaded, derived}
    assert notebook.state(loaded) is ArtifactState.DROPPED
    assert all(map(store.files.has, (file, by_python, shown)))
    with store.reading() as tx:
        assert artifacts.get(tx, derived).seconds == 2.5


@pytest.mark.parametrize(
    ("spec", "reads"),
    [
        (Spec(kind="sql", parameters={"sql": "SELECT rand() FROM x"}), {}),
        (Spec(kind="sql", parameters={"sql": "SELECT * FROM x\nLimit 3"}), {}),
        (Spec(kind="load", parameters={"path": "/a.csv"}), {}),
        (SQL, {"file:/a.csv": "0" * 64}),
        (SQL, {"x": "1" * 64}),
    ],
)
def test_what_may_come_out_differently_is_never_dropped(
    store: Store, notebook: Notebook, spec: Spec, reads: dict[str, str]
) -> None:
    with store.writing() as tx:
        ref = notebook.add_version(tx, a=spec)
        add_result(notebook, tx, ref, "a", 1, **reads)
        notebook.add_version(tx)
    assert gc(store, now() + LATER, GRACE, drop_recomputable=True).dropped == ()


def test_what_two_cells_made_is_dropped_only_if_both_could_make_it_again(store: Store, notebook: Notebook) -> None:
    unsure = Spec(kind="sql", parameters={"sql": "SELECT v + 1 AS v FROM x WHERE t > now() - INTERVAL 1 DAY"})
    with store.writing() as tx:
        ref = notebook.add_version(tx, a=SQL, b=unsure)
        assert add_result(notebook, tx, ref, "a", 1) == add_result(notebook, tx, ref, "b", 1)
        notebook.add_version(tx)
    assert collect(store, drop_recomputable=True).dropped == ()


def test_content_that_is_registered_between_the_two_steps_of_gc_stays(store: Store, notebook: Notebook) -> None:
    """A server that makes the same content while gc runs either has it, or is told to make it again."""
    with store.writing() as tx:
        artifact = artifacts.get(tx, notebook.add_dataset(tx, [1]))

    def register() -> None:
        for _ in range(10):
            with suppress(Dropped), store.writing() as tx:
                notebook.add_dataset(tx, [1])

    thread = threading.Thread(target=register)
    thread.start()
    for _ in range(10):
        gc(store, now() + LATER, GRACE)
    thread.join()
    assert store.files.has(artifact.id) == (notebook.state(artifact.id) is ArtifactState.PRESENT)


@hypothesis_settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.booleans()), max_size=6))
def test_gc_removes_exactly_what_no_result_names_and_a_second_time_nothing(
    sqlite_notebook: Notebook, plan: list[tuple[int, bool, bool]]
) -> None:
    notebook, store = sqlite_notebook, sqlite_notebook.store
    with store.writing() as tx:
        made = set()
        for value, kept, replaced in plan:
            ref = notebook.add_version(tx, a=Spec(kind="python", parameters={"n": value}))
            id = add_result(notebook, tx, ref, "a", value) if kept else notebook.add_dataset(tx, [value])
            made.add(id)
            if replaced:
                runs.clear_result(tx, ref, CellHandle("a"))
    collect(store)
    with store.reading() as tx:
        history = versions.history(tx, notebook.branch, None, 1000)
        results = [result for version in history for result in runs.results(tx, version.ref).values()]
    named = {id for result in results for id in result.run.writes.values()}
    assert {id for id in made if store.files.has(id)} == made & named
    again = collect(store)
    assert (again.gone, again.dropped, again.surplus, again.freed) == ((), (), (), 0)
