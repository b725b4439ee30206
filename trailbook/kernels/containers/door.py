"""How the first process in a container finds the host: at a socket in a folder that both see.

Neither Podman nor Docker hands on what the server has open, at least not by the same words.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trailbook.kernels.containers.command import client_variables
from trailbook.kernels.forking import SOCKET

DOOR = "door"
START_SECONDS = 60.0
LONGEST_REASON = 2000
_CREDENTIALS = "3i"


class NotStarted(Exception):
    """Nobody came to the door; says why."""


@dataclass(frozen=True)
class Visitor:
    """The first process in a container: its number outside, and the talk with it."""

    client: subprocess.Popen[bytes]
    pid: int
    talk: socket.socket


def started(words: Sequence[str], folder: Path) -> Visitor:
    """Run the words, and wait for who comes to the door in the folder. Raises NotStarted."""
    with _door(folder) as door, tempfile.TemporaryFile() as said:
        client = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env=client_variables(),
            start_new_session=True,
        )
        if not _is_anybody_there(door, client):
            is_stuck = client.poll() is None
            client.kill()
            client.wait()
            said.seek(0)
            text = said.read(LONGEST_REASON).decode("utf-8", "replace").strip().rstrip(".")
            raise NotStarted(f"nothing came of it in {START_SECONDS:g} seconds. {text}" if is_stuck else text)
        talk, _ = door.accept()
    pid, _, _ = struct.unpack(_CREDENTIALS, talk.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    if not pid:
        talk.close()
        client.wait()
        raise NotStarted("its processes can't be seen from here, as if the server were in a container as well")
    return Visitor(client, pid, talk)


@contextmanager
def _door(folder: Path) -> Iterator[socket.socket]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with socket.socket(socket.AF_UNIX, SOCKET) as door:
            # Not by its path, which may be longer than an address can be.
            door.bind(f"/proc/self/fd/{descriptor}/{DOOR}")
            door.listen(1)
            yield door
    finally:
        os.unlink(DOOR, dir_fd=descriptor)
        os.close(descriptor)


def _is_anybody_there(door: socket.socket, client: subprocess.Popen[bytes]) -> bool:
    """Not if the client ends before."""
    end = os.pidfd_open(client.pid)
    try:
        ready, _, _ = select.select([door.fileno(), end], [], [], START_SECONDS)
    finally:
        os.close(end)
    return door.fileno() in ready
