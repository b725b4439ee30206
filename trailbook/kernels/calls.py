"""What each of the system calls that are watched does to the outside."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from trailbook.kernels.child.outside.seccomp import this_machine
from trailbook.kernels.listener import Call, address_at, memory, path_at
from trailbook.kernels.sightings import (
    Changed,
    Connected,
    Executed,
    Looked,
    MadeFolder,
    Missed,
    Opened,
    Replaced,
    Sighting,
    Taken,
)

_NAME_ONLY, _NOT_THROUGH_LINKS = getattr(os, "O_PATH", 0), getattr(os, "O_NOFOLLOW", 0)
_CREAT_FLAGS = os.O_CREAT | os.O_WRONLY | os.O_TRUNC
_REMOVES_DIRECTORY = 0x200


@dataclass(frozen=True)
class _Named:
    """The arguments that name a path, and what happens to what is there: None if it is opened."""

    fate: type[Changed | Replaced | Executed | MadeFolder | Taken | Looked] | None
    path: int
    directory: int | None = None


_PATHS = {
    "open": (_Named(None, 0),),
    "creat": (_Named(None, 0),),
    "openat": (_Named(None, 1, 0),),
    "openat2": (_Named(None, 1, 0),),
    "execve": (_Named(Executed, 0),),
    "execveat": (_Named(Executed, 1, 0),),
    "mkdir": (_Named(MadeFolder, 0),),
    "mkdirat": (_Named(MadeFolder, 1, 0),),
    "truncate": (_Named(Changed, 0),),
    "unlink": (_Named(Changed, 0),),
    "unlinkat": (_Named(Changed, 1, 0),),
    "rmdir": (_Named(Taken, 0),),
    "chdir": (_Named(Looked, 0),),
    "rename": (_Named(Changed, 0), _Named(Replaced, 1)),
    "renameat": (_Named(Changed, 1, 0), _Named(Replaced, 3, 2)),
    "renameat2": (_Named(Changed, 1, 0), _Named(Replaced, 3, 2)),
    "link": (_Named(Taken, 0), _Named(Replaced, 1)),
    "linkat": (_Named(Taken, 1, 0), _Named(Replaced, 3, 2)),
    "symlink": (_Named(Replaced, 1),),
    "symlinkat": (_Named(Replaced, 2, 1),),
}
_ADDRESSES = {"connect": 1, "sendto": 4}
"""The argument that points to an address; its size is the next one."""

_machine = this_machine()
_NAMES = {number: name for name, number in _machine.calls.items()} if _machine else {}


def meaning(call: Call) -> tuple[Sighting, ...]:
    """What the call is about to do."""
    name = _NAMES[call.number]
    if name in _ADDRESSES:
        at = _ADDRESSES[name]
        found = address_at(call.pid, call.arguments[at], call.arguments[at + 1])
        return (Connected(*found),) if found else ()
    if name == "unlinkat" and call.arguments[2] & _REMOVES_DIRECTORY:
        return (_fate(call, name, _Named(Taken, 1, 0)),)
    return tuple(_fate(call, name, named) for named in _PATHS[name])


def _fate(call: Call, name: str, named: _Named) -> Sighting:
    directory = None if named.directory is None else call.arguments[named.directory]
    path = path_at(call.pid, directory, call.arguments[named.path])
    if path is None:
        return Missed()
    if named.fate:
        return named.fate(path)
    flags = _flags(call, name)
    return Looked(path, not flags & _NOT_THROUGH_LINKS) if flags & _NAME_ONLY else Opened(path, flags)


def _flags(call: Call, name: str) -> int:
    match name:
        case "open":
            return int(call.arguments[1])
        case "openat":
            return int(call.arguments[2])
        case "openat2":
            return int.from_bytes(memory(call.pid, call.arguments[2], 8), sys.byteorder)
    return _CREAT_FLAGS
