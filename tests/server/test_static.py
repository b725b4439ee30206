"""The web app is served, and nothing else."""

from __future__ import annotations

import re
import socket

import pytest

from tests.support.server import Server


def raw_get(url: str, path: str) -> bytes:
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize(
    "path",
    [
        "/..%2f..%2f..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/settings.py",
        "/assets/../../app.py",
        "/assets/..%2f..%2fapp.py",
        "/%2fetc/passwd",
        "/..%5c..%5capp.py",
        "/a%00b",
        "/" + "a" * 5000,
    ],
)
def test_no_path_leads_out_of_the_web_app(server: Server, path: str) -> None:
    # httpx would tidy the path up before it sends it.
    answer = raw_get(server.url, path)
    assert re.match(rb"HTTP/1.1 (200|404) ", answer)
    assert b"root:" not in answer
    assert b"import" not in answer.partition(b"<")[0]
