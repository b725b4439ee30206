"""How PostgreSQL is reached, to read and to write, and what it says if that fails."""

from __future__ import annotations

import re
from typing import Any

import psycopg

from trailbook.sources.addresses import CONNECT_SECONDS, connect
from trailbook.sources.databases.connections import Connection

PORT = 5432
STRANGER = "trailbook"
"""Who asks a database that a cell names by a URL without a user."""
_NOTHING_OF_OURS = {"require_auth": "none", "sslcertmode": "disable", "gssencmode": "disable", "options": ""}
"""What keeps passwords, certificates, tickets and options of whoever runs the server from hosts that others name: the
library would find them in its files and variables."""
_FAILED = re.compile(r"connection to server .*? failed: (?:FATAL:\s+)?(.+)")
_PROOF = "authentication method requirement"


def arguments(connection: Connection, *, allow_private: bool) -> dict[str, Any]:
    """How to connect: to the address that was looked at, whatever the name stands for a moment later."""
    url = connection.parsed
    options = url.translate_connect_args(username="user", database="dbname") | dict(url.query)
    options |= {"client_encoding": "utf8", "application_name": "trailbook"}
    options.setdefault("connect_timeout", int(CONNECT_SECONDS))
    if connection.is_owners:
        return options
    port = url.port or PORT
    with connect(url.host or "", port, allow_private=allow_private) as found:
        reached = {"hostaddr": found.getpeername()[0], "port": port}
    user = url.username or STRANGER
    return {**options, "user": user, "dbname": url.database or user, **reached, **_NOTHING_OF_OURS}


def said(error: psycopg.Error, connection: Connection) -> str:
    """In a sentence; where the databases of the owner are is not told."""
    text = error.diag.message_primary or " ".join(str(error).split())
    if failed := _FAILED.search(str(error)):
        text = f"the connection failed: {failed[1]}"
    if _PROOF in text and not connection.is_owners:
        return "it asks for a password, and only databases that the setting databases names can have one."
    return text.rstrip(".") + "."
