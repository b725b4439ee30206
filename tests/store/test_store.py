"""Opening, locking, transactions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tests.store.notebook import Notebook
from trailbook.errors import BadSetting, Conflict, Invalid, NotFound, StoreDamaged, StoreError, StoreFull, StoreInUse
from trailbook.model.base import ProjectId
from trailbook.settings import Settings
from trailbook.store import branches, persons, projects, versions
from trailbook.store.database import database_url
from trailbook.store.store import Store

HOLD = """
import sys, time
from pathlib import Path
from trailbook.settings import Settings
from trailbook.store.store import Store
store = Store.open(Settings(data=Path(sys.argv[1])))
print("open", flush=True)
time.sleep(600)
"""


def test_a_second_server_is_refused_with_the_pid_of_the_first_and_the_directory(settings: Settings) -> None:
    first = Store.open(settings)
    with pytest.raises(StoreInUse) as refusal:
        Store.open(settings)
    assert str(os.getpid()) in refusal.value.message
    assert str(settings.data) in refusal.value.message
    first.close()
    Store.open(settings).close()


def test_a_killed_server_holds_no_lock(sqlite_settings: Settings) -> None:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(sqlite_settings.data)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"open\n"
    with pytest.raises(StoreInUse, match=str(process.pid)):
        Store.open(sqlite_settings)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    Store.open(sqlite_settings).close()


def test_a_visitor_may_look_while_a_server_has_the_directory(settings: Settings) -> None:
    server = Store.open(settings)
    visitor = Store.visit(settings)
    with server.writing() as tx:
        ada = persons.local_person(tx, "Ada")
    with visitor.reading() as tx:
        assert persons.get(tx, ada.id) == ada
    visitor.close()
    server.close()


def test_visiting_makes_no_store(sqlite_settings: Settings) -> None:
    with pytest.raises(StoreError, match="no store"):
        Store.visit(sqlite_settings)
    assert not sqlite_settings.data.exists()


def test_opening_sweeps_what_a_crash_left_in_staging(settings: Settings) -> None:
    store = Store.open(settings)
    (store.files.stage() / "half").write_text("written")
    store.close()
    Store.open(settings).close()
    assert list((settings.data / "staging").iterdir()) == []


def test_an_error_undoes_the_whole_transaction(store: Store) -> None:
    with suppress(ZeroDivisionError), store.writing() as tx:
        persons.local_person(tx, "Ada")
        raise ZeroDivisionError
    with store.reading() as tx:
        assert tx.execute(text("SELECT count(*) FROM persons")).scalar() == 0


def test_a_reader_sees_one_state_while_writers_go_on(store: Store) -> None:
    with store.reading() as snapshot:
        assert snapshot.execute(text("SELECT count(*) FROM persons")).scalar() == 0
        with store.writing() as tx:
            persons.local_person(tx, "Ada")
        assert snapshot.execute(text("SELECT count(*) FROM persons")).scalar() == 0


def test_a_reader_cannot_write(store: Store) -> None:
    with pytest.raises((DBAPIError, StoreError)), store.reading() as tx:
        persons.local_person(tx, "Ada")


def test_writers_in_many_threads_neither_block_for_ever_nor_lose_anything(store: Store, notebook: Notebook) -> None:
    def write() -> None:
        for _ in range(10):
            with store.writing() as tx:
                branches.lock(tx, notebook.branch)
                notebook.add_version(tx)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.reading() as tx:
        assert versions.last_number(tx, notebook.branch) == 41


def test_a_server_and_a_visitor_write_side_by_side(settings: Settings) -> None:
    server, visitor = Store.open(settings), Store.visit(settings)
    notebook = Notebook(server)

    def write(store: Store) -> None:
        for _ in range(10):
            with store.writing() as tx:
                branches.lock(tx, notebook.branch)
                notebook.add_version(tx)

    thread = threading.Thread(target=write, args=(visitor,))
    thread.start()
    write(server)
    thread.join()
    with server.reading() as tx:
        assert versions.last_number(tx, notebook.branch) == 21
    visitor.close()
    server.close()


def test_inserting_the_same_thing_twice_is_a_conflict(store: Store, notebook: Notebook) -> None:
    with store.reading() as tx:
        project = projects.get(tx, notebook.project)
    with pytest.raises(Conflict), store.writing() as tx:
        projects.insert(tx, project)


@pytest.mark.parametrize("id", ["\ud800", "nul\0", "x" * 5000, "../..", "'; DROP TABLE projects; --"])
def test_no_id_from_outside_gets_past_a_typed_error(store: Store, id: str) -> None:
    with pytest.raises((Invalid, NotFound)), store.reading() as tx:
        projects.get(tx, ProjectId(id))


def test_a_database_of_another_directory_is_refused(postgres_settings: Settings, tmp_path: Path) -> None:
    Store.open(postgres_settings).close()
    with pytest.raises(StoreError, match=r"store\.id"):
        Store.open(replace(postgres_settings, data=tmp_path / "elsewhere"))


def test_an_unreachable_database_is_named_without_its_password(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data", database="postgresql://ada:secret@127.0.0.1:1/rivers")
    with pytest.raises(StoreError, match="rivers") as error:
        Store.open(settings)
    assert "secret" not in error.value.message


@pytest.mark.parametrize("url", ["mysql://host/db", "nonsense"])
def test_a_database_of_an_unknown_kind_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(BadSetting, match="postgresql://"):
        database_url(Settings(data=tmp_path, database=url))


def test_a_file_that_is_no_database_is_called_damaged(sqlite_settings: Settings) -> None:
    Store.open(sqlite_settings).close()
    (sqlite_settings.data / "trailbook.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreDamaged, match=r"trailbook\.db"):
        Store.open(sqlite_settings)


def test_a_data_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(StoreError, match="data"):
        Store.open(Settings(data=tmp_path / "data"))


def test_a_full_database_is_told_and_loses_nothing(sqlite_settings: Settings) -> None:
    store = Store.open(sqlite_settings)
    with store.writing() as tx:
        ada = persons.local_person(tx, "Ada")
        tx.execute(text("PRAGMA max_page_count = 60"))
    with pytest.raises(StoreFull), store.writing() as tx:
        persons.local_person(tx, "B" * 1_000_000)
    with store.reading() as tx:
        assert persons.get(tx, ada.id) == ada
        assert tx.execute(text("PRAGMA integrity_check")).scalar() == "ok"
    store.close()


def test_branches_lock_lets_one_writer_through_at_a_time(store: Store, notebook: Notebook) -> None:
    order: list[str] = []
    inside = threading.Event()

    def second() -> None:
        inside.wait()
        with store.writing() as tx:
            branches.lock(tx, notebook.branch)
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with store.writing() as tx:
        branches.lock(tx, notebook.branch)
        inside.set()
        notebook.add_version(tx)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
