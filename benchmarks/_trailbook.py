"""A server of Trailbook's own, driven over HTTP and its WebSocket as the web app does it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from benchmarks._notebooks import Codes
from tests.support.server import NO_ENGINE, TOKEN, Api, running_server

LONGEST_WAIT = 300.0
WARM_UP_SECONDS = 4.0
"""For what is loaded in the background after the start."""

Told = tuple[float, dict[str, Any]]


class Book:
    """The head of a branch: what is told of it is noted with the moment when it came."""

    def __init__(self, api: Api, branch: str, url: str) -> None:
        self._api = api
        self._branch = branch
        self._number = 0
        self._events: SimpleQueue[Told] = SimpleQueue()
        self.started: set[str] = set()
        """The runs that were seen to run."""
        self.cells: dict[str, dict[str, Any]] = {}
        headers = {"Authorization": f"Bearer {TOKEN}"}
        at = f"{url.replace('http', 'ws', 1)}/api/v1/branches/{branch}/changes"
        self._opened = ExitStack()
        self._socket = self._opened.enter_context(connect(at, additional_headers=headers, max_size=None, proxy=None))
        threading.Thread(target=self._listen, daemon=True).start()
        self._take(self._events.get(timeout=LONGEST_WAIT)[1])

    @property
    def handles(self) -> list[str]:
        return list(self.cells)

    def close(self) -> None:
        self._opened.close()

    def edit(self, place: int, code: str) -> float:
        """Change a cell; when all cells were done again, in seconds since the request."""
        self._forget_news()
        change = {"action": "update", "handle": self.handles[place], "parameters": {"code": code}}
        start = time.perf_counter()
        body = {"edit": change, "at_head": True}
        answer = self._api.post(f"/branches/{self._branch}/versions/{self._number}/edits", body)
        return self._until_done(answer["ref"]["number"]) - start

    def run(self) -> float:
        """Run all that is to run; the seconds until it was done."""
        self._forget_news()
        start = time.perf_counter()
        self._api.post(f"/branches/{self._branch}/run", {})
        return self._until_done(self._number) - start

    def undo(self) -> None:
        """Take back the last edit, and wait until all cells are done."""
        self._forget_news()
        answer = self._api.post(f"/branches/{self._branch}/undo", {"head": self._number})
        self._until_done(answer["ref"]["number"])

    def printed(self, place: int) -> str:
        messages = self.cells[self.handles[place]]["run"]["messages"]
        return "".join(message.get("text", "") for message in messages)

    def _until_done(self, number: int) -> float:
        """The moment when it was told that all cells of this version are done."""
        at = 0.0
        while self._number != number or any(cell["state"] != "done" for cell in self.cells.values()):
            at, event = self._events.get(timeout=LONGEST_WAIT)
            self._take(event)
        return at

    def _take(self, event: dict[str, Any]) -> None:
        if event["type"] == "notebook":
            self._number = event["notebook"]["ref"]["number"]
            self.cells = {cell["handle"]: cell for cell in event["notebook"]["cells"]}
            self._note_running(event["notebook"]["cells"])
        elif event["type"] == "cell" and event["number"] == self._number:
            cell = event["cell"]
            if cell["state"] == "error":
                raise RuntimeError(f"a cell failed: {cell['run']['error']['message']}")
            self.cells[cell["handle"]] = cell
            self._note_running([cell])

    def _note_running(self, cells: Iterable[dict[str, Any]]) -> None:
        self.started |= {cell["run"]["id"] for cell in cells if cell["state"] == "running"}

    def _listen(self) -> None:
        try:
            while True:
                text = self._socket.recv()
                self._events.put((time.perf_counter(), json.loads(text)))
        except ConnectionClosed:
            pass

    def _forget_news(self) -> None:
        while not self._events.empty():
            self._take(self._events.get()[1])


class Bench:
    """A server without Spark, which none of these cells needs."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._api = Api(url)

    @contextmanager
    def book(self, codes: Codes) -> Iterator[Book]:
        """A new notebook of these cells, none of which has run."""
        document = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [_cell(code) for code in codes]}
        answer = self._api.http.post(
            "/projects/import", params={"name": "notebook.ipynb"}, content=json.dumps(document).encode()
        )
        book = Book(self._api, answer.raise_for_status().json()["branch"], self._url)
        try:
            yield book
        finally:
            book.close()


def _cell(code: str) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "source": code, "outputs": [], "execution_count": None}


@contextmanager
def served(folder: Path, *flags: str, env: Mapping[str, str] | None = None) -> Iterator[Bench]:
    """A server that has been up for a while."""
    with running_server(folder / "data", *NO_ENGINE, *flags, env=env) as server:
        time.sleep(WARM_UP_SECONDS)
        yield Bench(server.url)


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
