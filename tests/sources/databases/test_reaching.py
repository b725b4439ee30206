"""A database that somebody names in a cell learns nothing of who runs the server."""

from __future__ import annotations

import shutil
import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from trailbook.sources.databases.connections import Connection, connection_to
from trailbook.sources.databases.reaching import arguments

CERTIFICATE = Path(__file__).parent.parent / "data_invalid.pem"
CLEARTEXT, TICKET = 3, 7
"""What a server may ask for, by PostgreSQL's numbers."""


class Hostile:
    """Says that it is a PostgreSQL, asks for a proof of who is there, and keeps what it is given."""

    def __init__(self, asks_for: int) -> None:
        self.was_told: dict[str, str] = {}
        self.certificate: bytes | None = None
        self.proof = b""
        self._asks_for = asks_for
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.close()
        self._thread.join()

    def _serve(self) -> None:
        # The first connection is the look at what the name stands for.
        self._server.accept()[0].close()
        with self._server.accept()[0] as plain:
            plain.recv(8)
            plain.sendall(b"S")
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            context.load_verify_locations(CERTIFICATE)
            context.verify_mode = ssl.CERT_OPTIONAL
            with context.wrap_socket(plain, server_side=True) as talk:
                self._talk(talk)

    def _talk(self, talk: ssl.SSLSocket) -> None:
        (length,) = struct.unpack("!I", talk.recv(4))
        names_and_values = talk.recv(length - 4)[4:].decode().split("\0")
        self.was_told = dict(zip(names_and_values[::2], names_and_values[1::2], strict=False))
        self.was_told.pop("", None)
        self.certificate = talk.getpeercert(binary_form=True)
        talk.sendall(struct.pack("!cII", b"R", 8, self._asks_for))
        self.proof = talk.recv(1000)


@pytest.fixture(params=[CLEARTEXT, TICKET], ids=["password", "ticket"])
def hostile(request: pytest.FixtureRequest) -> Iterator[Hostile]:
    server = Hostile(request.param)
    yield server
    server.close()


@pytest.fixture(autouse=True)
def whoever_runs_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody with a password, a certificate and preferences of their own."""
    (tmp_path / ".postgresql").mkdir()
    for name in ("postgresql.crt", "postgresql.key"):
        shutil.copy(CERTIFICATE, tmp_path / ".postgresql" / name)
        (tmp_path / ".postgresql" / name).chmod(0o600)
    (tmp_path / "passes").write_text("*:*:*:*:secret\n")
    (tmp_path / "passes").chmod(0o600)
    (tmp_path / "services").write_text("[ours]\npassword=secret\noptions=-csearch_path=secret\n")
    for name, value in {
        "HOME": tmp_path,
        "PGUSER": "secret",
        "PGDATABASE": "secret",
        "PGPASSWORD": "secret",
        "PGPASSFILE": tmp_path / "passes",
        "PGOPTIONS": "-csearch_path=secret",
        "PGSERVICEFILE": tmp_path / "services",
        "PGSERVICE": "ours",
        "PGPORT": "1",
        "PGHOSTADDR": "127.0.0.2",
    }.items():
        monkeypatch.setenv(name, str(value))


@pytest.mark.parametrize("user", ["", "ann@"], ids=["nobody", "ann"])
def test_a_host_that_a_cell_names_gets_nothing_of_the_servers_user(hostile: Hostile, user: str) -> None:
    connection = connection_to(f"postgresql://{user}127.0.0.1:{hostile.port}?sslmode=require", {})
    with pytest.raises(psycopg.OperationalError, match='requirement "none" failed'):
        psycopg.connect(**arguments(connection, allow_private=True))
    hostile.close()
    name = user.rstrip("@") or "trailbook"
    known = {"user": name, "database": name, "application_name": "trailbook", "client_encoding": "utf8"}
    assert hostile.was_told == known
    assert (hostile.certificate, hostile.proof) == (None, b"")


def test_a_database_of_the_settings_gets_what_its_owner_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PGHOSTADDR")
    hostile = Hostile(CLEARTEXT)
    socket.create_connection(("127.0.0.1", hostile.port)).close()
    connection = Connection("ours", f"postgresql://127.0.0.1:{hostile.port}", is_owners=True)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(**arguments(connection, allow_private=True))
    hostile.close()
    assert (hostile.was_told["user"], hostile.was_told["options"]) == ("secret", "-csearch_path=secret")
    assert hostile.certificate
    assert b"secret" in hostile.proof
