"""Requests that were meant for another server, or are too large, don't reach the application; answers are guarded."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.support.server import TOKEN, Api, code_of
from trailbook.server.gate import is_own_name


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "10.0.0.1", "[", "a:b:c", ""]
)
@pytest.mark.parametrize("path", ["/", "/api/v1/status"])
def test_a_foreign_host_header_is_refused(guest: httpx.Client, host: str, path: str) -> None:
    assert code_of(guest.get(path, headers={"Host": host, "Authorization": f"Bearer {TOKEN}"})) == (403, "foreign_host")


@pytest.mark.parametrize(
    ("host", "listening", "own"),
    [
        ("localhost:8080", "127.0.0.1", True),
        ("LOCALHOST", "127.0.0.1", True),
        ("[::1]:8080", "127.0.0.1", True),
        ("192.168.0.7:8080", "127.0.0.1", False),
        ("192.168.0.7:8080", "0.0.0.0", True),
        ("trail.example:8080", "trail.example", True),
        ("evil.example:8080", "0.0.0.0", False),
        ("evil.example:8080", "trail.example", False),
    ],
)
def test_a_server_knows_its_own_names(host: str, listening: str, own: bool) -> None:
    assert is_own_name(host, listening) is own


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/favicon.svg", 200),
        ("GET", "/?token=wrong", 401),
        ("GET", "/api/v1/status", 401),
        ("GET", "/api/v1/nothing", 404),
        ("PUT", "/api/v1/status", 405),
        ("GET", "/api/v1/openapi.json", 200),
    ],
)
def test_every_answer_has_the_security_headers(stranger: httpx.Client, method: str, path: str, status: int) -> None:
    answer = stranger.request(method, path)
    assert answer.status_code == status
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["referrer-policy"] == "same-origin"


def test_what_was_uploaded_is_served_in_a_sandbox_and_never_as_a_page(api: Api) -> None:
    file = api.project().upload("x.html", b"<script>alert(1)</script>")
    answer = api.http.get(f"/artifacts/{file}/content")
    assert answer.headers["content-security-policy"].startswith("sandbox")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment")


def test_a_huge_body_is_refused_whether_or_not_it_says_so(api: Api) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(65):
            yield b" " * 1024 * 1024

    for content in (b" " * (65 * 1024 * 1024), chunks()):
        answer = api.http.post("/projects", content=content, headers={"Content-Type": "application/json"})
        assert code_of(answer) == (413, "too_large")
