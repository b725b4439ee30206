"""Nobody gets in without a token, and no other site acts in the name of whoever did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.server import TOKEN, Api, Server, running_server
from trailbook.server.gate import is_own_name

NO_SPARK = ("--spark", "sc://localhost:1")
"""For servers whose tests need no engine: nothing is started."""


def browser(url: str, **headers: str) -> httpx.Client:
    """A client without a token that keeps cookies."""
    return httpx.Client(base_url=url, headers=headers, timeout=60, trust_env=False)


@pytest.fixture
def stranger(server: Server) -> Iterator[httpx.Client]:
    with browser(server.url) as client:
        yield client


@pytest.fixture
def guest(server: Server) -> Iterator[httpx.Client]:
    """A browser that has opened the printed URL."""
    with browser(server.url, Origin=server.url) as client:
        client.get("/", params={"token": TOKEN})
        yield client


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("header", [None, "Bearer wrong", "Bearer ", "Basic eDp5", f"Bearer {TOKEN[:-1]}", TOKEN])
def test_without_the_token_nothing_is_told(stranger: httpx.Client, header: str | None) -> None:
    headers = {"Authorization": header} if header is not None else {}
    for path in ("/status", "/projects", "/artifacts/" + "0" * 64, "/projects/" + "0" * 16):
        assert code_of(stranger.get(f"/api/v1{path}", headers=headers)) == (401, "not_allowed")
    assert code_of(stranger.post("/api/v1/projects", json={"name": "x"}, headers=headers)) == (401, "not_allowed")


@pytest.mark.parametrize(
    "path", ["/", "/projects/0123456789abcdef", "/a%20b%2Fc", "//evil.example/x", "/%5Cevil.example"]
)
def test_the_url_with_the_token_leads_to_the_same_page_without_it(stranger: httpx.Client, path: str) -> None:
    answer = stranger.get(f"{stranger.base_url}{path.removeprefix('/')}?a=1&token={TOKEN}&a=2%263&b=")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{str(stranger.base_url).rstrip('/')}{path}?a=1&a=2%263&b="
    cookie = answer.headers["set-cookie"]
    assert TOKEN not in cookie
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip().lower() for part in cookie.split(";")}


def test_a_wrong_token_in_the_url_sets_no_cookie(stranger: httpx.Client) -> None:
    answer = stranger.get("/", params={"token": "wrong"})
    assert code_of(answer) == (401, "not_allowed")
    assert "set-cookie" not in answer.headers


def test_the_cookie_lets_in_and_changes_things(guest: httpx.Client) -> None:
    assert guest.get("/api/v1/status").status_code == 200
    assert guest.post("/api/v1/projects", json={"name": "by cookie"}).status_code == 201


def test_signing_in_exchanges_the_token_for_a_cookie(stranger: httpx.Client) -> None:
    assert code_of(stranger.post("/api/v1/sign-in", json={"secret": "wrong"})) == (401, "not_allowed")
    assert stranger.post("/api/v1/sign-in", json={"secret": TOKEN}).status_code == 200
    assert stranger.get("/api/v1/status").status_code == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1:1", "null", "http://localhost.evil.example"]
)
@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
def test_other_sites_change_nothing(guest: httpx.Client, api: Api, method: str, origin: str) -> None:
    notebook = api.project("untouched")
    path = "" if method == "POST" else f"/{notebook.project}"
    answer = guest.request(method, f"/api/v1/projects{path}", headers={"Origin": origin})
    assert code_of(answer) == (403, "foreign_origin")
    assert api.get(f"/projects/{notebook.project}")["name"] == "untouched"


def test_a_cookie_without_an_origin_changes_nothing(guest: httpx.Client) -> None:
    del guest.headers["Origin"]
    assert guest.get("/api/v1/projects").status_code == 200
    assert code_of(guest.post("/api/v1/projects", json={"name": "x"})) == (403, "foreign_origin")


def test_a_program_with_the_token_needs_no_origin(api: Api) -> None:
    assert api.http.post("/projects", json={"name": "by program"}).status_code == 201


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


@pytest.mark.parametrize("id", ["..%2f..%2ftoken", "%2e%2e", "0" * 63, "A" * 64, "0" * 64 + "%0a", "0" * 64 + "%00"])
def test_no_artifact_id_leads_out_of_the_store(api: Api, id: str) -> None:
    for path in ("", "/rows", "/content"):
        assert api.http.get(f"/artifacts/{id}{path}").status_code in (404, 422)


def raw_get(url: str, path: str) -> bytes:
    import socket

    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_a_huge_body_is_refused_whether_or_not_it_says_so(api: Api) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(65):
            yield b" " * 1024 * 1024

    for content in (b" " * (65 * 1024 * 1024), chunks()):
        answer = api.http.post("/projects", content=content, headers={"Content-Type": "application/json"})
        assert code_of(answer) == (413, "too_large")


def test_another_token_ends_what_the_first_one_let_in(tmp_path: Path) -> None:
    with running_server(tmp_path, *NO_SPARK) as first, browser(first.url, Origin=first.url) as guest:
        guest.get("/", params={"token": TOKEN})
        assert guest.get("/api/v1/status").status_code == 200
        cookies = dict(guest.cookies)
        port = first.url.rpartition(":")[2]
    with running_server(tmp_path, *NO_SPARK, "--port", port) as same, browser(same.url) as guest:
        guest.cookies.update(cookies)
        assert guest.get("/api/v1/status").status_code == 200
    with (
        running_server(tmp_path, *NO_SPARK, "--port", port, "--token", "other") as second,
        browser(second.url) as guest,
    ):
        guest.cookies.update(cookies)
        assert guest.get("/api/v1/status").status_code == 401
        for token, status in ((TOKEN, 401), ("other", 200)):
            assert guest.get("/api/v1/status", headers={"Authorization": f"Bearer {token}"}).status_code == status


def test_a_password_lets_in_instead_of_the_token(tmp_path: Path) -> None:
    with running_server(tmp_path, *NO_SPARK, "--auth", "password", "--password", "sesame ✓") as server:
        assert "Warning: one password" in server.output
        with browser(server.url, Origin=server.url) as guest:
            assert guest.get("/api/v1/status", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 401
            assert code_of(guest.post("/api/v1/sign-in", json={"secret": "sesame"})) == (401, "not_allowed")
            assert guest.post("/api/v1/sign-in", json={"secret": "sesame ✓"}).status_code == 200
            assert guest.get("/api/v1/projects").status_code == 200


def test_without_authentication_a_warning_is_given_and_strangers_still_stay_out(tmp_path: Path) -> None:
    with running_server(tmp_path, *NO_SPARK, "--auth", "none") as server, browser(server.url) as guest:
        assert "Warning: no authentication" in server.output
        assert "?token=" not in server.output
        assert guest.get("/api/v1/projects").status_code == 200
        assert guest.post("/api/v1/projects", json={"name": "x"}).status_code == 201
        foreign = guest.post("/api/v1/projects", json={"name": "x"}, headers={"Origin": "https://evil.example"})
        assert code_of(foreign) == (403, "foreign_origin")
        assert code_of(guest.get("/api/v1/projects", headers={"Host": "evil.example"})) == (403, "foreign_host")
