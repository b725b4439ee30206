"""Whoever looks at a branch sees what happens to it, as it happens."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.support.server import TOKEN, Api, Notebook, Server

BEARER = {"Authorization": f"Bearer {TOKEN}"}
FLOOD = "for i in range(1500):\n    tb.show(i)"


class Watcher:
    """A client of the WebSocket, with everything it was told so far."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self.seen: list[Any] = []

    def until(self, good: Callable[[Any], bool]) -> Any:
        """The next event that is good."""
        while True:
            event = json.loads(self._connection.recv(timeout=120))
            self.seen.append(event)
            if good(event):
                return event

    def until_cell(self, handle: str, state: str) -> Any:
        def good(event: Any) -> bool:
            return event["type"] == "cell" and (event["cell"]["handle"], event["cell"]["state"]) == (handle, state)

        return self.until(good)["cell"]


def address(url: str, branch: str) -> str:
    return f"{url.replace('http', 'ws', 1)}/api/v1/branches/{branch}/changes"


@contextmanager
def watching(server: Server, branch: str) -> Iterator[Watcher]:
    with connect(address(server.url, branch), additional_headers=BEARER, proxy=None) as connection:
        yield Watcher(connection)


def test_a_client_gets_the_whole_notebook_and_the_engines_state_first(server: Server, notebook: Notebook) -> None:
    notebook.add("markdown", text="hello")
    with watching(server, notebook.branch) as watcher:
        first = watcher.until(lambda event: True)
        assert first == {"type": "notebook", "notebook": notebook.head()}
        second = watcher.until(lambda event: True)
        assert second["type"] == "engine"
        assert second["engine"]["state"] in ("starting", "ready")


def test_a_run_is_told_from_its_start_to_its_end(server: Server, notebook: Notebook) -> None:
    with watching(server, notebook.branch) as watcher:
        code = "import time\nprint('one', flush=True)\ntime.sleep(0.3)\nprint('two')"
        python = notebook.add("python", code=code)
        done = watcher.until_cell(python, "done")
        texts = [event["message"]["text"] for event in watcher.seen if event["type"] == "message"]
        assert "".join(texts) == "one\ntwo\n"
        assert len(texts) > 1
        told = [event["notebook"]["cells"] for event in watcher.seen if event["type"] == "notebook"]
        begun = [cell["state"] for cells in told for cell in cells]
        states = [event["cell"]["state"] for event in watcher.seen if event["type"] == "cell"]
        # A cell that can start at once is running when its insertion is told.
        assert "running" in begun + states[: states.index("done")]
        assert done == notebook.cell(python)
        number = notebook.head()["ref"]["number"]
        assert {event["number"] for event in watcher.seen if event["type"] in ("cell", "message")} == {number}


def test_a_long_query_reports_its_progress(server: Server, notebook: Notebook) -> None:
    with watching(server, notebook.branch) as watcher:
        query = "SELECT sum(a.id * b.id % 7) AS x FROM range(0, 1000000, 1, 64) a CROSS JOIN range(30000) b"
        handle = notebook.add("sql", query=query)
        event = watcher.until(lambda event: event["type"] == "progress" and event["progress"]["total"])
        assert (event["handle"], event["run"]) == (handle, notebook.cell(handle)["run"]["id"])
        assert 0 <= event["progress"]["done"] <= event["progress"]["total"]
        notebook.api.post(f"/branches/{notebook.branch}/cancel")
        watcher.until_cell(handle, "cancelled")


def test_two_clients_see_each_others_edits(server: Server, notebook: Notebook) -> None:
    with watching(server, notebook.branch) as one, watching(server, notebook.branch) as other:
        for watcher in (one, other):
            watcher.until(lambda event: event["type"] == "engine")
        handle = notebook.add("markdown", text="a")
        notebook.update(handle, text="b")
        head = notebook.head()
        notebook.api.post(f"/branches/{notebook.branch}/undo", {"head": head["ref"]["number"]})
        for watcher in (one, other):
            told = [watcher.until(lambda event: event["type"] == "notebook")["notebook"] for _ in range(3)]
            assert [[cell["parameters"]["text"] for cell in each["cells"]] for each in told] == [["a"], ["b"], ["a"]]
            assert told[1]["ref"] == head["ref"]


def test_a_branch_is_told_nothing_of_others(server: Server, api: Api, notebook: Notebook) -> None:
    other = api.project("other")
    with watching(server, notebook.branch) as watcher:
        watcher.until(lambda event: event["type"] == "engine")
        other.add("markdown", text="elsewhere")
        notebook.add("markdown", text="here")
        assert watcher.until(lambda event: True)["notebook"]["cells"][0]["parameters"]["text"] == "here"


@pytest.mark.parametrize(
    ("branch", "headers", "code"),
    [
        ("own", {}, "not_allowed"),
        ("own", {"Authorization": "Bearer wrong"}, "not_allowed"),
        ("own", {**BEARER, "Origin": "https://evil.example"}, "foreign_origin"),
        ("0123456789abcdef", BEARER, "not_found"),
        ("%2e%2e", BEARER, "not_found"),
    ],
)
def test_strangers_and_unknown_branches_are_told_why_they_are_turned_away(
    server: Server, notebook: Notebook, branch: str, headers: dict[str, str], code: str
) -> None:
    url = address(server.url, notebook.branch if branch == "own" else branch)
    with connect(url, additional_headers=headers, proxy=None) as connection, pytest.raises(ConnectionClosed) as closed:
        connection.recv(timeout=60)
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, code)


def test_a_foreign_host_gets_no_connection(server: Server, notebook: Notebook) -> None:
    url = address(server.url, notebook.branch)
    host, port = server.url.removeprefix("http://").split(":")
    evil = url.replace(f"{host}:{port}", f"evil.example:{port}")
    with socket.create_connection((host, int(port))) as raw, pytest.raises(InvalidStatus) as refused:
        connect(evil, sock=raw, additional_headers=BEARER, proxy=None)
    assert refused.value.response.status_code == 403


def test_the_page_itself_connects_by_cookie(server: Server, notebook: Notebook) -> None:
    answer = notebook.api.http.post("/sign-in", json={"secret": TOKEN})
    cookie = answer.headers["set-cookie"].partition(";")[0]
    notebook.api.http.cookies.clear()
    url = address(server.url, notebook.branch)
    headers = {"Cookie": cookie, "Origin": server.url}
    with connect(url, additional_headers=headers, proxy=None) as connection:
        assert json.loads(connection.recv(timeout=60))["type"] == "notebook"


def test_what_a_client_says_is_ignored(server: Server, notebook: Notebook) -> None:
    with connect(address(server.url, notebook.branch), additional_headers=BEARER, proxy=None) as connection:
        connection.send("hello")
        connection.send(b"\0\xff")
        watcher = Watcher(connection)
        watcher.until(lambda event: event["type"] == "engine")
        notebook.add("markdown", text="still here")
        assert watcher.until(lambda event: event["type"] == "notebook")


def test_a_client_that_reads_too_slowly_is_cut_off(server: Server, notebook: Notebook) -> None:
    host, port = server.url.removeprefix("http://").split(":")
    raw = socket.socket()
    # A small window, so that what the client does not read stays with the server.
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect((host, int(port)))
    url = address(server.url, notebook.branch)
    with connect(url, sock=raw, additional_headers=BEARER, proxy=None, max_queue=1, compression=None) as slow:
        handle = notebook.add("markdown", text="")
        for i in range(40):
            notebook.update(handle, text=str(i) * 200_000)
        flood = notebook.add("python", code=FLOOD)
        notebook.settled(flood)
        told, reason = read_to_the_end(slow)
    assert told < 1500
    # The reason is told only to a client that starts to read again soon enough.
    assert reason in ("slow_reader", None)


def read_to_the_end(connection: ClientConnection) -> tuple[int, str | None]:
    """How many messages come before the server closes, and why it does."""
    for told in count():
        try:
            connection.recv(timeout=60)
        except ConnectionClosed as closed:
            return told, closed.rcvd.reason if closed.rcvd else None
    raise AssertionError("counting ended")
