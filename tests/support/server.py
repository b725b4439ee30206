"""A real server in a process of its own, and a client that speaks its API."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

TOKEN = "a-token-for-tests"
SETTLED = {"done", "error", "cancelled"}
NO_ENGINE = ("--java", "no-such-java")
"""For servers whose tests need no Spark: none is started."""


class Server:
    """`trailbook serve` over a data directory."""

    def __init__(
        self, data: Path, *flags: str, env: Mapping[str, str] | None = None, prepare: Callable[[], None] | None = None
    ) -> None:
        command = [sys.executable, "-m", "trailbook.cli.main", "serve", "--data", str(data), "--no-browser"]
        self.process = subprocess.Popen(
            [*command, "--token", TOKEN, "--no-example", *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # It asks nobody for packages, whatever names a test makes up.
            env={**os.environ, "UV_OFFLINE": "1", **(env or {})},
            preexec_fn=prepare,
        )
        self.output = ""
        self.url = self._wait_for_url()

    def _wait_for_url(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output += line
            found = re.search(r"Trailbook is at (\S+)", line)
            if found:
                parts = urlsplit(found[1])
                return f"{parts.scheme}://{parts.netloc}"
        raise RuntimeError(f"the server ended with {self.process.wait()}:\n{self.output}")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


@contextmanager
def running_server(
    data: Path, *flags: str, env: Mapping[str, str] | None = None, prepare: Callable[[], None] | None = None
) -> Iterator[Server]:
    """A server that is stopped at the end; `prepare` is called in its process before it starts."""
    server = Server(data, *flags, env=env, prepare=prepare)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


def browser(url: str, **headers: str) -> httpx.Client:
    """A client without a token that keeps cookies."""
    return httpx.Client(base_url=url, headers=headers, timeout=60, trust_env=False)


def code_of(answer: httpx.Response) -> tuple[int, str]:
    """The status of a request that failed, and the code of its error."""
    return answer.status_code, answer.json()["code"]


class Api:
    """The API as a client sees it. Every method answers the parsed JSON of a request that went well."""

    def __init__(self, url: str, token: str = TOKEN) -> None:
        self.http = httpx.Client(
            base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=60, trust_env=False
        )

    def close(self) -> None:
        self.http.close()

    def get(self, path: str, **parameters: Any) -> Any:
        return self._checked(self.http.get(path, params=parameters))

    def post(self, path: str, body: Any = None) -> Any:
        return self._checked(self.http.post(path, json=body if body is not None else {}))

    @staticmethod
    def _checked(answer: httpx.Response) -> Any:
        assert answer.is_success, f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def project(self, name: str = "Project") -> Notebook:
        summary = self.post("/projects", {"name": name})
        return Notebook(self, summary["id"], summary["branch"])


class Notebook:
    """The head of a branch, edited as the web app does."""

    def __init__(self, api: Api, project: str, branch: str) -> None:
        self.api = api
        self.project = project
        self.branch = branch

    def head(self) -> Any:
        return self.api.get(f"/branches/{self.branch}/head")

    def edit(self, **edit: Any) -> Any:
        number = self.head()["ref"]["number"]
        body = {"edit": edit, "at_head": True}
        return self.api.post(f"/branches/{self.branch}/versions/{number}/edits", body)

    def add(self, kind: str, **parameters: Any) -> str:
        """Insert a cell at the end; its handle."""
        cells = self.head()["cells"]
        after = cells[-1]["handle"] if cells else None
        handle: str = self.edit(action="insert", after=after, kind=kind, parameters=parameters)["cells"][-1]["handle"]
        return handle

    def update(self, handle: str, **parameters: Any) -> Any:
        return self.edit(action="update", handle=handle, parameters=parameters)

    def upload(self, name: str, content: bytes) -> str:
        answer = self.api.http.post(f"/projects/{self.project}/files", params={"name": name}, content=content)
        artifact: str = Api._checked(answer)["artifact"]
        return artifact

    def cell(self, handle: str) -> Any:
        return next(cell for cell in self.head()["cells"] if cell["handle"] == handle)

    def settled(self, handle: str) -> Any:
        """The cell once it has run."""
        return eventually(lambda: self.cell(handle), lambda cell: cell["state"] in SETTLED)

    def result(self, handle: str) -> list[list[Any]]:
        """The rows of the dataset that the cell made."""
        cell = self.settled(handle)
        assert cell["state"] == "done", cell["run"]["error"]
        rows: list[list[Any]] = self.api.get(f"/artifacts/{cell['outputs'][0]['artifact']['id']}/rows")["rows"]
        return rows


def eventually(look: Callable[[], Any], good: Callable[[Any], bool], seconds: float = 120) -> Any:
    """What `look` gives once it is good."""
    deadline = time.monotonic() + seconds
    while True:
        seen = look()
        if good(seen):
            return seen
        assert time.monotonic() < deadline, f"still not as it should be: {seen}"
        time.sleep(0.02)
