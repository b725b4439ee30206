"""Nobody gets in without a token, and no other site acts in the name of whoever did."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.support.server import NO_ENGINE, TOKEN, Api, Server, browser, code_of, running_server


@pytest.mark.parametrize("header", [None, "Bearer wrong", "Bearer", "Basic eDp5", f"Bearer {TOKEN[:-1]}", TOKEN])
def test_without_the_token_nothing_is_told(stranger: httpx.Client, header: str | None) -> None:
    headers = {"Authorization": header} if header is not None else {}
    for path in ("/status", "/projects", "/artifacts/" + "0" * 64, "/projects/" + "0" * 16):
        assert code_of(stranger.get(f"/api/v1{path}", headers=headers)) == (401, "not_allowed")
    assert code_of(stranger.post("/api/v1/projects", json={"name": "x"}, headers=headers)) == (401, "not_allowed")


@pytest.mark.parametrize(
    "path", ["/", "/projects/0123456789abcdef", "/a%20b%2Fc", "//evil.example/x", "/%5Cevil.example"]
)
def test_the_url_with_the_token_leads_to_the_same_page_without_it(
    server: Server, stranger: httpx.Client, path: str
) -> None:
    answer = stranger.get(f"{server.url}{path}?a=1&token={TOKEN}&a=2%263&b=")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{server.url}{path}?a=1&a=2%263&b="
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


def test_another_token_ends_what_the_first_one_let_in(tmp_path: Path) -> None:
    with running_server(tmp_path, *NO_ENGINE) as first, browser(first.url, Origin=first.url) as guest:
        guest.get("/", params={"token": TOKEN})
        assert guest.get("/api/v1/status").status_code == 200
        cookies = dict(guest.cookies)
        port = first.url.rpartition(":")[2]
    with running_server(tmp_path, *NO_ENGINE, "--port", port) as same, browser(same.url) as guest:
        guest.cookies.update(cookies)
        assert guest.get("/api/v1/status").status_code == 200
    with (
        running_server(tmp_path, *NO_ENGINE, "--port", port, "--token", "other") as second,
        browser(second.url) as guest,
    ):
        guest.cookies.update(cookies)
        assert guest.get("/api/v1/status").status_code == 401
        for token, status in ((TOKEN, 401), ("other", 200)):
            assert guest.get("/api/v1/status", headers={"Authorization": f"Bearer {token}"}).status_code == status


def test_a_password_lets_in_instead_of_the_token(tmp_path: Path) -> None:
    with running_server(tmp_path, *NO_ENGINE, "--auth", "password", "--password", "sesame ✓") as server:
        assert "Warning: one password" in server.output
        with browser(server.url, Origin=server.url) as guest:
            assert guest.get("/api/v1/status", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 401
            assert code_of(guest.post("/api/v1/sign-in", json={"secret": "sesame"})) == (401, "not_allowed")
            assert guest.post("/api/v1/sign-in", json={"secret": "sesame ✓"}).status_code == 200
            assert guest.get("/api/v1/projects").status_code == 200


def test_without_authentication_a_warning_is_given_and_strangers_still_stay_out(tmp_path: Path) -> None:
    with running_server(tmp_path, *NO_ENGINE, "--auth", "none") as server, browser(server.url) as guest:
        assert "Warning: no authentication" in server.output
        assert "?token=" not in server.output
        assert guest.get("/api/v1/projects").status_code == 200
        assert guest.post("/api/v1/projects", json={"name": "x"}).status_code == 201
        foreign = guest.post("/api/v1/projects", json={"name": "x"}, headers={"Origin": "https://evil.example"})
        assert code_of(foreign) == (403, "foreign_origin")
        assert code_of(guest.get("/api/v1/projects", headers={"Host": "evil.example"})) == (403, "foreign_host")
