"""A PostgreSQL that is reached over TCP, as those of other machines are."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from psycopg import conninfo

PASSWORD = "s3cret/: @x"


@contextmanager
def over_tcp(url: str) -> Iterator[int]:
    """The port at which the database answers that listens at a socket of this machine."""
    place = str(Path(str(conninfo.conninfo_to_dict(url)["host"])) / ".s.PGSQL.5432")
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_serve, args=(server, place), daemon=True).start()
        yield server.getsockname()[1]


def _serve(server: socket.socket, place: str) -> None:
    with suppress(OSError):
        while True:
            client, _ = server.accept()
            database = socket.socket(socket.AF_UNIX)
            database.connect(place)
            for one, other in ((client, database), (database, client)):
                threading.Thread(target=_pass_on, args=(one, other), daemon=True).start()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while piece := one.recv(65536):
            other.sendall(piece)
    for end in (one, other):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def with_password(url: str, person: str) -> None:
    """Make somebody who has to give the password."""
    with psycopg.connect(url, autocommit=True) as connection:
        (place,) = connection.execute("SHOW hba_file").fetchone() or ("",)
        rules = Path(place).read_text("utf-8")
        if person not in rules:
            Path(place).write_text(f"local all {person} scram-sha-256\n{rules}", "utf-8")
            connection.execute("SELECT pg_reload_conf()")
        connection.execute(f"DROP ROLE IF EXISTS {person}".encode())
        connection.execute(f"CREATE ROLE {person} LOGIN PASSWORD '{PASSWORD}' IN ROLE pg_read_all_data".encode())
