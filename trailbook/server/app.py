"""The application: routes, errors, headers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

import trailbook
from trailbook.errors import TooLarge
from trailbook.server import static
from trailbook.server.access import Access
from trailbook.server.errors import add_error_handlers, error_response
from trailbook.server.routes import artifacts, branches, changes, files, projects, runs, status, versions
from trailbook.workflow.events import Event
from trailbook.workflow.workbench import Workbench

API = "/api/v1"
LARGEST_BODY = 64 * 1024 * 1024
CONTENT_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "frame-src 'self' blob: data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def build_app() -> FastAPI:
    """The application without anything to serve yet."""
    app = FastAPI(
        title="Trailbook",
        version=trailbook.__version__,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        separate_input_output_schemas=False,
    )
    app.openapi = lambda: _schema(app)  # type: ignore[method-assign]
    add_error_handlers(app)
    app.middleware("http")(_guard_response)
    api = APIRouter(prefix=API)
    for part in (status, projects, branches, versions, runs, artifacts, files, changes):
        api.include_router(part.router)
    app.include_router(api)
    app.include_router(static.router)
    return app


def create_app(workbench: Workbench) -> FastAPI:
    """The application over an open workbench."""
    app = build_app()
    app.state.workbench = workbench
    app.state.access = Access(workbench)
    return app


async def _guard_response(request: Request, call: Callable[[Request], Awaitable[Response]]) -> Response:
    """Security headers on every answer; no body that is not an upload may be huge."""
    length = request.headers.get("content-length", "0")
    is_upload = request.url.path.endswith("/files")
    if not is_upload and (not length.isdigit() or int(length) > LARGEST_BODY):
        return error_response(TooLarge(f"A request may have {LARGEST_BODY} bytes; files are uploaded to …/files."))
    response = await call(request)
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _schema(app: FastAPI) -> dict[str, Any]:
    """OpenAPI, with the messages of the WebSocket beside the operations, for clients that generate types."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
        events = TypeAdapter(Event).json_schema(ref_template="#/components/schemas/{model}")
        components = schema["components"]["schemas"]
        for name, definition in events.pop("$defs").items():
            components.setdefault(name, definition)
        components["Event"] = events
        app.openapi_schema = schema
    return app.openapi_schema
