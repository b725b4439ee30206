"""Who gets in: a token, once in the URL or in a header, then a cookie that scripts can't read."""

from __future__ import annotations

import hmac
import secrets
from typing import Annotated

from fastapi import Depends, Request, Response, WebSocket
from starlette.requests import HTTPConnection

from trailbook.errors import ForeignOrigin, NotAllowed
from trailbook.model.base import PersonId
from trailbook.model.notebook import Person
from trailbook.settings import Settings
from trailbook.store import persons
from trailbook.store.failures import disk_failures_told
from trailbook.workflow.workbench import Workbench

COOKIE_DAYS = 90
SERVER_TOKEN = "server"
SESSION_TOKEN = "browser"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Access:
    """Checks requests against the tokens in the store."""

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.settings: Settings = workbench.settings
        self.token = self._kept_token() if self.settings.auth == "token" else ""
        self._let_in_only(self.token)

    def person(self, connection: HTTPConnection) -> Person:
        """The person this request comes from, or an error that says how to get in."""
        if self.settings.auth == "none":
            return self.workbench.person
        person = self._known(_bearer(connection) or _cookie(connection))
        if person is None:
            raise NotAllowed("Not signed in. Open the URL that the server printed at its start, or send its token.")
        return person

    def sign_in(self, secret: str, connection: HTTPConnection, response: Response) -> Person:
        """Exchange a token or the password for a cookie of its own."""
        person = self._person_with(secret)
        if self.settings.auth == "none":
            # A cookie from a server that lets everybody in must not open one that does not.
            return person
        session = secrets.token_urlsafe(32)
        with self.workbench.store.writing() as tx:
            persons.add_token(tx, person.id, session, SESSION_TOKEN)
        response.set_cookie(
            cookie_name(connection),
            session,
            max_age=COOKIE_DAYS * 86400,
            httponly=True,
            samesite="strict",
            secure=connection.url.scheme == "https",
        )
        return person

    def _person_with(self, secret: str) -> Person:
        if self.settings.auth == "none":
            return self.workbench.person
        if self.settings.auth == "password":
            given, right = map(persons.hash_of_token, (secret, self.settings.password))
            if hmac.compare_digest(given, right):
                return self.workbench.person
            raise NotAllowed("That is not the password.")
        person = self._known(secret)
        if person is None:
            raise NotAllowed("That token is not known here. The server prints the right URL at its start.")
        return person

    def _known(self, token: str | None) -> Person | None:
        if not token:
            return None
        with self.workbench.store.reading() as tx:
            return persons.person_of_token(tx, token)

    def _kept_token(self) -> str:
        """The token in the printed URL: set, or made once and kept in the data directory."""
        path = self.settings.data / "token"
        with disk_failures_told(str(path)):
            kept = path.read_text("utf-8").strip() if path.exists() else ""
            token = self.settings.token or kept or secrets.token_urlsafe(24)
            path.touch(mode=0o600)
            path.write_text(token + "\n", "utf-8")
        return token

    def _let_in_only(self, token: str) -> None:
        """A new token ends what the one before let in; without one, cookies end with the server that gave them."""
        person = self.workbench.person.id
        with self.workbench.store.writing() as tx:
            issued = [known for known in persons.tokens_of(tx, person) if known.label in (SERVER_TOKEN, SESSION_TOKEN)]
            valid = {known.hash for known in issued if known.label == SERVER_TOKEN and known.revoked is None}
            if token and valid == {persons.hash_of_token(token)}:
                return
            for known in issued:
                persons.revoke_token(tx, known.hash)
            if token:
                persons.add_token(tx, person, token, SERVER_TOKEN)


def _bearer(connection: HTTPConnection) -> str | None:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" else None


def _cookie(connection: HTTPConnection) -> str | None:
    return connection.cookies.get(cookie_name(connection))


def cookie_name(connection: HTTPConnection) -> str:
    """Cookies don't know ports: two servers on one machine must not overwrite each other's."""
    return f"trailbook_{connection.url.port or 80}"


def refuse_foreign(connection: HTTPConnection) -> None:
    """Other sites may not act in the name of whoever has this one open."""
    origin = connection.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != connection.headers.get("host"):
        raise ForeignOrigin(f"Requests from {origin} are refused: it is not this server.")
    # Browsers name the origin of every such request. One that comes with a cookie and no origin could be from
    # anywhere; programs, which need not name one, send a token in a header, as no other site can make a browser do.
    if origin is None and _bearer(connection) is None and _cookie(connection):
        raise ForeignOrigin("A request with a cookie needs an Origin header. Programs send `Authorization: Bearer …`.")


def workbench_of(connection: HTTPConnection) -> Workbench:
    workbench: Workbench = connection.app.state.workbench
    return workbench


def access_of(connection: HTTPConnection) -> Access:
    access: Access = connection.app.state.access
    return access


def _guard(request: Request) -> Person:
    if request.method not in SAFE_METHODS:
        refuse_foreign(request)
    return access_of(request).person(request)


def guard_socket(socket: WebSocket) -> PersonId:
    refuse_foreign(socket)
    return access_of(socket).person(socket).id


Bench = Annotated[Workbench, Depends(workbench_of)]
CurrentPerson = Annotated[Person, Depends(_guard)]
