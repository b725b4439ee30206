"""Starting the server: a port, a store, the engine in the background, and a URL to open."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator
from urllib.parse import urlencode

import uvicorn
from fastapi import FastAPI

from trailbook.errors import BadSetting
from trailbook.server.app import create_app
from trailbook.server.example import open_example
from trailbook.server.gate import Gate, is_loopback
from trailbook.settings import Settings
from trailbook.workflow.workbench import Workbench


def serve(settings: Settings) -> None:
    """Serve until interrupted."""
    for warning in _warnings(settings):
        print(f"Warning: {warning}", file=sys.stderr, flush=True)
    listener = _listen(settings)
    workbench = Workbench(settings)
    try:
        workbench.engine.start()
        app = create_app(workbench)
        app.router.lifespan_context = _announcing(lambda: _announce(workbench, app, listener))
        gate = Gate(app, settings)
        config = uvicorn.Config(
            gate,
            log_level="warning",
            lifespan="on",
            timeout_graceful_shutdown=3,
            ws_max_size=2**16,
            # Most often the reader is on this machine, where compressing takes longer than sending.
            ws_per_message_deflate=False,
        )
        with _stop_signals_spent():
            uvicorn.Server(config).run(sockets=[listener])
    finally:
        workbench.close()


@contextlib.contextmanager
def _stop_signals_spent() -> Iterator[None]:
    """Uvicorn stops on a signal and then sends it once more, which would end this process before it has tidied up."""
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _announcing(announce: Callable[[], None]) -> Callable[[FastAPI], contextlib.AbstractAsyncContextManager[None]]:
    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        announce()
        yield

    return lifespan


def _announce(workbench: Workbench, app: FastAPI, listener: socket.socket) -> None:
    settings = workbench.settings
    example = open_example(workbench) if settings.example else None
    path = f"/projects/{workbench.branch(example).project}/branches/{example}" if example else "/"
    token = app.state.access.token
    query = f"?{urlencode({'token': token})}" if token else ""
    url = f"http://{_spelt(settings.host)}:{listener.getsockname()[1]}{path}{query}"
    print(f"Trailbook is at {url}\nData: {settings.data}. Stop with Ctrl-C.", flush=True)
    if not settings.broker:
        # After the address is told, so that loading what cells use does not hold that up.
        workbench.zygote.start()
    workbench.resume()
    # What is there now is never garbage; to look at it would hold up everybody for a tenth of a second each time.
    gc.collect()
    gc.freeze()
    if settings.browser and _has_screen():
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(url)


def _has_screen() -> bool:
    """Without one, a browser in the terminal would open, and take it over."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Named, so that asyncio turns off Nagle's algorithm, which would hold small answers back for 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        # From here on nobody is refused: whoever comes early waits.
        listener.listen()
    except OSError as error:
        listener.close()
        raise BadSetting(
            f"Port {settings.port} of {settings.host} can't be used: {error.strerror}. "
            "Choose another with --port, or 0 for a free one."
        ) from error
    return listener


def _warnings(settings: Settings) -> list[str]:
    warnings = []
    if settings.auth == "none":
        warnings.append("no authentication: whoever reaches this port can read everything and run code as you.")
    if settings.auth == "password":
        if not settings.password:
            raise BadSetting("auth = password needs a password. Set TRAILBOOK_PASSWORD.")
        warnings.append("one password for everybody: edits are all signed by the same person.")
    if not is_loopback(settings.host):
        warnings.append(f"listening on {settings.host}: other machines can connect, and nothing is encrypted.")
    return warnings


def _spelt(host: str) -> str:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host}]" if ":" in host else host
