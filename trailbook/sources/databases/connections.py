"""Which database is meant: one that the settings name, or one at a URL that holds no secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from trailbook.errors import AddressRefused, CellFailed

HARMLESS = frozenset({"sslmode"})
"""What a URL in a cell may say beside where the database is; by other ways, files of this machine could be read."""

RECORDED = (
    "The URL of a database has a password in it, and cells are recorded."
    " Give it a name in the setting databases, and write that name."
)
_PASSWORDS = frozenset({"password", "sslpassword"})


class System(StrEnum):
    """How a database is asked."""

    POSTGRESQL = "postgresql"
    SQLITE = "sqlite"
    JDBC = "jdbc"


@dataclass(frozen=True)
class Connection:
    """A database, and what it is called in records. One `is_owners` if the settings name it."""

    name: str
    url: str = field(repr=False)
    is_owners: bool = False

    @property
    def system(self) -> System:
        scheme = self.url.partition(":")[0].lower().removesuffix("+psycopg")
        if scheme not in list(System):
            raise AddressRefused(
                f"{scheme}: is no database that is known: write postgresql://host/database or sqlite:///path,"
                " or name one in the setting databases, where it may also be jdbc:…."
            )
        return System(scheme)

    @property
    def parsed(self) -> URL:
        """Of one that is not JDBC's."""
        return _parsed(self.url)

    @property
    def file(self) -> str:
        """Where one of SQLite's is."""
        return str(Path(self.parsed.database or "").expanduser())

    @property
    def host(self) -> str:
        """Who is asked; in records, one of the owner's is called by its name."""
        return self.name if self.is_owners or self.system is not System.POSTGRESQL else str(self.parsed.host)


def connection_to(given: str, databases: Mapping[str, str]) -> Connection:
    """The database of that name, or at that URL."""
    if given in databases:
        return Connection(given, databases[given], is_owners=True)
    if ":" not in given:
        known = ", ".join(sorted(databases)) or "none"
        raise CellFailed(f"There is no database called {given}. The setting databases names: {known}.")
    if has_password(given):
        raise AddressRefused(RECORDED)
    _require_harmless(given)
    return Connection(given, given)


def connection_of_program(given: str, databases: Mapping[str, str]) -> Connection:
    """The same for a program, which may ask whom it likes, and give passwords."""
    if given in databases:
        return connection_to(given, databases)
    place = given.rpartition("@")[2].rpartition("://")[2].partition("?")[0]
    return Connection(f"at {place}", given, is_owners=True)


def has_password(given: str) -> bool:
    """Whether there is a password in what names a database, or something that looks like one."""
    if given.lower().startswith("jdbc:"):
        return "@" in given or "password" in given.lower()
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        return False
    return url.password is not None or bool(_PASSWORDS & {name.lower() for name in url.query})


def _require_harmless(given: str) -> None:
    if given.lower().startswith("jdbc:"):
        raise AddressRefused("A jdbc: URL can't be used in a cell: give it a name in the setting databases.")
    connection = Connection("", given)
    url = connection.parsed
    if refused := sorted(set(url.query) - HARMLESS):
        raise AddressRefused(f"The URL of a database may not say {', '.join(refused)} in a cell.")
    if connection.system is System.POSTGRESQL and not url.host:
        raise AddressRefused("The URL of the database names no host: write postgresql://host/database.")


def _parsed(text: str) -> URL:
    try:
        return make_url(text)
    except (ArgumentError, ValueError) as error:
        # Not what was given: there may be a password in it.
        raise AddressRefused("This is no URL of a database: write postgresql://user@host/database.") from error
