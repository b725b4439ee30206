"""How the server stands, and signing in."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

import trailbook
from trailbook.cells.kind import KINDS
from trailbook.engine import EngineStatus
from trailbook.model.base import Value
from trailbook.model.notebook import Person
from trailbook.server.access import Bench, CurrentPerson, access_of, refuse_foreign
from trailbook.server.errors import documented

router = APIRouter(tags=["server"], responses=documented())


class KindInfo(Value):
    """A kind of cell, with the JSON schema of its parameters."""

    kind: str
    title: str
    parameters: dict[str, Any]


class Status(Value):
    version: str
    person: Person
    engine: EngineStatus
    kinds: tuple[KindInfo, ...]


class SignIn(Value):
    """The token, or the password where one is set."""

    secret: Annotated[str, Field(min_length=1, max_length=1000)]


@router.get("/status")
def get_status(bench: Bench, person: CurrentPerson) -> Status:
    """The version, who you are, how Spark stands, and the kinds of cells there are."""
    kinds = tuple(KindInfo(kind=name, title=kind.title, parameters=kind.model_json_schema()) for name, kind in KINDS)
    return Status(version=trailbook.__version__, person=person, engine=bench.engine.status, kinds=kinds)


@router.post("/sign-in")
def sign_in(body: SignIn, request: Request, response: Response) -> Person:
    """Exchange the token or password for a cookie."""
    refuse_foreign(request)
    return access_of(request).sign_in(body.secret, request, response)
