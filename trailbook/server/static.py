"""The web app's files; any other path is a page of the app."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, PlainTextResponse, RedirectResponse, Response

from trailbook.errors import NotFound
from trailbook.server.access import access_of

router = APIRouter(include_in_schema=False)

STATIC = Path(__file__).parent / "static"


@router.get("/{path:path}", response_model=None)
def page(path: str, request: Request, token: str | None = None) -> Response:
    if path.startswith("api/"):
        raise NotFound(f"There is no operation GET /{path}.")
    if token is not None:
        return _signed_in(request, token)
    file = _file(path)
    if file is not None:
        cache = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
        return FileResponse(file, headers={"Cache-Control": cache})
    if not (STATIC / "index.html").is_file():
        return PlainTextResponse("The web app is not built. Run `make setup`.", status_code=503)
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


def _file(path: str) -> Path | None:
    """The file of that name, if it is one of the web app's."""
    try:
        file = (STATIC / path).resolve()
        return file if file.is_relative_to(STATIC.resolve()) and file.is_file() else None
    except (OSError, ValueError):
        # No file can have that name.
        return None


def _signed_in(request: Request, token: str) -> Response:
    """The token goes into a cookie and out of the address bar. The page itself shows nothing to strangers."""
    rest = [(key, value) for key, value in request.query_params.multi_items() if key != "token"]
    path = request.scope["raw_path"].decode("ascii")
    # A whole URL, since a path that starts with two slashes would lead to another site.
    response = RedirectResponse(str(request.url.replace(path=path, query=urlencode(rest))), 303)
    access_of(request).sign_in(token, request, response)
    return response
