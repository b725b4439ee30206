"""Runs a cell in a container: without network, with the image's system, read-only, and what it is given."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import trailbook
from trailbook.errors import BadSetting
from trailbook.kernels.containers.command import user_inside
from trailbook.kernels.containers.door import DOOR, NotStarted, started
from trailbook.kernels.containers.fitness import PROBE, Equipment, asked_for, require_fit
from trailbook.kernels.enclosure import GIVEN, HOME, EnclosedZygote, Enclosure, harmless_variables, spellings
from trailbook.kernels.forking import LONGEST_MESSAGE, PACKAGE_ROOT

ENTRY = (
    "import sys; sys.path.insert(0, sys.argv[1]); import trailbook; sys.path.append(sys.path.pop(0)); "
    "from trailbook.kernels.child.entering import main; main()"
)
"""The server's own code comes first: an image may have another Trailbook among its packages."""
_CLOCK = "/etc/localtime"
_APART = (
    *("run", "--rm", "--pull", "never", "--network", "none", "--hostname", "cell", "--read-only"),
    *("--cap-drop", "ALL", "--security-opt", "no-new-privileges"),
    # Otherwise SELinux would have every file that is given be labelled anew.
    *("--security-opt", "label=disable"),
)
_PARENT = "0"
"""The number that the parent of the first process has inside."""


@dataclass(frozen=True)
class Container(Enclosure):
    """What the containers of all runs have in common.

    `hidden` are folders that none may see. The notebook's own folder, `home`, all may.
    """

    takes_packages: ClassVar[bool] = False

    command: tuple[str, ...]
    image: str
    hidden: tuple[Path, ...]
    home: Path | None = None

    def check(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            scratch = Path(folder).resolve()
            for name in ("tmp", "work", GIVEN):
                (scratch / name).mkdir()
            words = self._words(scratch, scratch / "tmp")
            try:
                visitor = started([*words, "-c", PROBE, f"{GIVEN}/{DOOR}", *asked_for()], scratch / GIVEN)
            except NotStarted as reason:
                raise BadSetting(f"isolation = container can't be used here: {reason}.") from reason
            with visitor.talk:
                told = json.loads(visitor.talk.recv(LONGEST_MESSAGE))
            visitor.client.wait()
        require_fit(Equipment(tuple(told["python"]), told["packages"]))

    def _started(self, scratch: Path, temporary: Path, modules: list[str]) -> EnclosedZygote:
        arguments = ["-P", "-c", ENTRY, PACKAGE_ROOT, f"{GIVEN}/{DOOR}", _PARENT, *modules]
        return _ContainedZygote([*self._words(scratch, temporary), *arguments], scratch / GIVEN)

    def _words(self, scratch: Path, temporary: Path) -> list[str]:
        """The command up to the arguments of the image's Python."""
        shown = [Path(trailbook.__file__).resolve().parent, *([self.home] if self.home else [])]
        mounts = {path: _bind(path, path, "readonly") for folder in shown for path in spellings(folder)}
        hidden = [folder for folder in self.hidden if folder.exists()]
        mounts |= {path: _bind(_nothing(scratch), path) for folder in hidden for path in spellings(folder)}
        if os.path.exists(_CLOCK):
            mounts[_CLOCK] = _bind(_CLOCK, _CLOCK, "readonly")
        mounts[HOME] = _bind(str(temporary), HOME)
        mounts |= {path: _bind(path, path) for path in spellings(scratch)}
        mounts |= {path: _bind(path, path, "readonly") for path in spellings(scratch / GIVEN)}
        variables = [f"--env={name}={value}" for name, value in harmless_variables().items()]
        place = ("--user", user_inside(self.command), "--workdir", str(scratch))
        return [*self.command, *_APART, *mounts.values(), *variables, *place, "--entrypoint", "python3", self.image]


class _ContainedZygote(EnclosedZygote):
    def __init__(self, words: list[str], folder: Path) -> None:
        """`folder` is where the door is."""
        self._words = words
        self._folder = folder
        self._client: subprocess.Popen[bytes] | None = None
        super().__init__()

    def _start(self) -> None:
        with self._theirs:
            try:
                visitor = started(self._words, self._folder)
            except NotStarted as reason:
                self.problem = f": {reason}"
                return
            self._client = visitor.client
            with visitor.talk, suppress(OSError):
                self._init = os.pidfd_open(visitor.pid)
                socket.send_fds(visitor.talk, [b"."], [self._theirs.fileno()])

    def _end(self) -> None:
        super()._end()
        if self._client:
            # It tidies up, for which nobody has to wait.
            threading.Thread(target=self._client.wait, name="container", daemon=True).start()


def _nothing(scratch: Path) -> str:
    """An empty folder for the place of what nobody may see. Into a file system in memory, Podman would copy it."""
    folder = scratch / "nothing"
    folder.mkdir(exist_ok=True)
    return str(folder)


def _bind(source: str, target: str, *options: str) -> str:
    return "--mount=" + ",".join(("type=bind", f"src={source}", f"dst={target}", *options))
