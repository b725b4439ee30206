"""How PostgreSQL is reached, to read and to write, and what it says if that fails."""

from __future__ import annotations

import os
import re
from typing import Any

import psycopg

from trailbook.sources.addresses import CONNECT_SECONDS, connect
from trailbook.sources.databases.connections import Connection

PORT = 5432
NO_PASSWORD = "none"
_FAILED = re.compile(r"connection to server .*? failed: (?:FATAL:\s+)?(.+)")
_PASSWORD = "password authentication failed"


def arguments(connection: Connection, *, allow_private: bool) -> dict[str, Any]:
    """How to connect: to the address that was looked at, whatever the name stands for a moment later."""
    url = connection.parsed
    options = url.translate_connect_args(username="user", database="dbname") | dict(url.query)
    options |= {"client_encoding": "utf8", "application_name": "trailbook"}
    options.setdefault("connect_timeout", int(CONNECT_SECONDS))
    if connection.is_owners:
        return options
    # Passwords of whoever runs the server are not for databases that somebody names in a cell: where there is none,
    # PGPASSWORD would be looked up.
    options |= {"passfile": os.devnull, "password": NO_PASSWORD}
    with connect(url.host or "", url.port or PORT, allow_private=allow_private) as found:
        return {**options, "hostaddr": found.getpeername()[0]}


def said(error: psycopg.Error, connection: Connection) -> str:
    """In a sentence; where the databases of the owner are is not told."""
    text = error.diag.message_primary or " ".join(str(error).split())
    if failed := _FAILED.search(str(error)):
        text = f"the connection failed: {failed[1]}"
    if _PASSWORD in text and not connection.is_owners:
        return "it asks for a password, and only databases that the setting databases names can have one."
    return text.rstrip(".") + "."
