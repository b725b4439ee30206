"""Why something is in doubt."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator
from typing import Annotated

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from trailbook.errors import TrailbookError
from trailbook.model.base import Digest, Value
from trailbook.model.notebook import VersionRef
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import LARGEST, BranchPath, NumberPath
from trailbook.workflow.caveat_sets import Asked
from trailbook.workflow.explanation import Explanation, Failed, Saying
from trailbook.workflow.members import Member

router = APIRouter(prefix="/branches/{branch}/versions/{number}/caveats", tags=["caveats"], responses=documented(409))

LINES = "application/x-ndjson"
log = logging.getLogger(__name__)


class Lines(StreamingResponse):
    """Values of JSON, a line each. Whoever makes them stops when nobody listens any more."""

    def __init__(self, lines: Generator[str, None, None]) -> None:
        super().__init__(lines, media_type=LINES)
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            # Left to the garbage collector, sessions of Spark would be closed late, or when Python can't any more.
            await run_in_threadpool(self._lines.close)


class MembersRequest(Asked):
    """A page of the members of a caveat set that is behind what is asked about."""

    set: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    offset: Annotated[int, Field(ge=0, le=LARGEST)] = 0
    limit: Annotated[int, Field(ge=1, le=1000)] = 50


class Members(Value):
    members: list[Member]


@router.post(
    "",
    response_class=StreamingResponse,
    responses={200: {"content": {LINES: {"schema": {"$ref": "#/components/schemas/Saying"}}}}},
)
def explain(
    branch: BranchPath, number: NumberPath, body: Asked, bench: Bench, person: CurrentPerson
) -> StreamingResponse:
    """The caveat sets behind a value, row, column, dataset, or behind rows that may be missing, as lines of JSON.

    First `candidates`, found without reading data; then a `set` for each as its members become known, with a count of 0
    if it has no part in it; then `end`, or `error` if the rest can't be told. Candidates may come a second time, wider,
    if none of the first had members.
    """
    explanation = bench.explanation(VersionRef(branch=branch, number=number), body)
    return Lines(saying.model_dump_json() + "\n" for saying in _sayings(explanation))


@router.post("/members")
def list_members(
    branch: BranchPath, number: NumberPath, body: MembersRequest, bench: Bench, person: CurrentPerson
) -> Members:
    """Some caveats of a set, in an order that is always the same."""
    explanation = bench.explanation(VersionRef(branch=branch, number=number), body)
    return Members(members=explanation.members(Digest(body.set), body.offset, body.limit))


def _sayings(explanation: Explanation) -> Iterator[Saying]:
    """What goes wrong after the answer has begun can only be told in it."""
    try:
        yield from explanation.sayings()
    except TrailbookError as error:
        yield Failed(code=error.code, message=error.message)
    except Exception:
        log.exception("an explanation failed in a way nobody foresaw")
        yield Failed(code="internal", message="The reasons could not be found: a bug in Trailbook.")
