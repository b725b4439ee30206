"""Files of a Hadoop file system, read by Hadoop's own shell, whose jars come with Spark."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from trailbook.engine.embedded import spark_home
from trailbook.engine.java import find_java
from trailbook.errors import NotFetched

SHELL = "org.apache.hadoop.fs.FsShell"
REGULAR = "regular file"
CONFIGURATION = "HADOOP_CONF_DIR"
_PATIENCE = {
    "ipc.client.connect.timeout": "10000",
    "ipc.client.connect.max.retries": "1",
    "ipc.client.connect.max.retries.on.timeouts": "1",
    "dfs.client.socket-timeout": "30000",
}
"""Hadoop would wait for minutes for who does not answer."""


class HadoopFile:
    """A file at an address such as `hdfs://host:port/path`. `scratch` is an empty folder.

    Whoever runs the server may have set Hadoop up, by HADOOP_CONF_DIR; `anonymously`, that does not count.
    """

    def __init__(self, url: str, scratch: Path, *, anonymously: bool) -> None:
        self._url = url
        self._scratch = scratch
        self._anonymously = anonymously
        self._process: subprocess.Popen[bytes] | None = None

    def size(self) -> int:
        """How many bytes it has."""
        with self._start("-stat", "%b %F", self._url) as process:
            said, complaint = process.communicate()
        size, _, kind = said.decode("utf-8", "replace").strip().partition(" ")
        if process.returncode or not size.isdecimal():
            raise NotFetched(self._told(complaint))
        if kind != REGULAR:
            raise NotFetched(f"{self._url} is a {kind}, not a file.")
        return int(size)

    def open(self) -> IO[bytes]:
        """Its bytes. They are all there only if it is closed without an error."""
        process = self._start("-cat", self._url)
        assert process.stdout
        return process.stdout

    def close(self) -> None:
        """Tell if there was something wrong with what was read to its end."""
        if self._process is None:
            return
        with self._process as process:
            _, complaint = process.communicate()
        if process.returncode:
            raise NotFetched(self._told(complaint))

    def stop(self) -> None:
        if self._process:
            self._process.kill()

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        properties = (f"-D{name}={value}" for name, value in _PATIENCE.items())
        command = [str(find_java("").path), "-Xmx256m", "-cp", self._classes(), SHELL, *properties, *arguments]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment(os.environ),
        )
        return self._process

    def _classes(self) -> str:
        configuration = "" if self._anonymously else os.environ.get(CONFIGURATION, "")
        if not configuration:
            configuration = str(self._scratch)
            (self._scratch / "core-site.xml").write_text("<configuration/>", "ascii")
        return os.pathsep.join([configuration, f"{spark_home() / 'jars'}/*"])

    def _environment(self, own: Mapping[str, str]) -> dict[str, str]:
        hidden = ("HADOOP_", "KRB5") if self._anonymously else ("HADOOP_CLASSPATH",)
        return {name: value for name, value in own.items() if not name.startswith(hidden)}

    def _told(self, complaint: bytes) -> str:
        """What the shell says of the file; what its libraries log is not for people."""
        lines = complaint.decode("utf-8", "replace").splitlines()
        said = next(
            (line for line in lines if line.lstrip("-").startswith(("stat: ", "cat: "))), lines[-1] if lines else ""
        )
        return f"{self._url} could not be fetched: {said.partition(': ')[2] or said or 'Hadoop says nothing'}."
