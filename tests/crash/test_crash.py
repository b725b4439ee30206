"""Killed at any instant, the server opens again with everything it had acknowledged."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.crash.ledger import Ledger
from tests.support.server import SETTLED, Api, Notebook, Server, eventually, running_server
from trailbook.engine import Engine
from trailbook.model.base import now
from trailbook.settings import Settings
from trailbook.store.doctor import doctor
from trailbook.store.store import Store

AT_ONCE = 2
"""So many servers are killed side by side."""
ROUNDS = 15
CALM = 5
"""In each round of this number the cells may finish before the client goes on."""
GRACE = 3600.0


class Client:
    """Edits at random, and writes down what was acknowledged."""

    def __init__(self, url: str, ledger: Ledger, chance: random.Random) -> None:
        self.api = Api(url)
        self.ledger = ledger
        self.chance = chance
        self.in_flight: str | None = None
        self.acts = 0

    def work(self) -> None:
        """Until the server is gone."""
        try:
            while True:
                self._act()
                self.acts += 1
        except httpx.HTTPError:
            pass

    def wait_for_acts(self, number: int) -> None:
        eventually(lambda: self.acts, lambda acts: acts >= number)

    def _act(self) -> None:
        if len(self.ledger.projects) < 2:
            project = self.api.post("/projects", {"name": f"Project {len(self.ledger.projects)}"})
            self.ledger.projects.add(project["id"])
            self.ledger.acknowledge(self.api.get(f"/branches/{project['branch']}/head"))
            return
        self.in_flight = branch = self.chance.choice(list(self.ledger.heads))
        head = self.api.get(f"/branches/{branch}/head")
        self.ledger.acknowledge(head)
        actions: list[Callable[[Any], None]] = [self._edit] * 6 + [self._step, self._run, self._upload]
        self.chance.choice(actions)(head)
        self.in_flight = None

    def _edit(self, head: Any) -> None:
        edit = self._random_edit([cell["handle"] for cell in head["cells"]])
        path = f"/branches/{head['ref']['branch']}/versions/{head['ref']['number']}/edits"
        self.ledger.acknowledge(self.api.post(path, {"edit": edit, "at_head": True}))

    def _random_edit(self, handles: list[str]) -> dict[str, Any]:
        kind, parameters = self.chance.choice(
            [
                ("markdown", {"text": f"Note {self.chance.random()}"}),
                ("sql", {"query": f"SELECT {self.chance.randrange(5)} AS x", "name": "a"}),
                ("sql", {"query": "SELECT x + 1 AS x FROM a", "name": "b"}),
                ("python", {"code": f"print({self.chance.random()})"}),
            ]
        )
        if not handles or (len(handles) < 8 and self.chance.random() < 0.5):
            after = self.chance.choice([None, *handles])
            return {"action": "insert", "after": after, "kind": kind, "parameters": parameters}
        handle = self.chance.choice(handles)
        others = [None, *(other for other in handles if other != handle)]
        return self.chance.choice(
            [
                {"action": "update", "handle": handle, "kind": kind, "parameters": parameters},
                {"action": "delete", "handle": handle},
                {"action": "move", "handle": handle, "after": self.chance.choice(others)},
            ]
        )

    def _step(self, head: Any) -> None:
        for possible, direction in (("can_undo", "undo"), ("can_redo", "redo")):
            if head[possible] and self.chance.random() < 0.5:
                body = {"head": head["ref"]["number"]}
                self.ledger.acknowledge(self.api.post(f"/branches/{head['ref']['branch']}/{direction}", body))
                return

    def _run(self, head: Any) -> None:
        self.ledger.acknowledge(self.api.post(f"/branches/{head['ref']['branch']}/run", {"anew": True}))

    def _upload(self, head: Any) -> None:
        project = head["project"]["id"]
        content = self.chance.randbytes(self.chance.randrange(1, 500_000))
        notebook = Notebook(self.api, project, head["ref"]["branch"])
        self.ledger.uploads.setdefault(project, []).append(notebook.upload("data.bin", content))


def run_to_the_end(api: Api, ledger: Ledger) -> None:
    """Have everything run, and acknowledge the results."""

    def is_idle(notebook: Any) -> bool:
        return all(cell["state"] in SETTLED or cell["waits_for"] for cell in notebook["cells"])

    for branch in list(ledger.heads):
        api.post(f"/branches/{branch}/run")
        ledger.acknowledge(eventually(partial(api.get, f"/branches/{branch}/head"), is_idle))


def check_store(data: Path) -> None:
    store = Store.visit(Settings(data=data))
    try:
        report = doctor(store, now(), GRACE, deep=True)
    finally:
        store.close()
    assert report.healthy, report


@pytest.fixture
def flags(engine: Engine) -> tuple[str, ...]:
    """Servers that share one Spark, so that cells run soon after a start."""
    return ("--spark", engine.url())


@pytest.mark.timeout(900)
def test_thirty_kills_at_random_moments_lose_nothing(tmp_path: Path, flags: tuple[str, ...]) -> None:
    seed = int(os.environ.get("TRAILBOOK_SEED") or random.randrange(2**32))
    print(f"TRAILBOOK_SEED={seed}")
    with ThreadPoolExecutor() as pool:
        tries = [
            pool.submit(kill_and_reopen, tmp_path / str(number), flags, random.Random(seed + number))
            for number in range(AT_ONCE)
        ]
    for each in tries:
        each.result()


def kill_and_reopen(data: Path, flags: tuple[str, ...], chance: random.Random) -> None:
    ledger = Ledger()
    in_flight: str | None = None
    for number in range(ROUNDS):
        server = Server(data, *flags)
        ledger.check(Api(server.url), in_flight)
        if number % CALM == 0:
            run_to_the_end(Api(server.url), ledger)
        client = Client(server.url, ledger, chance)
        thread = threading.Thread(target=client.work)
        thread.start()
        client.wait_for_acts(chance.randrange(1, 8))
        thread.join(chance.uniform(0, 0.3))
        server.kill()
        thread.join()
        in_flight = client.in_flight
        check_store(data)
    with running_server(data, *flags) as server:
        ledger.check_all(Api(server.url), in_flight)
    assert len(ledger.versions) > ROUNDS
    assert ledger.results


@pytest.mark.parametrize(
    "point",
    [
        "artifact.renamed",
        "run.before_commit",
        "version.before_commit:3",
        "version.after_commit:3",
        "upload.halfway",
        "migration.halfway",
    ],
)
def test_a_kill_at_an_exact_instant_loses_nothing(tmp_path: Path, flags: tuple[str, ...], point: str) -> None:
    ledger = Ledger()
    try:
        server = Server(tmp_path, *flags, env={"TRAILBOOK_FAULT": point})
    except RuntimeError:
        assert point == "migration.halfway"
        in_flight = None
    else:
        client = Client(server.url, ledger, random.Random(1))
        client.work()
        server.process.wait(timeout=30)
        in_flight = client.in_flight
        check_store(tmp_path)
    server = Server(tmp_path, *flags)
    ledger.check(Api(server.url), in_flight)
    notebook = Api(server.url).project("Goes on")
    assert notebook.result(notebook.add("sql", query="SELECT 1 AS x")) == [[1]]
    assert server.stop() == 0
    check_store(tmp_path)
