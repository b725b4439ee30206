"""Where the environment names a proxy, files of the web are fetched through it."""

from __future__ import annotations

import base64
import http.client
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.sources.web import CSV, Web, serving
from trailbook.errors import AddressRefused, NotFetched
from trailbook.sources.remote import Fetch, Fetched, Terms

TERMS = Terms(most_bytes=1_000_000)
CERTIFICATE = Path(__file__).with_name("data_invalid.pem")
"""Of a host that nobody can have, signed by itself, with its key."""


class _Handler(BaseHTTPRequestHandler):
    server: ProxyServer

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["Proxy-Authorization"]))
        with closing(http.client.HTTPConnection("127.0.0.1", self.server.web.server_port)) as connection:
            connection.request("GET", urlsplit(self.path).path)
            body = connection.getresponse().read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_CONNECT(self) -> None:
        self.server.asked.append((self.path, self.headers["Proxy-Authorization"]))
        if self.path.startswith("forbidden."):
            self.send_error(403)
            return
        self.send_response(200)
        self.end_headers()
        with socket.create_connection(("127.0.0.1", self.server.web.server_port)) as way:
            back = threading.Thread(target=_pass_on, args=(way, self.connection))
            back.start()
            _pass_on(self.connection, way)
            back.join()

    def log_message(self, format: str, *args: object) -> None:
        """Tests are to be quiet."""


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


class ProxyServer(ThreadingHTTPServer):
    """Takes all names for the one web server that there is."""

    def __init__(self, web: Web) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.web = web
        self.asked: list[tuple[str, str | None]] = []


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProxyServer]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with serving() as web, ProxyServer(web) as server:
        address = f"http://ann:p%40ss@127.0.0.1:{server.server_port}"
        monkeypatch.setenv("HTTP_PROXY", address)
        monkeypatch.setenv("HTTPS_PROXY", address)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def fetch(url: str, folder: Path) -> Fetched:
    return Fetch(url, TERMS, lambda done, total: None).to_file(folder / "fetched")


GIVEN = f"Basic {base64.b64encode(b'ann:p@ss').decode()}"


def test_a_file_comes_through_the_proxy_which_alone_knows_the_host(proxy: ProxyServer, tmp_path: Path) -> None:
    fetched = fetch("http://data.invalid/rates.csv", tmp_path)
    assert fetched.path.read_bytes() == CSV
    assert proxy.asked == [("http://data.invalid/rates.csv", GIVEN)]


def test_a_secured_connection_goes_through_the_proxy_unseen(
    proxy: ProxyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    proxy.web.socket = context.wrap_socket(proxy.web.socket, server_side=True)
    assert fetch("https://data.invalid/rates.csv", tmp_path).path.read_bytes() == CSV
    assert proxy.asked == [("data.invalid:443", GIVEN)]


def test_hosts_may_be_written_in_any_script(proxy: ProxyServer, tmp_path: Path) -> None:
    with pytest.raises(NotFetched):
        fetch("https://bücher.invalid/rates.csv", tmp_path)
    assert proxy.asked == [("xn--bcher-kva.invalid:443", GIVEN)]


def test_a_host_that_can_not_prove_who_it_is_is_refused(proxy: ProxyServer, tmp_path: Path) -> None:
    with pytest.raises(NotFetched, match="does not speak https as it should"):
        fetch("https://data.invalid/rates.csv", tmp_path)


def test_a_proxy_that_refuses_is_named(proxy: ProxyServer, tmp_path: Path) -> None:
    with pytest.raises(NotFetched, match=r"The proxy 127\.0\.0\.1 does not lead to forbidden\.invalid: 403 Forbidden"):
        fetch("https://forbidden.invalid/rates.csv", tmp_path)


@pytest.mark.parametrize("host", ["10.0.0.1", "[fd00::1]"])
def test_no_proxy_is_asked_for_what_may_not_be_asked(proxy: ProxyServer, tmp_path: Path, host: str) -> None:
    with pytest.raises(AddressRefused, match="an address of this machine or its network"):
        fetch(f"http://{host}/rates.csv", tmp_path)
    assert proxy.asked == []


def test_hosts_can_be_asked_without_the_proxy(
    proxy: ProxyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", ".invalid")
    with pytest.raises(NotFetched, match=r"There is no machine called data\.invalid"):
        fetch("http://data.invalid/rates.csv", tmp_path)
    assert proxy.asked == []


def test_a_proxy_of_another_kind_is_refused(
    proxy: ProxyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "socks5://secret@127.0.0.1:1080")
    with pytest.raises(NotFetched, match=r"its address must start with http://\.") as caught:
        fetch("http://data.invalid/rates.csv", tmp_path)
    assert "secret" not in str(caught.value)
