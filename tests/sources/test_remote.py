"""A file is fetched as it is, within limits, and only from where that is allowed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources.web import CSV, Web, serving
from trailbook.errors import AddressRefused, CellCancelled, NotFetched, TooLarge, TrailbookError
from trailbook.sources.remote import Fetch, Fetched, Terms

ANYWHERE = Terms(most_bytes=1_000_000, allow_private=True)


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as server:
        yield server


def fetch(url: str, folder: Path, terms: Terms = ANYWHERE) -> Fetched:
    return Fetch(url, terms, lambda done, total: None).to_file(folder / "fetched")


def test_a_file_is_here_byte_for_byte_with_where_it_came_from(web: Web, tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    url = web.url("/rates.csv?year=2020")
    fetch = Fetch(url, ANYWHERE, lambda done, total: told.append((done, total)))
    fetched = fetch.to_file(tmp_path / "fetched")
    assert fetched.path.read_bytes() == CSV
    assert (fetched.name, fetched.url, fetched.size, fetched.etag) == ("rates.csv", url, len(CSV), '"v1"')
    assert fetch.hosts == {f"127.0.0.1:{web.server_port}"}
    assert told == [(len(CSV), len(CSV))]
    assert web.asked == ["/rates.csv?year=2020"]


@pytest.mark.parametrize(("path", "name"), [("/export?format=x", "export.csv"), ("/lines.jsonl", "lines.jsonl")])
def test_the_name_tells_the_format_or_else_the_server_does(web: Web, tmp_path: Path, path: str, name: str) -> None:
    assert fetch(web.url(path), tmp_path).name == name


def test_redirects_are_followed_but_not_for_ever(web: Web, tmp_path: Path) -> None:
    fetched = fetch(web.url(f"/to?{web.url('/to?/rates.csv')}"), tmp_path)
    assert (fetched.name, fetched.path.read_bytes()) == ("rates.csv", CSV)
    with pytest.raises(NotFetched, match="leads from address to address, more than 5 times"):
        fetch(web.url("/to?"), tmp_path)


def test_who_does_not_speak_https_is_told_in_words(web: Web, tmp_path: Path) -> None:
    with pytest.raises(NotFetched, match="does not speak https as it should, wrong version number"):
        fetch(web.url("/rates.csv").replace("http:", "https:"), tmp_path)


def test_addresses_may_be_written_in_any_script(web: Web, tmp_path: Path) -> None:
    fetch(web.url("/to?/rates.csv?at=Köln"), tmp_path)
    assert web.asked == ["/to?/rates.csv?at=K%C3%B6ln", "/rates.csv?at=K%C3%B6ln"]


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "s3://bucket/key.csv", "ftp://127.0.0.1/x", "http://a@b/c", "http://[::1"]
)
def test_a_redirect_leads_nowhere_that_could_not_be_asked_at_first(web: Web, tmp_path: Path, target: str) -> None:
    with pytest.raises(AddressRefused):
        fetch(web.url(f"/to?{target}"), tmp_path)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/nothing.csv", r"/nothing\.csv was not given: the server answered 404 Not Found"),
        ("/packed", r"comes packed \(gzip\), though that was not asked for"),
        ("/short", r"broke off after 20 of 1,000 bytes"),
    ],
)
def test_what_is_not_given_whole_is_refused(web: Web, tmp_path: Path, path: str, said: str) -> None:
    with pytest.raises(NotFetched, match=said):
        fetch(web.url(path), tmp_path)


@pytest.mark.parametrize("path", ["/endless", "/rates.csv"])
def test_no_more_than_the_limit_is_written(web: Web, tmp_path: Path, path: str) -> None:
    with pytest.raises(TooLarge, match=r"more than 10 bytes \(setting upload_limit\)"):
        fetch(web.url(path), tmp_path, Terms(10, allow_private=True))
    assert (tmp_path / "fetched").stat().st_size <= 10


@pytest.mark.parametrize("path", ["/endless", "/rates.csv"])
def test_the_beginning_is_enough_where_it_is_said_to_be(web: Web, tmp_path: Path, path: str) -> None:
    found = fetch(web.url(path), tmp_path, Terms(10, allow_private=True, may_be_cut=True))
    assert found.size == found.path.stat().st_size >= 10


@pytest.mark.parametrize("path", ["/endless", "/silent"])
def test_a_fetch_can_be_stopped_whatever_it_waits_for(web: Web, tmp_path: Path, path: str) -> None:
    fetch = Fetch(web.url(path), Terms(10**12, allow_private=True), lambda done, total: None)
    ended: list[TrailbookError] = []

    def run() -> None:
        try:
            fetch.to_file(tmp_path / "fetched")
        except TrailbookError as error:
            ended.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while not web.asked:
        pass
    fetch.stop()
    thread.join(timeout=20)
    assert [type(error) for error in ended] == [CellCancelled]


def test_nobody_is_asked_who_may_not_be(web: Web, tmp_path: Path) -> None:
    local = "localhost:" + str(web.server_port)
    for url in (web.url("/rates.csv"), f"http://{local}/rates.csv", f"http://2130706433:{web.server_port}/rates.csv"):
        with pytest.raises(AddressRefused, match="an address of this machine or its network"):
            fetch(url, tmp_path, Terms(1000))
    assert web.asked == []


def test_nobody_there_is_told(tmp_path: Path) -> None:
    with serving() as web:
        url = web.url("/rates.csv")
    with pytest.raises(NotFetched, match=r"127\.0\.0\.1 does not answer: Connection refused"):
        fetch(url, tmp_path)
    with pytest.raises(NotFetched, match=r"There is no machine called nowhere\.invalid"):
        fetch("https://nowhere.invalid/rates.csv", tmp_path)
