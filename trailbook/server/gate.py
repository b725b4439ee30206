"""What stands before the application: names it may be called by, sizes of requests, headers of every answer."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trailbook.errors import ForeignHost, TooLarge, TrailbookError
from trailbook.server.errors import error_response
from trailbook.settings import Settings

LARGEST_BODY = 64 * 1024 * 1024
BODY_TOO_LARGE = f"A request may have {LARGEST_BODY} bytes; files are uploaded to …/files."
CONTENT_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "frame-src 'self' blob: data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Gate:
    """The application as strangers meet it. Outside of it, so that answers to its own failures are guarded too."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        refusal = self._refusal(scope)
        answer = self._app if refusal is None else error_response(refusal)
        return await answer(scope, _counting(scope, receive), _guarding(send))

    def _refusal(self, scope: Scope) -> TrailbookError | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_own_name(host, self._settings.host):
            return ForeignHost(
                f"This server is not {host or 'nameless'}. Open it as localhost, or start it with --host "
                "and the name by which it is reached."
            )
        if not _is_upload(scope) and int(headers.get("content-length", "0")) > LARGEST_BODY:
            return TooLarge(BODY_TOO_LARGE)
        return None


def is_own_name(header: str, listening: str) -> bool:
    """Whether a Host header names this server by a name that is its own.

    A page of evil.example may have its name resolve to this machine later on (DNS rebinding), and for a browser it
    would still be one site. It can't do that with an address, nor with a name that is not its own.
    """
    try:
        name = urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return False
    if name in ("localhost", listening.lower()):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return not is_loopback(listening) and name == socket.gethostname().lower()
    return address.is_loopback or not is_loopback(listening)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_upload(scope: Scope) -> bool:
    """Uploads are streamed and have a limit of their own."""
    return scope["type"] == "http" and str(scope["path"]).endswith(("/files", "/archive"))


def _counting(scope: Scope, receive: Receive) -> Receive:
    """Stop reading a body that grows too large; a chunked one does not say so beforehand."""
    if scope["type"] != "http" or _is_upload(scope):
        return receive
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > LARGEST_BODY:
            # FastAPI takes any other error while it reads for malformed JSON.
            raise HTTPException(TooLarge.status, BODY_TOO_LARGE)
        return message

    return counted


def _guarding(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return guarded
