"""Databases are those that the settings name, or at URLs that hold no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from trailbook.errors import AddressRefused, CellFailed
from trailbook.sources.databases.connections import System, connection_to

NAMED = {
    "sales": "postgresql://ann:secret@10.0.0.1/sales?options=-cwork_mem%3D1GB",
    "old": "jdbc:oracle:thin:ann/secret@//host/x",
}


def test_a_name_of_the_settings_is_the_owners_and_shows_no_secret() -> None:
    connection = connection_to("sales", NAMED)
    assert (connection.name, connection.is_owners, connection.system) == ("sales", True, System.POSTGRESQL)
    assert connection.host == "sales"
    assert "secret" not in repr(connection)
    assert connection_to("old", NAMED).system is System.JDBC


def test_a_url_without_a_secret_needs_no_name() -> None:
    connection = connection_to("postgresql+psycopg://ann@db.example.org:5433/sales?sslmode=require", {})
    assert (connection.host, connection.is_owners) == ("db.example.org", False)
    assert connection_to("sqlite:////data/a.db", {}).file == "/data/a.db"
    assert connection_to("sqlite:///~/a.db", {}).file == str(Path.home() / "a.db")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("postgresql://ann:secret@host/x", "has a password in it, and cells are recorded"),
        ("postgresql://ann:@host/x", "has a password in it"),
        ("postgresql://host/x?password=secret", "has a password in it"),
        ("postgresql://host/x?passfile=/x/.pgpass", "may not say passfile"),
        ("postgresql://host/x?host=/tmp&service=a", "may not say host, service"),
        ("postgresql:///x", "names no host"),
        ("jdbc:postgresql://host/x?password=secret", "has a password in it"),
        ("jdbc:oracle:thin:ann/secret@//host/x", "has a password in it"),
        ("jdbc:postgresql://host/x", "A jdbc: URL can't be used in a cell"),
        ("mysql://ann@host/x", "mysql: is no database that is known"),
        ("file:///etc/passwd", "file: is no database"),
        ("postgresql://ann@host:port/x", "This is no URL of a database"),
        ("postgresql:x", "This is no URL of a database"),
    ],
)
def test_urls_that_are_not_for_cells_are_refused_without_their_secrets(given: str, said: str) -> None:
    with pytest.raises(AddressRefused, match=said) as refused:
        connection_to(given, {})
    assert "secret" not in refused.value.message


def test_an_unknown_name_is_told_with_those_that_are_known() -> None:
    with pytest.raises(CellFailed, match=r"no database called sails\. The setting databases names: old, sales"):
        connection_to("sails", NAMED)
