"""The embedded Spark: a Spark Connect server as a child process, on loopback, behind a token."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import secrets
import shutil
import subprocess
import sys
import threading
from importlib.metadata import version
from pathlib import Path

from trailbook.engine import tether
from trailbook.engine.config import OPENED_PACKAGES, STARTED_LOGGER, spark_properties, write_config_files
from trailbook.engine.java import Java, find_java
from trailbook.engine.sessions import load_pyspark
from trailbook.errors import EngineError, EngineUnavailable
from trailbook.model.base import digest_of
from trailbook.settings import MIB, Settings

USER = "trailbook"
START_SECONDS = 120
STOP_SECONDS = 5
POLL_SECONDS = 0.05
WATCH_SECONDS = 0.2
LOG_LINES = 8
STACK_SIZE = "16m"
"""Deeply nested SQL recurses deeply in Spark's parser and optimizer."""

_STARTED = re.compile(r"Spark Connect server started at: .*?:(\d+)\s")
_BAD_HEAP = re.compile(
    r"Could not reserve enough space|insufficient memory|Too small (initial|maximum) heap"
    r"|Invalid maximum heap size|System memory \d+ must be at least"
)
_OUT_OF_MEMORY = "Terminating due to java.lang.OutOfMemoryError"


class EmbeddedSpark:
    """One Spark Connect server at a time, with all its files in a folder of its own."""

    name = "Spark"
    attempts = 3
    retry_seconds: float | None = None

    def __init__(self, settings: Settings, write_archive: Path | None = None) -> None:
        self._settings = settings
        self._write_archive = write_archive
        self._folder = settings.data / "engine"
        self._log = self._folder / "engine.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._url = ""
        self._archive: Path | None = None

    def launch(self, stopping: threading.Event) -> str:
        """Start the server and give its URL once it answers. The calling thread must outlive the server."""
        java = find_java(self._settings.java)
        # Java writes no archive on top of another one.
        self._archive = None if self._write_archive else archive_of(java)
        self._make_folder()
        token = secrets.token_urlsafe(24)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", tether.__file__, str(os.getpid()), *self._command(java)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env=self._environment(token),
                # Ctrl-C in a terminal reaches the whole group; Spark ends after its server, not before.
                start_new_session=True,
            )
        # Java takes seconds to start, and so does this; it may as well be now.
        load_pyspark()
        try:
            port = self._await_port(self._process, stopping)
        except EngineError:
            # One that is only slow would go on, beside the next attempt.
            self.close()
            raise
        self._url = f"sc://localhost:{port}/;user_id={USER};token={token}"
        return self._url

    def outlast(self, stopping: threading.Event) -> str:
        """Wait until the server is gone, and say why."""
        while not stopping.wait(WATCH_SECONDS):
            if self._process is None or self._process.poll() is not None:
                return self._cause_of_death()
        return "Spark was stopped."

    def close(self, seconds: float = STOP_SECONDS) -> None:
        """End the server, by force if it takes too long, and remove its files, except for its log."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        self._remove_files()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def _make_folder(self) -> None:
        self._remove_files()
        for part in ("blocks", "tmp", "warehouse"):
            (self._folder / part).mkdir(parents=True, exist_ok=True)
        write_config_files(self._folder / "conf")

    def _remove_files(self) -> None:
        for part in ("blocks", "tmp", "warehouse", "conf", "artifacts"):
            shutil.rmtree(self._folder / part, ignore_errors=True)

    def _command(self, java: Java) -> list[str]:
        properties = {
            "java.io.tmpdir": str(self._folder / "tmp"),
            "user.timezone": "UTC",
            "log4j2.configurationFile": str(self._folder / "conf" / "log4j2.properties"),
            **spark_properties(self._folder),
        }
        return [
            str(java.path),
            f"-Xmx{self._settings.engine_memory // MIB}m",
            f"-Xss{STACK_SIZE}",
            # After a failed allocation no thread of the JVM can be relied on; a fresh one can.
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+IgnoreUnrecognizedVMOptions",
            # Spark makes one method of many expressions; one that is never compiled runs several times slower.
            "-XX:-DontCompileHugeMethods",
            *self._archive_options(),
            *(f"--add-opens={package}=ALL-UNNAMED" for package in OPENED_PACKAGES),
            "-Djdk.reflect.useDirectMethodHandle=false",
            "-Dio.netty.tryReflectionSetAccessible=true",
            *(f"-D{key}={value}" for key, value in properties.items()),
            "-cp",
            os.pathsep.join([f"{spark_home() / 'jars'}/*", *map(str, self._settings.drivers)]),
            STARTED_LOGGER,
        ]

    def _archive_options(self) -> list[str]:
        if self._write_archive:
            return [f"-XX:ArchiveClassesAtExit={self._write_archive}"]
        return [f"-XX:SharedArchiveFile={self._archive}"] if self._archive and self._archive.is_file() else []

    def _environment(self, token: str) -> dict[str, str]:
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("SPARK_", "PYSPARK_"))}
        return {
            **inherited,
            "SPARK_HOME": str(spark_home()),
            "SPARK_LOCAL_IP": "127.0.0.1",
            # Under the C locale Java can't open files with names beyond ASCII.
            "LC_ALL": "C.UTF-8",
            # Not a property: other users of the machine can read a process's arguments.
            "SPARK_CONNECT_AUTHENTICATE_TOKEN": token,
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON": sys.executable,
        }

    def _await_port(self, process: subprocess.Popen[bytes], stopping: threading.Event) -> int:
        for _ in range(int(START_SECONDS / POLL_SECONDS)):
            if started := _STARTED.search(self._log.read_text("utf-8", "replace")):
                return int(started[1])
            if process.poll() is not None:
                raise self._failed_start()
            if stopping.wait(POLL_SECONDS):
                raise EngineUnavailable("Spark was stopped while it started.")
        raise EngineUnavailable(f"Spark did not start within {START_SECONDS} seconds.{self._log_tail()}")

    def _failed_start(self) -> EngineError:
        if _BAD_HEAP.search(self._log_tail()):
            memory = self._settings.engine_memory // MIB
            return EngineError(
                f"Spark can't start with {memory} MiB of memory. Set engine_memory to what this machine can spare"
                f" (at least 512m).{self._log_tail()}"
            )
        if self._archive:
            # Java checks little of an archive, and stumbles over a cut one; the next attempt does without.
            with contextlib.suppress(OSError):
                self._archive.unlink(missing_ok=True)
        return EngineUnavailable(self._cause_of_death())

    def _cause_of_death(self) -> str:
        tail = self._log_tail()
        if _OUT_OF_MEMORY in tail:
            memory = self._settings.engine_memory // MIB
            return f"Spark ran out of its {memory} MiB of memory. A larger engine_memory may help."
        code = self._process.returncode if self._process else None
        ending = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with exit code {code}"
        return f"Spark {ending}.{tail}"

    def _log_tail(self) -> str:
        with contextlib.suppress(OSError):
            lines = self._log.read_text("utf-8", "replace").splitlines()
            telling = [line for line in lines if line and not line.startswith("\tat ")]
            if telling:
                return f" The end of {self._log}:\n" + "\n".join(telling[-LOG_LINES:])
        return ""


def archive_of(java: Java) -> Path:
    """Where the archive of classes for this Java and this Spark is, once `trailbook prepare` has made it."""
    facts = digest_of(str(java.path.resolve()), java.version, version("pyspark"), str(spark_home()))
    return Path(sys.prefix) / "share" / "trailbook" / f"spark-{facts[:16]}.jsa"


def spark_home() -> Path:
    """Where PySpark is installed, without importing it."""
    spec = importlib.util.find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise EngineError("The package pyspark is not installed. Reinstall trailbook with its dependencies.")
    return Path(spec.origin).parent
