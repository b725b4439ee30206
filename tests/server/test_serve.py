"""A server starts at once, stops at once, and outlives its engine."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from websockets.sync.client import connect

from tests.support.server import NO_ENGINE, TOKEN, Api, Notebook, Server, eventually, running_server

LONG_QUERY = "SELECT sum(a.id * b.id % 7) AS x FROM range(0, 1000000, 1, 64) a CROSS JOIN range(1000000) b"


def serve(*flags: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "trailbook.cli.main", "serve", "--no-browser", *NO_ENGINE, *flags]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def java_of(server: Server) -> psutil.Process | None:
    children = psutil.Process(server.process.pid).children(recursive=True)
    return next((child for child in children if "java" in child.name()), None)


def test_a_second_server_on_the_same_data_is_refused_in_one_line(tmp_path: Path) -> None:
    with running_server(tmp_path, *NO_ENGINE) as first:
        second = serve("--data", str(tmp_path))
    assert second.returncode == 1
    assert second.stdout == ""
    (line,) = second.stderr.splitlines()
    assert f"process {first.process.pid}" in line
    assert str(tmp_path) in line


def test_a_taken_port_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        refused = serve("--data", str(tmp_path / "data"), "--port", port)
    assert refused.returncode == 1
    (line,) = refused.stderr.splitlines()
    assert f"Port {port}" in line
    assert not (tmp_path / "data").exists()


def test_an_unknown_host_is_told_in_one_line(tmp_path: Path) -> None:
    refused = serve("--data", str(tmp_path), "--host", "no.such.host.invalid")
    assert refused.returncode == 1
    assert len(refused.stderr.splitlines()) == 2
    assert "no.such.host.invalid" in refused.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_answers_while_spark_starts_and_stops_on_a_signal_without_a_trace(
    tmp_path: Path, number: signal.Signals
) -> None:
    server = Server(tmp_path)
    api = Api(server.url)
    assert api.get("/status")["engine"]["state"] == "starting"
    assert api.project().head()["cells"] == []
    java = eventually(lambda: java_of(server), lambda process: process is not None)
    server.process.send_signal(number)
    assert server.process.wait(timeout=30) == 0
    assert not java.is_running()
    assert server.process.stdout is not None
    assert "Traceback" not in server.process.stdout.read()
    api.close()


def test_a_killed_engine_fails_its_cell_and_is_started_again(server: Server, notebook: Notebook) -> None:
    def until(good: Callable[[Any], bool]) -> Any:
        return next(event for event in map(json.loads, iter(partial(watcher.recv, 120), None)) if good(event))

    def is_at_work(event: Any) -> bool:
        return event["type"] == "progress" and event["progress"]["total"] is not None

    url = f"{server.url.replace('http', 'ws')}/api/v1/branches/{notebook.branch}/changes"
    with connect(url, additional_headers={"Authorization": f"Bearer {TOKEN}"}, proxy=None) as watcher:
        handle = notebook.add("sql", query=LONG_QUERY)
        until(is_at_work)
        java = java_of(server)
        assert java is not None
        java.kill()
        changes = [until(lambda event: event["type"] == "engine")["engine"]["state"] for _ in range(2)]
        assert changes == ["starting", "ready"]
        assert notebook.settled(handle)["run"]["error"]["code"] == "engine_lost"
        notebook.api.post(f"/branches/{notebook.branch}/run", {"cells": [handle]})
        until(is_at_work)
        notebook.api.post(f"/branches/{notebook.branch}/cancel")
        assert notebook.settled(handle)["state"] == "cancelled"
