"""What the reference check finds."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete, text

from tests.store.notebook import Notebook
from trailbook.model.base import now
from trailbook.model.notebook import Spec
from trailbook.store import tables
from trailbook.store.doctor import doctor
from trailbook.store.store import Store

GRACE = 3600.0


def test_a_store_in_order_is_healthy(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        ref = notebook.add_version(tx, a=Spec(kind="sql"))
        notebook.add_run(tx, ref, "a", writes={"x": notebook.add_dataset(tx, [1])}, reads={"file:/x": "0" * 64})
    report = doctor(store, now(), GRACE, deep=True)
    assert report.healthy
    assert report.artifacts == 1
    assert report.surplus == report.pending == ()


def test_a_record_without_its_files_is_missing(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        id = notebook.add_dataset(tx, [1])
    store.files.remove(id)
    report = doctor(store, now(), GRACE)
    assert report.missing == (id,)
    assert not report.healthy


def test_files_without_a_record_are_pending_and_later_surplus(store: Store) -> None:
    staged = store.files.stage() / "x"
    staged.write_text("adopted, never recorded")
    id = store.files.adopt_file(staged).id
    (store.files.path(id).parent / "notes.txt").write_text("not Trailbook's")
    young = doctor(store, now(), GRACE)
    assert (young.pending, young.healthy) == ((id,), True)
    [stranger] = young.surplus
    assert stranger.endswith("notes.txt")
    assert doctor(store, now() + timedelta(hours=2), GRACE).surplus == (id, stranger)


def test_changed_content_is_found_by_a_deep_check(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        id = notebook.add_dataset(tx, [1])
    part = store.files.path(id) / "part-00000.parquet"
    part.chmod(0o644)
    part.write_bytes(part.read_bytes()[:-1] + b"x")
    assert doctor(store, now(), GRACE).healthy
    assert doctor(store, now(), GRACE, deep=True).damaged == (id,)


def test_references_into_nothing_are_dangling(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        run = notebook.add_run(tx, notebook.add_version(tx, a=Spec(kind="sql")), "a", writes={"x": "1" * 64})
        notebook.add_version(tx, b=Spec(kind="markdown"))
        tx.execute(delete(tables.specs).where(tables.specs.c.kind == "markdown"))
    report = doctor(store, now(), GRACE)
    assert report.dangling == (
        f"cell b of version {notebook.branch}/3 has spec {Spec(kind='markdown').hash}",
        f"run {run.id} names artifact {'1' * 64}",
    )


def test_what_sqlite_says_about_itself_is_passed_on(sqlite_notebook: Notebook) -> None:
    store = sqlite_notebook.store
    with store.writing() as tx:
        tx.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    report = doctor(store, now(), GRACE)
    assert len(report.database) == 1
    assert "0000" in report.database[0]
    assert not report.healthy
