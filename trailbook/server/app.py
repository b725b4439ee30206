"""The application: its routes, and their description."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

import trailbook
from trailbook.server import static
from trailbook.server.access import Access
from trailbook.server.errors import add_error_handlers
from trailbook.server.routes import (
    archives,
    artifacts,
    branches,
    caveats,
    changes,
    environments,
    exports,
    files,
    formats,
    previews,
    projects,
    publications,
    runs,
    sources,
    status,
    versions,
)
from trailbook.workflow.events import Event
from trailbook.workflow.explanation import Saying
from trailbook.workflow.workbench import Workbench

API = "/api/v1"


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
    api = APIRouter(prefix=API)
    for part in (
        status,
        projects,
        formats,
        archives,
        environments,
        branches,
        versions,
        caveats,
        runs,
        artifacts,
        exports,
        files,
        sources,
        previews,
        publications,
        changes,
    ):
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


def _schema(app: FastAPI) -> dict[str, Any]:
    """OpenAPI, with what is streamed beside the operations, for clients that generate types."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
        components = schema["components"]["schemas"]
        adapters: dict[str, TypeAdapter[Any]] = {"Event": TypeAdapter(Event), "Saying": TypeAdapter(Saying)}
        for name, adapter in adapters.items():
            described = adapter.json_schema(ref_template="#/components/schemas/{model}")
            for part, definition in described.pop("$defs").items():
                components.setdefault(part, definition)
            components[name] = described
        app.openapi_schema = schema
    return app.openapi_schema
