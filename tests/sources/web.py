"""A web server of this machine, for what is fetched from elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

CSV = b"id,name\n1,Ann\n2,Bob\n"

_ANSWERS: dict[str, tuple[bytes, dict[str, str]]] = {
    "/rates.csv": (CSV, {"ETag": '"v1"', "Content-Type": "text/csv"}),
    "/rates.tsv": (CSV.replace(b",", b"\t"), {}),
    "/export": (CSV, {"Content-Type": "text/csv; charset=utf-8"}),
    "/lines.jsonl": (b'{"id": 1}\n{"id": 2}\n', {}),
    "/packed": (CSV, {"Content-Encoding": "gzip"}),
    "/short": (CSV, {"Content-Length": "1000"}),
}


class _Handler(BaseHTTPRequestHandler):
    server: Web

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        path, _, query = self.path.partition("?")
        if path in _ANSWERS:
            self._answer(*_ANSWERS[path])
            return
        match path:
            case "/to" | "/loop":
                self._answer(b"", {"Location": unquote(query, "latin-1") or path}, status=302)
            case "/endless":
                self._pour()
            case "/silent":
                self.server.go_on.wait(60)
            case _ if path in self.server.pages:
                self._answer(self.server.pages[path])
            case _:
                self.send_error(404)

    def _answer(self, body: bytes, headers: dict[str, str] | None = None, status: int = 200) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _pour(self) -> None:
        """Without end, and without saying so."""
        self.send_response(200)
        self.end_headers()
        while not self.server.go_on.is_set():
            try:
                self.wfile.write(b"1,2,3\n" * 10_000)
            except OSError:
                return

    def log_message(self, format: str, *args: object) -> None:
        """Tests are to be quiet."""


class Web(ThreadingHTTPServer):
    """Knows what it was asked for; `pages` are what it has besides; `go_on` ends what would not end by itself."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []
        self.pages: dict[str, bytes] = {}
        self.go_on = threading.Event()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


@contextmanager
def serving() -> Iterator[Web]:
    with Web() as web:
        thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield web
        finally:
            web.go_on.set()
            web.shutdown()
            thread.join()
