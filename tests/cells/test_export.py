"""An Export cell writes a dataset out: all of it or nothing, where that is allowed, and says what it did."""

from __future__ import annotations

import os
import socket
import struct
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pyarrow.parquet as pq
import pytest
from psycopg import sql

from tests.cells.conftest import Desk
from tests.sources.test_s3 import bucket, endpoint
from trailbook.cells.context import RunContext
from trailbook.cells.kind import parse
from trailbook.errors import (
    AddressRefused,
    CellCancelled,
    CellFailed,
    Invalid,
    NameTaken,
    NotExported,
    PathRefused,
    TrailbookError,
)
from trailbook.model.notebook import Spec
from trailbook.model.runs import NoteMessage, Progress
from trailbook.settings import SANDBOX
from trailbook.sinks.outgoing import MOST_ROWS
from trailbook.store.outside import file_digest

__all__ = ["bucket", "endpoint"]


@pytest.fixture
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("out")


@pytest.fixture
def desk(desk: Desk, out: Path) -> Desk:
    desk.settings = replace(desk.settings, export_folders=(out,))
    return desk


def export(desk: Desk, target: Path | str = "", context: RunContext | None = None, **parameters: Any) -> RunContext:
    context = context or desk.context(sales=desk.dataset(a=[1, 2], t=["=1+1", None]))
    desk.run(context, "export", dataset="sales", target=str(target), **parameters)
    return context


def notes(desk: Desk) -> list[str]:
    return [message.text for message in desk.said if isinstance(message, NoteMessage)]


def test_a_file_is_written_and_told_of(desk: Desk, out: Path) -> None:
    context = export(desk, out / "sales.csv", options={"delimiter": ";"})
    path = out / "sales.csv"
    assert path.read_text() == "a;t\n1;'=1+1\n2;\n"
    assert notes(desk) == [
        f"2 rows are in {path}.",
        "Texts of t that start like a formula (1) have an apostrophe before them in the file.",
    ]
    assert context.outside.files_written == (str(path),)
    assert context.outside.digests == {str(path): file_digest(str(path))}
    assert (context.writes, list(context.reads)) == ({}, ["sales"])


def test_what_is_in_doubt_is_marked_and_a_report_goes_beside(desk: Desk, out: Path) -> None:
    made = desk.context()
    desk.run(made, "sql", query="SELECT id, caveat_if(id, id = 1, 'odd') AS x FROM range(2)", name="sales")
    context = export(desk, out / "sales.parquet", desk.context(sales=made.writes["sales"]))
    assert pq.read_table(out / "sales.parquet").to_pylist()[1] == {"id": 1, "x": 1, "x_in_doubt": True}
    assert "1 of 2 values" in (out / "sales.parquet.caveats.md").read_text()
    assert context.outside.files_written == (str(out / "sales.parquet"), str(out / "sales.parquet.caveats.md"))
    assert notes(desk)[-1] == "Beside it, sales.parquet.caveats.md says what of it is in doubt, and why."
    export(desk, out / "bare.csv", desk.context(sales=made.writes["sales"]), report=False, options={"marks": "none"})
    assert (out / "bare.csv").read_text() == "id,x\n0,0\n1,1\n"
    assert not (out / "bare.csv.caveats.md").exists()


@pytest.mark.parametrize(
    ("target", "error"),
    [
        ("/etc/sales.csv", PathRefused),
        ("{out}/../sales.csv", PathRefused),
        ("{out}/link/sales.csv", PathRefused),
        ("{out}/.hidden.csv", PathRefused),
        ("{data}/artifacts/sales.csv", PathRefused),
        ("{out}/taken.csv", NameTaken),
        ("{out}/sales.unknown", Invalid),
        ("http://example.org/sales.csv", AddressRefused),
        ("s3://bucket", AddressRefused),
    ],
)
def test_other_places_are_refused(desk: Desk, out: Path, tmp_path: Path, target: str, error: type[Exception]) -> None:
    (out / "link").symlink_to("/tmp")
    (out / "taken.csv").write_text("mine")
    with pytest.raises(error):
        export(desk, target.format(out=out, data=tmp_path))
    assert sorted(os.listdir(out)) == ["link", "taken.csv"]
    assert (out / "taken.csv").read_text() == "mine"


def test_a_file_is_replaced_if_that_is_wanted(desk: Desk, out: Path) -> None:
    (out / "sales.csv").write_text("old")
    export(desk, out / "sales.csv", replace=True)
    assert (out / "sales.csv").read_text().startswith("a,t")


def test_folders_are_written_to_unless_cells_are_isolated(desk: Desk, out: Path) -> None:
    desk.settings = replace(desk.settings, folders=(out,), export_folders=())
    export(desk, out / "sales.csv")
    desk.settings = replace(desk.settings, isolation=SANDBOX)
    with pytest.raises(PathRefused, match=r"may be written to \(none\)"):
        export(desk, out / "again.csv")
    with pytest.raises(AddressRefused, match="setting fetch"):
        export(desk, "s3://data/sales.csv")


def test_an_export_that_is_cancelled_half_way_leaves_what_was_there(desk: Desk, out: Path) -> None:
    (out / "sales.csv").write_text("old")
    context = desk.context(sales=desk.dataset(a=list(range(3 * MOST_ROWS))))
    told: list[int] = []

    def on_progress(progress: Progress) -> None:
        told.append(progress.done)
        if progress.done:
            context.cancel()

    context.progress = on_progress
    with pytest.raises(CellCancelled):
        export(desk, out / "sales.csv", context, replace=True)
    assert told == [0, MOST_ROWS]
    assert os.listdir(out) == ["sales.csv"]
    assert (out / "sales.csv").read_text() == "old"


def test_a_dataset_that_is_not_there_is_told(desk: Desk, out: Path) -> None:
    with pytest.raises(CellFailed, match="There is no dataset sales above this cell"):
        export(desk, out / "sales.csv", desk.context())


def test_a_cell_without_a_place_to_write_to_does_nothing_yet() -> None:
    assert parse(Spec(kind="export", parameters={"dataset": "sales"})).is_inert()
    assert not parse(Spec(kind="export", parameters={"dataset": "sales", "database": "d"})).is_inert()


def test_a_file_on_s3_is_written(desk: Desk, bucket: str) -> None:
    context = export(desk, f"{bucket}/made/sales.jsonl")
    assert context.outside.network == ("s3://data",)
    assert notes(desk)[0] == f"2 rows are in {bucket}/made/sales.jsonl."
    with pytest.raises(NameTaken):
        export(desk, f"{bucket}/made/sales.jsonl")


class Listener:
    """Asks whoever comes for a password, as PostgreSQL does, and keeps what was said."""

    def __init__(self) -> None:
        self.asked = False
        self.said = b""
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> Listener:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._thread.join(timeout=10)
        self._socket.close()

    def _listen(self) -> None:
        # The first guest only looks whether there is anybody.
        while not self.asked:
            with self._socket.accept()[0] as guest:
                self.asked = bool(guest.recv(10_000))
                if self.asked:
                    guest.sendall(b"R" + struct.pack(">ii", 8, 3))
                    self.said = guest.recv(10_000)


def rows(database: str, *table: str) -> list[Any]:
    with psycopg.connect(database) as connection:
        return connection.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(*table))).fetchall()


def test_a_table_of_a_database_that_the_settings_name(desk: Desk, database: str) -> None:
    desk.settings = replace(desk.settings, databases={"shop": database})
    name = "sales; DROP TABLE x; --"
    export(desk, database="shop", table=name)
    assert rows(database, name) == [(1, "=1+1"), (2, None)]
    assert notes(desk) == [f"2 rows are in the table {name} of shop."]
    with pytest.raises(NameTaken):
        export(desk, database="shop", table=name)
    export(desk, database="shop", table=name, replace=True)
    export(desk, database="shop", table=name, options={"if_exists": "append"})
    assert len(rows(database, name)) == 4
    export(desk, database="shop", table='public."sold. today"')
    assert len(rows(database, "public", "sold. today")) == 2


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"database": "nowhere", "table": "t"}, "no database called nowhere"),
        ({"database": "shop"}, "say which"),
        ({"database": "shop", "table": 'a"b'}, "is no name of a table"),
        ({"database": "shop", "table": "a.b.c"}, r"a\.b\.c has too many parts"),
        ({"database": "shop", "table": "t", "target": "/tmp/t.csv"}, "two places"),
        ({"database": "postgresql://me:secret@example.org/d", "table": "t"}, "has a password in it"),
        ({"database": "postgresql://127.0.0.1/d", "table": "t"}, "this machine"),
        ({"database": "shop", "table": "t", "options": {"marks": "few"}}, "marks"),
        ({"database": "file", "table": "t"}, "file can't be written to: only those of PostgreSQL can"),
    ],
)
def test_other_databases_are_refused(desk: Desk, database: str, parameters: Any, told: str) -> None:
    desk.settings = replace(desk.settings, databases={"shop": database, "file": "sqlite:////tmp/x.db"})
    with pytest.raises(TrailbookError, match=told):
        export(desk, **parameters)


def test_the_servers_own_password_is_not_for_databases_that_cells_name(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Listener() as listener:
        monkeypatch.setenv("PGPASSWORD", "the-servers-own")
        desk.settings = replace(desk.settings, fetch="any")
        with pytest.raises(NotExported):
            export(desk, database=f"postgresql://me@127.0.0.1:{listener.port}/d?sslmode=disable", table="t")
    assert (listener.asked, listener.said) == (True, b"")
