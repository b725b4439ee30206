"""Notes what Python itself is about to do, where the kernel can't be asked: native code goes unseen."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from trailbook.kernels.child.outside.looks import LOOKED
from trailbook.kernels.child.outside.notes import Notes

_stat = os.stat
"""As it is before looks are told."""
_LISTS = os.O_RDONLY | os.O_DIRECTORY
_OPENS_DATABASE = os.O_RDWR | os.O_CREAT


def install(notes: Notes, installed: list[str]) -> None:
    """For good: Python has no way to take a hook away."""
    auditor = _Auditor(notes, tuple(installed))

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _EVENTS:
            # A note that fails must not fail what it is about.
            with suppress(Exception):
                _EVENTS[event](auditor, *arguments)

    sys.addaudithook(hook)


class _Auditor:
    def __init__(self, notes: Notes, installed: tuple[str, ...]) -> None:
        self._notes = notes
        self._installed = installed

    def opened(self, path: Any, _mode: Any, flags: int) -> None:
        # A number is of something that was opened before.
        if not isinstance(path, int):
            self._note("Opened", path, flags)

    def looked(self, path: str, directory: int | None, follows: bool) -> None:
        if directory is None:
            self._note("Looked", path, follows)
        else:
            self._notes.add("Missed")

    def listed(self, path: Any = None) -> None:
        if not isinstance(path, int):
            self._note("Opened", path or ".", _LISTS)

    def opened_database(self, database: Any) -> None:
        if database != ":memory:":
            self._note("Opened", database, _OPENS_DATABASE)

    def changed(self, path: Any, *_: Any) -> None:
        self._note("Changed", path)

    def made_folder(self, path: Any, *_: Any) -> None:
        self._note("MadeFolder", path)

    def renamed(self, source: Any, target: Any, *_: Any) -> None:
        self._note("Changed", source)
        self._note("Replaced", target)

    def linked(self, source: Any, target: Any, *_: Any) -> None:
        self._note("Taken", source)
        self._note("Replaced", target)

    def linked_by_name(self, _source: Any, target: Any, *_: Any) -> None:
        self._note("Replaced", target)

    def removed_folder(self, path: Any, *_: Any) -> None:
        self._note("Taken", path)

    def entered(self, path: Any) -> None:
        if not isinstance(path, int):
            self._note("Looked", path, True)

    def connected(self, _socket: Any, address: Any) -> None:
        if isinstance(address, tuple):
            self._notes.add("Connected", *address[:2])

    def executed(self, program: Any, *_: Any) -> None:
        self._notes.add("Missed")
        found = shutil.which(os.fsdecode(program))
        if found:
            self._notes.add("Executed", os.path.abspath(found))

    def ran_shell(self, *_: Any) -> None:
        self.executed("sh")

    def _note(self, kind: str, path: Any, *fields: Any) -> None:
        full = os.path.abspath(os.fsdecode(path))
        if not full.startswith(self._installed):
            self._notes.add(kind, full, *fields, signs=_signs(full))


def _signs(path: str) -> tuple[int, ...] | None:
    """As `trailbook.store.outside` makes them."""
    with suppress(OSError):
        found = _stat(path)
        return found.st_mode, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
    return None


_EVENTS: dict[str, Callable[..., None]] = {
    "open": _Auditor.opened,
    LOOKED: _Auditor.looked,
    "os.listdir": _Auditor.listed,
    "os.scandir": _Auditor.listed,
    "os.mkdir": _Auditor.made_folder,
    "os.remove": _Auditor.changed,
    "os.truncate": _Auditor.changed,
    "os.rename": _Auditor.renamed,
    "os.link": _Auditor.linked,
    "os.symlink": _Auditor.linked_by_name,
    "os.rmdir": _Auditor.removed_folder,
    "os.chdir": _Auditor.entered,
    "sqlite3.connect": _Auditor.opened_database,
    "socket.connect": _Auditor.connected,
    "socket.sendto": _Auditor.connected,
    "subprocess.Popen": _Auditor.executed,
    "os.exec": _Auditor.executed,
    "os.posix_spawn": _Auditor.executed,
    "os.spawn": _Auditor.ran_shell,
    "os.system": _Auditor.ran_shell,
}
